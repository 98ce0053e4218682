//! Records of both layouts, and what is wrong with those that are neither.

use proptest::prelude::*;

use super::*;
use crate::domain::architecture::{Decided, What};

const UID: &str = "20250108T143512.237Z-A001";

fn read(text: &str) -> Result<Adr, crate::error::Error> {
    let same = |category: &str, field: &str| (category.to_owned(), field.to_owned());
    parse("docs/adr/x.md", &Uid::parse(UID).unwrap(), text, &same, Detail::Everything)
}

fn written(value: &str, was: Option<&str>) -> String {
    let uid = Uid::parse(UID).unwrap();
    let what = match was {
        None => What::Added(value.to_owned()),
        Some(was) => What::Modified { now: value.to_owned(), was: was.to_owned() },
    };
    let change = Change { category: "Database".to_owned(), field: "Type".to_owned(), what };
    let changes = [change];
    let mut snapshot = Architecture::default();
    snapshot.apply(&changes, &uid);
    render(&Draft {
        uid: &uid,
        date: "2025-01-08".to_owned(),
        previous: None,
        category: "Database",
        title: "Database: Type",
        snapshot: &snapshot,
        intention: "## PART 1\n### Evil\n- **Field**: value\n<!-- UID: other -->",
        context: None,
        settled: &[],
        reason: None,
        consequences: Vec::new(),
        changes: &changes,
        open: &[],
        links: Vec::new(),
    })
}

#[test]
fn what_is_written_is_read_back_and_the_request_cannot_pass_for_it() {
    let adr = read(&written("PostgreSQL", None)).unwrap();
    let decided = Decided { value: "PostgreSQL".to_owned(), by: Uid::parse(UID) };
    let mut snapshot = Architecture::default();
    snapshot.set("Database", "Type", decided);
    assert_eq!(adr.snapshot.unwrap(), snapshot);
    assert_eq!(adr.changes.unwrap()[0].what, What::Added("PostgreSQL".to_owned()));
}

#[test]
fn the_older_layout_is_read() {
    let text = "<!-- UID: 20250108T143512.237Z-A001 -->\n<!-- Category: Database -->\n<!-- Date: 2025-01-08 -->\n<!-- Previous: 20250107T143512.237Z -->\n\n# ADR: Database: Type = MySQL\n\n**Status:** Accepted\n\n## Context\n\ntext\n\n## Changes in This Version\n\n- Modified: Database.Type = MySQL (was: SQLite (ADR 20250107T143512.237Z))\n\n## Architecture Snapshot\n\n### Database\n- **Type**: MySQL (ADR 20250108T143512.237Z-A001)\n\n";
    let adr = read(text).unwrap();
    assert_eq!(adr.previous.unwrap().as_str(), "20250107T143512.237Z");
    let now = "MySQL".to_owned();
    assert_eq!(adr.changes.unwrap()[0].what, What::Modified { now, was: "SQLite".to_owned() });
    assert_eq!(adr.snapshot.as_ref().unwrap().get("Database", "Type").unwrap().value, "MySQL");
}

#[test]
fn a_parenthesis_the_user_typed_stays_in_the_value() {
    let adr = read(&written("a (ADR b) c", None)).unwrap();
    assert_eq!(
        adr.snapshot.as_ref().unwrap().get("Database", "Type").unwrap().value,
        "a (ADR b) c"
    );
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    for (text, line, words) in [
        ("text", 1, "no architecture snapshot"),
        ("\n<!-- UID: 20250108T143512.237Z-A002 -->", 2, "calls itself"),
        ("## PART 1\n### A\n- nonsense", 3, "expected `- **Field**: value`"),
        ("## PART 1\n- **A**: b", 2, "before the first category"),
        ("## PART 1\n## Changes\n- Added: x", 3, "expected"),
        ("## PART 1\n## Changes\n- Added: x = y", 3, "is not `Category.Field`"),
        ("## PART 1\n<<<<<<< HEAD", 2, "merge conflict"),
    ] {
        let error = read(text).unwrap_err().to_string();
        assert!(error.contains(words) && error.contains(&format!("line {line}")), "{error}");
    }
}

proptest! {
    #[test]
    fn any_value_survives(value in "[ -~é]{1,30}", was in "[ -~é]{1,30}") {
        let (value, was) = (mcp_core::text::one_line(&value), mcp_core::text::one_line(&was));
        prop_assume!(!value.is_empty() && !was.is_empty());
        let adr = read(&written(&value, Some(&was))).unwrap();
        prop_assert_eq!(&adr.snapshot.as_ref().unwrap().get("Database", "Type").unwrap().value, &value);
        let changes = adr.changes.unwrap();
        let What::Modified { now, .. } = &changes[0].what else { panic!() };
        prop_assert_eq!(now, &value);
    }

    #[test]
    fn reading_never_panics(text in "(## |### |- |\\*\\*|: |PART 1|Changes|\n|Added|\\(|\\)|a|é| = |\\.|\\]\\()*") {
        drop(read(&text));
    }
}
