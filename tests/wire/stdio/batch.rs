//! Batches: part of 2025-03-26, and refused element by element everywhere else.

use serde_json::{Value, json};

use super::{assert_alive, echo};
use crate::start;

#[tokio::test]
async fn a_batch_at_2025_03_26_is_answered_as_one_batch() {
    let (mut client, _project) = start::fresh();
    client.initialize("2025-03-26").await;
    let ping = json!({ "jsonrpc": "2.0", "id": "ping", "method": "ping" });
    let note = json!({ "jsonrpc": "2.0", "method": "notifications/surprise" });
    let broken = json!({ "jsonrpc": "1.0", "id": "broken", "method": "ping" });
    client.send(&json!([ping, note, echo("echo", "hello"), broken])).await;
    let answers = client.next_message().await;
    let answers = answers.as_array().expect("a batch is answered by an array");
    assert_eq!(answers.len(), 3, "one answer for each element with an id: {answers:?}");
    let with_id = |id: &str| answers.iter().find(|answer| answer["id"] == id);
    assert_eq!(with_id("ping").map(|answer| &answer["result"]), Some(&json!({})));
    let echoed = with_id("echo").map(|answer| &answer["result"]["structuredContent"]["text"]);
    assert_eq!(echoed, Some(&json!("hello")));
    assert_eq!(with_id("broken").map(|answer| &answer["error"]["code"]), Some(&json!(-32600)));
    assert_alive(&mut client).await;
}

#[tokio::test]
async fn a_batch_of_notifications_at_2025_03_26_is_not_answered() {
    let (mut client, _project) = start::fresh();
    client.initialize("2025-03-26").await;
    let note = json!({ "jsonrpc": "2.0", "method": "notifications/surprise" });
    client.send(&json!([note, note])).await;
    client.send(&echo(77, "next")).await;
    assert_eq!(client.next_message().await["id"], 77);
}

#[tokio::test]
async fn a_batch_elsewhere_is_refused_for_each_element_with_an_id() {
    for version in ["2024-11-05", "2025-06-18", "2025-11-25"] {
        let (mut client, _project) = start::fresh();
        client.initialize(version).await;
        let note = json!({ "jsonrpc": "2.0", "method": "notifications/surprise" });
        client.send(&json!([echo(71, "first"), note, echo("second", "second")])).await;
        for id in [json!(71), json!("second")] {
            let refused = client.wait_for(id).await;
            assert_eq!(refused.code(), -32600, "at {version}: {refused:?}");
        }
        assert_alive(&mut client).await;
    }
}

#[tokio::test]
async fn an_empty_batch_is_an_invalid_request() {
    for version in ["2025-03-26", "2025-11-25"] {
        let (mut client, _project) = start::fresh();
        client.initialize(version).await;
        client.send(&Value::Array(Vec::new())).await;
        assert_eq!(client.next_error_without_id().await.code(), -32600);
        assert_alive(&mut client).await;
    }
}
