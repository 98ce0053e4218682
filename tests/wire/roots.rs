//! Roots: a sub-directory leads up to its project, what is written out is literal, and a client's
//! own directory is no project.

use std::process::{Command, Stdio};

use plumbline_tests::bins::SERVERS;
use plumbline_tests::{Client, Fixture, bins};
use serde_json::{Value, json};

use crate::start::NEWEST_HANDSHAKE;

/// A project below a home directory, which is a repository too.
fn home() -> Fixture {
    let home = Fixture::new(
        "//- .git/HEAD\nref: refs/heads/main\n//- p/.git/HEAD\nref: refs/heads/main\n//- p/src/deep/a.rs\npub fn a() {}\n//- p/spec/a.md\n# REQ-d00001: One\n**Level**: DEV\n//- p/.claude/commands/plan.md\nPlan.\n//- p/docs/intent.md\nx\n//- loose/x.md\nx\n",
    );
    home.write("p/.elspais.toml", "[project]\nname = \"p\"\n");
    home
}

fn doctor(binary: &str, home: &Fixture, at: &str, args: &[&str]) -> String {
    let mut command = Command::new(bins::server(binary));
    command.args(args).args(["doctor", "--json"]).current_dir(home.path().join(at));
    let ended = command.env("HOME", home.path()).stdin(Stdio::null()).output().expect("it starts");
    let found: Value = serde_json::from_slice(&ended.stdout).expect("JSON");
    let findings = found["findings"].as_array().expect("findings");
    let texts = findings.iter().filter_map(|it| it["what"].as_str());
    texts.filter(|it| it.starts_with("root ")).collect::<Vec<_>>().join("\n")
}

// Verifies: PLB-d01003-E
#[test]
fn a_sub_directory_leads_up_to_the_project_and_an_absolute_root_is_literal() {
    let home = home();
    let deep = home.path().join("p/src/deep");
    for server in &SERVERS {
        for args in [&[][..], &["--root", "."], &["--root", "../deep"]] {
            let said = doctor(server.binary, &home, "p/src/deep", args);
            assert!(said.contains("/p ("), "{} {args:?}: {said}", server.binary);
        }
        let literal = doctor(server.binary, &home, "p", &["--root", &deep.display().to_string()]);
        assert!(literal.contains("/p/src/deep ("), "{}: {literal}", server.binary);
    }
}

#[test]
fn the_home_directory_is_not_climbed_to() {
    let home = home();
    for server in &SERVERS {
        let said = doctor(server.binary, &home, "loose", &[]);
        assert!(said.contains("/loose ("), "{}: {said}", server.binary);
    }
}

// Verifies: PLB-d01003-F
#[test]
fn a_root_that_is_not_there_or_not_filled_in_stops_the_start() {
    let home = home();
    for server in &SERVERS {
        for (root, said) in
            [("nowhere", "existing directory"), ("${workspaceFolder}", "did not fill in")]
        {
            for serve in [&[][..], &["serve", "--http", "127.0.0.1:0"]] {
                let mut command = Command::new(bins::server(server.binary));
                command.args(serve).args(["--root", root]).current_dir(home.path().join("p"));
                let ended = command.stdin(Stdio::null()).output().expect("it starts");
                let stderr = String::from_utf8_lossy(&ended.stderr);
                assert!(!ended.status.success(), "{} {root}", server.binary);
                assert!(stderr.contains(said), "{} {root}: {stderr}", server.binary);
            }
        }
    }
}

/// One call of a tool that looks at the project, for each server.
fn looks_at_the_project(server: &str) -> (&'static str, Value) {
    match server {
        "preflights" => ("read_architecture", json!({})),
        "elspais" => ("get_graph_status", json!({})),
        "specifyplus" => ("list_commands", json!({})),
        "reverse-spec" => ("batch", json!({})),
        _ => ("check_project_health", json!({})),
    }
}

// Verifies: PLB-d01003-G
#[tokio::test]
async fn in_a_directory_of_a_client_each_call_says_how_to_name_the_project() {
    for place in [".codex/plugins/x", ".claude/plugins/cache/y", "plugin"] {
        let home = Fixture::empty();
        home.write(&format!("{place}/readme.md"), "x");
        home.write("plugin/.claude-plugin/plugin.json", "{}");
        let at = home.path().join(place);
        let home_variable = home.path().display().to_string();
        for server in &SERVERS {
            let args = match server.name {
                "specifyplus" => vec!["--root", ".", "--with-tools"],
                _ => vec!["--root", "."],
            };
            let env = [("HOME", home_variable.as_str())];
            let before = home.files();
            let executable = bins::server(server.binary);
            let mut client = Client::spawn(&executable, &args, &env, &at);
            client.initialize(NEWEST_HANDSHAKE).await;
            let (tool, arguments) = looks_at_the_project(server.name);
            let reply = client.call_tool(tool, arguments).await;
            assert!(reply.is_tool_error(), "{} {place}: {reply:?}", server.binary);
            assert!(reply.text().contains("--root"), "{} {place}: {reply:?}", server.binary);
            client.close_stdin().await;
            assert!(client.wait_exit().await.success());
            assert_eq!(home.files(), before, "{} writes nothing", server.binary);
        }
    }
}

#[tokio::test]
async fn what_needs_no_project_is_answered_anywhere_and_so_is_a_path_that_is_written_out() {
    let home = home();
    home.write(".codex/x", "x");
    let home_variable = home.path().display().to_string();
    let env = [("HOME", home_variable.as_str())];
    let at = home.path().join(".codex");
    let mut client = Client::spawn(&bins::server("acm-mcp"), &[], &env, &at);
    client.initialize(NEWEST_HANDSHAKE).await;
    let reply = client.call_tool("get_stage", json!({ "stage": "design" })).await;
    assert!(!reply.is_tool_error(), "{reply:?}");
    let project = home.path().join("p").display().to_string();
    let reply = client.call_tool("check_project_health", json!({ "project_path": project })).await;
    assert!(!reply.is_tool_error(), "{reply:?}");
}

#[tokio::test]
async fn a_relative_path_in_a_call_of_reverse_spec_means_the_working_directory() {
    let home = home();
    let at = home.path().join("p/src/deep");
    let mut client = Client::spawn(&bins::server("reverse-spec-mcp"), &["--root", "."], &[], &at);
    client.initialize(NEWEST_HANDSHAKE).await;
    let reply = client.call_tool("prepare", json!({ "targetPath": "a.rs" })).await;
    assert!(!reply.is_tool_error(), "{reply:?}");
    let reply = client.call_tool("batch", json!({})).await;
    assert!(!reply.is_tool_error(), "{reply:?}");
    assert!(home.has("p/specs/_index.spec.md") && !home.has("p/src/deep/specs"));
}

#[tokio::test]
async fn clients_since_2025_11_25_are_told_what_the_server_is_and_shown_its_picture() {
    let home = home();
    for server in &SERVERS {
        for (version, is_told) in [("2025-06-18", false), ("2025-11-25", true)] {
            let at = home.path().join("p");
            let mut client = Client::spawn(&bins::server(server.binary), &[], &[], &at);
            let hello = client.initialize(version).await;
            let info = &hello["serverInfo"];
            assert_eq!(info["description"].is_string(), is_told, "{info}");
            assert_eq!(info["icons"].is_array(), is_told, "{info}");
            if is_told {
                let source = info["icons"][0]["src"].as_str().expect("a source");
                assert!(source.starts_with("data:image/svg+xml;base64,"), "{source}");
            }
        }
    }
}
