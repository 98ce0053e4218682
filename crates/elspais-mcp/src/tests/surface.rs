//! What a client is shown before it calls anything.

use super::*;

async fn tools_of(toolsets: &[&str]) -> Vec<Value> {
    let fixture = Fixture::empty();
    let toolsets = toolsets.iter().map(|it| (*it).to_owned()).collect();
    let selection = Selection { toolsets, ..Selection::default() };
    let server = assemble(&Arc::new(workspace(&fixture)), &no_model()).select(selection).unwrap();
    let mut client = Client::on(in_memory(server));
    client.initialize("2025-11-25").await;
    let reply = client.request("tools/list", json!({})).await;
    reply.result()["tools"].as_array().unwrap().clone()
}

// Verifies: PLB-d03001-E
#[tokio::test]
async fn every_tool_has_its_definition() {
    let tools = tools_of(&["all"]).await;
    for tool in &tools {
        insta::assert_json_snapshot!(format!("tool_{}", tool["name"].as_str().unwrap()), tool);
        assert!(tool["description"].as_str().unwrap().len() < 2_000);
        assert!(tool["outputSchema"].is_object());
        for (name, property) in tool["inputSchema"]["properties"].as_object().unwrap() {
            assert!(property["description"].is_string(), "{name}");
        }
        let looks = tool["name"].as_str().unwrap().starts_with("get_");
        assert!(!looks || tool["annotations"]["readOnlyHint"] == true, "{}", tool["name"]);
    }
}

#[tokio::test]
async fn the_list_is_lean_unless_more_is_asked_for() {
    let names = |tools: &[Value]| -> Vec<String> {
        tools.iter().map(|it| it["name"].as_str().unwrap().to_owned()).collect()
    };
    let core = names(&tools_of(&[]).await);
    for name in [
        "search",
        "save_mutations",
        "get_mutation_log",
        "get_orphaned_nodes",
        "get_broken_references",
        "move_requirement",
    ] {
        assert!(core.iter().any(|it| it == name), "{name}");
    }
    assert_eq!(core.iter().filter(|it| it.starts_with("mutate_")).count(), 13);
    let more = names(&tools_of(&["core", "coverage", "review"]).await);
    assert_eq!(more.len(), core.len() + 11);
    for name in [
        "get_test_coverage",
        "get_uncovered_assertions",
        "find_by_keywords",
        "get_suspect_links",
        "clear_suspect_link",
        "get_changed_requirements",
        "get_subtree",
        "impact",
    ] {
        assert!(!core.iter().any(|it| it == name) && more.iter().any(|it| it == name), "{name}");
    }
}

#[tokio::test]
async fn a_tool_that_is_switched_off_says_how_to_get_it() {
    let fixture = agents();
    let server = assemble(&Arc::new(workspace(&fixture)), &no_model());
    let mut client = Client::on(in_memory(server));
    client.initialize("2025-11-25").await;
    let reply = client.call_tool("get_suspect_links", json!({})).await;
    assert!(reply.error_text().contains("--toolsets default,review"), "{}", reply.error_text());
}
