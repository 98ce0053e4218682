//! Who may come in: Host, Origin, token and the address to listen on.

use std::process::Stdio;
use std::time::Duration;

use plumbline_tests::http::{BOTH_TYPES, HttpServer, Response};
use plumbline_tests::{Fixture, bins};
use serde_json::json;

use crate::start;

/// Sends `initialize` with further headers.
async fn initialize(server: &HttpServer, headers: &[(&str, &str)]) -> Response {
    let client = json!({ "name": "browser", "version": "1" });
    let params =
        json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client });
    let request = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params });
    server.connect().await.post("/mcp", headers, &request).await
}

#[tokio::test]
async fn a_foreign_host_is_forbidden() {
    let server = start::http(&[]).await;
    for host in ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.evil"] {
        assert_eq!(initialize(&server, &[("host", host)]).await.status, 403, "Host: {host}");
    }
    let port = server.authority().rsplit(':').next().expect("an address has a port");
    for host in [format!("localhost:{port}"), format!("127.0.0.1:{port}"), format!("[::1]:{port}")]
    {
        assert_eq!(initialize(&server, &[("host", &host)]).await.status, 200, "Host: {host}");
    }
}

#[tokio::test]
async fn a_foreign_origin_is_forbidden_on_every_path() {
    let server = start::http(&["--sse"]).await;
    for origin in ["http://evil.example", "https://localhost.evil.example", "null"] {
        let headers = [("origin", origin), ("accept", BOTH_TYPES)];
        assert_eq!(initialize(&server, &[("origin", origin)]).await.status, 403, "{origin}");
        for (method, path) in [("GET", "/mcp"), ("GET", "/sse"), ("POST", "/messages?sessionId=a")]
        {
            let response = server.connect().await.send(method, path, &headers, "").await;
            assert_eq!(response.status, 403, "{method} {path} from {origin}");
        }
    }
}

#[tokio::test]
async fn a_loopback_origin_is_welcome() {
    let server = start::http(&[]).await;
    for origin in ["http://localhost:5173", "http://127.0.0.1:6274", "http://[::1]:8080"] {
        let response = initialize(&server, &[("origin", origin)]).await;
        assert_eq!(response.status, 200, "Origin: {origin}");
        assert_eq!(response.header("access-control-allow-origin"), origin);
        let exposed = response.header("access-control-expose-headers").to_ascii_lowercase();
        assert!(exposed.contains("mcp-session-id"), "the page can read its session: {exposed}");
    }
}

#[tokio::test]
async fn an_allowed_host_and_origin_are_welcome() {
    let allow = ["--allow-host", "tools.example", "--allow-origin", "https://app.example"];
    let server = start::http(&allow).await;
    let headers = [("host", "tools.example"), ("origin", "https://app.example")];
    assert_eq!(initialize(&server, &headers).await.status, 200);
    let headers = [("host", "tools.example"), ("origin", "https://other.example")];
    assert_eq!(initialize(&server, &headers).await.status, 403);
}

#[tokio::test]
async fn the_preflight_of_an_allowed_origin_is_answered() {
    let server = start::http(&["--allow-origin", "https://app.example"]).await;
    let preflight = |origin| {
        [
            ("origin", origin),
            ("access-control-request-method", "POST"),
            (
                "access-control-request-headers",
                "content-type, mcp-session-id, mcp-protocol-version",
            ),
        ]
    };
    let headers = preflight("https://app.example");
    let response = server.connect().await.send("OPTIONS", "/mcp", &headers, "").await;
    assert!((200..300).contains(&response.status), "status {}", response.status);
    assert_eq!(response.header("access-control-allow-origin"), "https://app.example");
    let methods = response.header("access-control-allow-methods").to_owned();
    for method in ["POST", "GET", "DELETE"] {
        assert!(methods.contains(method), "{method} is missing: {methods}");
    }
    let allowed = response.header("access-control-allow-headers").to_ascii_lowercase();
    let sent = [
        "content-type",
        "authorization",
        "mcp-session-id",
        "mcp-protocol-version",
        "mcp-method",
        "mcp-name",
    ];
    for header in sent {
        assert!(allowed.contains(header) || allowed == "*", "{header} is missing: {allowed}");
    }
    let headers = preflight("https://other.example");
    let response = server.connect().await.send("OPTIONS", "/mcp", &headers, "").await;
    assert_eq!(response.status, 403);
    assert_eq!(response.header("access-control-allow-origin"), "");
}

#[tokio::test]
async fn an_address_that_is_not_loopback_needs_a_token() {
    let project = Fixture::empty();
    for address in ["0.0.0.0:0", "[::]:0"] {
        let mut command = tokio::process::Command::new(bins::example("everything"));
        command.args(["serve", "--http", address]).current_dir(project.path());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let running = command.kill_on_drop(true).output();
        let output = tokio::time::timeout(Duration::from_secs(20), running)
            .await
            .expect("it refuses instead of serving")
            .expect("the server can be started");
        assert!(!output.status.success(), "{address} was accepted without a token");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains("--token-env"), "it says what to do: {said}");
    }
}

#[tokio::test]
async fn a_token_is_asked_for_and_checked() {
    let project = Fixture::empty();
    let everything = bins::example("everything");
    let args = ["--token-env", "WIRE_TEST_TOKEN", "--sse"];
    let env = [("WIRE_TEST_TOKEN", "correct horse")];
    let server = HttpServer::start_in(&everything, &args, &env, project.path()).await;
    let refused = initialize(&server, &[]).await;
    assert_eq!(refused.status, 401);
    assert!(refused.header("www-authenticate").starts_with("Bearer"));
    for wrong in ["Bearer wrong", "Bearer correct horse battery", "Basic correct horse", "Bearer "]
    {
        let status = initialize(&server, &[("authorization", wrong)]).await.status;
        assert_eq!(status, 401, "{wrong:?}");
    }
    let right = [("authorization", "Bearer correct horse")];
    assert_eq!(initialize(&server, &right).await.status, 200);
    assert_eq!(server.connect().await.send("GET", "/sse", &[], "").await.status, 401);
    let response = server.connect().await.send("GET", "/sse", &right, "").await;
    assert_eq!(response.status, 200);
    assert!(!server.process().stderr().contains("correct horse"), "the token is never logged");
}

#[tokio::test]
async fn a_token_variable_that_is_not_set_stops_the_start() {
    let project = Fixture::empty();
    let mut command = tokio::process::Command::new(bins::example("everything"));
    command.args(["serve", "--http", "127.0.0.1:0", "--token-env", "WIRE_TEST_UNSET_TOKEN"]);
    command.current_dir(project.path()).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let running = command.kill_on_drop(true).output();
    let output = tokio::time::timeout(Duration::from_secs(20), running)
        .await
        .expect("it refuses instead of serving")
        .expect("the server can be started");
    assert!(!output.status.success());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("WIRE_TEST_UNSET_TOKEN"), "it names the variable: {said}");
}
