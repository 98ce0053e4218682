//! What a request of the stateless era (2026-07-28) carries in `_meta`.

use serde_json::{Value, json};

/// The one revision without a handshake.
pub const MODERN_VERSION: &str = "2026-07-28";

/// Adds the version, capabilities and client that every 2026-07-28 request has to name.
/// Keys of `_meta` that the caller already gave are kept, so that a test can give a wrong one.
pub fn modern_params(mut params: Value, capabilities: &Value) -> Value {
    if params.is_null() {
        params = json!({});
    }
    let given = params["_meta"].take();
    let mut meta = json!({
        "io.modelcontextprotocol/protocolVersion": MODERN_VERSION,
        "io.modelcontextprotocol/clientCapabilities": capabilities,
        "io.modelcontextprotocol/clientInfo": client_info(),
    });
    if let Value::Object(given) = given {
        for (key, value) in given {
            meta[key] = value;
        }
    }
    params["_meta"] = meta;
    params
}

/// How the harness introduces itself.
pub(crate) fn client_info() -> Value {
    json!({ "name": "plumbline-tests", "version": env!("CARGO_PKG_VERSION") })
}
