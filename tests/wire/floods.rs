//! Whatever a client sends without end, bounded in count and time, peaks below one budget.

use std::time::Duration;

use plumbline_tests::{Client, Fixture, bins};
use serde_json::json;

use crate::start;

const MEBIBYTE: u64 = 1024 * 1024;
/// Of resident memory, whatever is sent.
const BUDGET: u64 = 96 * MEBIBYTE;
/// How long a flood is poured; what is not taken by then stays with the client.
const POURED_FOR: Duration = Duration::from_secs(4);

const MODERN: &str = r#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"flood","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}"#;

/// Starts a server, opens a connection unless the flood does it itself, pours, and looks.
async fn check(binary: &str, args: &[&str], version: Option<&str>, flood: String) {
    let _machine = start::alone().await;
    let project = Fixture::new("//- .git/HEAD\nref: refs/heads/main\n//- README.md\n# Project\n");
    let state = project.path().join("state");
    let env = [("PLUMBLINE_STATE_DIR", state.to_str().expect("a path of letters"))];
    let mut client = Client::spawn(&bins::server(binary), args, &env, project.path())
        .declaring(json!({ "elicitation": {} }));
    if let Some(version) = version {
        client.initialize(version).await;
    }
    client.offer(flood.as_bytes(), POURED_FOR).await;
    let peak = client.process().peak_rss_bytes();
    assert!(peak < BUDGET, "{} MiB", peak / MEBIBYTE);
}

fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(|n| line(n) + "\n").collect()
}

#[tokio::test]
async fn listens_without_end() {
    let listen = |n| {
        format!(
            r#"{{"jsonrpc":"2.0","id":{n},"method":"subscriptions/listen","params":{{"_meta":{MODERN},"notifications":{{"promptsListChanged":true}}}}}}"#
        )
    };
    check("specifyplus-mcp", &["--builtin"], None, lines(20_000, listen)).await;
}

#[tokio::test]
async fn the_word_that_a_client_is_ready_repeated() {
    let ready = |_| r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#.to_owned();
    check("acm-mcp", &[], Some("2025-11-25"), lines(100_000, ready)).await;
}

#[tokio::test]
async fn notifications_that_mean_nothing() {
    let progress = |n| {
        format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":{n},"progress":1}}}}"#
        )
    };
    check("acm-mcp", &[], Some("2025-11-25"), lines(100_000, progress)).await;
}

#[tokio::test]
async fn calls_that_all_wait_for_the_user() {
    let ask = |n| {
        format!(
            r#"{{"jsonrpc":"2.0","id":{},"method":"tools/call","params":{{"name":"require_clarification","arguments":{{"user_intention":"Add authentication"}}}}}}"#,
            n + 10
        )
    };
    check("preflights-mcp", &[], Some("2025-11-25"), lines(20_000, ask)).await;
}

#[tokio::test]
async fn calls_that_are_cancelled_at_once() {
    let pair = |n| {
        let id = n + 10;
        format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"tools/call\",\"params\":{{\"name\":\"query_knowledge\",\"arguments\":{{\"query\":\"x\"}}}}}}\n{{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{{\"requestId\":{id}}}}}"
        )
    };
    check("acm-mcp", &[], Some("2025-11-25"), lines(40_000, pair)).await;
}

#[tokio::test]
async fn a_line_of_many_values() {
    check("acm-mcp", &[], Some("2025-11-25"), "1 ".repeat(4_000_000) + "\n").await;
    check("acm-mcp", &[], Some("2025-11-25"), format!("[{}1]\n", "1,".repeat(3_900_000))).await;
}

#[tokio::test]
async fn an_array_of_many_messages_where_arrays_are_allowed_and_where_not() {
    let call = |n: usize| {
        format!(
            r#"{{"jsonrpc":"2.0","id":{n},"method":"tools/call","params":{{"name":"get_rules_spec"}}}}"#
        )
    };
    let array = format!("[{}]\n", (10..80_000).map(call).collect::<Vec<_>>().join(","));
    check("acm-mcp", &[], Some("2025-03-26"), array.clone()).await;
    check("acm-mcp", &[], Some("2025-11-25"), array).await;
}

#[tokio::test]
async fn past_a_cap_the_client_is_told_which() {
    let project = Fixture::new("//- .git/HEAD\nref: refs/heads/main\n");
    let mut client = Client::spawn(&bins::server("acm-mcp"), &[], &[], project.path());
    client.initialize("2025-11-25").await;
    let many = format!(
        r#"{{"jsonrpc":"2.0","id":77,"method":"tools/call","params":{{"name":"x","arguments":{{"a":[{}0]}}}}}}"#,
        "0,".repeat(120_000)
    );
    client.offer((many + "\n").as_bytes(), POURED_FOR).await;
    let reply = client.wait_for(77).await;
    assert!(reply.error()["message"].as_str().is_some_and(|it| it.contains("100000 values")));
}
