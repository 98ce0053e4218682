//! The server as a client sees it: files in, answers over an in-memory wire and files out.

mod artifacts;
mod categories;
mod errors;
mod faults;
mod flow;
mod forms;
mod kill;
mod model;
mod readings;
mod records;
mod requests;
mod resources;
mod reversals;
mod surface;

use std::collections::BTreeMap;
use std::path::Path;

use jiff::Timestamp;
use mcp_core::clock::Clock;
use mcp_core::sandbox::State;
use mcp_core::server::Server;
use mcp_core::transport::in_memory;
use plumbline_tests::{Client, Fixture, Reply};
use serde_json::{Value, json};

use crate::server::assemble;
use crate::store::model::Setting;
use crate::store::repository::Places;
use crate::store::service::Service;
use mcp_core::entropy::Entropy;

/// A git repository with these files.
pub(crate) fn repository(text: &str) -> Fixture {
    let fixture = Fixture::new(text);
    fixture.write(".git/HEAD", "ref: refs/heads/main\n");
    fixture
}

pub(crate) fn clock() -> Clock {
    let now: Timestamp = "2025-01-08T14:35:12.237Z".parse().unwrap();
    Clock::fixed(now)
}

/// Numbers that count up, so that files are the same in every run.
fn counting() -> Entropy {
    Entropy::counting(0xA001)
}

/// Calls may go anywhere; locks and journals are kept where `git status` does not see them.
pub(crate) fn places(path: &Path) -> Places {
    let state = State::at(path.join(".git/state"));
    Places { start: path.to_owned(), home: None, confined_to: None, state }
}

pub(crate) fn service(fixture: &Fixture, clock: Clock) -> Service {
    service_with(fixture, clock, Setting::Off)
}

pub(crate) fn service_with(fixture: &Fixture, clock: Clock, model: Setting) -> Service {
    Service::new(places(fixture.path()), clock, counting(), model)
}

async fn connect_with(
    fixture: &Fixture,
    clock: Clock,
    capabilities: Value,
    version: Option<&str>,
) -> Client {
    connect_to(assemble(service(fixture, clock), true), capabilities, version).await
}

async fn connect_to(server: Server, capabilities: Value, version: Option<&str>) -> Client {
    let mut client = Client::on(in_memory(server)).declaring(capabilities);
    if let Some(version) = version {
        client.initialize(version).await;
    }
    client
}

async fn connect(fixture: &Fixture) -> Client {
    connect_with(fixture, clock(), json!({}), Some("2025-11-25")).await
}

/// The structured answer of a call that must succeed, which its text repeats.
async fn told(client: &mut Client, tool: &str, arguments: Value) -> Value {
    let reply = client.call_tool(tool, arguments).await;
    assert!(!reply.is_tool_error(), "{}", reply.text());
    let text: Value = serde_json::from_str(&reply.text()).unwrap();
    assert_eq!(&text, reply.structured());
    text
}

async fn clarify(client: &mut Client, arguments: Value) -> Value {
    told(client, "require_clarification", arguments).await
}

async fn start(client: &mut Client, intention: &str) -> Value {
    clarify(client, json!({ "user_intention": intention })).await
}

async fn carry_on(client: &mut Client, before: &Value, answers: Value) -> Value {
    let session = &before["session_id"];
    clarify(client, json!({ "user_intention": "", "session_id": session, "answers": answers }))
        .await
}

async fn architecture(client: &mut Client) -> Value {
    told(client, "read_architecture", json!({})).await["architecture"].clone()
}

/// The envelope of a call that must fail, with every field in its place.
async fn refused(client: &mut Client, tool: &str, arguments: Value) -> Value {
    let reply: Reply = client.call_tool(tool, arguments).await;
    assert!(reply.is_tool_error(), "{}", reply.text());
    let envelope: Value = serde_json::from_str(&reply.text()).unwrap();
    assert_eq!(envelope["status"], "error");
    let error = envelope["error"].clone();
    assert!(error["code"].is_string() && error["message"].is_string(), "{error}");
    assert!(error["details"].is_object() && error["recovery_hint"].is_string(), "{error}");
    for leak in ["os error", "panicked", "Os {", "invalid type"] {
        assert!(!reply.text().contains(leak), "{leak} in {}", reply.text());
    }
    error
}

fn ids(answer: &Value) -> Vec<String> {
    let questions = answer["questions"].as_array().cloned().unwrap_or_default();
    questions.iter().map(|it| it["id"].as_str().unwrap().to_owned()).collect()
}

/// Answers as an agent would that takes the first option and some text.
fn first_options(answer: &Value) -> Value {
    let mut given = serde_json::Map::new();
    for question in answer["questions"].as_array().unwrap() {
        let first = question["options"].get(0).cloned();
        let value = match question["type"].as_str().unwrap() {
            "single_choice" => first.unwrap(),
            "multi_choice" => json!([first.unwrap()]),
            _ => json!("Some words"),
        };
        given.insert(question["id"].as_str().unwrap().to_owned(), value);
    }
    Value::Object(given)
}

/// Carries a clarification to its end with first options; also returns how many questions it took.
async fn complete(client: &mut Client, intention: &str) -> (Value, usize) {
    let mut answer = start(client, intention).await;
    let mut asked = 0;
    for _ in 0..10 {
        if answer["status"] == "completed" {
            return (answer, asked);
        }
        asked = usize::try_from(answer["progress"]["asked_so_far"].as_u64().unwrap()).unwrap();
        let given = first_options(&answer);
        answer = carry_on(client, &answer, given).await;
    }
    panic!("`{intention}` does not come to an end: {answer}");
}

/// The files that git would see.
fn in_the_tree(fixture: &Fixture) -> BTreeMap<String, String> {
    fixture.files().into_iter().filter(|(path, _)| !path.starts_with(".git/")).collect()
}

/// The name and text of the only record there is, or the newest.
pub(crate) fn newest_record(fixture: &Fixture) -> (String, String) {
    let files = fixture.files();
    let newest = files.iter().rfind(|(path, _)| path.starts_with("docs/adr/"));
    let (path, text) = newest.expect("there is a record");
    (path.clone(), text.clone())
}
