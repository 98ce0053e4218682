//! How a server ends: answers in flight are delivered, and the exit code is 0.

use std::time::{Duration, Instant};

use plumbline_tests::Reply;
use serde_json::json;

use super::{assert_alive, echo};
use crate::start;

// Verifies: PLB-d01001-C
#[tokio::test]
async fn end_of_input_delivers_answers_in_flight() {
    let (mut client, _project) = start::ready().await;
    let id = client
        .send_request("tools/call", json!({ "name": "sleep", "arguments": { "ms": 500 } }))
        .await;
    client.close_stdin().await;
    assert_eq!(client.wait_for(id).await.text(), "slept");
    assert_eq!(client.drain().await, Vec::<serde_json::Value>::new());
    assert_eq!(client.wait_exit().await.code(), Some(0));
}

#[tokio::test]
async fn end_of_input_before_initialize_is_a_clean_exit() {
    let (mut client, _project) = start::fresh();
    client.close_stdin().await;
    assert_eq!(client.wait_exit().await.code(), Some(0), "stderr:\n{}", client.stderr());
}

#[tokio::test]
async fn a_last_line_without_a_line_break_is_served() {
    let (mut client, _project) = start::ready().await;
    client.send_raw(echo(77, "last words").to_string().as_bytes()).await;
    client.close_stdin().await;
    assert_eq!(client.wait_for(77).await.structured(), &json!({ "text": "last words" }));
    assert_eq!(client.wait_exit().await.code(), Some(0));
}

#[tokio::test]
async fn a_signal_delivers_answers_in_flight_and_exits_within_two_seconds() {
    let _machine = start::alone().await;
    for signal in ["TERM", "INT"] {
        let (mut client, _project) = start::ready().await;
        let id = client
            .send_request("tools/call", json!({ "name": "sleep", "arguments": { "ms": 500 } }))
            .await;
        // The answer to a later call shows that the sleep has begun.
        assert_alive(&mut client).await;
        client.signal(signal);
        let signalled = Instant::now();
        assert_eq!(client.wait_for(id).await.text(), "slept", "after SIG{signal}");
        let status = client.wait_exit_within(Duration::from_secs(2)).await;
        assert_eq!(status.code(), Some(0), "after SIG{signal}; stderr:\n{}", client.stderr());
        assert!(signalled.elapsed() < Duration::from_secs(2), "SIG{signal} took too long");
    }
}

#[tokio::test]
async fn a_signal_ends_work_that_would_take_too_long() {
    let _machine = start::alone().await;
    let (mut client, _project) = start::ready().await;
    client
        .send_request("tools/call", json!({ "name": "block", "arguments": { "ms": 60_000 } }))
        .await;
    assert_alive(&mut client).await;
    client.signal("TERM");
    assert_eq!(client.wait_exit_within(Duration::from_secs(2)).await.code(), Some(0));
}

#[tokio::test]
async fn a_signal_before_initialize_is_a_clean_exit() {
    let _machine = start::alone().await;
    for signal in ["TERM", "INT"] {
        let (mut client, _project) = start::fresh();
        // An answer shows that the server runs, and with it its signal handlers.
        assert!(!client.request("ping", json!({})).await.is_error());
        client.signal(signal);
        assert_eq!(client.wait_exit_within(Duration::from_secs(2)).await.code(), Some(0));
    }
}

// Verifies: PLB-d01001-B
#[tokio::test]
async fn a_panic_is_an_answer_and_leaves_stdout_clean() {
    let (mut client, _project) = start::ready().await;
    let reply = client.call_tool("panic", json!({ "message": "the roof is on fire" })).await;
    assert!(reply.is_tool_error(), "{reply:?}");
    assert!(!reply.text().is_empty(), "{reply:?}");
    assert!(!reply.text().contains(".rs:"), "no source location reaches the client: {reply:?}");
    assert_alive(&mut client).await;
    client.close_stdin().await;
    // Reading to the end fails on any line that is not JSON.
    assert_eq!(client.drain().await, Vec::<serde_json::Value>::new());
    assert_eq!(client.wait_exit().await.code(), Some(0));
}

#[tokio::test]
async fn many_panics_at_once_are_all_answered() {
    let (mut client, _project) = start::ready().await;
    let lines = start::calls(1_000..1_100, "panic", &json!({ "message": "again" }));
    let answers = client.pipeline(lines.as_bytes(), 100).await;
    for answer in answers {
        assert!(Reply::new(answer).is_tool_error());
    }
    assert_alive(&mut client).await;
}
