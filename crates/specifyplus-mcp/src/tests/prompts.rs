//! prompts/list and prompts/get as clients see them.

use plumbline_tests::Fixture;
use serde_json::{Value, json};

use super::{SAMPLE, connect, connected, names, server, text, wire};

const TOO_LARGE: &str = "Input exceeds maximum allowed size of 100KB";

// Verifies: PLB-d04001-B
#[tokio::test]
async fn the_list_has_description_argument_title_and_handoffs() {
    let (mut client, _project) = connected(SAMPLE).await;
    let listed = client.request("prompts/list", json!({})).await;
    insta::assert_json_snapshot!("prompts_list", listed.result());
}

// Verifies: PLB-d04001-C
#[tokio::test]
async fn a_prompt_is_the_file_with_the_input_in_it() {
    let (mut client, _project) = connected(SAMPLE).await;
    let params = json!({ "name": "plan", "arguments": { "arguments": "two words" } });
    let got = client.request("prompts/get", params).await;
    insta::assert_json_snapshot!("prompts_get", got.result());
}

#[tokio::test]
async fn both_eras_get_the_same() {
    let project = Fixture::new(SAMPLE);
    let server = server(&project);
    let mut old = connect(&server).await;
    let mut new = wire(&server);
    let listed = old.request("prompts/list", json!({})).await;
    let modern = new.modern_request("prompts/list", json!({})).await;
    assert_eq!(listed.result()["prompts"], modern.result()["prompts"]);
    assert_eq!(modern.result()["ttlMs"], 0);
    let params = json!({ "name": "plan", "arguments": { "arguments": "x" } });
    let got = old.request("prompts/get", params.clone()).await;
    let modern = new.modern_request("prompts/get", params).await;
    assert_eq!(got.result()["messages"], modern.result()["messages"]);
    assert_eq!(got.result()["_meta"]["handoffs"], modern.result()["_meta"]["handoffs"]);
    assert_eq!(modern.result()["resultType"], "complete");
}

#[tokio::test]
async fn every_spelling_of_the_argument_and_no_argument_at_all_are_taken() {
    let (mut client, _project) = connected("//- a.md\n<$ARGUMENTS>").await;
    for key in ["arguments", "ARGUMENTS", "args", "input"] {
        assert_eq!(text(&mut client, "a", json!({ key: "x" })).await, "<x>", "{key}");
    }
    for none in [json!({}), Value::Null, json!({ "arguments": null }), json!({ "arguments": "" })] {
        assert_eq!(text(&mut client, "a", none.clone()).await, "<>", "{none}");
    }
}

// Verifies: PLB-d04001-D
#[tokio::test]
async fn multi_line_input_with_special_characters_arrives_unchanged() {
    let (mut client, _project) = connected("//- a.md\n<$ARGUMENTS>").await;
    let input = "first\r\n  \"second\" \\n {{X}} ${Y} $ARGUMENTS\n```rust\nfn é() {}\n```\n\u{1f600}\u{200b}\t\u{7}";
    assert_eq!(text(&mut client, "a", json!({ "arguments": input })).await, format!("<{input}>"));
}

// Verifies: PLB-d04001-E
#[tokio::test]
async fn input_over_the_limit_is_refused_in_the_promised_words() {
    let (mut client, _project) = connected(SAMPLE).await;
    for (name, bytes) in [("plan", 102_401), ("review", 102_401), ("plan", 3_000_000)] {
        let arguments = json!({ "arguments": "x".repeat(bytes) });
        let params = json!({ "name": name, "arguments": arguments });
        let reply = client.request("prompts/get", params).await;
        assert_eq!(reply.code(), -32602);
        assert_eq!(reply.error()["message"], TOO_LARGE);
        let called = client
            .call_tool("get_command", json!({ "name": name, "input": "x".repeat(bytes) }))
            .await;
        assert!(called.is_tool_error());
        assert_eq!(called.text(), TOO_LARGE);
    }
    let largest = "é".repeat(51_200);
    let filled = text(&mut client, "plan", json!({ "arguments": largest })).await;
    assert_eq!(filled.matches(&largest).count(), 2);
}

#[tokio::test]
async fn wrong_arguments_are_refused_with_the_right_one() {
    let (mut client, _project) = connected(SAMPLE).await;
    for (arguments, words) in [
        (json!({ "feature": "x" }), "`feature`"),
        (json!({ "_cmd_name": "review" }), "`_cmd_name`"),
        (json!({ "arguments": 7 }), "`arguments` is not text"),
        (json!({ "arguments": "a", "input": "b" }), "given twice"),
    ] {
        let params = json!({ "name": "plan", "arguments": arguments });
        let reply = client.request("prompts/get", params).await;
        assert_eq!(reply.code(), -32602, "{reply:?}");
        let said = reply.error_text();
        assert!(said.contains(words), "{said}");
    }
}

#[tokio::test]
async fn names_are_found_tolerantly_and_never_as_paths() {
    let project = Fixture::new(
        "//- commands/sp.plan.md\nplan\n//- secret.md\nsecret\n//- commands/deep/x.md\nx\n",
    );
    let library = crate::store::library::Library::new(
        vec![super::folder(&project.path().join("commands"))],
        Vec::new(),
        mcp_core::clock::Clock::system(),
    );
    let server = crate::server::assemble(
        std::sync::Arc::new(library),
        mcp_core::server::Changes::default(),
        false,
    );
    let mut client = connect(&server).await;
    assert_eq!(text(&mut client, "/sp_plan", json!({})).await, "plan\n");
    for name in ["../secret", "deep/x", "/etc/passwd", "", "sp.plan.md", "nul\0", ".."] {
        let reply = client.request("prompts/get", json!({ "name": name })).await;
        assert_eq!(reply.code(), -32602, "{name:?}");
        assert!(reply.error_text().contains("`sp.plan`"), "{}", reply.error_text());
    }
    assert_eq!(names(&mut client).await, ["sp.plan"]);
}

#[tokio::test]
async fn a_thousand_gets_at_once_are_all_answered() {
    let (mut client, _project) = connected(SAMPLE).await;
    let mut lines = Vec::new();
    for id in 1000..2000 {
        let arguments = json!({ "arguments": format!("input {id}") });
        let params = json!({ "name": "plan", "arguments": arguments });
        let request =
            json!({ "jsonrpc": "2.0", "id": id, "method": "prompts/get", "params": params });
        lines.extend(format!("{request}\n").into_bytes());
    }
    let answers = client.pipeline(&lines, 1000).await;
    let mut ids: Vec<i64> = Vec::new();
    for answer in &answers {
        let id = answer["id"].as_i64().unwrap();
        let text = answer["result"]["messages"][0]["content"]["text"].as_str().unwrap();
        assert!(text.contains(&format!("Plan this: input {id}\n")), "{answer}");
        ids.push(id);
    }
    ids.sort_unstable();
    assert_eq!(ids, (1000..2000).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_client_that_comes_back_finds_the_same_list() {
    let project = Fixture::new(SAMPLE);
    let server = server(&project);
    let mut first = connect(&server).await;
    let before = first.request("prompts/list", json!({})).await;
    drop(first);
    let mut second = connect(&server).await;
    let after = second.request("prompts/list", json!({})).await;
    assert_eq!(before.result(), after.result());
}

#[tokio::test]
async fn prompts_and_resources_are_declared_as_changing_and_tools_listed_only_when_asked_for() {
    let project = Fixture::new(SAMPLE);
    let without = crate::server::assemble(
        super::library(&project),
        mcp_core::server::Changes::default(),
        false,
    );
    let mut client = wire(&without);
    let opened = client.initialize(super::VERSION).await;
    assert_eq!(opened["capabilities"]["prompts"]["listChanged"], true);
    assert_eq!(opened["capabilities"]["resources"]["listChanged"], true);
    assert!(opened["capabilities"]["completions"].is_object());
    assert_eq!(client.request("tools/list", json!({})).await.result()["tools"], json!([]));
    let mut client = wire(&server(&project));
    client.initialize(super::VERSION).await;
    let listed = client.request("tools/list", json!({})).await;
    assert_eq!(listed.result()["tools"].as_array().map(Vec::len), Some(2));
}
