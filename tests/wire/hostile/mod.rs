//! All five servers, every tool and every command, pointed at a project that is full of traps:
//! nothing in it is run, nothing outside it is read or written, and what comes out is harmless.

mod project;

use std::process::Stdio;
use std::time::Duration;

use plumbline_tests::bins::{SERVERS, Server};
use plumbline_tests::http::{HttpServer, Session};
use plumbline_tests::{Client, Reply};
use serde_json::{Map, Value, json};

use crate::start::NEWEST_HANDSHAKE;
use project::{CANARY, ESCAPE, Hostile};

/// No call and no command may take longer, whatever lies in its way.
const PATIENCE: Duration = Duration::from_mins(1);

/// The environment of a person whose PATH begins in the project, as some have it.
fn environment(hostile: &Hostile) -> Vec<(String, String)> {
    let text = |path: std::path::PathBuf| path.display().to_string();
    let path = std::env::var("PATH").unwrap_or_default();
    vec![
        ("HOME".to_owned(), text(hostile.home())),
        ("PLUMBLINE_STATE_DIR".to_owned(), text(hostile.state())),
        ("PATH".to_owned(), format!(".:bin:{path}")),
    ]
}

/// Arguments that fit a tool's schema: what it must have, and paths that lead into the traps.
fn arguments(tool: &Value, round: usize) -> Value {
    let schema = &tool["inputSchema"];
    let none = Map::new();
    let mut given = Map::new();
    for (name, property) in schema["properties"].as_object().unwrap_or(&none) {
        let is_required = schema["required"].as_array().is_some_and(|it| it.contains(&json!(name)));
        if let Some(value) = value_for(name, property, round)
            && (is_required || round > 0)
        {
            given.insert(name.clone(), value);
        }
    }
    given.into()
}

fn value_for(name: &str, property: &Value, round: usize) -> Option<Value> {
    if let Some(words) = property["enum"].as_array() {
        return words.get(round % words.len().max(1)).cloned();
    }
    let paths = [".", "vendored", "src/linked.py", "../outside", ".git/hooks", "specs"];
    let is_path =
        ["path", "dir", "file", "target", "root"].iter().any(|it| name.to_lowercase().contains(it));
    let kind = property["type"].as_str().unwrap_or("string");
    Some(match kind {
        "string" if is_path => json!(paths[round % paths.len()]),
        "string" if name.contains("id") => json!("REQ-p00001"),
        "string" if name == "user_intention" => json!("Add authentication with Auth0"),
        "string" => json!("login"),
        "boolean" => json!(round % 2 == 1),
        "integer" | "number" => json!(1),
        "array" => json!(["login"]),
        _ => return None,
    })
}

/// What must never come out: the canary always, and a terminal's orders where a text is composed.
fn assert_harmless(server: &Server, what: &str, said: &str, is_document: bool) {
    assert!(!said.contains(CANARY), "{} {what} read outside of the project: {said}", server.binary);
    if !is_document {
        let at = said.find(ESCAPE).map(|at| &said[at.saturating_sub(80)..]);
        assert!(at.is_none(), "{} {what} sends escapes: {at:?}", server.binary);
    }
}

/// Every text of an answer, as a client would show it.
fn texts(value: &Value, into: &mut String) {
    match value {
        Value::String(text) => {
            into.push_str(text);
            into.push('\n');
        }
        Value::Array(items) => items.iter().for_each(|it| texts(it, into)),
        Value::Object(members) => members.iter().for_each(|(name, it)| {
            into.push_str(name);
            texts(it, into);
        }),
        _ => {}
    }
}

fn assert_answer(server: &Server, what: &str, reply: &Reply, is_document: bool) {
    let mut said = String::new();
    texts(reply.message(), &mut said);
    assert_harmless(server, what, &said, is_document);
}

fn is_document(tool: &Value) -> bool {
    tool["_meta"]["anthropic/maxResultSizeChars"].is_number()
}

fn assert_untouched(server: &Server, hostile: &Hostile, before: &[(String, Vec<u8>)]) {
    assert_eq!(hostile.marks(), Vec::<String>::new(), "{}: a trap was run", server.binary);
    let after = hostile.off_limits();
    let names =
        |files: &[(String, Vec<u8>)]| files.iter().map(|it| it.0.clone()).collect::<Vec<_>>();
    assert_eq!(names(&after), names(before), "{}", server.binary);
    for (after, before) in after.iter().zip(before) {
        assert!(after == before, "{} changed {}", server.binary, after.0);
    }
}

fn toolsets(server: &Server) -> &'static [&'static str] {
    match server.name {
        "elspais" => &["--toolsets", "all"],
        "specifyplus" => &["--with-tools"],
        _ => &[],
    }
}

/// The traps work: whoever trusts the repository runs them.
#[test]
fn a_plain_git_steps_into_the_traps() {
    let hostile = Hostile::build();
    let mut git = std::process::Command::new("git");
    git.args(["status"]).current_dir(hostile.project()).stdin(Stdio::null());
    git.stdout(Stdio::null()).stderr(Stdio::null()).status().expect("git is there");
    assert!(!hostile.marks().is_empty());
}

#[tokio::test]
async fn over_stdio_nothing_is_obeyed() {
    for server in &SERVERS {
        let hostile = Hostile::build();
        let before = hostile.off_limits();
        let env = environment(&hostile);
        let env: Vec<(&str, &str)> = env.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        let project = hostile.project();
        let mut client =
            Client::spawn(&server.path(), toolsets(server), &env, &project).with_patience(PATIENCE);
        client.initialize(NEWEST_HANDSHAKE).await;
        let listed = client.request("tools/list", json!({})).await;
        let tools = listed.result()["tools"].as_array().cloned().unwrap_or_default();
        for round in 0..3 {
            for tool in &tools {
                let name = tool["name"].as_str().unwrap_or_default();
                // Over stdio a contract may let a call name any path; those are tried over HTTP.
                let given = arguments(tool, if round == 0 { 0 } else { round * 6 });
                let reply = client.call_tool(name, given).await;
                assert_answer(server, name, &reply, is_document(tool));
            }
        }
        for method in ["prompts/list", "resources/list", "resources/templates/list"] {
            let reply = client.request(method, json!({})).await;
            assert_answer(server, method, &reply, false);
            for resource in reply.message()["result"]["resources"].as_array().into_iter().flatten()
            {
                let read =
                    client.request("resources/read", json!({ "uri": resource["uri"] })).await;
                assert_answer(server, "resources/read", &read, true);
            }
            for prompt in reply.message()["result"]["prompts"].as_array().into_iter().flatten() {
                let got = client.request("prompts/get", json!({ "name": prompt["name"] })).await;
                assert_answer(server, "prompts/get", &got, true);
            }
        }
        client.close_stdin().await;
        client.wait_exit_within(PATIENCE).await;
        assert_harmless(server, "the log", &client.stderr(), false);
        assert_untouched(server, &hostile, &before);
    }
}

#[tokio::test]
async fn over_http_no_path_leads_outside() {
    for server in &SERVERS {
        let hostile = Hostile::build();
        let before = hostile.off_limits();
        let env = environment(&hostile);
        let env: Vec<(&str, &str)> = env.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        let project = hostile.project();
        let running = HttpServer::start_in(&server.path(), toolsets(server), &env, &project).await;
        let connection = running.connect().await.with_patience(PATIENCE);
        let mut session = Session::open(connection, NEWEST_HANDSHAKE, json!({})).await;
        let listed = session.request("tools/list", json!({})).await;
        let tools = listed.result()["tools"].as_array().cloned().unwrap_or_default();
        for round in 0..6 {
            for tool in &tools {
                let name = tool["name"].as_str().unwrap_or_default();
                let reply = session.call_tool(name, arguments(tool, round)).await;
                assert_answer(server, name, &reply, is_document(tool));
            }
        }
        assert_harmless(server, "the log", &running.process().stderr(), false);
        assert_untouched(server, &hostile, &before);
    }
}

/// Every command of a server but those that serve, each with what it needs.
fn commands(server: &Server) -> Vec<Vec<&'static str>> {
    let mut all = vec![vec!["tools"], vec!["doctor"], vec!["config", "claude-code"], vec!["man"]];
    let own: &[&[&str]] = match server.name {
        "preflights" => &[&["start", "Add authentication"], &["status"], &["lint"], &["reset"]],
        "elspais" => &[&["check"], &["report"], &["call", "get_graph_status"]],
        "specifyplus" => &[&["lint"], &["call", "list_commands"]],
        "reverse-spec" => {
            &[&["prepare", "."], &["generate", "src"], &["batch"], &["diff"], &["report"]]
        }
        _ => &[&["call", "check_project_health", "project_path=."]],
    };
    all.extend(own.iter().map(|it| it.to_vec()));
    all
}

#[tokio::test]
async fn in_the_shell_nothing_is_obeyed() {
    for server in &SERVERS {
        let hostile = Hostile::build();
        let before = hostile.off_limits();
        for args in commands(server) {
            let mut command = tokio::process::Command::new(server.path());
            command.args(&args).current_dir(hostile.project()).stdin(Stdio::null());
            command.envs(environment(&hostile)).kill_on_drop(true);
            let ended = tokio::time::timeout(PATIENCE, command.output()).await;
            let ended = ended.unwrap_or_else(|_| panic!("{} {args:?} hangs", server.binary));
            let ended = ended.expect("the server can be started");
            let said = String::from_utf8_lossy(&ended.stdout).into_owned()
                + &String::from_utf8_lossy(&ended.stderr);
            assert!(!said.contains("panicked"), "{} {args:?}: {said}", server.binary);
            assert_harmless(server, args[0], &said, false);
        }
        assert_untouched(server, &hostile, &before);
    }
}
