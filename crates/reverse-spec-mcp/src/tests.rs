//! The server as a client sees it: files in, answers over an in-memory wire and files out.

mod diff;
mod foreign;
mod model;
mod prepare;
mod shell;
mod surface;

use std::time::Duration;

use jiff::Timestamp;
use mcp_core::clock::Clock;
use mcp_core::transport::in_memory;
use plumbline_tests::{Client, Fixture};
use serde_json::{Value, json};

use crate::domain::context::DEFAULT_BUDGET;
use crate::domain::spec::Words;
use crate::server::assemble;
use crate::store::model::Llm;
use crate::store::project::Places;
use crate::tools::Setting;

/// A git repository with these files.
fn repository(text: &str) -> Fixture {
    let fixture = Fixture::new(text);
    fixture.write(".git/HEAD", "ref: refs/heads/main\n");
    fixture
}

pub(crate) fn setting(fixture: &Fixture) -> Setting {
    let now: Timestamp = "2026-02-14T09:30:00Z".parse().unwrap();
    Setting {
        places: Places {
            working_directory: fixture.path().to_owned(),
            roots: Vec::new(),
            confined: false,
        },
        clock: Clock::fixed(now),
        read_only: false,
        token_budget: DEFAULT_BUDGET,
        words: Words::of(None),
        llm: Llm::Off,
        semantic: false,
        call_timeout: Duration::from_mins(1),
    }
}

async fn connect_to(setting: Setting) -> Client {
    let mut client = Client::on(in_memory(assemble(setting))).declaring(json!({}));
    client.initialize("2025-11-25").await;
    client
}

pub(crate) async fn connect(fixture: &Fixture) -> Client {
    connect_to(setting(fixture)).await
}

/// The JSON in the text of a call that must succeed.
pub(crate) async fn told(client: &mut Client, tool: &str, arguments: Value) -> Value {
    let reply = client.call_tool(tool, arguments).await;
    assert!(!reply.is_tool_error(), "{}", reply.text());
    let text = reply.result()["content"][0]["text"].as_str().unwrap().to_owned();
    serde_json::from_str(&text).unwrap()
}

/// The text of a call that must fail.
async fn refused(client: &mut Client, tool: &str, arguments: Value) -> String {
    let reply = client.call_tool(tool, arguments).await;
    assert!(reply.is_tool_error(), "{}", reply.text());
    reply.text()
}
