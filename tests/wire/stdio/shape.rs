//! Valid JSON that is not a JSON-RPC message: -32600, with the id when there was one.

use serde_json::json;

use super::{assert_alive, echo};
use crate::start;

#[tokio::test]
async fn a_value_without_an_id_is_an_invalid_request_without_id() {
    let (mut client, _project) = start::ready().await;
    for line in ["{}", "42", "\"text\"", "null", "true", "[]", r#"{"jsonrpc":"2.0"}"#] {
        client.send_raw(format!("{line}\n").as_bytes()).await;
        let reply = client.next_error_without_id().await;
        assert_eq!(reply.code(), -32600, "{line} was answered with {reply:?}");
        assert!(reply.id().is_none(), "an unknown id is left out: {reply:?}");
    }
    assert_alive(&mut client).await;
}

#[tokio::test]
async fn a_wrong_shape_with_an_id_is_an_invalid_request_with_that_id() {
    let (mut client, _project) = start::ready().await;
    let wrong = [
        json!({ "jsonrpc": "1.0", "id": 77, "method": "ping" }),
        json!({ "id": 77, "method": "ping" }),
        json!({ "jsonrpc": "2.0", "id": 77 }),
        json!({ "jsonrpc": "2.0", "id": 77, "method": 5 }),
        json!({ "jsonrpc": "2.0", "id": 77, "method": null }),
        json!({ "jsonrpc": "2.0", "id": 77, "method": "ping", "params": [1, 2] }),
        json!({ "jsonrpc": "2.0", "id": 77, "method": "ping", "params": "text" }),
    ];
    for message in wrong {
        client.send(&message).await;
        let reply = client.wait_for(77).await;
        assert_eq!(reply.code(), -32600, "{message} was answered with {reply:?}");
    }
    assert_alive(&mut client).await;
}

#[tokio::test]
async fn an_id_that_is_no_id_is_an_invalid_request() {
    let (mut client, _project) = start::ready().await;
    for id in ["null", "1.5", "{}", "[1]", "true", "123456789012345678901234567890"] {
        let line = format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"ping\"}}\n");
        client.send_raw(line.as_bytes()).await;
        let message = client.next_message().await;
        assert_eq!(message["error"]["code"], -32600, "id {id} was answered with {message}");
    }
    assert_alive(&mut client).await;
}

#[tokio::test]
async fn every_valid_kind_of_id_comes_back_unchanged() {
    let (mut client, _project) = start::ready().await;
    for id in [json!(0), json!(-5), json!("text"), json!(""), json!(9_007_199_254_740_991_i64)] {
        client.send(&echo(id.clone(), "hello")).await;
        let reply = client.wait_for(id.clone()).await;
        assert_eq!(reply.id(), Some(&id));
        assert_eq!(reply.structured(), &json!({ "text": "hello" }));
    }
}

#[tokio::test]
async fn unknown_members_of_a_message_are_ignored() {
    let (mut client, _project) = start::ready().await;
    let mut message = echo(77, "hello");
    message["surprise"] = json!({ "nested": [1, 2, 3] });
    client.send(&message).await;
    assert_eq!(client.wait_for(77).await.structured(), &json!({ "text": "hello" }));
}

#[tokio::test]
async fn a_second_request_with_an_id_in_flight_is_refused_and_the_first_is_answered() {
    let (mut client, _project) = start::ready().await;
    let params = json!({ "name": "sleep", "arguments": { "ms": 400 } });
    client
        .send(&json!({ "jsonrpc": "2.0", "id": 77, "method": "tools/call", "params": params }))
        .await;
    client.send(&echo(77, "too early")).await;
    let refused = client.wait_for(77).await;
    assert_eq!(refused.code(), -32600, "{refused:?}");
    let slept = client.wait_for(77).await;
    assert_eq!(slept.text(), "slept");
    client.send(&echo(77, "free again")).await;
    assert_eq!(client.wait_for(77).await.structured(), &json!({ "text": "free again" }));
}

#[tokio::test]
async fn an_unknown_method_is_not_found() {
    let (mut client, _project) = start::ready().await;
    let reply = client.request("tools/destroy", json!({})).await;
    assert_eq!(reply.code(), -32601);
    assert!(reply.error_text().contains("tools/destroy"), "it names the method: {reply:?}");
}

#[tokio::test]
async fn an_unknown_notification_and_a_stray_response_are_ignored() {
    let (mut client, _project) = start::ready().await;
    client.notify("notifications/surprise", json!({ "a": 1 })).await;
    client.send(&json!({ "jsonrpc": "2.0", "id": 4321, "result": {} })).await;
    let error = json!({ "code": -1, "message": "no" });
    client.send(&json!({ "jsonrpc": "2.0", "id": 4322, "error": error })).await;
    client.send(&echo(77, "next")).await;
    assert_eq!(client.next_message().await["id"], 77, "nothing else is answered");
}
