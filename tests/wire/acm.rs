//! acm from outside: where its trees come from, what `init` lays down, and what a project's check
//! says to a script.

mod trees;

use std::process::{Command, Output, Stdio};

use plumbline_tests::{Client, Fixture, bins};
use serde_json::json;

use crate::start::NEWEST_HANDSHAKE;

const BINARY: &str = "acm-mcp";

/// Starts it in a project, with a home of its own and these variables.
async fn connect(project: &Fixture, home: &Fixture, env: &[(&str, &str)]) -> Client {
    let mut all = vec![("HOME", home.path_text()), ("PLUMBLINE_STATE_DIR", home.path_text())];
    all.extend_from_slice(env);
    let mut client = Client::spawn(&bins::server(BINARY), &[], &all, project.path());
    client.initialize(NEWEST_HANDSHAKE).await;
    client
}

fn run(project: &Fixture, home: &Fixture, args: &[&str]) -> Output {
    let mut command = Command::new(bins::server(BINARY));
    command.args(args).current_dir(project.path()).stdin(Stdio::null());
    command.env("HOME", home.path()).env("PLUMBLINE_STATE_DIR", home.path());
    command.env_remove("ACM_ROOT").env_remove("ACM_REGISTRY_ROOT");
    command.output().expect("the server can be started")
}

#[tokio::test]
async fn a_missing_project_file_is_a_finding_over_the_wire() {
    let (project, home) = (Fixture::new("//- README.md\n# Project\n"), Fixture::empty());
    let mut client = connect(&project, &home, &[]).await;
    let reply = client.call_tool("check_project_health", json!({ "project_path": "." })).await;
    assert!(reply.text().contains("docs/intent.md"), "{}", reply.text());
    client.close_stdin().await;
    assert_eq!(client.wait_exit().await.code(), Some(0));
}

#[tokio::test]
async fn a_path_that_leads_out_of_the_project_is_refused_over_the_wire() {
    let (project, home) = (Fixture::new("//- docs/intent.md\n# Intent\n"), Fixture::empty());
    let mut client = connect(&project, &home, &[]).await;
    let reply = client.call_tool("check_project_health", json!({ "project_path": "../.." })).await;
    assert!(reply.is_tool_error() || reply.is_error(), "{reply:?}");
}
