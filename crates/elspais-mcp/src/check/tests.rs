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
    assert!(verdict.notes[0].message.contains('A'), "{}", verdict.notes[0].message);
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
fn broken_references_wrong_hashes_duplicates_and_cycles_fail() {
    let text = FINE.replace("________", "12345678")
        + "\n## REQ-p00001: Again\n**Level**: PRD\n\n*End* *Again*\n\n## REQ-o00001: Lost\n**Level**: OPS | **Implements**: REQ-p00099\n\n*End* *Lost*\n\n## REQ-o00002: Round\n**Level**: OPS | **Implements**: REQ-o00003\n\n*End* *Round*\n\n## REQ-o00003: About\n**Level**: OPS | **Implements**: REQ-o00002\n\n*End* *About*\n";
    let verdict = checked(&text, &Strictness::default());
    let mut found = kinds(&verdict.failures);
    found.sort_unstable();
    assert_eq!(found, ["broken_reference", "cycle", "duplicate_id", "hash_mismatch"]);
}
