//! `--audit`: who wrote which file, and what it was before and after.

use plumbline_tests::{Client, Fixture, bins};
use serde_json::{Value, json};

use crate::start::NEWEST_HANDSHAKE;

const SPEC: &str = "//- .git/HEAD\nref: refs/heads/main\n//- spec/login.md\n# REQ-p00001: Login\n\n**Level**: PRD | **Status**: Active | **Implements**: -\n\n## Assertions\n\nA. A user SHALL log in.\n\n*End* *Login* | **Hash**: 00000000\n";

fn lines(around: &Fixture) -> Vec<Value> {
    let text = if around.has("audit.jsonl") { around.read("audit.jsonl") } else { String::new() };
    text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

async fn rename_and_save(project: &Fixture, around: &Fixture, args: &[&str]) -> Client {
    let audit = around.path().join("audit.jsonl");
    let audit = audit.to_str().expect("temporary paths are text");
    let args: Vec<&str> = ["--audit", audit].iter().chain(args).copied().collect();
    let env = [("PLUMBLINE_STATE_DIR", around.path_text())];
    let mut client = Client::spawn(&bins::server("elspais-mcp"), &args, &env, project.path());
    client.initialize(NEWEST_HANDSHAKE).await;
    let title = json!({ "node_id": "REQ-p00001", "new_title": "Sign in" });
    client.call_tool("mutate_update_title", title).await;
    client.call_tool("save_mutations", json!({})).await;
    client
}

#[tokio::test]
async fn every_write_has_a_line_with_the_tool_the_path_and_both_hashes() {
    let (project, around) = (Fixture::new(SPEC), Fixture::empty());
    rename_and_save(&project, &around, &[]).await;
    assert!(project.read("spec/login.md").contains("Sign in"));
    let written = lines(&around);
    let line = written.iter().find(|it| it["path"] == "spec/login.md").expect("its line");
    assert_eq!(line["tool"], "save_mutations");
    assert_eq!(line["action"], "write");
    assert_eq!(line["bytes"], project.read("spec/login.md").len());
    for side in ["before", "after"] {
        assert!(line[side].as_str().is_some_and(|it| it.starts_with("sha256:")), "{line}");
    }
    assert_ne!(line["before"], line["after"]);
    assert!(line["time"].as_str().is_some_and(|it| it.ends_with('Z')), "{line}");
    // Lock and journal are our own affair.
    assert_eq!(written.len(), 1, "{written:?}");
}

#[tokio::test]
async fn a_server_that_only_reads_makes_no_file_for_it() {
    let (project, around) = (Fixture::new(SPEC), Fixture::empty());
    rename_and_save(&project, &around, &["--read-only"]).await;
    assert!(!around.has("audit.jsonl"));
}

#[test]
fn the_shell_is_recorded_by_the_name_of_its_command() {
    let (project, around) =
        (Fixture::new("//- .git/HEAD\nx\n//- src/a.ts\nexport const a = 1;\n"), Fixture::empty());
    let audit = around.path().join("audit.jsonl");
    let mut command = std::process::Command::new(bins::server("reverse-spec-mcp"));
    command.args(["generate", "src"]).current_dir(project.path()).env("PLUMBLINE_AUDIT", audit);
    command.env("REVERSE_SPEC_LLM", "off");
    let ended = command.output().expect("the server can be started");
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    let written = lines(&around);
    assert_eq!(written[0]["tool"], "generate");
    assert_eq!(written[0]["before"], Value::Null);
}

#[test]
fn a_place_that_cannot_be_added_to_stops_the_start() {
    let project = Fixture::new(SPEC);
    let mut command = std::process::Command::new(bins::server("elspais-mcp"));
    command.args(["check", "--audit", "/"]).current_dir(project.path());
    let ended = command.output().expect("the server can be started");
    assert!(!ended.status.success());
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert!(said.contains('/') && !said.contains("panicked"), "{said}");
}
