//! Requirements that agents wrote, over the wire: found, covered, changed, saved.

use super::*;

fn project() -> Fixture {
    Fixture::new(
        "//- specs/001-login/spec.md\n# Feature\n\n**Status**: Draft\n\n### User Story 1 - Sign in (Priority: P1)\n\n**Acceptance Scenarios**:\n\n1. **Given** a form, **Then** I am in.\n\n## Requirements\n\n- **FR-001**: The name MUST be asked for\n- **FR-002**: The password MUST be hidden\n\n\
         //- specs/001-login/tasks.md\n- [x] T001 [US1] Do it\n\n\
         //- specs/001-login/checklists/requirements.md\n- **FR-009**: no\n\n\
         //- .specify/templates/spec.md\n- **FR-008**: no\n\n\
         //- openspec/specs/auth/spec.md\n## Requirements\n\n### Requirement: Session expiry\nIt SHALL end.\n\n#### Scenario: Idle\n- **WHEN** idle\n\n\
         //- .kiro/specs/cart/requirements.md\n### Requirement 1: Sums\n\n#### Acceptance Criteria\n\n1. It SHALL add up\n\n\
         //- lib/login.ts\n// Implements: 001-login/FR-001, auth/session-expiry.1\n// FR-002 is done, too; and so is FR-007.\n\n\
         //- frontend/cart.test.js\n// Verifies: cart/1.1\ntest('sums', () => {});\n",
    )
}

#[tokio::test]
async fn the_three_forms_are_found_without_a_configuration() {
    let fixture = project();
    let mut client = connect(&fixture).await;
    let info = told(&mut client, "get_workspace_info", json!({})).await;
    assert_eq!(info["dialects"], json!(["spec-kit", "openspec", "kiro"]));
    assert_eq!(
        info["scanned"],
        json!({ "code": 1, "kiro": 1, "openspec": 1, "spec-kit": 2, "test": 1 })
    );
    let summary = told(&mut client, "get_project_summary", json!({})).await;
    assert_eq!(summary["requirements_by_level"]["all"], json!({ "PRD": 1, "OPS": 0, "DEV": 4 }));
    assert_eq!(summary["coverage"]["assertions"], 5);
    assert_eq!(summary["coverage"]["covered_assertions"], 3);
    let found = told(&mut client, "search", json!({ "query": "password" })).await;
    assert_eq!(ids(&found["result"]), ["001-login/FR-002"]);
    let one = told(&mut client, "get_requirement", json!({ "req_id": "001/FR-001" })).await;
    insta::assert_json_snapshot!("scoped_requirement", one);
    let covered =
        told(&mut client, "get_test_coverage", json!({ "req_id": "001-login/FR-001" })).await;
    insta::assert_json_snapshot!("scoped_coverage", covered);
    let missing = told(&mut client, "get_uncovered_assertions", json!({ "by": "any" })).await;
    assert_eq!(ids(&missing["uncovered"]), ["001-login/US1.1", "001-login/FR-002"]);
    let status = told(&mut client, "get_graph_status", json!({})).await;
    assert!(
        status.to_string().contains("`FR-002` and 1 more do not say which spec is meant"),
        "{status}"
    );
}

#[tokio::test]
async fn changes_are_saved_in_the_form_of_the_file() {
    let fixture = project();
    let before = fixture.files();
    let mut client = connect(&fixture).await;
    for (tool, arguments) in [
        (
            "mutate_add_requirement",
            json!({ "req_id": "001-login/FR-003", "title": "It MUST be quick", "level": "DEV" }),
        ),
        (
            "mutate_update_assertion",
            json!({ "assertion_id": "001-login/FR-002", "new_text": "The password MUST be long" }),
        ),
        (
            "mutate_update_title",
            json!({ "node_id": "auth/session-expiry", "new_title": "Session end" }),
        ),
        (
            "mutate_add_assertion",
            json!({ "req_id": "cart/1", "label": "2", "text": "It SHALL round" }),
        ),
    ] {
        told(&mut client, tool, arguments).await;
    }
    refused(
        &mut client,
        "mutate_change_status",
        json!({ "node_id": "cart/1", "new_status": "Draft" }),
    )
    .await;
    let saved = told(&mut client, "save_mutations", json!({})).await;
    insta::assert_snapshot!("scoped_diff", saved["diff"].as_str().unwrap());
    assert!(fixture.read("lib/login.ts").contains("auth/session-end.1"));
    let status = told(&mut client, "get_graph_status", json!({})).await;
    assert_eq!(
        (&status["is_stale"], &status["has_broken_references"]),
        (&json!(false), &json!(false))
    );
    assert_ne!(fixture.files(), before);
}

#[tokio::test]
async fn a_folder_that_comes_or_goes_makes_other_ids() {
    let fixture = project();
    fixture.write("lib/pay.py", "# Implements: 002-pay/FR-001\n");
    let mut client = connect(&fixture).await;
    let before = told(&mut client, "get_graph_status", json!({})).await;
    fixture.write("specs/002-pay/spec.md", "- **FR-001**: It MUST be paid\n");
    told(&mut client, "refresh_graph", json!({})).await;
    let one = told(&mut client, "get_requirement", json!({ "req_id": "002-pay/FR-001" })).await;
    assert!(one.to_string().contains("code:lib/pay.py:1"), "{one}");
    std::fs::remove_file(fixture.path().join("specs/002-pay/spec.md")).unwrap();
    told(&mut client, "refresh_graph", json!({})).await;
    let after = told(&mut client, "get_graph_status", json!({})).await;
    assert_eq!(before["node_counts"], after["node_counts"]);
}

#[tokio::test]
async fn a_dialect_can_be_switched_off_and_on() {
    let fixture = project();
    fixture.write(".elspais.toml", "[dialects]\nkiro = false\nopenspec = false\n");
    let mut client = connect(&fixture).await;
    let info = told(&mut client, "get_workspace_info", json!({})).await;
    assert_eq!(info["dialects"], json!(["spec-kit"]));
    fixture.write(".elspais.toml", "[scanning.spec]\ndirectories = [\"specs\"]\n");
    told(&mut client, "refresh_graph", json!({})).await;
    let info = told(&mut client, "get_workspace_info", json!({})).await;
    assert_eq!(info["scanned"]["spec"], 3, "the configuration says what these files are");
    fixture.write(
        ".elspais.toml",
        "[scanning.spec]\ndirectories = [\"specs\"]\n[dialects]\nspec-kit = true\n",
    );
    told(&mut client, "refresh_graph", json!({})).await;
    let info = told(&mut client, "get_workspace_info", json!({})).await;
    assert_eq!(info["scanned"]["spec-kit"], 2);
}
