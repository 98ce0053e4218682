//! The server as a client sees it: files in, answers over an in-memory wire and files out.

mod agents;
mod dialects;
mod faults;
mod files;
mod keeping;
mod mutations;
pub(crate) mod picture;
mod queries;
mod reviews;
mod surface;

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use mcp_core::clock::Clock;
use mcp_core::sandbox::{Journal, Root, State, View};
use mcp_core::server::Selection;
use mcp_core::transport::in_memory;
use mcp_core::work::Work;
use plumbline_tests::{Client, Fixture};
use serde_json::{Value, json};

use crate::server::assemble;
use crate::store::rewriter::Rewriter;
use crate::store::workspace::Workspace;
use mcp_core::entropy::Entropy;

pub(crate) fn clock() -> Clock {
    let now: Timestamp = "2026-01-02T03:04:05Z".parse().unwrap();
    Clock::fixed(now)
}

/// Numbers that count up, so that answers are the same in every run.
pub(crate) fn counting() -> Entropy {
    Entropy::counting(0xA001)
}

/// A state directory of the tests' own.
pub(crate) fn state() -> State {
    State::at(std::env::temp_dir().join(format!("elspais-tests-{}", std::process::id())))
}

/// The tree as it lies there.
pub(crate) fn view(root: &Root) -> View<'_> {
    Journal::of(&State::nowhere(), "tests", root).view(root, &Work::endless()).unwrap()
}

pub(crate) fn workspace(fixture: &Fixture) -> Workspace {
    Workspace::new(fixture.path().to_owned(), state(), clock(), counting())
}

/// Where no language model is configured.
pub(crate) fn no_model() -> Rewriter {
    Rewriter::from_variables(&|_| None, Duration::from_mins(1))
}

/// A project with the requirements of this very kind of server, and nothing else.
pub(crate) fn agents() -> Fixture {
    let fixture = Fixture::empty();
    fixture.write("spec/agents.md", include_str!("tests/agents.md"));
    fixture
}

async fn connect_to(workspace: Arc<Workspace>) -> Client {
    let selection = Selection { toolsets: vec!["all".to_owned()], ..Selection::default() };
    let server = assemble(&workspace, &no_model()).select(selection).unwrap();
    let mut client = Client::on(in_memory(server));
    client.initialize("2025-11-25").await;
    client
}

async fn connect(fixture: &Fixture) -> Client {
    connect_to(Arc::new(workspace(fixture))).await
}

/// The structured answer of a call that must succeed, which its text repeats.
async fn told(client: &mut Client, tool: &str, arguments: Value) -> Value {
    let reply = client.call_tool(tool, arguments).await;
    assert!(!reply.is_tool_error(), "{}", reply.text());
    let text: Value = serde_json::from_str(&reply.text()).unwrap();
    assert_eq!(&text, reply.structured());
    text
}

/// The answer of a call that must fail, with what is wrong and what to do.
async fn refused(client: &mut Client, tool: &str, arguments: Value) -> Value {
    let reply = client.call_tool(tool, arguments).await;
    assert!(reply.is_tool_error(), "{}", reply.text());
    let answer: Value = serde_json::from_str(&reply.text()).unwrap();
    assert!(answer["error"].is_string() && answer["hint"].is_string(), "{answer}");
    for leak in ["os error", "panicked", "Os {", "invalid type", "internal"] {
        assert!(!reply.text().contains(leak), "{leak} in {}", reply.text());
    }
    answer
}

fn ids(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|it| it["id"].as_str().unwrap()).collect()
}
