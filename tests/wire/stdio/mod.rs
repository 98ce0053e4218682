//! What stdio makes of every line: each request gets an answer, and the connection lives on.

mod batch;
mod broken;
mod ending;
mod opening;
mod params;
mod shape;

use plumbline_tests::Client;
use serde_json::{Value, json};

/// A call of the echo tool as a message, without the line break.
fn echo(id: impl Into<Value>, text: &str) -> Value {
    let params = json!({ "name": "echo", "arguments": { "text": text } });
    json!({ "jsonrpc": "2.0", "id": id.into(), "method": "tools/call", "params": params })
}

/// The server still answers, which every kind of bad input must leave possible.
async fn assert_alive(client: &mut Client) {
    let reply = client.call_tool("echo", json!({ "text": "still here" })).await;
    assert_eq!(reply.structured(), &json!({ "text": "still here" }));
}
