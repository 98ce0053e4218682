//! What counts as complete, and which rows of an issue log are open.

use super::issue_log::{self, Issues};
use super::state::{State, is_complete};

#[test]
fn complete_has_several_spellings() {
    for value in [
        "complete",
        "Completed",
        "DONE",
        "approved",
        "discover-complete",
        "✅ Complete",
        "internal-review-complete",
        "Internal review complete",
        "discover_complete",
        "Complete.",
    ] {
        assert!(is_complete(value), "{value}");
    }
    for value in [
        "",
        "draft",
        "in-progress",
        "incomplete",
        "not complete",
        "not-complete",
        "50% complete",
        "almost complete",
        "completeness",
        "complete-ish",
        "to be approved",
    ] {
        assert!(!is_complete(value), "{value}");
    }
}

#[test]
fn the_front_matter_wins_over_the_bullets() {
    let file = "---\nstage: Design\nphase: done\n---\n# S\n## Current State\n\
                - **Phase:** open\n* **Status**: Internal review\n- **Stage:** Develop\n";
    let state = State::read(file);
    assert_eq!(state.stage.as_deref(), Some("Design"));
    assert_eq!(state.phase.as_deref(), Some("done"));
    assert_eq!(state.status.as_deref(), Some("Internal review"));
}

#[test]
fn bullets_elsewhere_or_in_a_fence_do_not_count() {
    let file = "---\nstage: x\n---\n# S\n- **Phase:** a\n## Current State\n```\n- **Phase:** b\n```\n## Next\n- **Phase:** c\n";
    assert_eq!(State::read(file).phase, None);
}

fn log(rows: &str) -> Issues {
    let head = "| # | Issue | Severity | Status |\n|---|---|---|---|\n";
    issue_log::read(&format!("# Brief\n\n## Issue Log\n\n{head}\n{rows}\n## Next\n"))
}

#[test]
fn open_critical_and_high_rows_are_named() {
    let issues = log(
        "| 1 | Slow | **High** | Open |\n| 2 | Ugly | Low | Open |\n| 3 | Gone | Critical | In progress |\n",
    );
    let expected = ["#1 (High) Slow".to_owned(), "#3 (Critical) Gone".to_owned()];
    assert_eq!(issues, Issues::Open(expected.to_vec()));
}

#[test]
fn settled_rows_are_not_open() {
    let issues =
        log("| 1 | Slow | High | ✅ Resolved (cycle 2) |\n| 2 | x | Critical | Won't fix |\n");
    assert_eq!(issues, Issues::NoneOpen);
    assert_eq!(log("| 1 | x | High | Reopened |\n"), Issues::Open(vec!["#1 (High) x".into()]));
    assert_eq!(log(""), Issues::NoneOpen);
}

#[test]
fn what_cannot_be_told_is_unclear() {
    assert!(matches!(log("| 1 | x | High | - |\n"), Issues::Unclear(_)));
    let lists = "## Issue Log\n\n- High: slow\n";
    assert!(matches!(issue_log::read(lists), Issues::Unclear(_)));
    let odd = "## Issue Log\n\n| A | B |\n|-|-|\n| 1 | 2 |\n";
    assert!(matches!(issue_log::read(odd), Issues::Unclear(_)));
    assert_eq!(issue_log::read("## Issue Log\n\nNone.\n"), Issues::NoneOpen);
    assert_eq!(issue_log::read("## Other\n"), Issues::NoLog);
}
