//! The companion skill names only tools, parameters and values that exist, and all of them.

use std::collections::BTreeSet;

use plumbline_tests::Fixture;
use serde_json::{Value, json};

use super::{bare, connect};
use crate::domain::document::Front;
use crate::store::embedded;

fn file(name: &str) -> &'static str {
    embedded::SKILL.iter().find(|(it, _)| *it == name).unwrap().1
}

async fn tools() -> Vec<Value> {
    let mut client = connect(bare(&Fixture::empty())).await;
    client.request("tools/list", json!({})).await.result()["tools"].as_array().unwrap().clone()
}

/// The texts between backticks, code fences aside.
fn spans(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2).filter(|it| !it.is_empty() && !it.contains('\n'))
}

fn is_tool_name(word: &str) -> bool {
    ["get_", "check_", "query_"].iter().any(|it| word.starts_with(it) && word.len() > it.len())
}

#[tokio::test]
async fn every_call_it_shows_is_valid() {
    let tools = tools().await;
    let mut shown = BTreeSet::new();
    for (name, text) in embedded::SKILL {
        for span in spans(text).filter(|it| is_tool_name(it)) {
            let (tool, arguments) = span.split_once('(').unwrap_or((span, ")"));
            let definition = tools.iter().find(|it| it["name"] == tool);
            let definition = definition.unwrap_or_else(|| panic!("{name}: {span}"));
            shown.insert(tool);
            let properties = &definition["inputSchema"]["properties"];
            let given = arguments.trim_end_matches(')').split(", ").filter(|it| !it.is_empty());
            let mut names = Vec::new();
            for argument in given {
                let (parameter, value) = argument.split_once('=').unwrap();
                let property = &properties[parameter];
                assert!(property.is_object(), "{name}: {span}");
                let value: Value = serde_json::from_str(value).unwrap();
                let allowed = property["enum"].as_array();
                assert!(allowed.is_none_or(|it| it.contains(&value)), "{name}: {span}");
                names.push(Value::from(parameter));
            }
            if span.contains('(') {
                let required = definition["inputSchema"]["required"].as_array();
                assert!(
                    required.is_none_or(|it| it.iter().all(|it| names.contains(it))),
                    "{name}: {span}"
                );
            }
        }
    }
    assert_eq!(shown.len(), tools.len());
}

#[tokio::test]
async fn the_guide_lists_every_parameter_and_value_of_every_tool() {
    let guide = file("references/tool-guide.md");
    for tool in tools().await {
        let name = tool["name"].as_str().unwrap();
        let start = guide.find(&format!("### `{name}`")).unwrap_or_else(|| panic!("{name}"));
        let part = &guide[start + 4..];
        let part = &part[..part.find("\n##").unwrap_or(part.len())];
        let required = tool["inputSchema"]["required"].as_array().cloned().unwrap_or_default();
        let properties = tool["inputSchema"]["properties"].as_object().unwrap();
        let listed = part.lines().filter(|it| it.starts_with("- `")).count();
        assert_eq!(listed, properties.len(), "{name}");
        for (parameter, property) in properties {
            let star = if required.contains(&json!(parameter)) { "*" } else { "" };
            let line = part.lines().find(|it| it.starts_with(&format!("- `{parameter}`{star}:")));
            let line = line.unwrap_or_else(|| panic!("{name} {parameter}{star}"));
            let values = property["enum"].as_array().cloned().unwrap_or_default();
            for value in &values {
                let shown = format!("`{}`", value.as_str().unwrap());
                assert!(line.contains(&shown), "{name} {parameter} {shown}");
            }
            if !values.is_empty() {
                assert_eq!(spans(line).count(), values.len() + 1, "{line}");
            }
        }
    }
}

#[test]
fn a_client_can_load_it() {
    let skill = file("SKILL.md");
    let front = Front::of(skill);
    assert_eq!(front.field("name").as_deref(), Some("acm-workflow"));
    let description = front.field("description").unwrap();
    assert!(description.len() < 1_024, "clients cut longer descriptions");
    for workflow in [
        "Start a new project",
        "Prepare for review",
        "Transition between stages",
        "Audit a project",
    ] {
        assert!(skill.contains(&format!("### {workflow}")), "{workflow}");
    }
    assert!(skill.contains("references/tool-guide.md"));
}

#[tokio::test]
async fn clients_that_load_skills_get_it_from_the_server() {
    let mut client = connect(bare(&Fixture::empty())).await;
    let listed = client.request("skills/list", json!({})).await;
    let skill = &listed.result()["skills"][0];
    assert_eq!(skill["uri"], "skill://acm-workflow/SKILL.md");
    assert_eq!(skill["frontmatter"]["name"], "acm-workflow");
    assert_eq!(skill["resources"].as_array().unwrap().len(), embedded::SKILL.len());
    for (path, text) in embedded::SKILL {
        let uri = format!("skill://acm-workflow/{path}");
        let read = client.request("resources/read", json!({ "uri": uri })).await;
        assert_eq!(read.result()["contents"][0]["text"], *text);
    }
    let outside = json!({ "uri": "skill://acm-workflow/../x" });
    assert!(client.request("resources/read", outside).await.error().is_object());
}
