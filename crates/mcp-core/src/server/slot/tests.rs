//! Slots under random interleavings: never more calls run than there are slots, and none is lost.

use std::cell::Cell;

use super::*;
use crate::interleaving::{self, Task, step_aside};

const SLOTS: usize = 3;

#[test]
fn never_more_run_than_there_are_slots_and_none_is_lost() {
    for seed in 0..300 {
        let slots = Slots::new(SLOTS);
        let running = Cell::new(0_usize);
        let call = |n: usize| -> Task<'_> {
            let (slots, running) = (&slots, &running);
            Box::pin(async move {
                let slot = slots.take().await;
                // Work left behind on another thread holds the slot as well.
                let behind = n.is_multiple_of(4).then(|| slot.clone());
                running.set(running.get() + 1);
                step_aside().await;
                if n.is_multiple_of(3) {
                    // It waits for its client, and lets others run.
                    running.set(running.get() - 1);
                    slot.give_back();
                    step_aside().await;
                    slot.take_again().await;
                    running.set(running.get() + 1);
                }
                step_aside().await;
                drop(slot);
                if behind.is_some() {
                    step_aside().await;
                }
                running.set(running.get() - 1);
                drop(behind);
            })
        };
        let tasks = (0..12).map(call).collect();
        interleaving::run(seed, tasks, || {
            assert!(running.get() <= SLOTS, "seed {seed}: {} run", running.get());
        });
        assert_eq!(slots.0.available_permits(), SLOTS, "seed {seed}: a slot was lost");
    }
}

#[test]
fn a_call_that_is_given_up_while_it_waits_leaves_no_trace() {
    for seed in 0..200 {
        let slots = Slots::new(1);
        let call = |n: usize| -> Task<'_> {
            let slots = &slots;
            Box::pin(async move {
                let taking = slots.take();
                let mut taking = std::pin::pin!(taking);
                let patience = n;
                // Every other one is dropped while it still waits.
                for _ in 0..patience {
                    let waker = std::task::Waker::noop();
                    let mut context = std::task::Context::from_waker(waker);
                    if taking.as_mut().poll(&mut context).is_ready() {
                        break;
                    }
                    step_aside().await;
                }
            })
        };
        interleaving::run(seed, (1..9).map(call).collect(), || {});
        assert_eq!(slots.0.available_permits(), 1, "seed {seed}");
    }
}
