//! Bodies: what is accepted, and how what is not is answered.

use std::fmt::Write as _;

use plumbline_tests::http::{BOTH_TYPES, Session, modern_headers};
use plumbline_tests::modern_params;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::start;

fn initialize() -> Value {
    let client = json!({ "name": "curl", "version": "8" });
    let params =
        json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client });
    json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params })
}

#[tokio::test]
async fn any_accept_header_that_allows_the_answer_works() {
    let server = start::http(&[]).await;
    let body = initialize().to_string();
    for accept in ["*/*", "application/*, text/*", "text/html, */*;q=0.8", BOTH_TYPES] {
        let mut connection = server.connect().await;
        let headers = [("accept", accept), ("content-type", "application/json")];
        let response = connection.send("POST", "/mcp", &headers, body.clone()).await;
        assert_eq!(response.status, 200, "Accept: {accept}");
        assert_eq!(response.reply().await.result()["serverInfo"]["name"], "everything");
    }
    let mut connection = server.connect().await;
    let headers = [("content-type", "application/json")];
    let response = connection.send("POST", "/mcp", &headers, body.clone()).await;
    assert_eq!(response.status, 200, "no Accept");
    // Which of the two kinds an answer has is for the server to choose.
    let one = [("accept", "application/json"), ("content-type", "application/json")];
    let mut connection = server.connect().await;
    assert_eq!(connection.send("POST", "/mcp", &one, body).await.status, 406);
}

#[tokio::test]
async fn bad_json_is_a_bad_request_with_a_json_rpc_error() {
    let server = start::http(&[]).await;
    for body in ["{", "hello?", "", "{\"jsonrpc\":\"2.0\",\"id\":1,"] {
        let mut connection = server.connect().await;
        let headers = [("accept", BOTH_TYPES), ("content-type", "application/json")];
        let response = connection.send("POST", "/mcp", &headers, body).await;
        assert_eq!(response.status, 400, "body {body:?}");
        let answer = response.json().await;
        assert_eq!(answer["jsonrpc"], "2.0", "{answer}");
        assert_eq!(answer["error"]["code"], -32700, "{answer}");
    }
}

#[tokio::test]
async fn a_wrong_shape_is_a_bad_request_with_a_json_rpc_error() {
    let server = start::http(&[]).await;
    for body in ["{}", "42", "[]", r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#] {
        let mut connection = server.connect().await;
        let headers = [("accept", BOTH_TYPES), ("content-type", "application/json")];
        let response = connection.send("POST", "/mcp", &headers, body).await;
        assert_eq!(response.status, 400, "body {body}");
        assert_eq!(response.json().await["error"]["code"], -32600, "body {body}");
    }
}

#[tokio::test]
async fn a_body_over_four_mebibytes_is_too_large() {
    let server = start::http(&[]).await;
    let mut connection = server.connect().await;
    let headers = [("accept", BOTH_TYPES), ("content-type", "application/json")];
    let body = vec![b' '; 4 * 1024 * 1024 + 1];
    assert_eq!(connection.send("POST", "/mcp", &headers, body).await.status, 413);
    let mut session = Session::open(server.connect().await, "2025-11-25", json!({})).await;
    session.call_tool("echo", json!({ "text": "still here" })).await.structured();
}

#[tokio::test]
async fn a_body_below_four_mebibytes_is_read() {
    let server = start::http(&[]).await;
    let mut connection = server.connect().await;
    let headers = [("accept", BOTH_TYPES), ("content-type", "application/json")];
    let body = format!("{}{}", " ".repeat(3 * 1024 * 1024), initialize());
    assert_eq!(connection.send("POST", "/mcp", &headers, body).await.status, 200);
}

#[tokio::test]
async fn a_panic_is_an_answer() {
    let server = start::http(&[]).await;
    let mut session = Session::open(server.connect().await, "2025-11-25", json!({})).await;
    let reply = session.call_tool("panic", json!({ "message": "the roof is on fire" })).await;
    assert!(reply.is_tool_error(), "{reply:?}");
    session.call_tool("echo", json!({ "text": "still here" })).await.structured();
}

#[tokio::test]
async fn a_call_that_the_client_leaves_is_stopped() {
    let project = plumbline_tests::Fixture::empty();
    let everything = plumbline_tests::bins::example("everything");
    let server =
        plumbline_tests::http::HttpServer::start_in(&everything, &[], &[], project.path()).await;
    let mut connection = server.connect().await;
    let block = json!({ "name": "block", "arguments": { "ms": 30_000, "log": "block.log" } });
    let none = json!({});
    let left = plumbline_tests::http::modern_post(&mut connection, "tools/call", block, &none);
    let waited = tokio::time::timeout(std::time::Duration::from_secs(1), left).await;
    // Leaving is closing: the connection and a head that may have come end here.
    drop(waited);
    drop(connection);
    for _ in 0..400 {
        if project.has("block.log") && project.read("block.log").contains("stopped") {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(25)).await;
    }
    panic!("the call went on without its client; stderr:\n{}", server.process().stderr());
}

#[tokio::test]
async fn a_client_that_closes_its_side_is_still_answered() {
    let server = start::http(&[]).await;
    let params = json!({ "name": "sleep", "arguments": { "ms": 1_500 } });
    let mut head = format!("POST /mcp HTTP/1.1\r\nhost: {}\r\n", server.authority());
    for (name, value) in modern_headers("tools/call", &params) {
        write!(head, "{name}: {value}\r\n").unwrap();
    }
    let params = modern_params(params, &json!({}));
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    let body = body.to_string();
    write!(head, "content-length: {}\r\n\r\n", body.len()).unwrap();
    let mut stream = TcpStream::connect(server.authority()).await.unwrap();
    stream.write_all((head + &body).as_bytes()).await.unwrap();
    stream.shutdown().await.unwrap();
    let mut answer = String::new();
    let reading = stream.read_to_string(&mut answer);
    tokio::time::timeout(std::time::Duration::from_secs(20), reading).await.unwrap().unwrap();
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("slept"), "{answer}");
}

#[tokio::test]
async fn the_health_check_answers_without_a_session() {
    let server = start::http(&[]).await;
    let response = server.connect().await.send("GET", "/healthz", &[], "").await;
    assert_eq!(response.status, 200);
}

#[tokio::test]
async fn another_path_is_not_found() {
    let server = start::http(&[]).await;
    assert_eq!(server.connect().await.send("GET", "/", &[], "").await.status, 404);
    assert_eq!(server.connect().await.send("POST", "/mcp/more", &[], "{}").await.status, 404);
}
