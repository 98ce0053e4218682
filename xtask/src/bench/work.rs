//! What is measured per call. A server with heavy work of its own adds a row here.

use serde_json::{Value, json};

/// One request, put to the servers and beside it a comparable one to the bare server.
pub(super) struct Work {
    pub(super) name: &'static str,
    /// The server that does it; `None` means all of them.
    pub(super) servers: Option<&'static str>,
    pub(super) request: fn() -> Request,
    pub(super) bare: BareRequest,
    /// Of the bare server's pipelined rate.
    pub(super) rate_at_least: f64,
}

pub(super) struct Request {
    pub(super) method: &'static str,
    pub(super) params: Value,
}

/// What the bare server is asked meanwhile.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum BareRequest {
    /// The very same request.
    Same,
    /// `echo` with a text that makes its answer as many bytes as the other one's.
    EchoOfEqualSize,
}

pub(super) const WORKS: &[Work] = &[
    Work {
        name: "ping",
        servers: None,
        request: || Request { method: "ping", params: json!({}) },
        bare: BareRequest::Same,
        rate_at_least: 0.7,
    },
    Work {
        name: "echo of 1,000 characters",
        servers: Some(super::EVERYTHING),
        request: || echo(1000),
        bare: BareRequest::EchoOfEqualSize,
        rate_at_least: 0.7,
    },
    Work {
        name: "get_stage of acm",
        servers: Some("acm"),
        request: || Request {
            method: "tools/call",
            params: json!({ "name": "get_stage", "arguments": { "stage": "design" } }),
        },
        bare: BareRequest::EchoOfEqualSize,
        rate_at_least: 0.8,
    },
    Work {
        name: "prompts/get of specifyplus",
        servers: Some("specifyplus"),
        // A command of the sample project that takes input.
        request: || Request {
            method: "prompts/get",
            params: json!({ "name": "plan", "arguments": { "arguments": "a due date" } }),
        },
        bare: BareRequest::EchoOfEqualSize,
        rate_at_least: 0.8,
    },
];

pub(super) fn echo(n_chars: usize) -> Request {
    let params = json!({ "name": "echo", "arguments": { "text": "x".repeat(n_chars) } });
    Request { method: "tools/call", params }
}

impl Request {
    /// The request as a line for the pipe.
    pub(super) fn line(&self, id: usize) -> Vec<u8> {
        let Self { method, params } = self;
        let message = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        format!("{message}\n").into_bytes()
    }
}
