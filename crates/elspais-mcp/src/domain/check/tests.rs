//! What fails and what is only noted.

use super::*;
use crate::domain::graph::Role;
use crate::domain::mutate::tests::graph_of;

fn checked(text: &str, strictness: &Strictness) -> Verdict {
    check(&graph_of(&[("spec/a.md", Role::Spec, text)]), &Reviews::default(), strictness)
}

fn kinds(findings: &[Finding]) -> Vec<&'static str> {
    findings.iter().map(|it| it.kind).collect()
}

const FINE: &str = "## REQ-p00001: One\n**Level**: PRD | **Status**: Active\n\n## Assertions\n\nA. It SHALL hold.\n\n*End* *One* | **Hash**: ________\n";

#[test]
fn a_project_in_order_passes_and_names_what_is_not_covered() {
    let verdict = checked(FINE, &Strictness::default());
    assert!(verdict.passed, "{:?}", verdict.failures);
    assert_eq!(kinds(&verdict.notes), ["uncovered"]);
    assert_eq!(verdict.notes[0].message, "nothing covers A of REQ-p00001 (PRD)");
    assert_eq!(
        verdict.coverage["PRD"],
        LevelCoverage { requirements: 1, assertions: 1, covered: 0, excepted: 0 }
    );
}

#[test]
fn coverage_can_be_demanded_by_level() {
    let demand =
        |level: &str| Strictness { covered: vec![level.to_owned()], ..Strictness::default() };
    assert!(!checked(FINE, &demand("prd")).passed);
    assert!(!checked(FINE, &demand("all")).passed);
    assert!(checked(FINE, &demand("DEV")).passed);
}

#[test]
fn a_level_is_one_however_it_is_written() {
    let other = FINE.replace("p00001", "p00002").replace("PRD", "prd");
    let demand = Strictness { covered: vec!["PRD".to_owned()], ..Strictness::default() };
    let verdict = checked(&format!("{FINE}\n{other}"), &demand);
    assert_eq!(kinds(&verdict.failures), ["uncovered", "uncovered"]);
    let levels: Vec<(&str, usize)> =
        verdict.coverage.iter().map(|(level, it)| (level.as_str(), it.requirements)).collect();
    assert_eq!(levels, [("PRD", 2)]);
}

#[test]
fn broken_references_wrong_hashes_duplicates_and_cycles_fail() {
    let text = FINE.replace("________", "12345678")
        + "\n## REQ-p00001: Again\n**Level**: PRD\n\n*End* *Again*\n\n## REQ-o00001: Lost\n**Level**: OPS | **Implements**: REQ-p00099\n\n*End* *Lost*\n\n## REQ-o00002: Round\n**Level**: OPS | **Implements**: REQ-o00003\n\n*End* *Round*\n\n## REQ-o00003: About\n**Level**: OPS | **Implements**: REQ-o00002\n\n*End* *About*\n";
    let verdict = checked(&text, &Strictness::default());
    let mut found = kinds(&verdict.failures);
    found.sort_unstable();
    assert_eq!(found, ["broken_reference", "cycle", "duplicate_id", "hash_mismatch"]);
}

fn configured(config: &str, text: &str) -> Verdict {
    use crate::domain::config::{CONFIG_FILE, Config};
    use crate::domain::grammar::Grammar;
    use crate::domain::graph::File;
    use std::sync::Arc;
    let config = Config::read(&[(CONFIG_FILE, config)]).unwrap();
    let grammar = Arc::new(Grammar::new(&config).unwrap());
    let file = File::parse(&grammar, "spec/a.md", Role::Spec, text);
    let now = jiff::Timestamp::UNIX_EPOCH;
    let graph = TraceGraph::new(Arc::new(config), grammar, vec![file], now);
    check(&graph, &Reviews::default(), &Strictness::default())
}

#[test]
fn references_to_other_projects_may_be_notes() {
    let text = format!("{FINE}\n## REQ-o00001: Out\n**Implements**: LIB-p00001, REQ-p09999\n");
    assert_eq!(kinds(&checked(&text, &Strictness::default()).failures).len(), 2);
    for config in [
        "[validation]\nallow_unresolved_cross_repo = true\n",
        "[rules.references]\nunknown_namespace = \"ok\"\n",
    ] {
        let verdict = configured(config, &text);
        assert_eq!(verdict.failures.len(), 1, "{:?}", verdict.failures);
        assert!(verdict.failures[0].message.contains("REQ-p09999"));
        assert!(verdict.notes.iter().any(|it| it.message.contains("LIB-p00001")));
    }
    let all =
        "[rules.references]\nunknown_namespace = \"info\"\nunknown_requirement = \"warning\"\n";
    assert!(configured(all, &text).passed);
}

#[test]
fn only_active_statuses_count_where_statuses_have_roles() {
    let draft = FINE.replace("p00001", "p00002").replace("Active", "Draft");
    let both = format!("{FINE}\n{draft}");
    assert_eq!(configured("", &both).coverage["PRD"].assertions, 2);
    let verdict = configured("[rules.format.status_roles]\nactive = [\"Active\"]\n", &both);
    assert_eq!((verdict.requirements, verdict.coverage["PRD"].assertions), (2, 1));
}

#[test]
fn a_journey_that_failed_is_noted_and_one_that_passed_is_not() {
    let journey = |id: &str| {
        format!(
            "# {id}: Getting in\n\n**Actor**: A visitor\n**Goal**: To get in\n\nValidates: REQ-p00001-A\n\n## Steps\n1. Go.\n\n*End* *{id}*\n\n"
        )
    };
    let journeys = ["JNY-In-01", "JNY-In-02", "JNY-In-03"].map(journey).concat();
    let results = "id,note,status\nJNY-In-01,\"well, yes\",Passed\nJNY-In-02,,fail\nJNY-In-09,,pass\nJNY-In-03,,perhaps\n";
    let graph = graph_of(&[
        ("spec/a.md", Role::Spec, FINE),
        ("spec/journeys.md", Role::Spec, &journeys),
        ("uat-results.csv", Role::Results, results),
    ]);
    let verdict = check(&graph, &Reviews::default(), &Strictness::default());
    let told: Vec<(&str, &str)> =
        verdict.notes.iter().map(|it| (it.kind, it.id.as_str())).collect();
    assert!(told.contains(&("journey_failed", "JNY-In-02")), "{told:?}");
    assert_eq!(told.iter().filter(|it| it.0 == "journey_failed").count(), 1, "{told:?}");
    let remark = verdict.notes.iter().find(|it| it.kind == "remark").unwrap();
    assert_eq!((remark.path.as_str(), remark.line), ("uat-results.csv", 5));
    assert!(verdict.passed);
    let passed = graph.get_node("JNY-In-01").unwrap();
    assert_eq!(graph.journey_verdict("JNY-In-01"), Some("passed"));
    assert!(passed.iter_children().any(|it| it.kind() == NodeKind::Result));
}
