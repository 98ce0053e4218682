//! The server as a client sees it: files in, answers over an in-memory wire and files out.

mod agents;
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
use mcp_core::server::Selection;
use mcp_core::transport::serve_over;
use plumbline_tests::{Client, Fixture};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::server::assemble;
use crate::tools::transform::Llm;
use crate::workspace::Workspace;
use mcp_core::entropy::Entropy;

pub(crate) fn clock() -> Clock {
    let now: Timestamp = "2026-01-02T03:04:05Z".parse().unwrap();
    Clock::fixed(now)
}

/// Numbers that count up, so that answers are the same in every run.
pub(crate) fn counting() -> Entropy {
    Entropy::counting(0xA001)
}

pub(crate) fn workspace(fixture: &Fixture) -> Workspace {
    Workspace::new(fixture.path().to_owned(), clock(), counting())
}

/// Where no language model is configured.
pub(crate) fn no_model() -> Llm {
    Llm::from_variables(&|_| None, Duration::from_mins(1))
}

/// A project with the requirements of this very kind of server, and nothing else.
pub(crate) fn agents() -> Fixture {
    let fixture = Fixture::empty();
    fixture.write("spec/agents.md", include_str!("tests/agents.md"));
    fixture
}

async fn connect_to(workspace: Arc<Workspace>) -> Client {
    let (ours, theirs) = tokio::io::duplex(64 * 1024);
    let (input, output) = tokio::io::split(theirs);
    let selection = Selection { toolsets: vec!["all".to_owned()], ..Selection::default() };
    let server = assemble(&workspace, &no_model()).select(selection).unwrap();
    tokio::spawn(serve_over(server, Box::new(input), Box::new(output), CancellationToken::new()));
    let (read, write) = tokio::io::split(ours);
    let mut client = Client::over(read, write);
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
