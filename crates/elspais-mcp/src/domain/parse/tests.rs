//! Files of both generations, and files with something wrong in them.

mod mentions;
mod odd;
mod part;

use std::fmt::Write as _;

use super::*;
use crate::domain::config::Config;
use crate::domain::grammar::Grammar;

fn grammar() -> Grammar {
    Grammar::new(&Config::default()).unwrap()
}

/// What was read, as text.
fn outline(text: &str) -> String {
    let contents = spec::parse(&grammar(), text);
    let mut out = String::new();
    for it in &contents.requirements {
        writeln!(out, "{} {:?} line {}", it.id, it.title.of(text), it.line).unwrap();
        for field in &it.fields {
            writeln!(out, "  {:?} = {:?}", field.name, field.value.of(text)).unwrap();
        }
        for citation in &it.citations {
            let token = citation.token.of(text);
            writeln!(
                out,
                "  {} {} {:?} {token:?}",
                citation.kind.as_str(),
                citation.target,
                citation.labels
            )
            .unwrap();
        }
        writeln!(out, "  body {:?}", it.body.of(text)).unwrap();
        for assertion in &it.assertions {
            let retired = if assertion.retired { " retired" } else { "" };
            writeln!(
                out,
                "  {} line {}{retired} {:?}",
                assertion.label,
                assertion.line,
                assertion.text.of(text)
            )
            .unwrap();
        }
        let footer =
            it.footer.map(|it| (it.title.map(|it| it.of(text)), it.hash.map(|it| it.of(text))));
        writeln!(out, "  footer {footer:?} block {:?}", tail(it.block.of(text).trim_end()))
            .unwrap();
    }
    for it in &contents.journeys {
        let said = |span: Option<Span>| span.map(|it| it.of(text));
        writeln!(
            out,
            "{} {:?} {:?} {:?} {:?}",
            it.id,
            it.title.of(text),
            said(it.actor),
            said(it.goal),
            it.citations.len()
        )
        .unwrap();
    }
    for it in &contents.remainders {
        writeln!(out, "loose line {} {:?}", it.line, it.span.of(text)).unwrap();
    }
    for it in &contents.remarks {
        writeln!(out, "! line {} {}: {}", it.line, it.code, it.message).unwrap();
    }
    out
}

fn tail(text: &str) -> &str {
    text.char_indices().rev().nth(14).map_or(text, |(at, _)| &text[at..])
}

#[test]
fn the_older_form_is_read() {
    insta::assert_snapshot!(outline(
        "# Title\n\n## REQ-p00001: First\n\n**Level**: PRD | **Status**: Active | **Implements**: -\n\nProse.\n\n## Assertions\n\nA. One SHALL be.\nB. Two SHALL be.\n\n## Rationale\n\nBecause.\n\n*End* *First* | **Hash**: 1a2b3c4d\n---\n\n## REQ-o00001: Second\n\n**Level**: OPS | **Implements**: p00001-A-B, REQ-p00002 | **Status**: Draft\n\n*End* *Second* | **Hash**: ________\n"
    ));
}

#[test]
fn the_newer_form_is_read() {
    insta::assert_snapshot!(outline(
        "###### req-d1: Deep and written otherwise\nstatus = Active\n_Level_: dev\nImplements: REQ-p00001-A+B,\n  REQ-p00002,\n  <later>\n*Refines*: REQ-o00001\n**Template**\n\nText with **Implements**: REQ-p09999 in it.\n**Satisfies**: REQ-p00007\n\n# **ASSERTIONS**:\n\nAn introduction.\n\n**Group one**\n\nA. First line\n   second line\n\n   - item\n   - item\n\nB. <RETIRED> Gone.\n\n---\n\nC. Third.\n```\nD. In a fence, and part of C.\n```\n\n## Changelog\n- 2026-01-01 | 1a2b3c4d | - | Somebody | Reason\n\n## REQ-d00002: Next without a footer before it\nREQ-d00003: No hashes\nLevel: DEV\n\nREQ-d00004: prose that begins like a header\n"
    ));
}

#[test]
fn line_endings_and_the_mark_at_the_beginning_change_nothing() {
    let plain = "# REQ-d00001: One\nStatus: Draft\n\n## Assertions\nA. First\n   more\nB. Second\n\n*End* *One* | **Hash**: Todo\n";
    let windows = format!("\u{feff}{}", plain.replace('\n', "\r\n"));
    assert_eq!(outline(plain), outline(&windows).replace("\\r\\n", "\\n"));
}

#[test]
fn journeys_are_read_with_what_they_validate() {
    insta::assert_snapshot!(outline(
        "# JNY-Sign-In-01: Getting in\n\n**Actor**: A visitor\n**Goal**: To get in\n**Context**: Any\n\nValidates: REQ-d00001-A, REQ-p00002\n\n## Steps\n1. Validates: REQ-d00009\n\n*End* *JNY-Sign-In-01*\n\nLoose text.\n"
    ));
}

#[test]
fn deeper_headings_group_assertions_and_others_end_them() {
    let text = "# REQ-d00001: One\n\n## Assertions\n\n### Keeping records\n\nA. First SHALL be.\n\n#### Deeper\nB. Second SHALL be,\nto its end.\n\n### Signing\nProse.\n\nC. Third SHALL be.\n\n## Rationale\n\nD. Not an assertion.\n\n*End* *One*\n";
    let contents = spec::parse(&grammar(), text);
    let read: Vec<_> =
        contents.requirements[0].assertions.iter().map(|it| it.text.of(text)).collect();
    assert_eq!(read, ["First SHALL be.", "Second SHALL be,\nto its end.", "Third SHALL be."]);
    assert!(contents.remarks.is_empty(), "{:?}", contents.remarks);
}

#[test]
fn fields_may_be_separated_by_blanks() {
    let text = "# REQ-d00001: One\n**Level**: PRD  **Status**: Draft  **Implements**: REQ-p00001, **REQ-p00002**\n";
    let contents = spec::parse(&grammar(), text);
    let values: Vec<_> =
        contents.requirements[0].fields.iter().map(|it| it.value.of(text)).collect();
    assert_eq!(values, ["PRD", "Draft", "REQ-p00001, **REQ-p00002**"]);
    assert_eq!(contents.requirements[0].citations.len(), 2);
}

#[test]
fn labels_go_on_behind_the_last_letter() {
    let letters: Vec<String> = ('A'..='Z').map(|it| format!("{it}. It SHALL be.\n")).collect();
    let letters = letters.concat();
    let text = format!(
        "# REQ-d00001: One\n\n## Assertions\n\nOK. Prose before them.\n\n{letters}AA. The next SHALL be.\nAB. And this.\n\n*End* *One*\n"
    );
    let contents = spec::parse(&grammar(), &text);
    let labels: Vec<String> =
        contents.requirements[0].assertions.iter().map(|it| it.label.to_string()).collect();
    assert_eq!((labels.len(), labels[0].as_str(), labels[27].as_str()), (28, "A", "AB"));
    let cited = grammar().reference("REQ-d00001-AB").unwrap();
    assert_eq!(cited.labels.len(), 1);
}
