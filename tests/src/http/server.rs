//! A server that listens on a free loopback port.

use std::path::Path;
use std::process::ExitStatus;
use std::time::Duration;

use tokio::io::AsyncReadExt;
use tokio::process::ChildStdin;

use super::{Connection, PATIENCE};
use crate::{Fixture, Process};

/// A running `serve --http`, killed when dropped.
pub struct HttpServer {
    process: Process,
    authority: String,
    /// Held open: a server over HTTP has no reason to read it, and none to end with it.
    _stdin: ChildStdin,
    /// The project it serves when the test brought none.
    _project: Option<Fixture>,
}

impl HttpServer {
    /// Serves a small project of its own.
    pub async fn start(program: &Path, args: &[&str]) -> Self {
        let project = Fixture::project();
        let (process, authority, stdin) = launch(program, args, &[], project.path()).await;
        Self { process, authority, _stdin: stdin, _project: Some(project) }
    }

    /// Serves from a given directory and waits until the address is printed on stderr.
    pub async fn start_in(program: &Path, args: &[&str], env: &[(&str, &str)], cwd: &Path) -> Self {
        let (process, authority, stdin) = launch(program, args, env, cwd).await;
        Self { process, authority, _stdin: stdin, _project: None }
    }

    /// The Streamable HTTP endpoint.
    pub fn url(&self) -> String {
        format!("http://{}/mcp", self.authority)
    }

    /// `host:port`.
    pub fn authority(&self) -> &str {
        &self.authority
    }

    /// A new connection.
    pub async fn connect(&self) -> Connection {
        Connection::open(&self.authority).await
    }

    pub fn process(&self) -> &Process {
        &self.process
    }

    /// Waits for the process to end.
    pub async fn wait_exit(&mut self, within: Duration) -> ExitStatus {
        self.process.wait_exit(within).await
    }
}

async fn launch(
    program: &Path,
    args: &[&str],
    env: &[(&str, &str)],
    cwd: &Path,
) -> (Process, String, ChildStdin) {
    let mut all = vec!["serve", "--http", "127.0.0.1:0"];
    all.extend_from_slice(args);
    let (process, stdin, mut stdout) = Process::start(program, &all, env, cwd);
    // Over HTTP nothing belongs on stdout; a full pipe must not stop the server either way.
    tokio::spawn(async move {
        let mut sink = Vec::new();
        drop(stdout.read_to_end(&mut sink).await);
    });
    let mut log = process.log();
    let authority = tokio::time::timeout(PATIENCE, log.wait_for(printed_authority))
        .await
        .unwrap_or_else(|_| panic!("waited for the URL; stderr:\n{}", process.stderr()))
        .unwrap_or_else(|| panic!("ended without a URL; stderr:\n{}", process.stderr()));
    (process, authority, stdin)
}

/// Finds `http://host:port/mcp` in the log, whatever other addresses it mentions.
fn printed_authority(log: &str) -> Option<String> {
    log.split("http://").skip(1).find_map(|rest| {
        let (authority, _) = rest.split_once("/mcp")?;
        let whole = !authority.contains(|found: char| found == '/' || found.is_whitespace());
        whole.then(|| authority.to_owned())
    })
}
