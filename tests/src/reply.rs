//! One answer of a server, and the questions tests ask of it.

use std::fmt;

use serde_json::Value;

/// A JSON-RPC response as it came over the wire.
#[derive(Clone, PartialEq)]
pub struct Reply(Value);

impl Reply {
    /// Takes a message that must be a response: it has a `result` or an `error`.
    pub fn new(message: Value) -> Self {
        let has = |key| message.get(key).is_some();
        assert!(has("result") != has("error"), "neither or both of result and error: {message}");
        assert_eq!(message["jsonrpc"], "2.0", "not JSON-RPC 2.0: {message}");
        Self(message)
    }

    /// The whole message.
    pub fn message(&self) -> &Value {
        &self.0
    }

    /// The id, if the message has one.
    pub fn id(&self) -> Option<&Value> {
        self.0.get("id")
    }

    pub fn is_error(&self) -> bool {
        self.0.get("error").is_some()
    }

    /// The result; fails the test when the server answered with a protocol error.
    #[track_caller]
    pub fn result(&self) -> &Value {
        self.0.get("result").unwrap_or_else(|| panic!("expected a result: {}", self.0))
    }

    /// The protocol error; fails the test when the server answered with a result.
    #[track_caller]
    pub fn error(&self) -> &Value {
        self.0.get("error").unwrap_or_else(|| panic!("expected a protocol error: {}", self.0))
    }

    /// The code of the protocol error.
    #[track_caller]
    pub fn code(&self) -> i64 {
        self.error()["code"].as_i64().unwrap_or_else(|| panic!("no error code: {}", self.0))
    }

    /// The message and data of the protocol error, as one text to search in.
    #[track_caller]
    pub fn error_text(&self) -> String {
        let error = self.error();
        let message = error["message"].as_str().unwrap_or_default();
        error.get("data").map_or_else(|| message.to_owned(), |data| format!("{message} {data}"))
    }

    /// Whether a tool answered that it failed (`isError`).
    #[track_caller]
    pub fn is_tool_error(&self) -> bool {
        self.result()["isError"] == true
    }

    /// The text blocks of a tool result, joined by line breaks.
    #[track_caller]
    pub fn text(&self) -> String {
        let blocks = self.result()["content"].as_array();
        let blocks = blocks.unwrap_or_else(|| panic!("expected tool content: {}", self.0));
        let texts: Vec<&str> = blocks.iter().filter_map(|block| block["text"].as_str()).collect();
        texts.join("\n")
    }

    /// The `structuredContent` of a tool result.
    #[track_caller]
    pub fn structured(&self) -> &Value {
        let content = self.result().get("structuredContent");
        content.unwrap_or_else(|| panic!("expected structuredContent: {}", self.0))
    }
}

impl fmt::Debug for Reply {
    /// As on the wire, which is what a failed assertion should show.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, formatter)
    }
}
