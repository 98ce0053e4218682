//! A session with a server: the test harness's client, one blocking call at a time.

use std::process::Command;
use std::time::Duration;

use plumbline_tests::Client;
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};

use crate::{Result, run};

/// The newest protocol version that opens with `initialize`.
const PROTOCOL: &str = "2025-11-25";

pub(crate) struct Session {
    label: String,
    pid: u32,
    // Above the runtime, so that it is dropped first: a server that still runs is ended with it.
    client: Client,
    runtime: Runtime,
}

impl Session {
    /// Starts a server and opens the session; returns what the server said of itself as well.
    ///
    /// No wait takes longer than `limit`, so that a silent server is an error and not a hang.
    pub(crate) fn open(command: Command, limit: Duration) -> Result<(Self, Value)> {
        let mut session = Self::start(command, limit)?;
        let params = json!({
            "protocolVersion": PROTOCOL,
            "capabilities": {},
            "clientInfo": { "name": "xtask", "version": env!("CARGO_PKG_VERSION") },
        });
        let hello = session.request("initialize", params)?;
        let Self { client, runtime, .. } = &mut session;
        runtime.block_on(client.notify("notifications/initialized", Value::Null));
        Ok((session, hello))
    }

    fn start(command: Command, limit: Duration) -> Result<Self> {
        let label = run::describe(&command);
        // A thread of its own for the pipes would only add a hand-over to every measured call.
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let client = {
            let _entered = runtime.enter();
            Client::start(command).map_err(|error| format!("cannot start `{label}`: {error}"))?
        };
        let client = client.with_patience(limit);
        Ok(Self { pid: client.process().id(), label, client, runtime })
    }

    pub(crate) fn pid(&self) -> u32 {
        self.pid
    }

    /// Sends one request and returns its result.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Result<Value> {
        let Self { label, client, runtime, .. } = self;
        let reply = runtime
            .block_on(client.try_request(method, params))
            .map_err(|failure| format!("`{label}`: {failure}"))?;
        if reply.is_error() {
            return Err(format!("`{label}` answered {method} with {}", reply.error()).into());
        }
        Ok(reply.result().clone())
    }

    /// Calls a tool; an answer that says it failed is an error.
    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> Result<Value> {
        let params = json!({ "name": tool, "arguments": arguments });
        let answer = self.request("tools/call", params)?;
        if answer["isError"] == true {
            return Err(format!("`{}`: {tool} answered {answer}", self.label).into());
        }
        Ok(answer)
    }

    /// Sends one prepared line and fills `answer` with the next one.
    pub(crate) fn exchange(&mut self, line: &[u8], answer: &mut Vec<u8>) -> Result {
        let Self { label, client, runtime, .. } = self;
        let exchanged = runtime.block_on(client.exchange(line, answer));
        exchanged.map_err(|failure| format!("`{label}`: {failure}").into())
    }

    /// Sends prepared lines all at once and returns that many answers, as raw lines.
    pub(crate) fn pipeline(&mut self, lines: &[u8], n_answers: usize) -> Result<Vec<u8>> {
        let Self { label, client, runtime, .. } = self;
        let answers = runtime.block_on(client.exchange_all(lines, n_answers));
        answers.map_err(|failure| format!("`{label}`: {failure}").into())
    }

    /// Closes stdin, as a client does when it is done, and expects a clean exit.
    pub(crate) fn finish(mut self) -> Result {
        let Self { label, client, runtime, .. } = &mut self;
        let status =
            runtime.block_on(client.leave()).map_err(|failure| format!("`{label}`: {failure}"))?;
        if status.success() {
            return Ok(());
        }
        Err(format!("`{label}` ended with {status}\n{}", client.stderr().trim()).into())
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
