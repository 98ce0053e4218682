//! What a client learns before it calls anything: names, descriptions, schemas, annotations.

use plumbline_tests::Fixture;
use serde_json::{Value, json};

use super::{bare, connect};

async fn tools() -> Vec<Value> {
    let mut client = connect(bare(&Fixture::empty())).await;
    let reply = client.request("tools/list", json!({})).await;
    reply.result()["tools"].as_array().unwrap().clone()
}

// Verifies: PLB-d06001-A
#[tokio::test]
async fn the_thirteen_tools_have_their_definitions() {
    let tools = tools().await;
    let names: Vec<&str> = tools.iter().map(|it| it["name"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        [
            "get_stage",
            "get_review_prompt",
            "get_transition_prompt",
            "get_artifact_spec",
            "get_artifact_stub",
            "get_project_type_guidance",
            "check_project_structure",
            "check_project_health",
            "get_rules_spec",
            "get_context_spec",
            "query_capabilities",
            "get_capability_detail",
            "query_knowledge",
        ]
    );
    for tool in &tools {
        insta::assert_json_snapshot!(format!("tool_{}", tool["name"].as_str().unwrap()), tool);
    }
}

// Verifies: PLB-d06001-B
#[tokio::test]
async fn every_tool_only_reads_and_stays_on_this_machine() {
    for tool in tools().await {
        let hints = &tool["annotations"];
        assert_eq!(hints["readOnlyHint"], true);
        assert_eq!(hints["destructiveHint"], false);
        assert_eq!(hints["idempotentHint"], true);
        assert_eq!(hints["openWorldHint"], false);
        assert!(tool["description"].as_str().unwrap().len() < 2_000);
        for (name, property) in tool["inputSchema"]["properties"].as_object().unwrap() {
            assert!(property["description"].is_string(), "{name}");
        }
    }
}

#[tokio::test]
async fn checks_and_searches_have_data_and_documents_have_none() {
    for tool in tools().await {
        let name = tool["name"].as_str().unwrap();
        let has_data = name.starts_with("check_") || name.starts_with("query_");
        assert_eq!(tool.get("outputSchema").is_some(), has_data, "{name}");
    }
}

#[tokio::test]
async fn the_server_introduces_itself() {
    let server = crate::server::assemble(bare(&Fixture::empty()));
    let stream = mcp_core::transport::in_memory(server);
    let hello = plumbline_tests::Client::on(stream).initialize("2025-06-18").await;
    assert_eq!(hello["serverInfo"]["name"], "acm");
    assert_eq!(hello["serverInfo"]["version"], "1.0.0");
    let instructions = hello["instructions"].as_str().unwrap();
    assert!(instructions.len() < 2_000);
    for tool in tools().await {
        let name = tool["name"].as_str().unwrap();
        assert!(instructions.contains(name), "{name} is not in the instructions");
    }
}
