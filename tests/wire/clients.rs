//! The official clients against every server: what they see is what the raw wire shows.

use std::path::{Path, PathBuf};
use std::time::Duration;

use plumbline_tests::http::HttpServer;
use plumbline_tests::{Client, Fixture, bins};
use serde_json::{Value, json};

use crate::runtimes::{self, Runtime};
use crate::start::{self, NEWEST_HANDSHAKE};

/// Enough for a client that starts on a busy machine, far below a hang.
const PATIENCE: Duration = Duration::from_mins(3);

/// A server under test over stdio and HTTP, and what the raw wire says about it.
struct Subject {
    program: PathBuf,
    project: Fixture,
    http: HttpServer,
    seen: Value,
    call: Option<Value>,
}

/// The five servers, and the example server for a call whose answer is known.
async fn subjects() -> Vec<Subject> {
    let echo = json!({ "name": "echo", "arguments": { "text": "hello" } });
    let mut subjects = vec![subject(bins::example("everything"), Some(echo)).await];
    for server in &bins::SERVERS {
        subjects.push(subject(server.path(), None).await);
    }
    subjects
}

async fn subject(program: PathBuf, call: Option<Value>) -> Subject {
    let project = Fixture::project();
    let http = HttpServer::start_in(&program, &["--sse"], &[], project.path()).await;
    let seen = raw_view(&program, &project).await;
    Subject { program, project, http, seen, call }
}

/// What a client must see, in the shape in which the scripts print it.
async fn raw_view(program: &Path, project: &Fixture) -> Value {
    let mut client = Client::spawn(program, &[], &[], project.path());
    let opened = client.initialize(NEWEST_HANDSHAKE).await;
    let mut seen = json!({
        "server": opened["serverInfo"]["name"],
        "version": opened["serverInfo"]["version"],
        "instructions": opened["instructions"],
    });
    for list in ["tools", "prompts", "resources"] {
        if opened["capabilities"].get(list).is_some() {
            let reply = client.request(&format!("{list}/list"), json!({})).await;
            seen[list] = names(&reply.result()[list]);
        }
    }
    seen
}

fn names(items: &Value) -> Value {
    let items = items.as_array().expect("a list");
    items.iter().map(|item| item["name"].clone()).collect()
}

impl Subject {
    /// The same server reached in both ways.
    fn targets(&self, mode: &str) -> [Value; 2] {
        let stdio = json!({ "command": self.program, "args": [], "cwd": self.project.path() });
        let http = json!({ "http": self.http.url() });
        [stdio, http].map(|mut target| {
            target["mode"] = json!(mode);
            target["call"] = json!(self.call);
            target
        })
    }

    fn assert_seen(&self, line: &Value, version: &str) {
        assert_eq!(line["protocolVersion"], version, "{line}");
        assert_eq!(line["server"]["name"], self.seen["server"], "{line}");
        assert_eq!(line["server"]["version"], self.seen["version"], "{line}");
        assert_eq!(line["instructions"], self.seen["instructions"], "{line}");
        for list in ["tools", "prompts", "resources"] {
            assert_eq!(line[list], self.seen[list], "{list} of {line}");
        }
        if self.call.is_some() {
            assert_eq!(line["called"]["structuredContent"], json!({ "text": "hello" }), "{line}");
        }
    }
}

/// Runs one client script over all servers and checks what it saw of each.
async fn visit_all(runtime: &Runtime, script: &str, mode: &str, version: &str) {
    let _machine = start::alone().await;
    let subjects = subjects().await;
    let targets: Value = subjects.iter().flat_map(|subject| subject.targets(mode)).collect();
    let output = runtime.run(script, &[&targets.to_string()], PATIENCE).await;
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{script} failed: {said}");
    let lines: Vec<Value> = String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).expect("the script prints JSON"))
        .collect();
    assert_eq!(lines.len(), subjects.len() * 2, "{said}");
    for (subject, seen) in subjects.iter().zip(lines.chunks(2)) {
        for line in seen {
            subject.assert_seen(line, version);
        }
    }
}

#[tokio::test]
async fn the_typescript_sdk_works_with_every_server() {
    if let Some(node) = runtimes::node() {
        visit_all(node, "sdk-v1.mjs", "legacy", "2025-11-25").await;
    }
}

#[tokio::test]
async fn the_typescript_client_works_with_every_server_in_both_eras() {
    if let Some(node) = runtimes::node() {
        visit_all(node, "sdk-v2.mjs", "legacy", "2025-11-25").await;
        visit_all(node, "sdk-v2.mjs", "auto", "2026-07-28").await;
    }
}

#[tokio::test]
async fn the_python_sdk_works_with_every_server_in_both_eras() {
    if let Some(python) = runtimes::python() {
        visit_all(python, "client.py", "legacy", "2025-11-25").await;
        visit_all(python, "client.py", "auto", "2026-07-28").await;
    }
}

/// Asks the Inspector for one list; `target` is a program or URL with its options.
async fn inspect(node: &Runtime, target: &[&str], method: &[&str]) -> Value {
    let script = "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js";
    let mut args = vec!["--cli"];
    args.extend_from_slice(target);
    args.extend_from_slice(&["--format", "json", "--connect-timeout", "60000", "--method"]);
    args.extend_from_slice(method);
    let output = node.run(script, &args, PATIENCE).await;
    let said = String::from_utf8_lossy(&output.stderr);
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "the Inspector refused {args:?}: {said}{printed}");
    let answer: Value = serde_json::from_str(&printed).expect("the Inspector prints JSON");
    answer["result"].clone()
}

async fn assert_inspected(node: &Runtime, subject: &Subject, target: &[&str]) {
    for list in ["tools", "prompts", "resources"] {
        let Some(expected) = subject.seen.get(list) else { continue };
        let method = format!("{list}/list");
        let strict = if list == "tools" { vec![&*method, "--strict"] } else { vec![&*method] };
        let result = inspect(node, target, &strict).await;
        assert_eq!(&names(&result[list]), expected, "{method} of {target:?}");
    }
}

#[tokio::test]
async fn the_inspector_finds_every_server_strictly_well_formed() {
    let Some(node) = runtimes::node() else { return };
    let _machine = start::alone().await;
    for subject in &subjects().await {
        let program = subject.program.to_str().expect("target paths are text");
        let stdio = [program, "--cwd", subject.project.path_text()];
        let url = subject.http.url();
        let http = [&*url, "--transport", "http"];
        // Most of an inspection is Node starting, on one core each.
        tokio::join!(
            assert_inspected(node, subject, &stdio),
            assert_inspected(node, subject, &http)
        );
    }
}

#[tokio::test]
async fn the_inspector_speaks_the_stateless_era_and_the_old_pair() {
    let Some(node) = runtimes::node() else { return };
    let _machine = start::alone().await;
    let subject = subject(bins::example("everything"), None).await;
    let program = subject.program.to_str().expect("target paths are text");
    let stdio = [program, "--protocol-era", "modern"];
    let sse = format!("http://{}/sse", subject.http.authority());
    let http = [&*sse, "--transport", "sse"];
    tokio::join!(assert_inspected(node, &subject, &stdio), assert_inspected(node, &subject, &http));
}
