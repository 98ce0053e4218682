//! The life of a session, and the end of the server.

use std::time::Duration;

use plumbline_tests::http::Session;
use serde_json::json;

use crate::start;

#[tokio::test]
async fn a_deleted_session_is_gone() {
    let server = start::http(&[]).await;
    let mut session = Session::open(server.connect().await, "2025-11-25", json!({})).await;
    session.call_tool("echo", json!({ "text": "hello" })).await.structured();
    let deleted = session.delete().await;
    assert!((200..300).contains(&deleted.status), "status {}", deleted.status);
    deleted.text().await;
    assert_eq!(session.send_request("tools/list", json!({})).await.status, 404);
}

#[tokio::test]
async fn a_request_without_a_session_is_refused_and_an_unknown_session_is_not_found() {
    let server = start::http(&[]).await;
    let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    let version = ("mcp-protocol-version", "2025-11-25");
    let mut connection = server.connect().await;
    let response = connection.post("/mcp", &[version], &list).await;
    assert_eq!(response.status, 400);
    response.text().await;
    let unknown = ("mcp-session-id", "00000000-0000-0000-0000-000000000000");
    assert_eq!(connection.post("/mcp", &[version, unknown], &list).await.status, 404);
}

#[tokio::test]
async fn sessions_do_not_share_ids_or_subscriptions() {
    let server = start::http(&[]).await;
    let mut one = Session::open(server.connect().await, "2025-11-25", json!({})).await;
    let mut two = Session::open(server.connect().await, "2025-11-25", json!({})).await;
    assert_ne!(one.id, two.id);
    let (first, second) = tokio::join!(
        one.call_tool("echo", json!({ "text": "one" })),
        two.call_tool("echo", json!({ "text": "two" })),
    );
    assert_eq!(first.structured(), &json!({ "text": "one" }));
    assert_eq!(second.structured(), &json!({ "text": "two" }));
}

#[tokio::test]
async fn a_subscriber_is_told_over_the_stream_of_its_session() {
    let server = start::http(&[]).await;
    let mut session = Session::open(server.connect().await, "2025-11-25", json!({})).await;
    session.request("resources/subscribe", json!({ "uri": "test://watched" })).await.result();
    let mut listening = server.connect().await;
    let headers = [
        ("accept", "text/event-stream"),
        ("mcp-session-id", session.id.as_str()),
        ("mcp-protocol-version", "2025-11-25"),
    ];
    let response = listening.send("GET", "/mcp", &headers, "").await;
    assert_eq!(response.status, 200);
    let mut events = response.events();
    session.call_tool("touch_watched", json!({})).await.result();
    loop {
        let message = events.next_message().await;
        if message["method"] == "notifications/resources/updated" {
            assert_eq!(message["params"]["uri"], "test://watched");
            break;
        }
    }
}

#[tokio::test]
async fn the_user_is_asked_over_the_stream_of_the_call() {
    let server = start::http(&[]).await;
    let declared = json!({ "elicitation": { "form": {} } });
    let mut asking = Session::open(server.connect().await, "2025-11-25", declared).await;
    let ask = json!({ "name": "ask", "arguments": { "question": "Which colour?" } });
    let mut events = asking.send_request("tools/call", ask).await.events();
    let request = events.next_message().await;
    assert_eq!(request["method"], "elicitation/create", "{request}");
    let accepted = json!({ "action": "accept", "content": { "answer": "green" } });
    let answer = json!({ "jsonrpc": "2.0", "id": request["id"], "result": accepted });
    let headers = [("mcp-session-id", asking.id.as_str()), ("mcp-protocol-version", "2025-11-25")];
    let mut answering = server.connect().await;
    assert_eq!(answering.post("/mcp", &headers, &answer).await.status, 202);
    let result = events.next_message().await;
    assert!(result["result"].to_string().contains("green"), "{result}");
}

#[tokio::test]
async fn a_signal_lets_the_call_in_flight_finish_and_exits_cleanly() {
    let _machine = start::alone().await;
    for signal in ["TERM", "INT"] {
        let mut server = start::http(&[]).await;
        let mut session = Session::open(server.connect().await, "2025-11-25", json!({})).await;
        let sleeping =
            tokio::spawn(async move { session.call_tool("sleep", json!({ "ms": 700 })).await });
        tokio::time::sleep(Duration::from_millis(250)).await;
        server.process().signal(signal);
        let reply = sleeping.await.expect("the call is answered");
        assert_eq!(reply.text(), "slept", "after SIG{signal}");
        let status = server.wait_exit(Duration::from_secs(5)).await;
        assert_eq!(status.code(), Some(0), "stderr:\n{}", server.process().stderr());
    }
}

#[tokio::test]
async fn a_signal_ends_open_streams() {
    let _machine = start::alone().await;
    let mut server = start::http(&[]).await;
    let mut session = Session::open(server.connect().await, "2025-11-25", json!({})).await;
    let _stream = session.listen().await;
    server.process().signal("TERM");
    assert_eq!(server.wait_exit(Duration::from_secs(5)).await.code(), Some(0));
}
