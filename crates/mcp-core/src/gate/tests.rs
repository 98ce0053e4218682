//! The gate under random interleavings: whatever happens in whatever order, the counts fit what is
//! held, and at the end nothing is.

use proptest::prelude::*;

use super::*;

/// One thing that happens to one of a few requests.
#[derive(Debug, Clone, Copy)]
enum Step {
    Enter {
        id: u8,
        listens: bool,
    },
    Park {
        id: u8,
    },
    Unpark {
        id: u8,
    },
    Cancel {
        id: u8,
    },
    /// The work for it ends: the handler's own ticket goes.
    End {
        id: u8,
    },
    BeginAnswer {
        id: u8,
    },
    AnswerWritten {
        id: u8,
    },
}

fn step() -> impl Strategy<Value = Step> {
    let id = 0..12_u8;
    prop_oneof![
        (id.clone(), any::<bool>()).prop_map(|(id, listens)| Step::Enter { id, listens }),
        id.clone().prop_map(|id| Step::Park { id }),
        id.clone().prop_map(|id| Step::Unpark { id }),
        id.clone().prop_map(|id| Step::Cancel { id }),
        id.clone().prop_map(|id| Step::End { id }),
        id.clone().prop_map(|id| Step::BeginAnswer { id }),
        id.prop_map(|id| Step::AnswerWritten { id }),
    ]
}

fn request(id: u8) -> RequestId {
    RequestId::Number(i64::from(id))
}

proptest! {
    #[test]
    fn the_counts_fit_what_is_held_after_every_step(steps in prop::collection::vec(step(), 0..200)) {
        let gate = Gate::new(4);
        // Work outlives its cancellation, so there may be several for one id.
        let mut working: Vec<(u8, InFlight)> = Vec::new();
        let mut answering: Vec<(u8, Answering)> = Vec::new();
        for step in steps {
            match step {
                Step::Enter { id, listens } => match gate.enter(&request(id), listens) {
                    Ok(in_flight) => working.push((id, in_flight)),
                    Err(Full::SameId) => prop_assert!(gate.is_open(&request(id))),
                    Err(Full::Listens) => prop_assert_eq!(gate.counts().3, MAX_LISTENS),
                },
                Step::Park { id } => {
                    if let Some((_, it)) = working.iter().find(|it| it.0 == id) {
                        prop_assert!(it.park());
                    }
                }
                Step::Unpark { id } => {
                    if let Some((_, it)) = working.iter().find(|it| it.0 == id) {
                        it.unpark();
                    }
                }
                Step::Cancel { id } => {
                    gate.forget(&request(id));
                    prop_assert!(!gate.is_open(&request(id)));
                }
                Step::End { id } => {
                    if let Some(at) = working.iter().position(|it| it.0 == id) {
                        working.remove(at);
                    }
                }
                Step::BeginAnswer { id } => answering.push((id, gate.answer(&request(id)))),
                Step::AnswerWritten { id } => {
                    if let Some(at) = answering.iter().position(|it| it.0 == id) {
                        drop(answering.remove(at));
                    }
                }
            }
            let (open, works, parked, listening) = gate.counts();
            let held = works + parked + listening;
            prop_assert!(held >= open, "{held} held, {open} open");
            prop_assert!(held <= open + working.len() + answering.len());
            prop_assert!(parked <= MAX_PARKED && listening <= MAX_LISTENS);
        }
        for id in 0..12 {
            gate.forget(&request(id));
        }
        drop((working, answering));
        prop_assert_eq!(gate.counts(), (0, 0, 0, 0));
    }
}

#[test]
fn listens_and_parked_calls_have_caps_of_their_own() {
    let gate = Gate::new(1);
    let id = |n: usize| RequestId::Number(i64::try_from(n).unwrap());
    let listens: Vec<_> =
        (0..MAX_LISTENS).map(|n| gate.enter(&id(n), true).map_err(|_| ()).unwrap()).collect();
    assert_eq!(gate.enter(&id(1000), true).err(), Some(Full::Listens));
    let calls: Vec<_> = (0..=MAX_PARKED)
        .map(|n| gate.enter(&id(2000 + n), false).map_err(|_| ()).unwrap())
        .collect();
    assert_eq!(calls.iter().filter(|it| it.park()).count(), MAX_PARKED);
    drop((listens, calls));
}

#[test]
fn a_cancelled_request_counts_until_its_work_has_ended() {
    let gate = Gate::new(1);
    let work = gate.enter(&request(1), false).map_err(|_| ()).unwrap();
    gate.forget(&request(1));
    assert_eq!(gate.counts(), (0, 1, 0, 0));
    drop(work);
    assert_eq!(gate.counts(), (0, 0, 0, 0));
}
