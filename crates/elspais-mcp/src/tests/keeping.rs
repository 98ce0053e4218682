//! Files written over a safety net, and requirements rewritten by a model, which is a local stub.

use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use mcp_core::transport::in_memory;
use plumbline_tests::model::{ModelStub, Reaction};
use plumbline_tests::{Client, Fixture};
use serde_json::{Value, json};

use super::{no_model, refused, told, workspace};
use crate::server::assemble;
use crate::store::rewriter::Rewriter;

const KEY: &str = "sk-ant-not-to-be-seen-0123456789";
const SPEC: &str = "# Spec\n\n## REQ-p00001: Signing in\n**Level**: PRD | **Status**: Active\n\nPeople sign in.\n\n## Assertions\n\nA. The name SHALL be asked for.\n\n*End* *Signing in* | **Hash**: ________\n\n---\n\n## REQ-o00001: Form\n**Level**: OPS | **Status**: Active | **Implements**: REQ-p00001-A\n\nA form.\n\n*End* *Form* | **Hash**: ________\n";

fn repository() -> Fixture {
    let fixture = Fixture::empty();
    let git = Command::new("git").args(["init", "-q"]).current_dir(fixture.path()).status();
    assert!(git.unwrap().success());
    fixture.write("spec/a.md", SPEC);
    fixture
}

async fn connect(fixture: &Fixture, rewriter: Rewriter) -> Client {
    let workspace = Arc::new(workspace(fixture));
    let server = assemble(&workspace, &rewriter);
    let mut client = Client::on(in_memory(server));
    client.initialize("2025-11-25").await;
    client
}

fn asking(stub: &ModelStub) -> Rewriter {
    let url = stub.url();
    let variable = move |name: &str| match name {
        "ELSPAIS_LLM_PROVIDER" => Some("anthropic".to_owned()),
        "ELSPAIS_LLM_BASE_URL" => Some(url.clone()),
        "ANTHROPIC_API_KEY" => Some(KEY.to_owned()),
        _ => None,
    };
    Rewriter::from_variables(&variable, Duration::from_mins(1))
}

fn answer(assertion: &str) -> Reaction {
    let requirement = json!({
        "title": "Signing in",
        "text": "People sign in.",
        "assertions": [{ "label": "A", "text": assertion }],
        "rationale": null,
        "summary": "Made the assertion stricter.",
    });
    Reaction::anthropic_tool("submit_requirement", &requirement)
}

const WISH: &str = "Ask for the full name.";

// Verifies: PLB-d03003-C
#[tokio::test]
async fn a_write_with_a_branch_can_be_taken_back() {
    let fixture = repository();
    let mut client = connect(&fixture, no_model()).await;
    let arguments = json!({
        "req_id": "REQ-o00001", "target_id": "REQ-p00001-A", "new_type": "refines", "save_branch": true
    });
    let written = told(&mut client, "change_reference_type", arguments).await;
    let branch = written["safety_branch"].as_str().unwrap().to_owned();
    assert!(branch.starts_with("safety/REQ-o00001-"), "{branch}");
    assert_eq!(fixture.read("spec/a.md"), SPEC.replace("**Implements**", "**Refines**"));
    let listed = told(&mut client, "list_safety_branches", json!({})).await;
    assert_eq!(listed["branches"][0]["name"], json!(branch));
    let shown = json!({ "branch_name": branch, "dry_run": true });
    told(&mut client, "restore_from_safety_branch", shown).await;
    assert_ne!(fixture.read("spec/a.md"), SPEC);
    let restored = json!({ "branch_name": branch });
    let restored = told(&mut client, "restore_from_safety_branch", restored).await;
    assert_eq!(restored["files_restored"], json!(["spec/a.md"]));
    assert_eq!(fixture.read("spec/a.md"), SPEC);
    let node = told(&mut client, "get_requirement", json!({ "req_id": "REQ-o00001" })).await;
    assert!(node.to_string().contains("implements"), "the graph was read anew: {node}");
}

#[tokio::test]
async fn saved_mutations_can_be_taken_back_too_and_other_branches_cannot() {
    let fixture = repository();
    let mut client = connect(&fixture, no_model()).await;
    let title = json!({ "node_id": "REQ-p00001", "new_title": "Logging in" });
    told(&mut client, "mutate_update_title", title).await;
    let saved = told(&mut client, "save_mutations", json!({ "save_branch": true })).await;
    let branch = saved["safety_branch"].clone();
    told(&mut client, "restore_from_safety_branch", json!({ "branch_name": branch })).await;
    assert_eq!(fixture.read("spec/a.md"), SPEC);
    let answer =
        refused(&mut client, "restore_from_safety_branch", json!({ "branch_name": "main" })).await;
    assert_eq!(answer["success"], false);
    assert!(answer["hint"].as_str().unwrap().contains("safety/"), "{answer}");
}

#[tokio::test]
async fn without_git_a_branch_is_refused_and_nothing_is_written() {
    let fixture = Fixture::empty();
    fixture.write("spec/a.md", SPEC);
    let mut client = connect(&fixture, no_model()).await;
    let arguments = json!({
        "req_id": "REQ-o00001", "target_id": "REQ-p00001-A", "new_type": "refines", "save_branch": true
    });
    refused(&mut client, "change_reference_type", arguments).await;
    assert_eq!(fixture.read("spec/a.md"), SPEC);
    assert_eq!(told(&mut client, "get_mutation_log", json!({})).await["total"], 0);
}

// Verifies: PLB-d03003-D
#[tokio::test]
async fn without_a_model_it_says_how_to_configure_one() {
    let fixture = repository();
    let mut client = connect(&fixture, no_model()).await;
    let arguments = json!({ "req_id": "REQ-p00001", "prompt": WISH });
    let answer = refused(&mut client, "transform_with_ai", arguments).await;
    assert!(answer["hint"].as_str().unwrap().contains("ELSPAIS_LLM_PROVIDER"), "{answer}");
}

#[tokio::test]
async fn a_model_rewrites_a_requirement_after_a_look_and_over_a_net() {
    let stub = ModelStub::start([answer("The full name SHALL be asked for.")]).await;
    let fixture = repository();
    let mut client = connect(&fixture, asking(&stub)).await;
    let look = json!({ "req_id": "REQ-p00001", "prompt": WISH, "dry_run": true });
    let shown = told(&mut client, "transform_with_ai", look).await;
    assert_eq!(fixture.read("spec/a.md"), SPEC);
    assert!(shown["diff"].as_str().unwrap().contains("+A. The full name SHALL be asked for."));
    let go = json!({ "req_id": "REQ-p00001", "prompt": WISH, "save_branch": true });
    let done = told(&mut client, "transform_with_ai", go).await;
    let expected = SPEC.replace("The name SHALL", "The full name SHALL");
    assert_eq!(fixture.read("spec/a.md"), expected);
    assert!(done["safety_branch"].is_string());
    let sent = stub.received_text();
    assert!(sent.contains(WISH) && sent.contains("People sign in."), "{sent}");
    let node = told(&mut client, "get_requirement", json!({ "req_id": "REQ-p00001" })).await;
    assert!(node.to_string().contains("The full name SHALL"), "{node}");
}

#[tokio::test]
async fn answers_that_cannot_be_used_leave_everything_as_it_was() {
    let malformed = Reaction::anthropic_tool("submit_requirement", &json!({ "title": 1 }));
    let smuggled = answer("It SHALL hold.\n\n## REQ-p00002: Smuggled\n\nB. It SHALL too.");
    let weak = answer("The name is asked for.");
    let refused_key = Reaction::json(401, &json!({ "error": KEY }));
    for reaction in [malformed, smuggled, weak, refused_key] {
        let stub = ModelStub::start([reaction]).await;
        let fixture = repository();
        let mut client = connect(&fixture, asking(&stub)).await;
        let arguments = json!({ "req_id": "REQ-p00001", "prompt": WISH });
        let reply = client.call_tool("transform_with_ai", arguments).await;
        assert!(reply.is_tool_error(), "{}", reply.text());
        assert!(!reply.text().contains(KEY));
        assert_eq!(fixture.read("spec/a.md"), SPEC);
        let status: Value = told(&mut client, "get_graph_status", json!({})).await;
        assert_eq!(status["node_counts"]["requirement"], 2, "{status}");
    }
}

#[tokio::test]
async fn the_report_is_a_resource_that_hangs_on_the_summary() {
    let fixture = repository();
    let mut client = connect(&fixture, no_model()).await;
    let tools = client.request("tools/list", json!({})).await;
    let tools = tools.result()["tools"].as_array().unwrap().clone();
    let summary = tools.iter().find(|it| it["name"] == "get_project_summary").unwrap();
    let uri = summary["_meta"]["ui"]["resourceUri"].clone();
    let page = client.request("resources/read", json!({ "uri": uri })).await;
    let contents = &page.result()["contents"][0];
    assert_eq!(contents["mimeType"], "text/html;profile=mcp-app");
    let page = contents["text"].as_str().unwrap();
    assert!(page.contains("\"client\":true") && page.contains("\"head\":\""), "{page}");
}
