//! Both eras over one endpoint.

use plumbline_tests::http::{Session, modern_headers, modern_post};
use plumbline_tests::modern_params;
use serde_json::{Value, json};

use crate::start;

#[tokio::test]
async fn a_session_of_every_handshake_version_calls_a_tool() {
    let server = start::http(&[]).await;
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let mut session = Session::open(server.connect().await, version, json!({})).await;
        assert_eq!(session.initialized["protocolVersion"], version);
        let reply = session.call_tool("echo", json!({ "text": version })).await;
        assert_eq!(reply.structured(), &json!({ "text": version }));
    }
}

#[tokio::test]
async fn a_stateless_request_needs_no_session() {
    let server = start::http(&[]).await;
    let mut connection = server.connect().await;
    let none = json!({});
    let found = modern_post(&mut connection, "server/discover", json!({}), &none).await;
    assert_eq!(found.status, 200);
    assert_eq!(found.header("mcp-session-id"), "", "no session is made");
    assert_eq!(found.reply().await.result()["resultType"], "complete");
    let params = json!({ "name": "echo", "arguments": { "text": "hello" } });
    let reply = modern_post(&mut connection, "tools/call", params, &none).await.reply().await;
    assert_eq!(reply.structured(), &json!({ "text": "hello" }));
}

/// Sends a stateless request with one header changed, or left out when the value is empty.
async fn with_header(name: &str, value: &str) -> (u16, Value) {
    let server = start::http(&[]).await;
    let params = json!({ "name": "echo", "arguments": { "text": "hello" } });
    let headers = modern_headers("tools/call", &params);
    let mut changed: Vec<(&str, &str)> = headers
        .iter()
        .map(|(known, usual)| (*known, usual.as_str()))
        .filter(|(known, _)| *known != name)
        .collect();
    if !value.is_empty() {
        changed.push((name, value));
    }
    let params = modern_params(params, &json!({}));
    let request = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    let mut connection = server.connect().await;
    let response = connection.send("POST", "/mcp", &changed, request.to_string()).await;
    (response.status, response.json().await)
}

#[tokio::test]
async fn a_header_that_differs_from_the_body_is_refused() {
    for (name, value) in
        [("mcp-method", "tools/list"), ("mcp-name", "sleep"), ("mcp-method", ""), ("mcp-name", "")]
    {
        let (status, body) = with_header(name, value).await;
        assert_eq!(status, 400, "{name}: {value:?} got {body}");
        assert_eq!(body["error"]["code"], -32020, "{name}: {value:?} got {body}");
    }
}

#[tokio::test]
async fn an_unknown_version_is_refused_with_the_versions_there_are() {
    let server = start::http(&[]).await;
    let mut connection = server.connect().await;
    let meta = json!({ "io.modelcontextprotocol/protocolVersion": "2031-01-01" });
    let params = modern_params(json!({ "_meta": meta }), &json!({}));
    let request = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": params });
    let headers = [("mcp-protocol-version", "2031-01-01"), ("mcp-method", "tools/list")];
    let response = connection.post("/mcp", &headers, &request).await;
    assert_eq!(response.status, 400);
    assert_eq!(response.json().await["error"]["code"], -32022);
}

#[tokio::test]
async fn an_unknown_method_is_not_found() {
    let server = start::http(&[]).await;
    let mut connection = server.connect().await;
    let response = modern_post(&mut connection, "tools/destroy", json!({}), &json!({})).await;
    assert_eq!(response.status, 404);
    assert_eq!(response.json().await["error"]["code"], -32601);
}

#[tokio::test]
async fn a_listener_is_told_over_its_stream() {
    let server = start::http(&[]).await;
    let mut listening = server.connect().await;
    let filter = json!({ "notifications": { "resourceSubscriptions": ["test://watched"] } });
    let none = json!({});
    let response = modern_post(&mut listening, "subscriptions/listen", filter, &none).await;
    assert_eq!(response.status, 200);
    let mut events = response.events();
    let first = events.next_message().await;
    assert_eq!(first["method"], "notifications/subscriptions/acknowledged");
    let mut calling = server.connect().await;
    let touch = json!({ "name": "touch_watched", "arguments": {} });
    modern_post(&mut calling, "tools/call", touch, &none).await.reply().await.result();
    let told = events.next_message().await;
    assert_eq!(told["method"], "notifications/resources/updated");
    assert_eq!(told["params"]["uri"], "test://watched");
}

#[tokio::test]
async fn the_user_is_asked_with_a_result() {
    let server = start::http(&[]).await;
    let mut connection = server.connect().await;
    let declared = json!({ "elicitation": { "form": {} } });
    let mut ask = json!({ "name": "ask", "arguments": { "question": "Which colour?" } });
    let asked = modern_post(&mut connection, "tools/call", ask.clone(), &declared).await;
    let asked = asked.reply().await;
    assert_eq!(asked.result()["resultType"], "input_required", "{asked:?}");
    let requests = asked.result()["inputRequests"].as_object().expect("a map of requests");
    let key = requests.keys().next().expect("one request");
    let accepted = json!({ "action": "accept", "content": { "answer": "green" } });
    ask["inputResponses"] = json!({ key: accepted });
    if let Some(state) = asked.result().get("requestState") {
        ask["requestState"] = state.clone();
    }
    let reply = modern_post(&mut connection, "tools/call", ask, &declared).await.reply().await;
    assert!(reply.result().to_string().contains("green"), "{reply:?}");
}
