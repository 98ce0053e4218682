//! The stateless era: every request stands alone, every result says what it is.

use plumbline_tests::{Client, Fixture, MODERN_VERSION, bins, modern_params};
use serde_json::{Value, json};

use crate::start;

const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

fn assert_stamped(result: &Value) {
    assert_eq!(result["resultType"], "complete", "{result}");
    assert_eq!(result["_meta"][SERVER_INFO]["name"], "everything", "{result}");
    assert!(result["_meta"][SERVER_INFO]["version"].is_string(), "{result}");
}

fn assert_cacheable(result: &Value, ttl_ms: u64) {
    assert_eq!(result["ttlMs"], ttl_ms, "{result}");
    assert!(matches!(result["cacheScope"].as_str(), Some("public" | "private")), "{result}");
}

#[tokio::test]
async fn discover_tells_versions_capabilities_and_instructions() {
    let (mut client, _project) = start::fresh();
    let reply = client.modern_request("server/discover", json!({})).await;
    let result = reply.result();
    assert_stamped(result);
    let versions = result["supportedVersions"].as_array().expect("a list of versions");
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", MODERN_VERSION] {
        assert!(versions.contains(&json!(version)), "{version} is missing: {versions:?}");
    }
    assert!(result["capabilities"]["tools"].is_object(), "{result}");
    assert!(result["instructions"].as_str().is_some_and(|text| !text.is_empty()), "{result}");
    assert!(result["ttlMs"].is_u64() && result["cacheScope"].is_string(), "{result}");
}

#[tokio::test]
async fn lists_say_how_long_they_may_be_cached() {
    let (mut client, _project) = start::fresh();
    // The example announces changes of its tools, so no list of it may be kept.
    let lists = ["tools", "prompts", "resources"];
    for member in lists {
        let method = format!("{member}/list");
        let reply = client.modern_request(&method, json!({})).await;
        assert_stamped(reply.result());
        assert_cacheable(reply.result(), 0);
        let listed = reply.result()[member].as_array().expect("a list");
        assert!(!listed.is_empty(), "{method} is empty");
    }
    let read =
        client.modern_request("resources/read", json!({ "uri": "test://static-text" })).await;
    assert_stamped(read.result());
    assert_cacheable(read.result(), 0);
}

#[tokio::test]
async fn tools_that_never_change_may_be_kept_for_an_hour() {
    let project = Fixture::project();
    for server in &bins::SERVERS {
        let mut client = Client::spawn(&server.path(), &[], &[], project.path());
        let reply = client.modern_request("tools/list", json!({})).await;
        assert_cacheable(reply.result(), 60 * 60 * 1000);
    }
}

// Verifies: PLB-d01002-B
#[tokio::test]
async fn a_tool_is_called_without_any_handshake() {
    let (mut client, _project) = start::fresh();
    let reply = client.call_tool_modern("echo", json!({ "text": "hello" })).await;
    assert_stamped(reply.result());
    assert_eq!(reply.structured(), &json!({ "text": "hello" }));
}

#[tokio::test]
async fn an_unknown_version_is_refused_with_the_versions_there_are() {
    let (mut client, _project) = start::fresh();
    let meta = json!({ "io.modelcontextprotocol/protocolVersion": "2031-01-01" });
    let reply = client.modern_request("tools/list", json!({ "_meta": meta })).await;
    assert_eq!(reply.code(), -32022, "{reply:?}");
    let data = &reply.error()["data"];
    assert_eq!(data["requested"], "2031-01-01");
    let supported = data["supported"].as_array().expect("a list of versions");
    assert!(supported.contains(&json!(MODERN_VERSION)), "{data}");
}

#[tokio::test]
async fn a_request_without_its_capabilities_is_refused() {
    let (mut client, _project) = start::fresh();
    let mut params = modern_params(json!({}), &json!({}));
    let meta = params["_meta"].as_object_mut().expect("the parameters have _meta");
    meta.shift_remove("io.modelcontextprotocol/clientCapabilities");
    let reply = client.request("tools/list", params).await;
    assert_eq!(reply.code(), -32602, "{reply:?}");
    assert!(reply.error_text().contains("clientCapabilities"), "{reply:?}");
}

#[tokio::test]
async fn ping_is_gone() {
    let (mut client, _project) = start::fresh();
    assert_eq!(client.modern_request("ping", json!({})).await.code(), -32601);
}

#[tokio::test]
async fn a_missing_resource_is_an_error_of_the_parameters() {
    let (mut client, _project) = start::fresh();
    let reply = client.modern_request("resources/read", json!({ "uri": "test://nowhere" })).await;
    assert_eq!(reply.code(), -32602, "{reply:?}");
    let (mut client, _project) = start::ready().await;
    let reply = client.request("resources/read", json!({ "uri": "test://nowhere" })).await;
    assert_eq!(reply.code(), -32002, "the handshake era has a code of its own: {reply:?}");
}

#[tokio::test]
async fn the_tools_are_listed_in_the_same_order_every_time() {
    let (mut client, _project) = start::fresh();
    let names = |result: &Value| -> Vec<Value> {
        let tools = result["tools"].as_array().expect("a list of tools");
        tools.iter().map(|tool| tool["name"].clone()).collect()
    };
    let first = names(client.modern_request("tools/list", json!({})).await.result());
    let (mut other, _project) = start::ready().await;
    let second = names(other.request("tools/list", json!({})).await.result());
    assert_eq!(first, second);
}
