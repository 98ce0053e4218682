//! The tools for clients without prompts.

use plumbline_tests::Fixture;
use serde_json::json;

use super::{SAMPLE, connected};

#[tokio::test]
async fn the_tools_are_described_as_committed() {
    let (mut client, _project) = connected(SAMPLE).await;
    let listed = client.request("tools/list", json!({})).await;
    let tools = listed.result()["tools"].as_array().unwrap();
    assert_eq!(tools.len(), 2);
    for tool in tools {
        insta::assert_json_snapshot!(format!("tool_{}", tool["name"].as_str().unwrap()), tool);
    }
}

#[tokio::test]
async fn commands_are_listed_with_input_and_next_steps() {
    let (mut client, _project) = connected(SAMPLE).await;
    let listed = client.call_tool("list_commands", json!({})).await;
    insta::assert_json_snapshot!("list_commands", listed.structured());
    let filtered = client.call_tool("list_commands", json!({ "filter": " WORKING " })).await;
    assert_eq!(filtered.structured()["commands"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_list_that_is_too_long_says_how_to_ask_for_others() {
    let project = Fixture::empty();
    for index in 0..600 {
        project.write(&format!("c{index:04}.md"), "---\ndescription: One of many\n---\n$ARGUMENTS");
    }
    let mut client = super::connect(&super::server(&project)).await;
    let listed = client.call_tool("list_commands", json!({})).await;
    let data = listed.structured();
    assert_eq!(data["truncated"], true);
    assert_eq!(data["total"], 600);
    assert!(data["next"].as_str().unwrap().contains("filter"));
    let found = client.call_tool("list_commands", json!({ "filter": "c0599" })).await;
    assert_eq!(found.structured()["commands"][0]["name"], "c0599");
}

#[tokio::test]
async fn a_command_is_returned_verbatim_however_long_and_whatever_it_holds() {
    let body = format!("\u{200b}$ARGUMENTS\r\n\u{1b}[31m{}  \n", "word ".repeat(60_000));
    let project = Fixture::empty();
    project.write("long.md", &format!("---\ndescription: d\n---\n{body}"));
    let mut client = super::connect(&super::server(&project)).await;
    let got =
        client.call_tool("get_command", json!({ "name": "/long", "input": "$ARGUMENTS" })).await;
    assert!(!got.is_tool_error());
    assert_eq!(got.text(), body);
    assert!(got.result().get("structuredContent").is_none());
}

#[tokio::test]
async fn other_names_for_the_arguments_are_understood() {
    let (mut client, _project) = connected(SAMPLE).await;
    let got =
        client.call_tool("get_command", json!({ "command": "bare", "arguments": "it" })).await;
    assert_eq!(got.text(), "# Just words\n\nDo it.\n");
    assert!(got.result().get("_meta").is_none());
    let got = client.call_tool("get_command", json!({ "name": "plan" })).await;
    assert_eq!(got.result()["_meta"]["handoffs"][1]["agent"], "ship");
}

#[tokio::test]
async fn an_unknown_command_is_an_error_that_helps() {
    let (mut client, _project) = connected(SAMPLE).await;
    let got = client.call_tool("get_command", json!({ "name": "plam" })).await;
    assert!(got.is_tool_error());
    assert!(got.text().contains("Did you mean `plan`?"), "{}", got.text());
}
