//! Which tools are on, and what is said of those that are not.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::*;
use crate::server::{Answer, Selection, Tool};

#[derive(Deserialize, JsonSchema)]
struct Nothing {}

fn tool(name: &'static str, toolset: Option<&'static str>, writes: bool) -> Tool {
    let mut builder =
        if writes { Tool::writing(name, "Writes.") } else { Tool::read_only(name, "Reads.") };
    if let Some(toolset) = toolset {
        builder = builder.toolset(toolset);
    }
    builder.run_sync(|_, _: Nothing| Ok(Answer::text("done")))
}

fn server(selection: Selection) -> Result<Server, crate::failure::Failure> {
    probe()
        .toolset("core", true)
        .toolset("review", false)
        .tool(tool("always", None, false))
        .tool(tool("get_thing", Some("core"), false))
        .tool(tool("put_thing", Some("core"), true))
        .tool(tool("get_review", Some("review"), false))
        .select(selection)
}

fn names(list: &[&str]) -> Vec<String> {
    list.iter().map(|it| (*it).to_owned()).collect()
}

#[track_caller]
fn check(selection: Selection, expected: &[&str]) {
    assert_eq!(server(selection).map_err(|it| it.text()).unwrap().tool_names(), expected);
}

#[test]
fn toolsets_are_on_by_default_or_by_choice() {
    check(Selection::default(), &["always", "get_thing", "put_thing"]);
    let chosen = |list| Selection { toolsets: names(list), ..Selection::default() };
    check(chosen(&["review"]), &["always", "get_review"]);
    check(chosen(&["default", "review"]), &["always", "get_thing", "put_thing", "get_review"]);
    check(chosen(&["all"]), &["always", "get_thing", "put_thing", "get_review"]);
}

#[test]
fn read_only_wins_over_a_tool_that_is_named() {
    let tools = names(&["put_thing", "get_review"]);
    check(Selection { read_only: true, tools, ..Selection::default() }, &["get_review"]);
    let exclude = names(&["get_thing"]);
    check(Selection { exclude, ..Selection::default() }, &["always", "put_thing"]);
}

#[test]
fn a_name_that_does_not_exist_is_refused_at_the_start() {
    let refused = |selection| server(selection).err().map(|it| it.text()).unwrap();
    let tools = refused(Selection { tools: names(&["get_thin"]), ..Selection::default() });
    assert!(tools.starts_with("no tool is named `get_thin`\nDid you mean `get_thing`?"), "{tools}");
    let toolsets = refused(Selection { toolsets: names(&["revue"]), ..Selection::default() });
    assert!(toolsets.contains("There are `core`, `review`, `all` and `default`."), "{toolsets}");
}

#[tokio::test]
async fn a_tool_that_is_off_says_how_to_switch_it_on() {
    let selection = Selection { read_only: true, ..Selection::default() };
    let mut client = connect(server(selection).unwrap()).await;
    let off = client.call_tool("get_review", json!({})).await;
    assert_eq!(off.code(), -32602);
    assert!(off.error_text().contains("--toolsets default,review"), "{}", off.error_text());
    let writes = client.call_tool("put_thing", json!({})).await;
    assert!(writes.error_text().contains("without --read-only"), "{}", writes.error_text());
}

#[tokio::test]
async fn an_unknown_tool_gets_the_nearest_name_and_the_list() {
    let mut client = connect(server(Selection::default()).unwrap()).await;
    let reply = client.call_tool("getThing", json!({})).await;
    assert_eq!(reply.code(), -32602);
    let text = reply.error_text();
    assert!(text.contains("Did you mean `get_thing`?"), "{text}");
    assert!(text.contains("There are `always`, `get_thing` and `put_thing`."), "{text}");
}
