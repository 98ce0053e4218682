//! The tools that answer with a file: verbatim, fresh, and clear when the file is not as it should
//! be.

use plumbline_tests::Fixture;
use serde_json::{Value, json};

use super::{ask, bare, everything, refused, told, write_bytes};
use crate::domain::catalog::CATALOG;
use crate::store::embedded;

fn carried(path: &str) -> &'static str {
    embedded::PROCESS.iter().find(|(name, _)| *name == path).map(|(_, text)| *text).unwrap()
}

/// Every call that answers with one file, and the file.
fn calls() -> Vec<(&'static str, Value, String)> {
    let mut calls = Vec::new();
    for stage in &CATALOG.stages {
        calls.push(("get_stage", json!({ "stage": stage.name }), stage.file.clone()));
    }
    for it in &CATALOG.reviews {
        let arguments = json!({ "stage": it.stage, "phase": it.phase });
        calls.push(("get_review_prompt", arguments, it.file.clone()));
    }
    for it in &CATALOG.transitions {
        calls.push(("get_transition_prompt", json!({ "transition": it.name }), it.file.clone()));
    }
    for it in &CATALOG.artifacts {
        calls.push(("get_artifact_spec", json!({ "artifact": it.name }), it.file.clone()));
    }
    for it in &CATALOG.stubs {
        calls.push(("get_artifact_stub", json!({ "artifact": it.name }), it.file("app")));
        for kind in &CATALOG.project_types {
            let arguments = json!({ "artifact": it.name, "project_type": kind });
            calls.push(("get_artifact_stub", arguments, it.file(kind)));
        }
    }
    for it in &CATALOG.contexts {
        calls.push(("get_context_spec", json!({ "level": it.name }), it.file.clone()));
    }
    calls.push(("get_rules_spec", json!({}), "ACM-RULES-SPEC.md".to_owned()));
    calls
}

#[test]
fn the_files_are_those_of_the_contract() {
    let files: Vec<String> = calls()
        .iter()
        .map(|(tool, arguments, file)| format!("{tool} {arguments} {file}"))
        .collect();
    insta::assert_snapshot!("files_by_call", files.join("\n"));
}

// Verifies: PLB-d06001-C
#[tokio::test]
async fn every_value_answers_with_its_file_verbatim_and_text_only() {
    let fixture = Fixture::empty();
    let mut client = super::connect(bare(&fixture)).await;
    for (tool, arguments, file) in calls() {
        let reply = client.call_tool(tool, arguments).await;
        assert_eq!(reply.text(), carried(&file), "{tool} {file}");
        assert!(!reply.is_tool_error());
        assert_eq!(reply.result().get("structuredContent"), None, "{tool}");
        assert_eq!(reply.result()["content"].as_array().unwrap().len(), 1);
    }
}

#[tokio::test]
async fn a_file_on_disk_comes_byte_for_byte_and_fresh() {
    let fixture = Fixture::empty();
    let text =
        "\u{feff}---\r\nversion: 9\r\n---\r\n\r\n# Design\r\n\u{200b}\u{1b}[31m tail \r\n\r\n";
    write_bytes(&fixture, "ACM-DESIGN-SPEC.md", text.as_bytes());
    let mut client = super::connect(everything(&fixture)).await;
    let design = json!({ "stage": "design" });
    assert_eq!(client.call_tool("get_stage", design.clone()).await.text(), text);
    fixture.write("ACM-DESIGN-SPEC.md", "changed");
    assert_eq!(client.call_tool("get_stage", design).await.text(), "changed");
}

#[tokio::test]
async fn a_large_document_is_not_cut() {
    let fixture = Fixture::empty();
    let text = "a line of a long document\n".repeat(20_000);
    fixture.write("ACM-RULES-SPEC.md", &text);
    assert_eq!(told(everything(&fixture), "get_rules_spec", json!({})).await, text);
}

#[tokio::test]
async fn one_section_is_returned_with_its_subsections() {
    let fixture = Fixture::empty();
    let arguments = json!({ "stage": "discover", "section": "exit criteria" });
    let text = told(bare(&fixture), "get_stage", arguments).await;
    assert!(text.starts_with("## Exit Criteria\n\n- [ ] The owner"), "{text}");
    assert!(!text.contains("## Review Dimensions"), "{text}");
    let numbered = json!({ "stage": "discover", "section": "3. Internal Review" });
    let text = told(bare(&fixture), "get_stage", numbered).await;
    assert!(text.starts_with("### 3. Internal Review\n"), "{text}");
    for (tool, arguments) in [
        ("get_artifact_spec", json!({ "artifact": "brief", "section": "Front Matter" })),
        ("get_context_spec", json!({ "level": "global", "section": "Check" })),
        ("get_rules_spec", json!({ "section": "Lifecycle" })),
    ] {
        assert!(told(bare(&fixture), tool, arguments).await.starts_with("## "));
    }
}

#[tokio::test]
async fn a_wrong_section_gets_the_list() {
    let fixture = Fixture::empty();
    let arguments = json!({ "section": "Nonsense" });
    insta::assert_snapshot!(
        "wrong_section",
        refused(bare(&fixture), "get_rules_spec", arguments).await
    );
}

// Verifies: PLB-d06001-F
#[tokio::test]
async fn a_missing_file_names_itself_the_variable_and_the_place() {
    let fixture = Fixture::new("//- README.md\nx\n");
    let text = refused(everything(&fixture), "get_stage", json!({ "stage": "design" })).await;
    insta::assert_snapshot!("missing_file", fixture.normalise(&text));
}

#[tokio::test]
async fn a_file_that_is_not_text_is_said_so() {
    let fixture = Fixture::empty();
    write_bytes(&fixture, "ACM-RULES-SPEC.md", b"# Rules\n\xff\xfe\n");
    let text = refused(everything(&fixture), "get_rules_spec", json!({})).await;
    assert!(text.contains("`ACM-RULES-SPEC.md` is not valid UTF-8 (byte 8)"), "{text}");
}

#[tokio::test]
async fn a_directory_in_place_of_a_file_is_said_so() {
    let fixture = Fixture::new("//- ACM-RULES-SPEC.md/x\n");
    let text = refused(everything(&fixture), "get_rules_spec", json!({})).await;
    assert!(text.contains("is a directory, a file is required"), "{text}");
}

#[cfg(unix)]
#[tokio::test]
async fn a_link_out_of_the_root_is_not_followed() {
    let outside = Fixture::new("//- secret.md\nsecret\n");
    let fixture = Fixture::empty();
    super::link(&fixture, &format!("{}/secret.md", outside.path_text()), "ACM-RULES-SPEC.md");
    let text = refused(everything(&fixture), "get_rules_spec", json!({})).await;
    assert!(text.contains("is a link that leads outside") && !text.contains("secret\n"), "{text}");
}

#[tokio::test]
async fn a_stub_for_another_artifact_ignores_the_project_type() {
    let fixture = Fixture::empty();
    let reply = ask(
        bare(&fixture),
        "get_artifact_stub",
        json!({ "artifact": "brief", "project_type": "workflow" }),
    );
    assert_eq!(reply.await.text(), carried("stubs/brief.md"));
}
