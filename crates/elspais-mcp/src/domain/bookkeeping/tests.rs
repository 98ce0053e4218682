//! Rows and tables beside changed requirements.

use std::collections::BTreeSet;

use super::*;
use crate::domain::mutate::tests::graph_of;

const ROW: Row<'_> = Row { date: "2026-01-02", author: "A (<a@b.c>)", reason: "Be | clear\nnow" };

fn block(inner: &str) -> String {
    format!(
        "## REQ-d00001: One\n**Level**: DEV | **Status**: Active\n\n### Assertions\n\nA. It SHALL be.\n\n{inner}*End* *One* | **Hash**: 1a2b3c4d\n"
    )
}

fn with_row(text: &str) -> String {
    let graph = graph_of(&[("spec/a.md", Role::Spec, text)]);
    let (_, file) = graph.file_at("spec/a.md").unwrap();
    with_rows(file, &["REQ-d00001"], &ROW)
}

#[test]
fn a_row_stands_first_in_the_changelog_and_makes_one_where_there_is_none() {
    let row = "- 2026-01-02 | 1a2b3c4d | - | A (<a@b.c>) | Be / clear now\n";
    let old = "- 2025-01-01 | 00000001 | - | B (<b@b.c>) | Before\n";
    let none = with_row(&block(""));
    assert_eq!(none, block(&format!("### Changelog\n\n{row}\n")));
    assert_eq!(
        with_row(&block(&format!("### Changelog\n\n{old}\n"))),
        block(&format!("### Changelog\n\n{row}{old}\n"))
    );
    assert_eq!(with_row(&block("### Changelog\n\n")), block(&format!("### Changelog\n\n{row}\n")));
    let windows = with_row(&block("").replace('\n', "\r\n"));
    assert_eq!(windows, none.replace('\n', "\r\n"));
    let bare = "## REQ-d00001: One\nStatus: Active\n";
    assert_eq!(with_row(bare), bare, "without a footer there is no hash to note");
}

#[test]
fn a_changelog_is_no_part_of_a_hash() {
    let rule = crate::domain::config::Config::default().hash;
    let hash = |text: &str| {
        let graph = graph_of(&[("spec/a.md", Role::Spec, text)]);
        let (_, file) = graph.file_at("spec/a.md").unwrap();
        crate::domain::hash::hash(
            &file.contents.requirements[0],
            text,
            crate::domain::config::HashMode::FullText,
            rule,
        )
    };
    assert_eq!(hash(&block("")), hash(&with_row(&block(""))));
}

#[test]
fn the_index_follows_what_changed_and_leaves_the_rest() {
    let text = "# Index\n\n## PRD\n\n| ID         | Title | File | Hash |\n| --- | --- | --- | --- |\n| REQ-p00001 | P | p.md | 00000000 |\n\n## DEV\n\n| ID         | Title | File | Hash     |\n| ---------- | ----- | ---- | -------- |\n| REQ-d00001 | Old   | a.md | 00000000 |\n| REQ-d00009 | Gone  | a.md | 00000000 |\n\nText.\n";
    let spec = "## REQ-d00001: One\n**Level**: DEV\n\n*End* *One* | **Hash**: 1a2b3c4d\n\n## REQ-d00002: A | long title\n**Level**: DEV\n\n*End* *Two*\n";
    let graph = graph_of(&[("spec/a.md", Role::Spec, spec)]);
    let ids = BTreeSet::from(["REQ-d00001", "REQ-d00002", "REQ-d00009"]);
    let after = updated_index(&graph, text, "spec", &ids).unwrap();
    insta::assert_snapshot!(after);
    assert_eq!(updated_index(&graph, &after, "spec", &ids), None);
}
