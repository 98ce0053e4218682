//! The five servers: each starts, says who it is, and offers the same command line.

use std::path::Path;
use std::process::Output;
use std::time::Duration;

use plumbline_tests::bins::{SERVERS, Server};
use plumbline_tests::http::{HttpServer, Session, modern_post};
use plumbline_tests::{Client, Fixture};
use serde_json::{Value, json};

use crate::start::NEWEST_HANDSHAKE;

/// Runs an executable to its end.
async fn run(server: &Server, args: &[&str], cwd: &Path) -> Output {
    let mut command = tokio::process::Command::new(server.path());
    command.args(args).current_dir(cwd).stdin(std::process::Stdio::null()).kill_on_drop(true);
    tokio::time::timeout(Duration::from_secs(20), command.output())
        .await
        .unwrap_or_else(|_| panic!("{} {args:?} did not end", server.binary))
        .expect("the server can be started")
}

/// Runs an executable that must succeed, and returns what it printed.
async fn printed(server: &Server, args: &[&str], cwd: &Path) -> String {
    let output = run(server, args, cwd).await;
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{} {args:?} failed: {said}", server.binary);
    String::from_utf8(output.stdout).expect("what is printed is text")
}

fn assert_introduced(server: &Server, info: &Value, instructions: &Value) {
    assert_eq!(info["name"], server.name);
    assert_eq!(info["version"], server.version);
    let instructions = instructions.as_str().expect("a server has instructions");
    assert!(!instructions.trim().is_empty() && instructions.len() < 2048, "{}", instructions.len());
}

#[tokio::test]
async fn each_introduces_itself_over_stdio_in_both_eras() {
    for server in &SERVERS {
        let project = Fixture::project();
        let mut client = Client::spawn(&server.path(), &[], &[], project.path());
        let opened = client.initialize(NEWEST_HANDSHAKE).await;
        assert_introduced(server, &opened["serverInfo"], &opened["instructions"]);
        let old = client.request("tools/list", json!({})).await;
        client.close_stdin().await;
        assert_eq!(client.wait_exit().await.code(), Some(0), "{}", server.binary);

        let mut client = Client::spawn(&server.path(), &[], &[], project.path());
        let found = client.modern_request("server/discover", json!({})).await;
        let info = &found.result()["_meta"]["io.modelcontextprotocol/serverInfo"];
        assert_introduced(server, info, &found.result()["instructions"]);
        let new = client.modern_request("tools/list", json!({})).await;
        assert!(new.result()["tools"].is_array(), "{new:?}");
        assert_eq!(old.result()["tools"], new.result()["tools"], "{}", server.binary);
    }
}

#[tokio::test]
async fn each_serves_http_in_both_eras() {
    for server in &SERVERS {
        let running = HttpServer::start(&server.path(), &[]).await;
        let connection = running.connect().await;
        let mut session = Session::open(connection, NEWEST_HANDSHAKE, json!({})).await;
        assert_eq!(session.initialized["serverInfo"]["name"], server.name);
        let old = session.request("tools/list", json!({})).await;
        let mut connection = running.connect().await;
        let new = modern_post(&mut connection, "tools/list", json!({}), &json!({})).await;
        assert_eq!(old.result()["tools"], new.reply().await.result()["tools"], "{}", server.binary);
    }
}

#[tokio::test]
async fn each_serves_sse_when_asked() {
    for server in &SERVERS {
        let running = HttpServer::start(&server.path(), &["--sse"]).await;
        let response = running.connect().await.send("GET", "/sse", &[], "").await;
        let first = response.events().next().await.expect("the stream begins with an event");
        assert_eq!(first.name, "endpoint", "{}", server.binary);
    }
}

#[tokio::test]
async fn each_tool_is_described_well_enough_to_be_chosen() {
    for server in &SERVERS {
        let project = Fixture::project();
        let mut client = Client::spawn(&server.path(), &[], &[], project.path());
        client.initialize(NEWEST_HANDSHAKE).await;
        let listed = client.request("tools/list", json!({})).await;
        for tool in listed.result()["tools"].as_array().expect("a list of tools") {
            let name = tool["name"].as_str().expect("a tool has a name");
            let description = tool["description"].as_str().unwrap_or_default();
            assert!((1..2048).contains(&description.len()), "{name}: {}", description.len());
            assert_eq!(tool["inputSchema"]["type"], "object", "{name}");
            for hint in ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] {
                assert!(tool["annotations"][hint].is_boolean(), "{name} does not set {hint}");
            }
        }
    }
}

#[tokio::test]
async fn each_prints_its_version() {
    let project = Fixture::project();
    for server in &SERVERS {
        let version = printed(server, &["--version"], project.path()).await;
        assert!(version.contains(server.version), "{version}");
        assert!(version.contains(server.binary), "{version}");
    }
}

#[tokio::test]
async fn each_lists_its_tools_in_the_shell() {
    let project = Fixture::project();
    for server in &SERVERS {
        let listed = printed(server, &["tools", "--json"], project.path()).await;
        let listed: Value = serde_json::from_str(&listed).expect("tools --json prints JSON");
        let mut client = Client::spawn(&server.path(), &[], &[], project.path());
        client.initialize(NEWEST_HANDSHAKE).await;
        let served = client.request("tools/list", json!({})).await;
        let tools = listed.get("tools").unwrap_or(&listed);
        let names = |tools: &Value| -> Vec<Value> {
            let tools = tools.as_array().expect("a list of tools");
            tools.iter().map(|tool| tool["name"].clone()).collect()
        };
        // The shell knows tools that clients see only when asked for.
        for name in names(&served.result()["tools"]) {
            assert!(names(tools).contains(&name), "{}: {name} is missing", server.binary);
        }
        let shown = printed(server, &["tools"], project.path()).await;
        for name in names(tools) {
            let name = name.as_str().expect("a tool has a name").to_owned();
            assert!(shown.contains(&name), "{name} is missing: {shown}");
        }
    }
}

#[tokio::test]
async fn each_prints_completions_and_a_manual() {
    let project = Fixture::project();
    for server in &SERVERS {
        for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
            let script = printed(server, &["completions", shell], project.path()).await;
            assert!(script.contains(server.binary), "{shell}: {script}");
        }
        let manual = printed(server, &["man"], project.path()).await;
        assert!(manual.contains(".TH"), "a manual is roff: {manual}");
    }
}

#[tokio::test]
async fn each_prints_the_entry_of_every_client() {
    let project = Fixture::project();
    for server in &SERVERS {
        for client in ["claude-code", "claude-desktop", "cursor", "vscode", "gemini", "codex"] {
            let entry = printed(server, &["config", client], project.path()).await;
            assert!(entry.contains(server.binary), "{client}: {entry}");
            if client != "codex" {
                let entry: Value = serde_json::from_str(&entry).expect("the entry is JSON");
                let key = if client == "vscode" { "servers" } else { "mcpServers" };
                assert!(entry[key][server.name].is_object(), "{client}: {entry}");
            }
        }
        let entry = printed(server, &["config", "claude-code"], project.path()).await;
        assert!(entry.contains("${CLAUDE_PROJECT_DIR:-.}"), "{entry}");
    }
}

#[tokio::test]
async fn each_doctor_is_content_with_a_project_and_not_with_a_missing_one() {
    let project = Fixture::project();
    for server in &SERVERS {
        printed(server, &["doctor"], project.path()).await;
        let missing = project.path().join("not-there");
        let missing = missing.to_str().expect("temporary paths are text");
        let output = run(server, &["doctor", "--root", missing], project.path()).await;
        assert!(!output.status.success(), "{} is content without its root", server.binary);
        let said = String::from_utf8_lossy(&output.stdout).into_owned()
            + &String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("not-there"), "it names the root: {said}");
    }
}

#[tokio::test]
async fn each_refuses_a_flag_or_tool_it_does_not_know() {
    let project = Fixture::project();
    for server in &SERVERS {
        for args in
            [&["--no-such-flag"][..], &["call", "no_such_tool"], &["--tools", "no_such_tool"]]
        {
            let output = run(server, args, project.path()).await;
            assert!(!output.status.success(), "{} {args:?} succeeded", server.binary);
            let said = String::from_utf8_lossy(&output.stderr);
            let unknown = args.last().expect("every command line here has arguments");
            assert!(said.contains(unknown), "{} {args:?} said {said}", server.binary);
            assert!(!said.contains("panicked"), "{said}");
        }
    }
}

#[tokio::test]
async fn a_read_only_server_offers_nothing_that_writes() {
    for server in &SERVERS {
        let project = Fixture::project();
        let mut client = Client::spawn(&server.path(), &["--read-only"], &[], project.path());
        client.initialize(NEWEST_HANDSHAKE).await;
        let listed = client.request("tools/list", json!({})).await;
        for tool in listed.result()["tools"].as_array().expect("a list of tools") {
            assert_eq!(tool["annotations"]["readOnlyHint"], true, "{}", tool["name"]);
        }
    }
}
