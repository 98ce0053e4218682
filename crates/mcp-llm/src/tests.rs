//! The client against a local stub: what it sends, what it makes of answers, what it never shows.

mod answers;
mod command;
mod settings;
mod shapes;
mod tries;

use std::future::pending;
use std::time::Duration;

use mcp_core::clock::Clock;
use plumbline_tests::model::{ModelStub, Reaction};
use serde_json::json;

use crate::{Client, Config, Error, Names, Reply, Request, Shape, Structured};

const NAMES: Names = Names { prefix: "DEMO", model: None, off: Some("mock") };

/// Stands for a real one; it must turn up nowhere but in its header.
const KEY: &str = "key-0123-not-to-be-seen";

fn config(variables: &[(&str, &str)]) -> Result<Option<Config>, Error> {
    Config::read(&NAMES, &lookup(variables))
}

fn lookup(variables: &[(&str, &str)]) -> impl Fn(&str) -> Option<String> {
    let variables: Vec<(String, String)> =
        variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    move |wanted| variables.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.clone())
}

fn clock() -> Clock {
    Clock::fixed("2026-01-02T03:04:05Z".parse().unwrap())
}

fn client(stub: &ModelStub, provider: &str) -> Client {
    let key = format!("{}_API_KEY", provider.to_uppercase());
    let url = stub.url();
    let mut variables = vec![("DEMO_LLM_PROVIDER", provider), ("DEMO_LLM_BASE_URL", url.as_str())];
    variables.extend([(key.as_str(), KEY), ("DEMO_LLM_MODEL", "demo-model")]);
    Client::new(config(&variables).unwrap().unwrap(), clock()).unwrap()
}

fn request() -> Request {
    Request::new("Be brief.", "What is up?")
        .max_tokens(100)
        .patience(Duration::from_secs(5))
        .deadline(Duration::from_secs(10))
}

fn shape() -> Shape {
    let schema = json!({
        "type": "object",
        "properties": { "name": { "type": "string" }, "count": { "type": "integer", "minimum": 1 } },
        "required": ["name", "count"],
        "additionalProperties": false,
    });
    Shape::new("submit_demo", "What was found.", schema).unwrap()
}

async fn text(client: &Client) -> Result<Reply, Error> {
    client.text(&request(), pending()).await
}

async fn structured(client: &Client) -> Result<Structured, Error> {
    client.structured(&request(), &shape(), pending()).await
}

/// The text of an error as a person or a log would see it, without the key whatever happened.
#[track_caller]
fn shown(error: &Error) -> String {
    let failure = mcp_core::failure::Failure::from(error.clone());
    let shown = format!("{error} {error:?} {failure:?} {}", failure.text());
    assert!(!shown.contains(KEY), "{shown}");
    assert!(!shown.contains("What is up"), "{shown}");
    shown
}

fn fitting() -> Reaction {
    Reaction::anthropic_tool("submit_demo", &json!({ "name": "pump", "count": 3 }))
}
