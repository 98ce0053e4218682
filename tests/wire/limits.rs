//! Back-pressure, deadlines and cancellation: many calls never cost memory, stopped work stops.

use std::collections::HashSet;
use std::time::Duration;

use plumbline_tests::{Client, Fixture, Reply};
use serde_json::{Value, json};

use crate::start::{self, calls};

const MEBIBYTE: u64 = 1024 * 1024;

fn assert_each_answered_once(answers: Vec<Value>, ids: std::ops::Range<i64>) {
    let mut missing: HashSet<i64> = ids.collect();
    for answer in answers {
        let reply = Reply::new(answer);
        assert!(!reply.is_tool_error(), "{reply:?}");
        let id = reply.id().and_then(Value::as_i64).expect("an id we sent");
        assert!(missing.remove(&id), "{id} was answered twice");
    }
    assert!(missing.is_empty(), "{} calls were not answered", missing.len());
}

#[tokio::test]
async fn fifty_thousand_pipelined_calls_are_all_answered_in_flat_memory() {
    let _machine = start::alone().await;
    let (client, _project) = start::ready().await;
    let mut client = client.with_patience(Duration::from_mins(1));
    let text = json!({ "text": "x".repeat(100) });
    let warm = client.pipeline(calls(1_000..3_000, "echo", &text).as_bytes(), 2_000).await;
    assert_each_answered_once(warm, 1_000..3_000);
    let before = client.process().peak_rss_bytes();
    let lines = calls(100_000..150_000, "echo", &text);
    let answers = client.pipeline(lines.as_bytes(), 50_000).await;
    assert_each_answered_once(answers, 100_000..150_000);
    let grown = client.process().peak_rss_bytes().saturating_sub(before);
    assert!(grown < 8 * MEBIBYTE, "memory grew by {grown} bytes");
}

#[tokio::test]
async fn fifty_thousand_slow_calls_wait_outside_the_server() {
    let _machine = start::alone().await;
    let (mut client, _project) = start::ready().await;
    let before = client.rss_bytes();
    let lines = calls(100_000..150_000, "sleep", &json!({ "ms": 10_000 }));
    let taken = client.offer(lines.as_bytes(), Duration::from_secs(3)).await;
    assert!(taken < lines.len(), "the server took all calls instead of leaving them in the pipe");
    let grown = client.process().peak_rss_bytes().saturating_sub(before);
    assert!(grown < 8 * MEBIBYTE, "memory grew by {grown} bytes");
}

#[tokio::test]
async fn a_client_that_does_not_read_does_not_grow_the_server() {
    let _machine = start::alone().await;
    let (mut client, _project) = start::ready().await;
    let before = client.rss_bytes();
    let lines = calls(100_000..150_000, "big", &json!({ "bytes": 20_000 }));
    let taken = client.offer(lines.as_bytes(), Duration::from_secs(3)).await;
    assert!(taken < lines.len(), "a gigabyte of answers was produced for nobody");
    let grown = client.process().peak_rss_bytes().saturating_sub(before);
    assert!(grown < 16 * MEBIBYTE, "memory grew by {grown} bytes");
}

#[tokio::test]
async fn calls_that_wait_for_the_user_leave_room_for_others() {
    let _machine = start::alone().await;
    let declared = json!({ "elicitation": { "form": {} } });
    let (mut client, _project) = start::ready_declaring(declared).await;
    let asks = calls(1_000..1_032, "ask", &json!({ "question": "Ready?" }));
    let requests = client.pipeline(asks.as_bytes(), 32).await;
    for request in &requests {
        assert_eq!(request["method"], "elicitation/create", "{request}");
    }
    let echoes = calls(2_000..3_000, "echo", &json!({ "text": "meanwhile" }));
    let answers = client.pipeline(echoes.as_bytes(), 1_000).await;
    assert_each_answered_once(answers, 2_000..3_000);
    for request in &requests {
        let accepted = json!({ "action": "accept", "content": { "answer": "yes" } });
        client.respond(&request["id"], accepted).await;
    }
    let mut answers = Vec::new();
    for _ in 0..32 {
        answers.push(client.next_message().await);
    }
    assert_each_answered_once(answers, 1_000..1_032);
}

async fn blocked(client: &mut Client, project: &Fixture) -> i64 {
    let arguments = json!({ "ms": 30_000, "log": "block.log" });
    let id =
        client.send_request("tools/call", json!({ "name": "block", "arguments": arguments })).await;
    log_of_block(project, 1).await;
    id
}

/// Waits until the blocking tool wrote how it ended.
async fn ending_of_block(project: &Fixture) -> String {
    log_of_block(project, 2).await.pop().expect("two lines")
}

/// The lines of the blocking tool's log, once there are so many.
async fn log_of_block(project: &Fixture, lines: usize) -> Vec<String> {
    for _ in 0..800 {
        if project.has("block.log") {
            let log: Vec<String> = project.read("block.log").lines().map(str::to_owned).collect();
            if log.len() >= lines {
                return log;
            }
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("the tool did not write {lines} lines in twenty seconds");
}

#[tokio::test]
async fn a_cancelled_call_really_stops_and_is_not_answered() {
    let (mut client, project) = start::ready().await;
    let id = blocked(&mut client, &project).await;
    client.notify("notifications/cancelled", json!({ "requestId": id })).await;
    assert!(ending_of_block(&project).await.contains("stopped"));
    client.close_stdin().await;
    let answered = client.drain().await;
    assert!(answered.iter().all(|message| message["id"] != id), "{answered:?}");
}

#[tokio::test]
async fn cancelling_a_call_that_is_not_there_changes_nothing() {
    let (mut client, _project) = start::ready().await;
    client.notify("notifications/cancelled", json!({ "requestId": 4321 })).await;
    client.notify("notifications/cancelled", json!({ "requestId": "nothing" })).await;
    client.notify("notifications/cancelled", json!({})).await;
    client.call_tool("echo", json!({ "text": "still here" })).await.structured();
}

#[tokio::test]
async fn a_call_beyond_the_deadline_is_a_clear_error_and_its_work_stops() {
    for tool in ["sleep", "block"] {
        let (mut client, project) = start::with_args(&["--call-timeout", "1"]);
        client.initialize(start::NEWEST_HANDSHAKE).await;
        let mut arguments = json!({ "ms": 30_000 });
        if tool == "block" {
            arguments["log"] = json!("block.log");
        }
        let reply = client.call_tool(tool, arguments).await;
        assert!(reply.is_tool_error(), "{reply:?}");
        let text = reply.text();
        assert!(text.contains(tool) && text.contains('1'), "it says what took how long: {text}");
        if tool == "block" {
            assert!(ending_of_block(&project).await.contains("stopped"));
        }
        client.call_tool("echo", json!({ "text": "still here" })).await.structured();
    }
}

#[tokio::test]
async fn work_in_progress_does_not_hold_up_other_calls() {
    let (mut client, _project) = start::ready().await;
    let sleeps = calls(1_000..1_008, "block", &json!({ "ms": 1_000 }));
    client.send_raw(sleeps.as_bytes()).await;
    let quick = client
        .send_request("tools/call", json!({ "name": "echo", "arguments": { "text": "quick" } }))
        .await;
    assert_eq!(client.next_message().await["id"], quick, "the quick call overtakes the slow ones");
    for id in 1_000..1_008 {
        client.wait_for(id).await.result();
    }
}
