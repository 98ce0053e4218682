//! Every step of writing a record, the task and the projection made to fail, or to be the last.

use mcp_core::sandbox::fault::{Plan, everywhere};
use mcp_core::work::Work;
use serde_json::Map;

use super::*;
use crate::domain::clarify::AskedKind;
use crate::error::Error;
use crate::store::service::{Ask, Reply};

/// Carries a clarification to its end; `Ok` where the record was said to be written.
fn decide(service: &Service, intention: &str) -> Result<(), Error> {
    let mut ask = Ask { intention: intention.to_owned(), ..Ask::default() };
    for _ in 0..10 {
        let (session, questions) = match service.clarify(&ask, &Work::endless())? {
            Reply::Completed(_) => return Ok(()),
            Reply::Questions { session_id, questions, .. } => (session_id, questions),
        };
        let mut answers = Map::new();
        for question in &questions {
            let first = question.options.first().map_or("Some words", String::as_str);
            let several = question.kind == AskedKind::MultiChoice;
            let value = if several { json!([first]) } else { json!(first) };
            answers.insert(question.id.clone(), value);
        }
        ask = Ask { session_id: Some(session), answers, ..Ask::default() };
    }
    panic!("`{intention}` does not come to an end");
}

fn count(fixture: &Fixture, place: &str) -> usize {
    in_the_tree(fixture).keys().filter(|it| it.starts_with(place)).count()
}

#[test]
fn a_decision_that_fails_or_dies_at_any_step_is_written_whole_or_not_at_all() {
    let check = |fixture: &Fixture, plan: Plan, done: Result<(), Error>| {
        // The next one works, and settles what was interrupted.
        let next = service(fixture, clock());
        let seen = next.picture(None, &Work::endless()).unwrap();
        decide(&next, "Add a cache with Redis").unwrap();
        let records = count(fixture, "docs/adr/");
        assert!(records == 1 || records == 2, "{plan:?}: {records}");
        assert!(done.is_err() || records == 2, "{plan:?}: it said that it was written");
        let was_seen = seen.ledger.architecture.fields("Authentication").next().is_some();
        assert_eq!(was_seen, records == 2, "{plan:?}: seen otherwise");
        assert_eq!(count(fixture, "docs/CURRENT_TASK.md"), 1, "{plan:?}");
        let leftover = in_the_tree(fixture).into_keys().find(|it| it.contains(".tmp"));
        assert_eq!(leftover, None, "{plan:?}");
    };
    everywhere(
        || repository("//- README.md\n# Project\n"),
        |fixture| decide(&service(fixture, clock()), "Add authentication"),
        check,
    );
}
