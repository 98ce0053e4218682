//! MCP over Streamable HTTP: a session of the handshake era, and single stateless requests.

use hyper::header::{ACCEPT, CONTENT_TYPE};
use serde_json::{Value, json};

use super::{BOTH_TYPES, Connection, Response};
use crate::modern::client_info;
use crate::{MODERN_VERSION, Reply, modern_params};

/// A session that was opened with `initialize`.
pub struct Session {
    connection: Connection,
    pub id: String,
    pub version: String,
    /// The result of `initialize`.
    pub initialized: Value,
    last_id: i64,
}

impl Session {
    /// Opens a session on a connection of its own.
    pub async fn open(mut connection: Connection, version: &str, capabilities: Value) -> Self {
        let params = json!({
            "protocolVersion": version,
            "capabilities": capabilities,
            "clientInfo": client_info(),
        });
        let request =
            json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params });
        let response = connection.post("/mcp", &[], &request).await;
        let id = response.header("mcp-session-id").to_owned();
        if id.is_empty() {
            let (status, said) = (response.status, response.text().await);
            panic!("initialize opened no session: status {status}, {said}");
        }
        let initialized = response.reply().await.result().clone();
        let version = initialized["protocolVersion"].as_str().unwrap_or_default().to_owned();
        let mut session = Self { connection, id, version, initialized, last_id: 0 };
        let status = session.notify("notifications/initialized", Value::Null).await;
        assert_eq!(status, 202, "a notification is accepted without a body");
        session
    }

    /// Sends a request and waits for its answer.
    pub async fn request(&mut self, method: &str, params: Value) -> Reply {
        self.send_request(method, params).await.reply().await
    }

    /// Calls a tool.
    pub async fn call_tool(&mut self, name: &str, arguments: Value) -> Reply {
        self.request("tools/call", json!({ "name": name, "arguments": arguments })).await
    }

    /// Sends a request and returns the head of its answer.
    pub async fn send_request(&mut self, method: &str, params: Value) -> Response {
        self.last_id += 1;
        let mut message = json!({ "jsonrpc": "2.0", "id": self.last_id, "method": method });
        if !params.is_null() {
            message["params"] = params;
        }
        self.post(&message).await
    }

    /// Sends a notification and returns the status.
    pub async fn notify(&mut self, method: &str, params: Value) -> u16 {
        let mut message = json!({ "jsonrpc": "2.0", "method": method });
        if !params.is_null() {
            message["params"] = params;
        }
        let response = self.post(&message).await;
        let status = response.status;
        // The connection serves the next request only when this body was read.
        response.text().await;
        status
    }

    /// Posts any message in this session, e.g. the answer to a request of the server.
    pub async fn post(&mut self, message: &Value) -> Response {
        let headers =
            [("mcp-session-id", self.id.as_str()), ("mcp-protocol-version", &self.version)];
        self.connection.post("/mcp", &headers, message).await
    }

    /// Opens the stream of what the server sends by itself.
    pub async fn listen(&mut self) -> Response {
        self.bare("GET").await
    }

    /// Ends the session.
    pub async fn delete(&mut self) -> Response {
        self.bare("DELETE").await
    }

    async fn bare(&mut self, method: &str) -> Response {
        let headers = [
            (ACCEPT.as_str(), "text/event-stream"),
            ("mcp-session-id", self.id.as_str()),
            ("mcp-protocol-version", &self.version),
        ];
        self.connection.send(method, "/mcp", &headers, "").await
    }
}

/// The headers that mirror a stateless request, as owned pairs.
pub fn modern_headers(method: &str, params: &Value) -> Vec<(&'static str, String)> {
    let mut headers = vec![
        (ACCEPT.as_str(), BOTH_TYPES.to_owned()),
        (CONTENT_TYPE.as_str(), "application/json".to_owned()),
        ("mcp-protocol-version", MODERN_VERSION.to_owned()),
        ("mcp-method", method.to_owned()),
    ];
    let named = if method == "resources/read" { "uri" } else { "name" };
    if matches!(method, "tools/call" | "resources/read" | "prompts/get")
        && let Some(name) = params[named].as_str()
    {
        headers.push(("mcp-name", name.to_owned()));
    }
    headers
}

/// Posts one stateless request with all it needs.
pub async fn modern_post(
    connection: &mut Connection,
    method: &str,
    params: Value,
    capabilities: &Value,
) -> Response {
    let headers = modern_headers(method, &params);
    let headers: Vec<(&str, &str)> =
        headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let params = modern_params(params, capabilities);
    let request = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    connection.send("POST", "/mcp", &headers, request.to_string()).await
}
