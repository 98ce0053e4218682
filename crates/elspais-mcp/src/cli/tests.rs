//! What `doctor` says of projects in order, of empty ones and of broken ones.

use plumbline_tests::Fixture;

use super::*;

fn told(fixture: &Fixture) -> String {
    let findings = look_at(&crate::tests::workspace(fixture));
    let line = |it: &Finding| {
        format!("{:?}: {}\n    {}\n", it.severity, it.what, it.fix.as_deref().unwrap_or("-"))
    };
    findings.iter().map(line).collect()
}

#[test]
fn a_project_in_order_has_its_figures() {
    let fixture = crate::tests::agents();
    fixture.write(".elspais.toml", "[project]\nname = \"agents\"\n");
    fixture.write("src/state.py", "# Implements: REQ-d00060-A\n");
    insta::assert_snapshot!(told(&fixture));
}

#[test]
fn what_is_wrong_comes_with_what_to_do_about_it() {
    let fixture = Fixture::empty();
    insta::assert_snapshot!("doctor_empty", told(&fixture));
    let odd = "# REQ-d00001 No colon\n".repeat(MAX_NAMED + 3);
    fixture.write("spec/odd.md", &odd);
    fixture.write(
        "spec/round.md",
        "# REQ-d00002: One\nImplements: REQ-d00003, REQ-p00009\n\n# REQ-d00003: Other\nImplements: REQ-d00002\n",
    );
    insta::assert_snapshot!("doctor_odd", told(&fixture));
    fixture.write(".elspais.toml", "\n[spec]\ndirectories = 5\n");
    insta::assert_snapshot!("doctor_config", told(&fixture));
}
