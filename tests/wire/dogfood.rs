//! This repository, looked at by its own servers.

use std::process::{Command, Stdio};

use plumbline_tests::bins;
use serde_json::Value;

fn run(binary: &str, args: &[&str]) -> (bool, String) {
    let mut command = Command::new(bins::server(binary));
    command.args(args).current_dir(bins::workspace()).stdin(Stdio::null());
    let ended = command.env("REVERSE_SPEC_LLM", "off").output().expect("the server can be started");
    (ended.status.success(), String::from_utf8_lossy(&ended.stdout).into_owned())
}

#[test]
fn every_promise_of_the_contracts_has_a_test_that_names_it() {
    let (passed, said) = run("elspais-mcp", &["check", "--covered", "DEV", "--root", "."]);
    assert!(passed, "{said}");
    assert!(said.contains("nothing is wrong"), "{said}");
}

#[test]
fn the_specifications_of_the_core_are_true_to_its_code() {
    let folder = bins::workspace().join("docs/specs");
    let mut checked = 0;
    for entry in std::fs::read_dir(folder).expect("specifications") {
        let name = entry.expect("an entry").file_name();
        let path = format!("docs/specs/{}", name.display());
        let (passed, said) = run("reverse-spec-mcp", &["--root", ".", "diff", &path]);
        assert!(passed, "cargo xtask docs writes it anew: {said}");
        checked += 1;
    }
    assert_eq!(checked, 6);
}

#[test]
fn the_decisions_are_read_by_preflights() {
    let (passed, said) = run("preflights-mcp", &["call", "read_architecture"]);
    let answer: Value = serde_json::from_str(&said).expect("JSON");
    let records = answer["other_records"].as_array().map_or(0, Vec::len);
    let written = std::fs::read_dir(bins::workspace().join("docs/decisions")).expect("decisions");
    assert!(passed && records == written.count(), "{records} records: {said}");
}
