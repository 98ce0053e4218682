//! A server that only reads creates, changes and deletes nothing, whatever a project brings along.

use plumbline_tests::Fixture;
use serde_json::json;

use super::{PROJECT, VERSION, printed, run, spawn};

/// A project with files that look like an earlier version's own, written by a stranger.
fn hostile() -> Fixture {
    let project = Fixture::new(PROJECT);
    let journal = |staged: &str, target: &str| {
        format!(
            r#"{{"state":"committed","steps":[{{"action":"put","target":"{target}","staged":"{staged}","backup":null}}],"directories":[]}}"#
        )
    };
    project.write(".git/HEAD", "ref: refs/heads/main\n");
    project.write("tool.sh", "#!/bin/sh\n");
    project.write(".elspais/journal.json", &journal("tool.sh", ".git/hooks/post-checkout"));
    project.write(".elspais/lock", "");
    project.write(".git/elspais/journal.json", "not even JSON");
    project.write("spec/.login.md.0123456789abcdef0123456789abcdef.tmp", "# Theirs\n");
    project
}

#[tokio::test]
async fn nothing_changes_in_the_tree_the_home_or_the_state_directory() {
    let (project, home) = (hostile(), Fixture::empty());
    home.write("kept", "x");
    let (tree, around) = (project.files(), home.files());
    let place = home.path_text();
    let env = [("HOME", place), ("XDG_STATE_HOME", place), ("PLUMBLINE_STATE_DIR", place)];
    let mut client = spawn(&project, &["--read-only", "--toolsets", "all"], &env);
    client.initialize(VERSION).await;
    let listed = client.request("tools/list", json!({})).await;
    let tools = listed.result()["tools"].as_array().unwrap().clone();
    for tool in &tools {
        assert_eq!(tool["annotations"]["readOnlyHint"], true, "{}", tool["name"]);
        let arguments = json!({ "req_id": "REQ-p00001", "query": "name", "keywords": ["name"], "target": "REQ-p00001" });
        let takes = tool["inputSchema"]["properties"].as_object().unwrap();
        let mut arguments = arguments.as_object().unwrap().clone();
        arguments.retain(|name, _| takes.contains_key(name));
        let reply = client.call_tool(tool["name"].as_str().unwrap(), arguments.into()).await;
        // Git has no commits here, which some tools say.
        assert!(!reply.is_tool_error() || reply.text().contains("git"), "{}", reply.text());
    }
    let status = client.call_tool("get_graph_status", json!({})).await;
    assert_eq!(status.structured()["node_counts"]["requirement"], 2);
    client.close_stdin().await;
    assert_eq!(client.wait_exit().await.code(), Some(0));
    assert!(client.stderr().contains(".elspais/journal.json is ignored"), "{}", client.stderr());
    assert_eq!(project.files(), tree);
    assert_eq!(home.files(), around);
}

#[test]
fn the_shell_reads_without_a_trace_too() {
    let project = hostile();
    let tree = project.files();
    for args in [&["check"][..], &["doctor"], &["call", "get_requirement", "req_id=REQ-p00001"]] {
        let output = run(&project, args);
        assert!(printed(&output).contains("REQ-p00001") || args == ["doctor"], "{args:?}");
        assert_eq!(project.files(), tree, "{args:?}");
    }
}
