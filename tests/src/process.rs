//! A server process: its stderr kept, its memory and signals at hand, killed when dropped.

use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout};
use tokio::sync::watch;

/// A running executable under test.
#[derive(Debug)]
pub struct Process {
    child: Child,
    log: Log,
}

/// What the process wrote to stderr so far; `lines` counts them so that a reader can wait.
#[derive(Clone, Debug)]
pub(crate) struct Log {
    text: Arc<Mutex<String>>,
    lines: watch::Receiver<usize>,
}

impl Process {
    /// Starts `program` with piped standard streams.
    pub fn start(
        program: &Path,
        args: &[&str],
        env: &[(&str, &str)],
        cwd: &Path,
    ) -> (Self, ChildStdin, ChildStdout) {
        let mut command = Command::new(program);
        command.args(args).envs(env.iter().copied()).current_dir(cwd);
        Self::run(command)
            .unwrap_or_else(|error| panic!("could not start {}: {error}", program.display()))
    }

    /// Starts a command with piped standard streams.
    pub(crate) fn run(command: Command) -> io::Result<(Self, ChildStdin, ChildStdout)> {
        let mut command = tokio::process::Command::from(command);
        command.kill_on_drop(true);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let stdin = child.stdin.take().expect("stdin was piped");
        let stdout = child.stdout.take().expect("stdout was piped");
        let stderr = child.stderr.take().expect("stderr was piped");
        let text = Arc::new(Mutex::new(String::new()));
        let (count, lines) = watch::channel(0);
        let kept = Arc::clone(&text);
        tokio::spawn(async move {
            let mut reader = BufReader::new(stderr);
            let mut line = Vec::new();
            while matches!(reader.read_until(b'\n', &mut line).await, Ok(1..)) {
                locked(&kept).push_str(&String::from_utf8_lossy(&line));
                line.clear();
                count.send_modify(|count| *count += 1);
            }
        });
        Ok((Self { child, log: Log { text, lines } }, stdin, stdout))
    }

    /// Everything written to stderr so far.
    pub fn stderr(&self) -> String {
        self.log.text()
    }

    pub(crate) fn log(&self) -> Log {
        self.log.clone()
    }

    /// The process id; fails the test when the process was already waited for.
    pub fn id(&self) -> u32 {
        self.child.id().expect("the process is still running")
    }

    /// Sends a signal by name, e.g. `TERM`, `INT` or `KILL`.
    pub fn signal(&self, name: &str) {
        let status = Command::new("kill")
            .args([OsStr::new("-s"), OsStr::new(name), OsStr::new(&self.id().to_string())])
            .status()
            .expect("the kill command exists");
        assert!(status.success(), "kill -s {name} failed");
    }

    /// Memory resident now.
    pub fn rss_bytes(&self) -> u64 {
        self.status_bytes("VmRSS:")
    }

    /// The most memory that was ever resident.
    pub fn peak_rss_bytes(&self) -> u64 {
        self.status_bytes("VmHWM:")
    }

    fn status_bytes(&self, field: &str) -> u64 {
        let path = format!("/proc/{}/status", self.id());
        let status = std::fs::read_to_string(&path).expect("/proc shows the process");
        let kilobytes = status
            .lines()
            .find_map(|line| line.strip_prefix(field))
            .and_then(|rest| rest.trim().trim_end_matches("kB").trim().parse::<u64>().ok());
        kilobytes.unwrap_or_else(|| panic!("no {field} in {path}")) * 1024
    }

    /// Waits for the end; fails the test when it does not come in time.
    pub async fn wait_exit(&mut self, within: Duration) -> ExitStatus {
        self.try_wait_exit(within).await.unwrap_or_else(|failure| panic!("{failure}"))
    }

    /// Waits for the end, or says that it did not come in time.
    pub(crate) async fn try_wait_exit(&mut self, within: Duration) -> Result<ExitStatus, String> {
        match tokio::time::timeout(within, self.child.wait()).await {
            Ok(status) => Ok(status.expect("a child can be waited for")),
            Err(late) => {
                Err(format!("no exit within {within:?}: {late}; stderr:\n{}", self.stderr()))
            }
        }
    }
}

impl Log {
    pub(crate) fn text(&self) -> String {
        locked(&self.text).clone()
    }

    /// Waits until `find` answers something for the text so far; `None` when stderr ended first.
    pub(crate) async fn wait_for<T>(&mut self, find: impl Fn(&str) -> Option<T>) -> Option<T> {
        loop {
            self.lines.mark_unchanged();
            if let Some(found) = find(&self.text()) {
                return Some(found);
            }
            if self.lines.changed().await.is_err() {
                return find(&self.text());
            }
        }
    }
}

/// A panic in another thread leaves the text as it was, which is all a message needs.
fn locked(text: &Mutex<String>) -> std::sync::MutexGuard<'_, String> {
    text.lock().unwrap_or_else(PoisonError::into_inner)
}
