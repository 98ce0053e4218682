//! preflights from outside: its settings, its sessions over HTTP, a real terminal, a full disk.

use std::process::Output;
use std::time::Duration;

use plumbline_tests::http::{HttpServer, Session};
use plumbline_tests::model::{ModelStub, Reaction};
use plumbline_tests::{Client, Fixture, bins};
use serde_json::{Value, json};

use crate::start::NEWEST_HANDSHAKE;

mod disk;
mod terminal;

const BINARY: &str = "preflights-mcp";
const TOOL: &str = "require_clarification";

fn repository() -> Fixture {
    let fixture = Fixture::empty();
    fixture.write(".git/HEAD", "ref: refs/heads/main\n");
    fixture
}

async fn connect(fixture: &Fixture, env: &[(&str, &str)], capabilities: Value) -> Client {
    let mut client =
        Client::spawn(&bins::server(BINARY), &[], env, fixture.path()).declaring(capabilities);
    client.initialize(NEWEST_HANDSHAKE).await;
    client
}

async fn run(fixture: &Fixture, env: &[(&str, &str)], args: &[&str]) -> Output {
    let mut command = tokio::process::Command::new(bins::server(BINARY));
    command
        .args(args)
        .envs(env.iter().copied())
        .current_dir(fixture.path())
        .stdin(std::process::Stdio::null())
        .kill_on_drop(true);
    let ended = tokio::time::timeout(Duration::from_mins(1), command.output()).await;
    ended.expect("the command ends").expect("the server can be started")
}

fn ids(answer: &Value) -> Vec<&str> {
    let questions = answer["questions"].as_array().into_iter().flatten();
    questions.filter_map(|it| it["id"].as_str()).collect()
}

#[tokio::test]
async fn with_forms_switched_off_a_client_that_has_them_gets_the_questions() {
    let fixture = repository();
    let env = [("PREFLIGHTS_ELICIT", "OFF")];
    let mut client = connect(&fixture, &env, json!({ "elicitation": {} })).await;
    let asked = client.call_tool(TOOL, json!({ "user_intention": "Add authentication" })).await;
    assert_eq!(ids(asked.structured()), ["auth_strategy", "auth_library"]);
}

/// What the digits of a ULID are written in.
const ALPHABET: &str = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// The ULID of a session: the time in ten digits, then eighty random bits.
fn digits(session_id: &str) -> &str {
    let digits = session_id.strip_prefix("sess-").expect("a session id begins with sess-");
    assert!(digits.len() == 26 && digits.chars().all(|it| ALPHABET.contains(it)), "{digits}");
    digits
}

#[tokio::test]
async fn sessions_over_http_are_found_by_nobody_who_was_not_told() {
    let fixture = repository();
    let server = HttpServer::start_in(&bins::server(BINARY), &[], &[], fixture.path()).await;
    let mut ids = Vec::new();
    let mut clients = Vec::new();
    for _ in 0..2 {
        let connection = server.connect().await;
        let mut client = Session::open(connection, NEWEST_HANDSHAKE, json!({})).await;
        let arguments = json!({ "user_intention": "Add authentication" });
        let asked = client.call_tool(TOOL, arguments).await;
        ids.push(asked.structured()["session_id"].as_str().expect("a session id").to_owned());
        clients.push(client);
    }
    let common = digits(&ids[0]).chars().zip(digits(&ids[1]).chars()).take_while(|(a, b)| a == b);
    assert!(common.count() < 16, "the ids {ids:?} tell each other");
    let last = digits(&ids[0]).chars().next_back().expect("an id has characters");
    let stem = ids[0].trim_end_matches(last);
    let others = ALPHABET.chars().filter(|it| *it != last);
    let mut guesses: Vec<String> = others.map(|it| format!("{stem}{it}")).collect();
    guesses.extend(["", "sess-", "sess-1", "session-0001"].map(str::to_owned));
    for guess in guesses {
        let arguments = json!({ "user_intention": "x", "session_id": guess, "answers": {} });
        let reply = clients[1].call_tool(TOOL, arguments).await;
        assert!(reply.is_tool_error(), "{guess}");
        assert!(reply.text().contains("SESSION_NOT_FOUND"), "{}", reply.text());
    }
    // What one answers does not show up with the other.
    let answers = json!({ "auth_strategy": "OAuth" });
    let arguments = json!({ "user_intention": "x", "session_id": ids[0], "answers": answers });
    let first = clients[0].call_tool(TOOL, arguments).await;
    assert_eq!(first.structured()["progress"]["answered"], 1);
    let arguments = json!({ "user_intention": "x", "session_id": ids[1] });
    let second = clients[1].call_tool(TOOL, arguments).await;
    assert_eq!(second.structured()["progress"]["answered"], 0);
}

/// Questions for a request that the words of the bank do not fit.
fn questions() -> Reaction {
    let answer = json!({
        "questions": ["auth_strategy"], "said": [], "missing_info": ["auth_strategy"],
        "decision_hint": "adr",
        "reading": {
            "kind": "feature", "triggers": [], "topics": [], "wants": [], "rejects": [],
            "keeps": [], "revokes": [], "acceptance_criteria": [], "out_of_scope": [],
            "paths": [], "ask": [],
        },
    });
    Reaction::openai(&answer.to_string(), "stop")
}

fn nothing_more() -> Reaction {
    let answer = json!({ "status": "insufficient", "fields": [], "reason": "" });
    Reaction::openai(&answer.to_string(), "stop")
}

#[tokio::test]
async fn a_language_model_is_configured_by_variables_for_the_server_and_the_shell() {
    const KEY: &str = "key-0123-not-to-be-seen";
    let stub = ModelStub::start([questions(), questions(), nothing_more()]).await;
    let url = stub.url();
    let env = [
        ("PREFLIGHTS_LLM_PROVIDER", "openai"),
        ("OPENAI_BASE_URL", url.as_str()),
        ("OPENAI_API_KEY", KEY),
        ("http_proxy", "http://127.0.0.1:9"),
    ];
    let fixture = repository();
    let mut client = connect(&fixture, &env, json!({})).await;
    let intention = "Kunden sollen sich anmelden können";
    let asked = client.call_tool(TOOL, json!({ "user_intention": intention })).await;
    assert_eq!(ids(asked.structured()).first(), Some(&"auth_strategy"), "{}", asked.text());
    assert!(!client.stderr().contains(KEY));

    let started = run(&fixture, &env, &["start", intention, "--json"]).await;
    let printed: Value = serde_json::from_slice(&started.stdout).expect("JSON");
    assert_eq!(ids(&printed).first(), Some(&"auth_strategy"), "{printed}");
    let answers = ["answer", "auth_strategy=OAuth", "auth_library=custom", "--json"];
    let answered = run(&fixture, &env, &answers).await;
    let printed: Value = serde_json::from_slice(&answered.stdout).expect("JSON");
    assert_eq!(printed["status"], "completed", "{printed}");
    assert_eq!(stub.received().len(), 3);
    assert_eq!(stub.received()[0].header("authorization"), Some(format!("Bearer {KEY}").as_str()));
    for (path, text) in fixture.files() {
        assert!(!text.contains(KEY), "{path}");
    }
    let doctor = run(&fixture, &env, &["doctor"]).await;
    let said = String::from_utf8_lossy(&doctor.stdout).into_owned();
    assert!(said.contains("openai at 127.0.0.1") && said.contains("OPENAI_API_KEY"), "{said}");
    assert!(!said.contains(KEY));
}

#[tokio::test]
async fn a_provider_without_a_key_is_a_warning_in_answers_and_a_finding_of_doctor() {
    let fixture = repository();
    let env = [("PREFLIGHTS_LLM_PROVIDER", "anthropic"), ("ANTHROPIC_API_KEY", "")];
    let mut client = connect(&fixture, &env, json!({})).await;
    let asked = client.call_tool(TOOL, json!({ "user_intention": "Add authentication" })).await;
    assert_eq!(asked.structured()["warning"], "llm_fallback");
    assert_eq!(asked.structured()["message"], "LLM unavailable, using deterministic mode");
    let doctor = run(&fixture, &env, &["doctor"]).await;
    assert!(!doctor.status.success());
    let said = String::from_utf8_lossy(&doctor.stdout).into_owned();
    assert!(said.contains("PREFLIGHTS_ANTHROPIC_API_KEY is not set"), "{said}");
    let mock = [("PREFLIGHTS_LLM_PROVIDER", "mock")];
    let mut client = connect(&fixture, &mock, json!({})).await;
    let asked = client.call_tool(TOOL, json!({ "user_intention": "Add authentication" })).await;
    assert_eq!(asked.structured()["warning"], Value::Null);
}
