//! What may come before `initialize`.

use serde_json::json;

use super::assert_alive;
use crate::start;

#[tokio::test]
async fn a_notification_before_the_first_request_is_ignored() {
    let (mut client, _project) = start::fresh();
    client.notify("notifications/initialized", json!({})).await;
    client.notify("notifications/cancelled", json!({ "requestId": 1 })).await;
    client.notify("notifications/surprise", json!({})).await;
    let opened = client.initialize(start::NEWEST_HANDSHAKE).await;
    assert_eq!(opened["protocolVersion"], start::NEWEST_HANDSHAKE);
    assert_alive(&mut client).await;
}

#[tokio::test]
async fn a_response_before_the_first_request_is_ignored() {
    let (mut client, _project) = start::fresh();
    client.send(&json!({ "jsonrpc": "2.0", "id": 5, "result": {} })).await;
    let error = json!({ "code": -32600, "message": "what?" });
    client.send(&json!({ "jsonrpc": "2.0", "id": 6, "error": error })).await;
    client.initialize(start::NEWEST_HANDSHAKE).await;
    assert_alive(&mut client).await;
}

#[tokio::test]
async fn garbage_before_the_first_request_is_answered_and_survived() {
    let (mut client, _project) = start::fresh();
    client.send_raw(b"GET / HTTP/1.1\r\n").await;
    assert_eq!(client.next_error_without_id().await.code(), -32700);
    client.send_raw(b"{}\n").await;
    assert_eq!(client.next_error_without_id().await.code(), -32600);
    client.initialize(start::NEWEST_HANDSHAKE).await;
    assert_alive(&mut client).await;
}

#[tokio::test]
async fn ping_is_answered_before_initialize() {
    let (mut client, _project) = start::fresh();
    assert_eq!(client.request("ping", json!({})).await.result(), &json!({}));
}

#[tokio::test]
async fn a_request_before_initialize_is_refused_and_the_connection_lives() {
    let (mut client, _project) = start::fresh();
    assert!(client.request("tools/list", json!({})).await.is_error());
    client.initialize(start::NEWEST_HANDSHAKE).await;
    assert_alive(&mut client).await;
}
