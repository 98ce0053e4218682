//! Parameters of known methods: what is wrong is said, what can be understood is accepted.

use serde_json::{Value, json};

use super::assert_alive;
use crate::start;

#[tokio::test]
async fn bad_params_of_a_known_method_name_what_is_wrong() {
    let (mut client, _project) = start::ready().await;
    let wrong: [(&str, Value, &str); 8] = [
        ("tools/call", Value::Null, "name"),
        ("tools/call", json!({}), "name"),
        ("tools/call", json!({ "name": 5 }), "name"),
        ("tools/call", json!({ "name": "echo", "arguments": [1] }), "arguments"),
        ("tools/call", json!({ "name": "echo", "arguments": "not an object" }), "arguments"),
        ("resources/read", json!({}), "uri"),
        ("prompts/get", json!({ "arguments": {} }), "name"),
        ("completion/complete", json!({ "argument": { "name": "a", "value": "" } }), "ref"),
    ];
    for (method, params, named) in wrong {
        let reply = client.request(method, params.clone()).await;
        assert_eq!(reply.code(), -32602, "{method} {params}: {reply:?}");
        let text = reply.error_text();
        assert!(text.contains(named), "{method} {params} should name `{named}`: {text}");
    }
    assert_alive(&mut client).await;
}

#[tokio::test]
async fn initialize_without_its_params_says_what_is_missing() {
    let (mut client, _project) = start::fresh();
    let reply = client.request("initialize", Value::Null).await;
    assert_eq!(reply.code(), -32602);
    assert!(reply.error_text().contains("protocolVersion"), "{reply:?}");
    client.initialize(start::NEWEST_HANDSHAKE).await;
    assert_alive(&mut client).await;
}

#[tokio::test]
async fn missing_and_null_arguments_are_an_empty_object() {
    let (mut client, _project) = start::ready().await;
    for params in
        [json!({ "name": "touch_watched" }), json!({ "name": "touch_watched", "arguments": null })]
    {
        let reply = client.request("tools/call", params).await;
        assert!(!reply.is_tool_error(), "{reply:?}");
    }
    let reply = client.request("tools/call", json!({ "name": "echo" })).await;
    assert!(reply.is_tool_error(), "a missing argument is the tool's error: {reply:?}");
    assert!(reply.text().contains("text"), "it names the argument: {reply:?}");
}

#[tokio::test]
async fn arguments_given_as_a_json_string_are_accepted() {
    let (mut client, _project) = start::ready().await;
    let params = json!({ "name": "echo", "arguments": "{\"text\":\"unwrapped\"}" });
    let reply = client.request("tools/call", params).await;
    assert_eq!(reply.structured(), &json!({ "text": "unwrapped" }));
}

#[tokio::test]
async fn arguments_of_the_wrong_type_are_a_tool_error_that_names_them() {
    let (mut client, _project) = start::ready().await;
    let reply = client.call_tool("sleep", json!({ "ms": "soon" })).await;
    assert!(reply.is_tool_error(), "{reply:?}");
    assert!(reply.text().contains("ms"), "{reply:?}");
    let reply = client.call_tool("echo", json!({ "text": "a", "txet": "b" })).await;
    assert!(reply.is_tool_error(), "an unknown argument is refused: {reply:?}");
    assert!(reply.text().contains("txet"), "{reply:?}");
}

// Verifies: PLB-d01001-D
#[tokio::test]
async fn an_unknown_tool_is_answered_with_the_nearest_and_the_list() {
    let (mut client, _project) = start::ready().await;
    let reply = client.call_tool("ecko", json!({})).await;
    assert_eq!(reply.code(), -32602);
    let text = reply.error_text();
    for expected in ["ecko", "echo", "sleep", "write_note"] {
        assert!(text.contains(expected), "{expected} is missing: {text}");
    }
}

#[tokio::test]
async fn a_result_beyond_the_budget_is_cut_and_says_how_to_get_the_rest() {
    let (mut client, _project) = start::ready().await;
    let reply = client.call_tool("list_numbers", json!({ "count": 100_000 })).await;
    let size = reply.message().to_string().len();
    assert!(size < 250_000, "the answer has {size} bytes");
    assert!(reply.result().to_string().contains("truncated"), "it says that it was cut");
    let whole = client.call_tool("list_numbers", json!({ "count": 10 })).await;
    assert!(!whole.result().to_string().contains("truncated\":true"), "{whole:?}");
}

#[tokio::test]
async fn a_document_is_returned_whole_however_long_it_is() {
    let (mut client, _project) = start::ready().await;
    let reply = client.call_tool("big", json!({ "bytes": 3_000_000 })).await;
    assert_eq!(reply.text().len(), 3_000_000);
}
