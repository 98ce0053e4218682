//! `init`: writing the trees and the skill, and leaving alone what somebody changed.

use plumbline_tests::Fixture;
use serde_json::json;

use super::{bare, make_directory, told};
use crate::cli::init::install;
use crate::store::embedded;
use crate::store::surroundings::Surroundings;

#[tokio::test]
async fn a_named_directory_becomes_a_tree_that_can_be_served() {
    let fixture = Fixture::empty();
    let report = install(&bare(&fixture), Some("a/b/acm"), None).unwrap();
    insta::assert_snapshot!("init_report", fixture.normalise(&report));
    for (name, text) in embedded::PROCESS {
        assert_eq!(fixture.read(&format!("a/b/acm/{name}")), *text);
    }
    let surroundings = Surroundings {
        process_root: Some("a/b/acm".to_owned()),
        registry_root: Some("a/b/acm/capabilities-registry".to_owned()),
        ..bare(&fixture)
    };
    let rules = told(surroundings.clone(), "get_rules_spec", json!({})).await;
    assert!(rules.contains("# Rules"));
    let found = told(surroundings, "query_capabilities", json!({ "query": "fresh" })).await;
    assert!(found.contains("fresh-reader"), "{found}");
}

#[test]
fn without_a_directory_it_goes_where_the_server_looks() {
    let fixture = Fixture::empty();
    let report = install(&bare(&fixture), None, None).unwrap();
    assert!(fixture.has("home/code/_shared/acm/ACM-RULES-SPEC.md"));
    assert!(fixture.has("home/code/_shared/capabilities-registry/inventory.json"));
    assert!(!report.contains("set in the environment"), "{report}");
    let own = Surroundings { process_root: Some("~/own".to_owned()), ..bare(&fixture) };
    install(&own, None, None).unwrap();
    assert!(fixture.has("home/own/ACM-RULES-SPEC.md"));
}

#[test]
fn a_changed_file_is_kept_and_a_second_run_changes_nothing() {
    let fixture = Fixture::new("//- acm/ACM-RULES-SPEC.md\nmine\n//- acm/kb/own.md\nmine too\n");
    let report = install(&bare(&fixture), Some("acm"), None).unwrap();
    assert!(report.contains("kept as it is, it was changed: ACM-RULES-SPEC.md"), "{report}");
    let before = fixture.files();
    assert_eq!(before["acm/ACM-RULES-SPEC.md"], "mine\n");
    assert_eq!(before["acm/kb/own.md"], "mine too\n");
    let report = install(&bare(&fixture), Some("acm"), None).unwrap();
    assert!(report.contains("0 files written"), "{report}");
    assert_eq!(fixture.files(), before);
}

#[test]
fn a_directory_in_the_way_of_a_file_is_kept_too() {
    let fixture = Fixture::new("//- acm/ACM-RULES-SPEC.md/x\nmine\n");
    let report = install(&bare(&fixture), Some("acm"), None).unwrap();
    assert!(report.contains("it was changed: ACM-RULES-SPEC.md"), "{report}");
}

#[test]
fn a_place_that_cannot_be_written_is_an_error_in_our_words() {
    let fixture = Fixture::new("//- file\nx\n//- acm/kb\nx\n");
    for target in ["file", "file/beneath", "acm", "a\u{0}b"] {
        let error = install(&bare(&fixture), Some(target), None).unwrap_err().to_string();
        assert!(error.starts_with("Cannot write to "), "{error}");
        assert!(!error.contains("os error"), "{error}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_inside_the_target_is_not_written_through() {
    let outside = Fixture::empty();
    let fixture = Fixture::new("//- acm/x\n");
    super::link(&fixture, outside.path_text(), "acm/kb");
    let error = install(&bare(&fixture), Some("acm"), None).unwrap_err().to_string();
    assert!(error.contains("`kb/README.md` leads outside"), "{error}");
    assert_eq!(outside.files().len(), 0);
}

#[test]
fn the_skill_is_written_alone_with_the_lines_for_claude_md() {
    let fixture = Fixture::empty();
    let report = install(&bare(&fixture), None, Some(".claude/skills")).unwrap();
    insta::assert_snapshot!("init_skill", fixture.normalise(&report));
    let files = fixture.files().into_keys().filter(|it| !it.starts_with("home/"));
    assert_eq!(
        files.collect::<Vec<String>>(),
        [
            ".claude/skills/acm-workflow/SKILL.md",
            ".claude/skills/acm-workflow/references/tool-guide.md"
        ]
    );
}

/// Init, then the stubs at their places: nothing else is needed for full marks.
#[tokio::test]
async fn a_project_of_init_and_stubs_scores_full_marks() {
    let fixture = Fixture::empty();
    install(&bare(&fixture), Some("."), None).unwrap();
    for (stub, place) in [
        ("intent", "docs/intent.md"),
        ("brief", "docs/brief.md"),
        ("status", "status.md"),
        ("claude-md/app", ".claude/CLAUDE.md"),
        ("rules-constraints", ".claude/rules/constraints.md"),
    ] {
        let text = fixture.read(&format!("stubs/{stub}.md"));
        fixture.write(place, &text);
    }
    make_directory(&fixture, "docs/inbox");
    make_directory(&fixture, "_archive");
    let health = told(bare(&fixture), "check_project_health", json!({})).await;
    assert!(health.ends_with("Overall: healthy, 22/22 checks passed."), "{health}");
    // A fresh project is in Discover and has not finished it.
    let arguments = json!({ "transition": "discover_to_design", "validate": true });
    let text = told(bare(&fixture), "get_transition_prompt", arguments).await;
    assert!(text.contains("✗ Not met: in status.md status is 'in-progress'"), "{text}");
}
