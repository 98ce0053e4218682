//! Starts the server that most tests drive, and gives measuring tests the machine alone.

use std::ops::Range;

use plumbline_tests::http::HttpServer;
use plumbline_tests::{Client, Fixture, bins};
use serde_json::{Value, json};
use tokio::sync::{Mutex, MutexGuard};

/// The newest revision with a handshake.
pub(crate) const NEWEST_HANDSHAKE: &str = "2025-11-25";

/// The example server over stdio, before any request.
pub(crate) fn fresh() -> (Client, Fixture) {
    with_args(&[])
}

/// The example server over stdio with further arguments, before any request.
pub(crate) fn with_args(args: &[&str]) -> (Client, Fixture) {
    let project = Fixture::empty();
    let client = Client::spawn(&bins::example("everything"), args, &[], project.path());
    (client, project)
}

/// The example server over stdio, after `initialize` at the newest such revision.
pub(crate) async fn ready() -> (Client, Fixture) {
    let (mut client, project) = fresh();
    client.initialize(NEWEST_HANDSHAKE).await;
    (client, project)
}

/// As [`ready`], with these client capabilities declared.
pub(crate) async fn ready_declaring(capabilities: Value) -> (Client, Fixture) {
    let (client, project) = fresh();
    let mut client = client.declaring(capabilities);
    client.initialize(NEWEST_HANDSHAKE).await;
    (client, project)
}

/// The example server over HTTP.
pub(crate) async fn http(args: &[&str]) -> HttpServer {
    HttpServer::start(&bins::example("everything"), args).await
}

/// Calls of one tool to be pipelined, one line for each id.
pub(crate) fn calls(ids: Range<i64>, tool: &str, arguments: &Value) -> String {
    let mut lines = String::new();
    for id in ids {
        let params = json!({ "name": tool, "arguments": arguments });
        let call = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params });
        lines.push_str(&call.to_string());
        lines.push('\n');
    }
    lines
}

/// Holds back every other test that measures time or memory, or that loads the machine.
pub(crate) async fn alone() -> MutexGuard<'static, ()> {
    static MACHINE: Mutex<()> = Mutex::const_new(());
    MACHINE.lock().await
}
