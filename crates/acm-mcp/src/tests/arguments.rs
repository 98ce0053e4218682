//! Wrong and missing values get a sentence that names the supported ones.

use plumbline_tests::Fixture;
use serde_json::{Value, json};

use super::{ask, bare, refused, told};

async fn sentence(tool: &str, arguments: Value) -> String {
    refused(bare(&Fixture::empty()), tool, arguments).await
}

// Verifies: PLB-d06001-D
#[tokio::test]
async fn deliver_gets_the_sentence_of_the_contract() {
    let expected = "Stage 'deliver' is not yet supported. Supported stages: discover, design, develop. See backlog item B15.";
    assert_eq!(sentence("get_stage", json!({ "stage": "deliver" })).await, expected);
    let review = json!({ "stage": "deliver", "phase": "internal" });
    assert_eq!(sentence("get_review_prompt", review).await, expected);
}

#[tokio::test]
async fn any_other_value_gets_the_same_kind_of_sentence() {
    let cases = [
        (
            "get_stage",
            json!({ "stage": "build" }),
            "Stage 'build' is not supported. Supported stages: discover, design, develop.",
        ),
        (
            "get_stage",
            json!({ "stage": "Design" }),
            "Stage 'Design' is not supported. Supported stages: discover, design, develop. Did you mean 'design'?",
        ),
        (
            "get_stage",
            json!({ "stage": 5 }),
            "Stage 5 is not supported. Supported stages: discover, design, develop.",
        ),
        (
            "get_stage",
            json!({}),
            "Parameter 'stage' is missing. Supported stages: discover, design, develop.",
        ),
        (
            "get_stage",
            json!({ "stage": null }),
            "Parameter 'stage' is missing. Supported stages: discover, design, develop.",
        ),
        (
            "get_review_prompt",
            json!({ "stage": "design", "phase": "x" }),
            "Phase 'x' is not supported. Supported phases: internal, external.",
        ),
        (
            "get_review_prompt",
            json!({ "stage": "design" }),
            "Parameter 'phase' is missing. Supported phases: internal, external.",
        ),
        (
            "get_transition_prompt",
            json!({ "transition": "x" }),
            "Transition 'x' is not supported. Supported transitions: discover_to_design, design_to_develop.",
        ),
        (
            "get_context_spec",
            json!({ "level": "team" }),
            "Level 'team' is not supported. Supported levels: global, project.",
        ),
        (
            "get_artifact_stub",
            json!({ "artifact": "claude_md", "project_type": "x" }),
            "Project type 'x' is not supported. Supported project types: app, workflow, artifact.",
        ),
        (
            "get_project_type_guidance",
            json!({ "type": "app", "scope": "x" }),
            "Scope 'x' is not supported. Supported scopes: mvp, full.",
        ),
        (
            "get_project_type_guidance",
            json!({ "type": "app", "scale": "x" }),
            "Scale 'x' is not supported. Supported scales: personal, commercial.",
        ),
        (
            "query_capabilities",
            json!({ "type": "x" }),
            "Type 'x' is not supported. Supported types: skill, tool, agent, plugin.",
        ),
    ];
    for (tool, arguments, expected) in cases {
        assert_eq!(sentence(tool, arguments).await, expected);
    }
    let text = sentence("get_artifact_spec", json!({ "artifact": "breif" })).await;
    assert!(
        text.starts_with("Artifact 'breif' is not supported. Supported artifacts: brief, intent, ")
    );
    assert!(text.ends_with(" Did you mean 'brief'?"), "{text}");
}

#[tokio::test]
async fn other_parameters_say_what_they_must_be() {
    let validate = json!({ "transition": "discover_to_design", "validate": "yes" });
    let text = sentence("get_transition_prompt", validate).await;
    assert_eq!(text, "Parameter 'validate' must be true or false, not 'yes'.");
    let text = sentence("query_capabilities", json!({ "tags": "review" })).await;
    assert_eq!(
        text,
        "Parameter 'tags' must be a list of words, such as [\"review\"], not 'review'."
    );
    let text = sentence("query_capabilities", json!({ "tags": ["a", 1] })).await;
    assert!(text.contains("must be a list of words"), "{text}");
    let text = sentence("query_knowledge", json!({})).await;
    assert_eq!(text, "Parameter 'query' is missing: Search term or topic.");
    let text = sentence("check_project_health", json!({ "project_path": 3 })).await;
    assert_eq!(text, "Parameter 'project_path' must be text, not 3.");
    for id in ["Acm", "../x", "-x", "", "a b", "é"] {
        let text = sentence("get_capability_detail", json!({ "capability_id": id })).await;
        assert!(text.starts_with(&format!("Capability ID '{id}' is not valid")), "{text}");
        assert!(text.contains("query_capabilities"), "{text}");
    }
}

#[tokio::test]
async fn an_error_repeats_little_of_a_hostile_value() {
    let stage = format!("\u{1b}[31m{}\u{202e}", "x".repeat(100_000));
    let text = sentence("get_stage", json!({ "stage": stage })).await;
    assert!(text.len() < 400 && !text.contains('\u{1b}') && !text.contains('\u{202e}'), "{text}");
}

#[tokio::test]
async fn arguments_may_be_left_out_where_none_is_required() {
    let fixture = Fixture::empty();
    let mut client = super::connect(bare(&fixture)).await;
    for params in [
        json!({ "name": "get_rules_spec" }),
        json!({ "name": "get_rules_spec", "arguments": null }),
    ] {
        let reply = client.request("tools/call", params).await;
        assert!(reply.text().contains("# Rules"), "{}", reply.text());
    }
}

#[tokio::test]
async fn unknown_names_are_passed_over_but_a_slip_is_pointed_out() {
    let fixture = Fixture::empty();
    let extra = json!({ "stage": "design", "verbosity": "high" });
    assert!(told(bare(&fixture), "get_stage", extra).await.contains("# Design"));
    let slip = json!({ "project_pth": "/tmp" });
    let text = sentence("check_project_structure", slip).await;
    assert_eq!(text, "No parameter is named 'project_pth'. Did you mean 'project_path'?");
    // A name that models make up for it counts as the real one.
    let reply = ask(bare(&fixture), "check_project_structure", json!({ "path": "nowhere" })).await;
    assert!(reply.is_tool_error());
}
