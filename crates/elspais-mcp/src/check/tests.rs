//! What fails and what is only noted.

use super::*;
use crate::graph::Role;
use crate::mutate::tests::graph_of;

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
        LevelCoverage { requirements: 1, assertions: 1, covered: 0 }
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
