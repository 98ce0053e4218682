//! A small MCP client over stdio: newline-delimited JSON-RPC to a child process.
//!
//! It is deliberately not rmcp's client, so that what we see is what any other program sees.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::{Result, run};

/// The newest protocol version that opens with `initialize`.
const PROTOCOL: &str = "2025-11-25";

pub(crate) struct Client {
    label: String,
    child: Arc<Mutex<Child>>,
    pid: u32,
    /// Gone once we are done asking.
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    stderr: Option<JoinHandle<String>>,
    next_id: u64,
    deadline: Instant,
    /// Dropping it tells the watchdog that the session is over.
    _alive: Sender<()>,
}

impl Client {
    /// Starts a server. After `limit` it is killed, so that a silent one is an error and no hang.
    pub(crate) fn start(command: &mut Command, limit: Duration) -> Result<Self> {
        let label = run::describe(command);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("cannot start `{label}`: {error}"))?;
        let pid = child.id();
        let stdin = child.stdin.take();
        let stdout = BufReader::new(child.stdout.take().ok_or("the child has no stdout")?);
        let stderr = child.stderr.take().map(collect);
        let child = Arc::new(Mutex::new(child));
        let alive = watch(Arc::clone(&child), limit);
        let deadline = Instant::now() + limit;
        Ok(Self { label, child, pid, stdin, stdout, stderr, next_id: 1, deadline, _alive: alive })
    }

    pub(crate) fn pid(&self) -> u32 {
        self.pid
    }

    /// Opens the session and returns the server's answer.
    pub(crate) fn initialize(&mut self) -> Result<Value> {
        let answer = self.request(
            "initialize",
            &json!({
                "protocolVersion": PROTOCOL,
                "capabilities": {},
                "clientInfo": { "name": "xtask", "version": env!("CARGO_PKG_VERSION") },
            }),
        )?;
        self.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))?;
        Ok(answer)
    }

    /// Sends one request and waits for its result.
    pub(crate) fn request(&mut self, method: &str, params: &Value) -> Result<Value> {
        let id = self.next_id;
        self.next_id += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))?;
        loop {
            let mut message = self.receive(method)?;
            if message["method"].is_string() {
                self.refuse(&message)?;
            } else if message["id"] == id {
                if let Some(error) = message.get("error") {
                    return Err(format!("`{}` answered {method} with {error}", self.label).into());
                }
                return Ok(message["result"].take());
            }
        }
    }

    /// Sends prepared requests all at once and returns that many answers, as raw lines.
    pub(crate) fn pipeline(&mut self, requests: &[u8], n_answers: usize) -> Result<Vec<u8>> {
        let Self { stdin, stdout, .. } = self;
        let stdin = stdin.as_mut().ok_or(CLOSED)?;
        let answers = std::thread::scope(|scope| {
            // Both pipes are finite: with one thread a long pipeline would block on itself.
            let writer =
                scope.spawn(move || stdin.write_all(requests).and_then(|()| stdin.flush()));
            let mut answers = Vec::new();
            for _ in 0..n_answers {
                if stdout.read_until(b'\n', &mut answers)? == 0 {
                    return Ok(None);
                }
            }
            let written = writer.join().map_err(|_| "the writing thread panicked")?;
            written.map(|()| Some(answers)).map_err(Box::<dyn std::error::Error>::from)
        })?;
        answers.ok_or_else(|| self.ended("all of the pipeline"))
    }

    /// Sends one prepared request and fills `answer` with the next line, with nothing else in the
    /// measured path.
    pub(crate) fn exchange(&mut self, request: &[u8], answer: &mut Vec<u8>) -> Result {
        answer.clear();
        self.write(request)?;
        if self.stdout.read_until(b'\n', answer)? == 0 {
            return Err(self.ended("a prepared request"));
        }
        Ok(())
    }

    /// Closes stdin, as a client does when it is done, and expects a clean exit.
    pub(crate) fn finish(mut self) -> Result {
        self.stdin = None;
        let mut rest = Vec::new();
        self.stdout.read_to_end(&mut rest)?;
        let status = self.wait()?;
        if status.success() {
            return Ok(());
        }
        let log = self.log();
        Err(format!("`{}` ended with {status}{log}", self.label).into())
    }

    /// Polls instead of blocking: the watchdog needs the same lock to end a server that hangs.
    fn wait(&self) -> Result<ExitStatus> {
        loop {
            if let Some(status) = lock(&self.child).try_wait()? {
                return Ok(status);
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    fn send(&mut self, message: &Value) -> Result {
        let mut line = serde_json::to_vec(message)?;
        line.push(b'\n');
        self.write(&line)
    }

    fn write(&mut self, bytes: &[u8]) -> Result {
        let stdin = self.stdin.as_mut().ok_or(CLOSED)?;
        stdin
            .write_all(bytes)
            .and_then(|()| stdin.flush())
            .map_err(|error| format!("`{}` does not read: {error}", self.label).into())
    }

    fn receive(&mut self, waiting_for: &str) -> Result<Value> {
        let mut line = String::new();
        if self.stdout.read_line(&mut line)? == 0 {
            return Err(self.ended(waiting_for));
        }
        serde_json::from_str(&line).map_err(|error| {
            let line = line.trim_end();
            format!("`{}` wrote a line that is not JSON ({error}): {line}", self.label).into()
        })
    }

    /// We declared no capabilities, so a request from the server is answered with a refusal.
    fn refuse(&mut self, message: &Value) -> Result {
        let Some(id) = message.get("id") else { return Ok(()) };
        let error = json!({ "code": -32601, "message": "this client answers no requests" });
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "error": error }))
    }

    fn ended(&mut self, waiting_for: &str) -> Box<dyn std::error::Error> {
        let log = self.log();
        let label = &self.label;
        if Instant::now() >= self.deadline {
            return format!("`{label}` took too long to answer {waiting_for} and was ended{log}")
                .into();
        }
        format!("`{label}` ended before it answered {waiting_for}{log}").into()
    }

    /// What the server wrote to stderr, for the end of an error message.
    fn log(&mut self) -> String {
        let log = self.stderr.take().and_then(|thread| thread.join().ok()).unwrap_or_default();
        if log.trim().is_empty() { String::new() } else { format!("\n{}", log.trim()) }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // After an error the server may still wait for input; it must not outlive us.
        let mut child = lock(&self.child);
        drop(child.kill());
        drop(child.wait());
    }
}

const CLOSED: &str = "the session is already closed";

fn lock(child: &Mutex<Child>) -> MutexGuard<'_, Child> {
    child.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Gathers stderr so that a chatty server never blocks on a full pipe.
fn collect(mut stderr: ChildStderr) -> JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // What could be read before an error is still worth showing.
        drop(stderr.read_to_end(&mut bytes));
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

fn watch(child: Arc<Mutex<Child>>, limit: Duration) -> Sender<()> {
    let (alive, ended) = channel();
    std::thread::spawn(move || {
        if ended.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
            // The reader then sees the end of stdout and reports it.
            drop(lock(&child).kill());
        }
    });
    alive
}

#[cfg(test)]
mod tests;
