//! `check` as a script sees it: forms of output and exit codes.

use plumbline_tests::Fixture;
use serde_json::Value;

use super::{PROJECT, printed, run};

#[test]
fn the_exit_code_tells_findings_from_nothing_to_look_at() {
    let fine = Fixture::new(PROJECT);
    assert_eq!(run(&fine, &["check"]).status.code(), Some(0));
    assert_eq!(run(&fine, &["check", "--covered", "all"]).status.code(), Some(1));
    let empty = Fixture::empty();
    assert_eq!(run(&empty, &["check"]).status.code(), Some(2));
    let nowhere = run(&empty, &["check", "--root", "not-there"]);
    assert_eq!(nowhere.status.code(), Some(2), "{}", String::from_utf8_lossy(&nowhere.stderr));
    empty.write(".elspais.toml", "[project\n");
    assert_eq!(run(&empty, &["check"]).status.code(), Some(2));
}

#[test]
fn every_form_names_the_finding_at_its_place() {
    let project = Fixture::new(PROJECT);
    project.write("src/lost.py", "\n# Implements: REQ-p09999\ndef lost():\n    pass\n");
    for form in ["text", "json", "markdown", "github", "sarif", "junit"] {
        let output = run(&project, &["check", "--format", form]);
        assert_eq!(output.status.code(), Some(1), "{form}");
        let said = printed(&output);
        assert!(said.contains("REQ-p09999") && said.contains("src/lost.py"), "{form}: {said}");
    }
    let sarif = printed(&run(&project, &["check", "--format", "sarif"]));
    let sarif: Value = serde_json::from_str(&sarif).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let broken = results.iter().find(|it| it["ruleId"] == "broken_reference").unwrap();
    let place = &broken["locations"][0]["physicalLocation"];
    assert_eq!(place["region"]["startLine"], 2);
    let github = printed(&run(&project, &["check", "--format", "github"]));
    assert!(
        github.contains("::error file=src/lost.py,line=2,title=broken_reference::"),
        "{github}"
    );
}
