//! Requests as people write them: what kind of work they are, and what they are about.

use crate::domain::bank::Bank;
use crate::domain::request::{Work, understand};

/// `kind | categories | request`, one per line.
const TABLE: &str = include_str!("requests.txt");

#[test]
fn requests_are_understood() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in TABLE.lines().filter(|it| !it.trim().is_empty() && !it.starts_with('#')) {
        let parts: Vec<&str> = line.splitn(3, '|').map(str::trim).collect();
        let [kind, topics, text] = parts.as_slice() else { panic!("{line}") };
        let request = understand(Bank::embedded(), text, None, &|_| false);
        let work = match request.work {
            Work::Wording => "wording",
            Work::BugFix => "bug",
            Work::Refactor => "refactor",
            Work::Rename => "rename",
            Work::Performance => "performance",
            Work::Configuration => "config",
            Work::Tests => "tests",
            Work::Question => "question",
            Work::Feature => "feature",
        };
        let found = request.topics.join(" ");
        // Small work is not asked about its topics, so they do not matter.
        if work != *kind || (work == "feature" && found != *topics) {
            wrong.push(format!(
                "{text}\n    expected {kind} | {topics}\n    found    {work} | {found}"
            ));
        }
        count += 1;
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(count >= 150, "only {count} requests");
}
