//! `reverse-spec-mcp` from outside: the contract's entry, long calls given up, batches killed.

mod batch;

use std::fmt::Write as _;
use std::time::Duration;

use plumbline_tests::{Client, Fixture, bins};
use serde_json::{Value, json};

use crate::start::{self, NEWEST_HANDSHAKE};

const BINARY: &str = "reverse-spec-mcp";
/// No test here asks a model.
const ENVIRONMENT: [(&str, &str); 1] = [("REVERSE_SPEC_LLM", "off")];

/// A server in this project, after `initialize`.
async fn open(fixture: &Fixture, args: &[&str]) -> Client {
    let client = Client::spawn(&bins::server(BINARY), args, &ENVIRONMENT, fixture.path());
    let mut client = client.with_patience(Duration::from_mins(2));
    client.initialize(NEWEST_HANDSHAKE).await;
    client
}

/// The JSON in the text of a call that must succeed.
async fn told(client: &mut Client, tool: &str, arguments: Value) -> Value {
    let reply = client.call_tool(tool, arguments).await;
    assert!(!reply.is_tool_error(), "{}", reply.text());
    let text = reply.result()["content"][0]["text"].as_str().expect("an answer has a text");
    serde_json::from_str(text).expect("the text is JSON")
}

// Verifies: PLB-d05001-D
#[tokio::test]
async fn the_entry_of_the_contract_serves_what_no_command_serves() {
    let fixture = Fixture::new("//- .git/HEAD\nx\n//- src/a.ts\nexport const a = 1;\n");
    for flags in [&[][..], &["--read-only"], &["--tools", "prepare,diff"]] {
        let mut plain = open(&fixture, flags).await;
        let expected = plain.request("tools/list", json!({})).await.result().clone();
        for args in [[&["mcp-server"], flags].concat(), [flags, &["mcp-server"]].concat()] {
            let mut client = open(&fixture, &args).await;
            let listed = client.request("tools/list", json!({})).await.result().clone();
            assert_eq!(listed, expected, "{args:?}");
            let prepared = told(&mut client, "prepare", json!({ "targetPath": "src" })).await;
            assert_eq!(prepared["filePaths"], json!(["src/a.ts"]), "{args:?}");
            client.close_stdin().await;
            assert_eq!(client.drain().await, Vec::<Value>::new(), "{args:?}");
            assert_eq!(client.wait_exit().await.code(), Some(0), "{args:?}");
        }
    }
    let names = |listed: &Value| listed["tools"].as_array().map(Vec::len);
    let mut client = open(&fixture, &["mcp-server", "--read-only"]).await;
    let listed = client.request("tools/list", json!({})).await.result().clone();
    assert_eq!(names(&listed), Some(2), "only what writes nothing: {listed}");
}

// Verifies: PLB-d05001-E
#[tokio::test]
async fn every_line_on_stdout_is_a_message_whatever_is_logged() {
    let fixture = Fixture::new(
        "//- .git/HEAD\nx\n//- src/a.ts\nexport const key = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';\n//- src/b.ts\nexport function broken(a: number { return a; }\n//- src/c.ts\n)))(((\n",
    );
    let mut client = open(&fixture, &["--log", "trace"]).await;
    let spec = json!({ "specPath": "specs/src.spec.md", "sourcePath": "src" });
    let meta = json!({ "progressToken": 7 });
    for (tool, arguments) in [
        ("prepare", json!({ "targetPath": "src", "deep": true })),
        ("generate", json!({ "targetPath": "src" })),
        ("diff", spec.clone()),
        ("batch", json!({})),
        ("batch", json!({ "force": true })),
        ("prepare", json!({ "targetPath": "nowhere" })),
        ("generate", json!({ "targetPath": "src/c.ts" })),
        ("diff", json!({ "specPath": "src/a.ts", "sourcePath": "src" })),
        ("batch", json!({ "projectRoot": "/nowhere" })),
        ("nosuch", json!({})),
    ] {
        let params = json!({ "name": tool, "arguments": arguments, "_meta": meta });
        client.request("tools/call", params).await;
    }
    assert!(!client.stderr().is_empty(), "the log goes to stderr");
    client.close_stdin().await;
    // Reading to the end fails on any line that is not JSON.
    for message in client.drain().await {
        assert_eq!(message["jsonrpc"], "2.0", "{message}");
        assert_eq!(message["method"], "notifications/progress", "{message}");
    }
    assert_eq!(client.wait_exit().await.code(), Some(0));
}

/// Enough to parse for seconds on any machine.
fn large() -> Fixture {
    let fixture = Fixture::new("//- .git/HEAD\nx\n");
    let mut text = String::new();
    for index in 0..1_000 {
        write!(
            text,
            "/** Number {index}. */\nexport function make{index}(first: string, second = {index}): Promise<void> {{\n  if (!first) throw new Error('none');\n  return go(first, second);\n}}\n"
        )
        .expect("a string grows");
    }
    for index in 0..200 {
        fixture.write(&format!("src/part{index}.ts"), &text);
    }
    fixture
}

/// Processor time that a process has used, in ticks of a hundredth of a second.
fn ticks(client: &Client) -> u64 {
    let path = format!("/proc/{}/stat", client.process().id());
    let stat = std::fs::read_to_string(path).expect("/proc shows the process");
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let fields: Vec<u64> =
        after_name.split_whitespace().map(|it| it.parse().unwrap_or(0)).collect();
    // The twelfth and thirteenth after the name: in the process, and in the kernel for it.
    fields[11] + fields[12]
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_prepare_that_was_given_up_stops_working_and_others_are_served_meanwhile() {
    let _machine = start::alone().await;
    let fixture = large();
    let mut client = open(&fixture, &[]).await;
    let params = json!({
        "name": "prepare",
        "arguments": { "targetPath": "src" },
        "_meta": { "progressToken": "p" },
    });
    let id = client.send_request("tools/call", params).await;
    client.next_notification("notifications/progress").await;
    let asked = std::time::Instant::now();
    assert!(!client.request("ping", json!({})).await.is_error());
    let waited = asked.elapsed();
    assert!(waited < Duration::from_secs(1), "ping took {waited:?}");

    client.notify("notifications/cancelled", json!({ "requestId": id })).await;
    // A file that is being parsed is finished; no other is begun.
    tokio::time::sleep(Duration::from_secs(3)).await;
    let before = ticks(&client);
    tokio::time::sleep(Duration::from_secs(1)).await;
    let used = ticks(&client) - before;
    assert!(used < 20, "{used} hundredths of a second of work after it was given up");

    // No answer came and not all was parsed; the next call is served as ever.
    let small = told(&mut client, "prepare", json!({ "targetPath": "src/part1.ts" })).await;
    assert_eq!(small["filePaths"], json!(["src/part1.ts"]));
    client.close_stdin().await;
    for message in client.drain().await {
        assert_ne!(message["id"], json!(id), "{message}");
        let (done, of) = (&message["params"]["progress"], &message["params"]["total"]);
        assert!(done.as_f64() < of.as_f64(), "{message}");
    }
    assert_eq!(client.wait_exit().await.code(), Some(0));
}

#[test]
fn every_command_takes_the_root_before_and_after_its_name() {
    let fixture = Fixture::new("//- p/.git/HEAD\nx\n//- p/src/a.ts\nexport const a = 1;\n");
    let root = fixture.path().join("p").display().to_string();
    for args in [
        &["--root", &root, "batch", "--dry-run"][..],
        &["batch", "--root", &root, "--dry-run"],
        &["report", "--root", &root, "--html", "page.html"],
    ] {
        let mut command = std::process::Command::new(bins::server(BINARY));
        command.args(args).current_dir(fixture.path()).envs(ENVIRONMENT);
        let done = command.output().expect("a built server can be started");
        assert!(done.status.success(), "{args:?}: {}", String::from_utf8_lossy(&done.stderr));
    }
    assert!(fixture.read("page.html").contains("src/a.ts"));
}
