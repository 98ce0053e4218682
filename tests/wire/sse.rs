//! The old HTTP+SSE pair: answers come over the stream that `GET /sse` opened.

use plumbline_tests::http::{Connection, Events, HttpServer};
use serde_json::{Value, json};

use crate::start;

/// A stream, the path it gave for messages, and a connection to post them on.
struct Pair {
    events: Events,
    path: String,
    posting: Connection,
}

async fn open(server: &HttpServer) -> Pair {
    let response = server.connect().await.send("GET", "/sse", &[], "").await;
    assert_eq!(response.status, 200);
    let mut events = response.events();
    let first = events.next().await.expect("the stream begins with an event");
    assert_eq!(first.name, "endpoint", "{first:?}");
    assert!(first.data.starts_with("/messages?"), "a path on the same host: {}", first.data);
    Pair { events, path: first.data, posting: server.connect().await }
}

impl Pair {
    async fn request(&mut self, id: i64, method: &str, params: Value) -> Value {
        let message = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.post(&message).await;
        let answer = self.events.next_message().await;
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    async fn post(&mut self, message: &Value) {
        let response = self.posting.post(&self.path, &[], message).await;
        assert_eq!(response.status, 202, "answers come over the stream");
        response.text().await;
    }

    async fn initialize(&mut self, version: &str) -> Value {
        let client = json!({ "name": "old client", "version": "1" });
        let params =
            json!({ "protocolVersion": version, "capabilities": {}, "clientInfo": client });
        let answer = self.request(1, "initialize", params).await;
        self.post(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
        answer
    }
}

#[tokio::test]
async fn a_tool_is_called_over_the_pair() {
    let server = start::http(&["--sse"]).await;
    let mut pair = open(&server).await;
    let opened = pair.initialize("2024-11-05").await;
    assert_eq!(opened["result"]["protocolVersion"], "2024-11-05");
    assert_eq!(opened["result"]["serverInfo"]["name"], "everything");
    let call = json!({ "name": "echo", "arguments": { "text": "hello" } });
    let answer = pair.request(2, "tools/call", call).await;
    assert_eq!(answer["result"]["structuredContent"], json!({ "text": "hello" }));
}

#[tokio::test]
async fn two_streams_get_their_own_answers() {
    let server = start::http(&["--sse"]).await;
    let (mut one, mut two) = (open(&server).await, open(&server).await);
    assert_ne!(one.path, two.path);
    one.initialize("2025-11-25").await;
    two.initialize("2025-11-25").await;
    for (pair, text) in [(&mut one, "one"), (&mut two, "two")] {
        let call = json!({ "name": "echo", "arguments": { "text": text } });
        let answer = pair.request(2, "tools/call", call).await;
        assert_eq!(answer["result"]["structuredContent"]["text"], text);
    }
}

#[tokio::test]
async fn an_unknown_session_is_not_found() {
    let server = start::http(&["--sse"]).await;
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
    let path = "/messages?sessionId=00000000-0000-0000-0000-000000000000";
    assert_eq!(server.connect().await.post(path, &[], &ping).await.status, 404);
}

#[tokio::test]
async fn a_stream_that_closed_takes_its_session_along() {
    let server = start::http(&["--sse"]).await;
    let pair = open(&server).await;
    let path = pair.path.clone();
    drop(pair);
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
    for _ in 0..200 {
        if server.connect().await.post(&path, &[], &ping).await.status == 404 {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(25)).await;
    }
    panic!("the session outlived its stream by five seconds");
}

#[tokio::test]
async fn bad_json_is_a_bad_request() {
    let server = start::http(&["--sse"]).await;
    let mut pair = open(&server).await;
    let headers = [("content-type", "application/json")];
    let response = pair.posting.send("POST", &pair.path, &headers, "{").await;
    assert_eq!(response.status, 400);
    assert_eq!(response.json().await["error"]["code"], -32700);
}

#[tokio::test]
async fn the_pair_is_off_unless_asked_for() {
    let server = start::http(&[]).await;
    assert_eq!(server.connect().await.send("GET", "/sse", &[], "").await.status, 404);
    let path = "/messages?sessionId=a";
    assert_eq!(server.connect().await.send("POST", path, &[], "{}").await.status, 404);
}

#[tokio::test]
async fn the_stateless_era_is_not_spoken_here() {
    let server = start::http(&["--sse"]).await;
    let mut pair = open(&server).await;
    let params = plumbline_tests::modern_params(json!({}), &json!({}));
    let answer = pair.request(1, "tools/list", params).await;
    assert!(answer.get("error").is_some(), "{answer}");
}
