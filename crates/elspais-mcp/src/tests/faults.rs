//! Every step of every write made to fail, or to be the last: files are old or new, never between.

use mcp_core::sandbox::fault::{Plan, during};
use mcp_core::work::Work;

use super::*;
use crate::domain::graph::TraceGraph;
use crate::error::Error;
use crate::store::workspace::SaveRequest;

const ONE: &str = "# REQ-d00060: One\nLevel: DEV\n\n## Assertions\nA. It SHALL.\n\n# REQ-d00061: Two\nLevel: DEV\n";
const OTHER: &str = "# REQ-d00090: Other\nLevel: DEV\nImplements: REQ-d00060-A\n";

/// A project with a change in two files that is not saved yet.
fn changed(fixture: &Fixture, state: &State) -> Workspace {
    let place = Workspace::new(fixture.path().to_owned(), state.clone(), clock(), counting());
    let plan = |graph: &TraceGraph, _: &_| graph.plan_rename_node("REQ-d00060", "REQ-d00070");
    place.mutate(&Work::endless(), None, plan).unwrap();
    place
}

fn project() -> Fixture {
    let fixture = Fixture::empty();
    fixture.write("spec/one.md", ONE);
    fixture.write("spec/other.md", OTHER);
    fixture
}

fn save(place: &Workspace) -> bool {
    place.save(&Work::endless(), &SaveRequest::default()).is_ok()
}

/// What is in the files, as the graph of a new process shows it.
fn seen(fixture: &Fixture, state: &State) -> Result<bool, Error> {
    let place = Workspace::new(fixture.path().to_owned(), state.clone(), clock(), counting());
    let seen = place.read(&Work::endless(), |loaded| {
        let (old, new) = ("REQ-d00060", "REQ-d00070");
        let is_new = loaded.graph.get_node(new).is_some();
        assert_ne!(is_new, loaded.graph.get_node(old).is_some());
        // The citing file goes with it.
        let broken = loaded.graph.broken_references();
        assert!(broken.is_empty(), "{broken:?}");
        Ok(is_new)
    });
    seen.map(|it| it.value)
}

#[test]
fn a_save_that_fails_or_dies_at_any_step_leaves_files_old_or_new() {
    let kept = Fixture::empty();
    let fresh = |n: u64, how: &str| State::at(kept.path().join(format!("{how}{n}")));
    let ((), counted) = {
        let fixture = project();
        let place = changed(&fixture, &fresh(0, "count"));
        during(Plan::Count, || assert!(save(&place)))
    };
    assert!(counted.writing > 0);
    for n in 0..counted.all {
        for (how, plan) in [("fail", Plan::FailAt(n)), ("die", Plan::DieBefore(n))] {
            let (fixture, state) = (project(), fresh(n, how));
            let before = fixture.files();
            let place = changed(&fixture, &state);
            let (saved, _) = during(plan, || save(&place));
            let is_new = seen(&fixture, &state).unwrap();
            assert!(!saved || is_new, "{how} {n}: it said that it was saved");
            drop(place);
            // The next writer sweeps, and its own write works.
            let next = Workspace::new(fixture.path().to_owned(), state, clock(), counting());
            let title = |graph: &TraceGraph, _: &_| graph.plan_update_title("REQ-d00061", "Next");
            next.mutate(&Work::endless(), None, title).unwrap();
            assert!(save(&next), "{how} {n}");
            let after = fixture.files();
            let names: Vec<_> = after.keys().collect();
            assert_eq!(names, before.keys().collect::<Vec<_>>(), "{how} {n}: something is left");
            assert_eq!(after["spec/other.md"].contains("REQ-d00070"), is_new, "{how} {n}");
            assert!(after["spec/one.md"].contains("Next"), "{how} {n}");
        }
    }
}

#[test]
fn reading_writes_nothing() {
    let fixture = project();
    let place = workspace(&fixture);
    let ((), counted) = during(Plan::Count, || {
        place.ensure(&Work::endless()).unwrap();
        place.reviews().unwrap();
        place.refresh(&Work::endless(), true, false).unwrap();
    });
    assert_eq!(counted.writing, 0);
    assert!(counted.all > 0);
}
