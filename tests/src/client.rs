//! A raw newline-delimited JSON-RPC client, for an in-memory pipe and a child process alike.
//!
//! It reads only while something is waited for, so a test can be a client that does not read.

mod reporting;

use std::collections::VecDeque;
use std::path::Path;
use std::process::ExitStatus;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::time::Instant;
use tokio::time::error::Elapsed;

use crate::modern::{client_info, modern_params};
use crate::process::Log;
use crate::{Process, Reply};

/// How long a client waits for anything before the test fails.
const PATIENCE: Duration = Duration::from_secs(20);

/// One connection to a server.
pub struct Client {
    output: Output,
    input: Option<Box<dyn AsyncWrite + Send + Unpin>>,
    /// Messages that came while another one was waited for, in order of arrival.
    kept: VecDeque<Value>,
    last_id: i64,
    patience: Duration,
    capabilities: Value,
    process: Option<Process>,
}

/// The server's side of the pipe, with the line that is not complete yet.
struct Output {
    reader: BufReader<Box<dyn AsyncRead + Send + Unpin>>,
    line: Vec<u8>,
    log: Option<Log>,
}

impl Client {
    /// Speaks over one stream in both directions, e.g. the client's end of a connection in memory.
    pub fn on(stream: impl AsyncRead + AsyncWrite + Send + 'static) -> Self {
        let (read, write) = tokio::io::split(stream);
        Self::over(read, write)
    }

    /// Speaks over any pair of streams, e.g. the halves of a `tokio::io::duplex`.
    pub fn over(
        read: impl AsyncRead + Send + Unpin + 'static,
        write: impl AsyncWrite + Send + Unpin + 'static,
    ) -> Self {
        Self {
            output: Output { reader: BufReader::new(Box::new(read)), line: Vec::new(), log: None },
            input: Some(Box::new(write)),
            kept: VecDeque::new(),
            last_id: 0,
            patience: PATIENCE,
            capabilities: json!({}),
            process: None,
        }
    }

    /// Starts an executable and speaks over its standard streams.
    pub fn spawn(program: &Path, args: &[&str], env: &[(&str, &str)], cwd: &Path) -> Self {
        let (process, stdin, stdout) = Process::start(program, args, env, cwd);
        Self::of_process(process, stdin, stdout)
    }

    fn of_process(process: Process, stdin: ChildStdin, stdout: ChildStdout) -> Self {
        let mut client = Self::over(stdout, stdin);
        client.output.log = Some(process.log());
        client.process = Some(process);
        client
    }

    /// Replaces the 20 seconds that every wait has.
    #[must_use]
    pub fn with_patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// The client capabilities to declare from now on, in either era.
    #[must_use]
    pub fn declaring(mut self, capabilities: Value) -> Self {
        self.capabilities = capabilities;
        self
    }

    /// Opens a session of the handshake era and returns the result of `initialize`.
    pub async fn initialize(&mut self, version: &str) -> Value {
        let params = json!({
            "protocolVersion": version,
            "capabilities": self.capabilities,
            "clientInfo": client_info(),
        });
        let result = self.request("initialize", params).await.result().clone();
        self.notify("notifications/initialized", Value::Null).await;
        result
    }

    /// Sends a request and waits for its answer.
    pub async fn request(&mut self, method: &str, params: Value) -> Reply {
        let id = self.send_request(method, params).await;
        self.wait_for(id).await
    }

    /// Sends a request of the stateless era and waits for its answer.
    pub async fn modern_request(&mut self, method: &str, params: Value) -> Reply {
        let params = modern_params(params, &self.capabilities);
        self.request(method, params).await
    }

    /// Calls a tool in the handshake era.
    pub async fn call_tool(&mut self, name: &str, arguments: Value) -> Reply {
        self.request("tools/call", json!({ "name": name, "arguments": arguments })).await
    }

    /// Calls a tool in the stateless era.
    pub async fn call_tool_modern(&mut self, name: &str, arguments: Value) -> Reply {
        self.modern_request("tools/call", json!({ "name": name, "arguments": arguments })).await
    }

    /// Sends a request without waiting; a null `params` is left out. Returns the id.
    pub async fn send_request(&mut self, method: &str, params: Value) -> i64 {
        let (id, message) = self.numbered(method, params);
        self.send(&message).await;
        id
    }

    /// A request with the next id.
    fn numbered(&mut self, method: &str, params: Value) -> (i64, Value) {
        self.last_id += 1;
        let mut message = json!({ "jsonrpc": "2.0", "id": self.last_id, "method": method });
        if !params.is_null() {
            message["params"] = params;
        }
        (self.last_id, message)
    }

    /// Sends a request of the stateless era without waiting. Returns the id.
    pub async fn send_modern_request(&mut self, method: &str, params: Value) -> i64 {
        let params = modern_params(params, &self.capabilities);
        self.send_request(method, params).await
    }

    /// Sends a notification; a null `params` is left out.
    pub async fn notify(&mut self, method: &str, params: Value) {
        let mut message = json!({ "jsonrpc": "2.0", "method": method });
        if !params.is_null() {
            message["params"] = params;
        }
        self.send(&message).await;
    }

    /// Answers a request of the server.
    pub async fn respond(&mut self, id: &Value, result: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "result": result })).await;
    }

    /// Sends one message as a line.
    pub async fn send(&mut self, message: &Value) {
        self.send_raw(format!("{message}\n").as_bytes()).await;
    }

    /// Sends bytes exactly as they are.
    pub async fn send_raw(&mut self, bytes: &[u8]) {
        let sent = self.offer(bytes, self.patience).await;
        assert_eq!(sent, bytes.len(), "the server stopped reading{}", self.output.log_so_far());
    }

    /// Offers bytes for a while and returns how many the server took. It takes fewer than
    /// all when it stops reading, which is what back-pressure looks like from here.
    pub async fn offer(&mut self, bytes: &[u8], within: Duration) -> usize {
        let log = self.output.log.clone();
        let input = self.input.as_mut().expect("stdin is still open");
        let mut sent = 0;
        let writing = async {
            while sent < bytes.len() {
                match input.write(&bytes[sent..]).await {
                    Ok(taken @ 1..) => sent += taken,
                    Ok(0) => panic!("the server closed its input{}", described(log.as_ref())),
                    Err(error) => panic!("could not send: {error}{}", described(log.as_ref())),
                }
            }
            input.flush().await
        };
        match tokio::time::timeout(within, writing).await {
            Ok(flushed) => flushed.expect("the server's input can be flushed"),
            Err(_) => return sent,
        }
        sent
    }

    /// Sends many lines and reads `count` messages at the same time, as a client that
    /// pipelines does. Messages kept from earlier are not among them.
    pub async fn pipeline(&mut self, lines: &[u8], count: usize) -> Vec<Value> {
        let Self { output, input, patience, .. } = self;
        let input = input.as_mut().expect("stdin is still open");
        let writing = async {
            input.write_all(lines).await.expect("the server reads what is sent");
            input.flush().await.expect("the server's input can be flushed");
        };
        let patience = *patience;
        let reading = async {
            let mut messages = Vec::with_capacity(count);
            while messages.len() < count {
                let what = format!("message {} of {count}", messages.len() + 1);
                messages.push(expected(output.next(&what, Instant::now() + patience).await));
            }
            messages
        };
        let ((), messages) = tokio::join!(writing, reading);
        messages
    }

    /// Waits for the answer to a request; everything else that comes is kept.
    pub async fn wait_for(&mut self, id: impl Into<Value>) -> Reply {
        let id = id.into();
        let what = format!("the answer to request {id}");
        let is_answer =
            |message: &Value| message.get("method").is_none() && message.get("id") == Some(&id);
        Reply::new(self.take(&what, is_answer).await)
    }

    /// Waits for a response whose id the server could not know.
    pub async fn next_error_without_id(&mut self) -> Reply {
        let without_id = |message: &Value| {
            message.get("error").is_some() && message.get("id").is_none_or(Value::is_null)
        };
        Reply::new(self.take("an error without id", without_id).await)
    }

    /// Waits for a request of the server, e.g. `elicitation/create`.
    pub async fn next_server_request(&mut self) -> Value {
        let is_request =
            |message: &Value| message.get("method").is_some() && message.get("id").is_some();
        self.take("a request of the server", is_request).await
    }

    /// Waits for a notification with this method.
    pub async fn next_notification(&mut self, method: &str) -> Value {
        let is_wanted =
            |message: &Value| message.get("id").is_none() && message["method"] == method;
        self.take(&format!("the notification {method}"), is_wanted).await
    }

    /// The next message of any kind, kept ones first.
    pub async fn next_message(&mut self) -> Value {
        self.take("any message", |_| true).await
    }

    /// Everything that still comes until the server closes its output, kept ones first.
    pub async fn drain(&mut self) -> Vec<Value> {
        let mut messages: Vec<Value> = self.kept.drain(..).collect();
        let deadline = Instant::now() + self.patience;
        while let Some(message) = expected(self.output.read("the end of output", deadline).await) {
            messages.push(message);
        }
        messages
    }

    async fn take(&mut self, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.kept.iter().position(&wanted) {
            return self.kept.remove(at).expect("the position was just found");
        }
        // Other messages must not extend the wait for this one.
        let deadline = Instant::now() + self.patience;
        loop {
            let message = expected(self.output.next(what, deadline).await);
            if wanted(&message) {
                return message;
            }
            self.kept.push_back(message);
        }
    }

    /// Closes the server's input, as a client that leaves does.
    pub async fn close_stdin(&mut self) {
        if let Some(mut input) = self.input.take() {
            // A server that is gone already has nothing left to be told.
            drop(input.shutdown().await);
        }
    }

    /// The process behind a spawned client.
    pub fn process(&self) -> &Process {
        self.process.as_ref().expect("the client was spawned")
    }

    /// Waits for the server process to end.
    pub async fn wait_exit(&mut self) -> ExitStatus {
        let patience = self.patience;
        self.wait_exit_within(patience).await
    }

    /// Waits for the server process to end in a given time.
    pub async fn wait_exit_within(&mut self, within: Duration) -> ExitStatus {
        self.process.as_mut().expect("the client was spawned").wait_exit(within).await
    }

    /// Sends a signal by name, e.g. `TERM`.
    pub fn signal(&self, name: &str) {
        self.process().signal(name);
    }

    /// Memory of the server process that is resident now.
    pub fn rss_bytes(&self) -> u64 {
        self.process().rss_bytes()
    }

    /// What the server process wrote to stderr so far.
    pub fn stderr(&self) -> String {
        self.process().stderr()
    }
}

impl Output {
    /// The next message; the end of output is a failure.
    async fn next(&mut self, what: &str, deadline: Instant) -> Result<Value, String> {
        self.read(what, deadline).await?.ok_or_else(|| self.closed(what))
    }

    /// The next message, or `None` at the end of output.
    async fn read(&mut self, what: &str, deadline: Instant) -> Result<Option<Value>, String> {
        let reading = self.reader.read_until(b'\n', &mut self.line);
        match tokio::time::timeout_at(deadline, reading).await {
            Ok(Ok(_)) => {}
            Ok(Err(error)) => return Err(format!("the server's output cannot be read: {error}")),
            Err(late) => return Err(self.late(what, &late)),
        }
        if self.line.is_empty() {
            return Ok(None);
        }
        let message = serde_json::from_slice(&self.line).map_err(|error| {
            let line = String::from_utf8_lossy(&self.line);
            let log = self.log_so_far();
            format!("stdout carried a line that is not JSON ({error}): {line}{log}")
        })?;
        self.line.clear();
        Ok(Some(message))
    }

    fn closed(&self, what: &str) -> String {
        format!("the server closed its output; waited for {what}{}", self.log_so_far())
    }

    fn late(&self, what: &str, late: &Elapsed) -> String {
        format!("waited in vain for {what}: {late}{}", self.log_so_far())
    }

    fn log_so_far(&self) -> String {
        described(self.log.as_ref())
    }
}

/// What a test counts on: a failure to get it is the test's.
#[track_caller]
fn expected<T>(got: Result<T, String>) -> T {
    got.unwrap_or_else(|failure| panic!("{failure}"))
}

/// The part of a failure message that shows what the server logged.
fn described(log: Option<&Log>) -> String {
    log.map_or_else(String::new, |log| format!("; stderr so far:\n{}", log.text()))
}
