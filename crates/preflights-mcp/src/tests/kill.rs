//! Killed in the middle of a completion: what is read is before or after, and the next call works.

use std::process::{Command, Stdio};
use std::time::Duration;

use mcp_core::work::Work;

use super::*;
use crate::store::service::Ask;

const CHILD: &str = "PREFLIGHTS_TEST_REPOSITORY";
/// The longer mode of the test.
const SLOW: &str = "SLOW_TESTS";

fn ask(intention: &str, answers: Value) -> Ask {
    let Value::Object(answers) = answers else { panic!() };
    Ask { intention: intention.to_owned(), answers, ..Ask::default() }
}

fn decide(service: &Service, index: usize) {
    // Alternates, so that each completion changes one value and adds one record.
    let value = if index.is_multiple_of(2) { "Redis" } else { "Memcached" };
    let answers =
        json!({ "cache_store": value, "cache_invalidation": "On write", "cache_ttl": "Minutes" });
    assert!(service.clarify(&ask("Add caching", answers), &Work::endless()).is_ok());
}

fn has_journal(fixture: &Fixture) -> bool {
    fixture.files().keys().any(|it| it.starts_with(".git/state/") && it.ends_with("journal.json"))
}

/// Does nothing unless the test below starts it.
#[test]
fn child_that_decides_until_it_is_killed() {
    let Ok(path) = std::env::var(CHILD) else { return };
    let service =
        Service::new(places(path.as_ref()), Clock::system(), Entropy::system(), Setting::Off);
    for index in 0.. {
        decide(&service, index);
    }
}

#[test]
fn a_completion_killed_half_way_is_seen_and_left_whole() {
    let rounds = if std::env::var(SLOW).is_ok() { 500 } else { 20 };
    let mut interrupted = 0;
    for round in 0..rounds {
        let fixture = repository("");
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "tests::kill::child_that_decides_until_it_is_killed"])
            .env(CHILD, fixture.path())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        while !fixture.has("docs/archive") {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_micros(round * 1_291 % 40_000));
        child.kill().unwrap();
        child.wait().unwrap();
        interrupted += usize::from(has_journal(&fixture));

        let frozen = fixture.files();
        let service =
            Service::new(places(fixture.path()), Clock::system(), Entropy::system(), Setting::Off);
        let seen = service.picture(None, &Work::endless()).unwrap().ledger;
        assert_eq!(fixture.files(), frozen, "reading writes nothing");
        let newest = seen.newest().unwrap().0.clone();
        assert_eq!(seen.architecture, seen.newest().unwrap().1.adr.snapshot.clone().unwrap());

        assert!(
            service
                .clarify(&ask("Fix typo in the login button", json!({})), &Work::endless())
                .is_ok()
        );
        let after = service.picture(None, &Work::endless()).unwrap().ledger;
        assert_eq!(after.newest().unwrap().0, &newest, "the next call settles what was seen");
        assert!(fixture.read("docs/ARCHITECTURE_STATE.md").contains(newest.as_str()));
        assert!(!has_journal(&fixture));
        let left: Vec<String> =
            fixture.files().into_keys().filter(|it| it.contains(".tmp")).collect();
        assert!(left.is_empty(), "{left:?}");
    }
    assert!(interrupted > 0, "no kill fell into a completion");
}
