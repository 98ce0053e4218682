//! The thirteen changes over the wire, and their way back.

use super::*;

/// Every change with arguments that fit the known document.
fn all_changes() -> Vec<(&'static str, Value)> {
    vec![
        ("mutate_rename_node", json!({ "old_id": "REQ-o00062", "new_id": "REQ-o00072" })),
        ("mutate_update_title", json!({ "node_id": "REQ-d00060", "new_title": "State" })),
        ("mutate_change_status", json!({ "id": "REQ-d00061", "new_status": "Deprecated" })),
        (
            "mutate_add_requirement",
            json!({ "req_id": "REQ-d00099", "title": "New", "level": "DEV", "parent_id": "REQ-o00061-C" }),
        ),
        ("mutate_delete_requirement", json!({ "id": "REQ-o00063", "confirm": true })),
        (
            "mutate_add_assertion",
            json!({ "req_id": "REQ-d00099", "label": "A", "text": "It SHALL be new." }),
        ),
        (
            "mutate_update_assertion",
            json!({ "assertion_id": "REQ-d00060-B", "new_text": "Counts SHALL be kept." }),
        ),
        ("mutate_delete_assertion", json!({ "assertion_id": "REQ-d00062-B", "confirm": true })),
        ("mutate_rename_assertion", json!({ "old_id": "REQ-o00060-A", "new_label": "G" })),
        (
            "mutate_add_edge",
            json!({ "source_id": "REQ-d00065", "target_id": "REQ-o00061", "edge_kind": "REFINES", "assertion_targets": ["A", "B"] }),
        ),
        (
            "mutate_change_edge_kind",
            json!({ "source_id": "REQ-d00064", "target_id": "REQ-p00060-B", "new_kind": "refines" }),
        ),
        (
            "mutate_delete_edge",
            json!({ "source_id": "REQ-o00061", "target_id": "REQ-p00060", "confirm": true }),
        ),
        (
            "mutate_fix_broken_reference",
            json!({ "source_id": "REQ-p00060", "old_target_id": "REQ-p00050", "new_target_id": "REQ-p00051" }),
        ),
    ]
}

// Verifies: PLB-d03002-A
#[tokio::test]
async fn all_thirteen_leave_an_entry_and_undo_to_the_first_restores_everything() {
    let fixture = agents();
    let place = Arc::new(workspace(&fixture));
    let see = |place: &Workspace| {
        let seen = place.read(&Work::endless(), |it| Ok(picture::picture(&it.graph)));
        seen.map_or_else(|error| panic!("{error}"), |it| it.value)
    };
    let before = see(&place);
    let mut client = connect_to(place.clone()).await;
    let mut entries = Vec::new();
    for (tool, arguments) in all_changes() {
        let made = told(&mut client, tool, arguments).await;
        assert_eq!(made["success"], true);
        let entry = made["mutation"].clone();
        assert_eq!(entry["id"].as_str().unwrap().len(), 32);
        assert_eq!(entry["timestamp"], "2026-01-02T03:04:05Z");
        assert_eq!(format!("mutate_{}", entry["operation"].as_str().unwrap()), tool);
        entries.push(entry);
    }
    insta::assert_json_snapshot!("entries", entries);
    let log = told(&mut client, "get_mutation_log", json!({ "limit": 2 })).await;
    assert_eq!(log["mutations"][0]["id"], entries[12]["id"], "the newest comes first");
    assert_eq!((&log["count"], &log["total"]), (&json!(2), &json!(13)));
    let undone = told(&mut client, "undo_last_mutation", json!({})).await;
    assert_eq!(undone["mutation"]["operation"], "fix_broken_reference");
    let undone =
        told(&mut client, "undo_to_mutation", json!({ "mutation_id": entries[0]["id"] })).await;
    assert_eq!(undone["mutations_undone"], 12);
    assert_eq!(see(&place), before);
    let answer = refused(&mut client, "undo_last_mutation", json!({})).await;
    assert_eq!(answer["error"], "No mutations to undo");
    refused(&mut client, "undo_to_mutation", json!({ "mutation_id": "zzz" })).await;
}

// Verifies: PLB-d03002-B
#[tokio::test]
async fn nothing_is_deleted_without_a_plain_yes() {
    let fixture = agents();
    let mut client = connect(&fixture).await;
    for (tool, arguments) in all_changes() {
        if tool.starts_with("mutate_delete") {
            for confirm in [json!(false), Value::Null] {
                let mut arguments = arguments.clone();
                arguments["confirm"] = confirm;
                let answer = refused(&mut client, tool, arguments).await;
                assert_eq!(answer["error"], "Destructive operation requires confirm=True");
                assert_eq!(answer["success"], false);
            }
        }
    }
    assert_eq!(told(&mut client, "get_mutation_log", json!({})).await["total"], 0);
}

#[tokio::test]
async fn what_cannot_be_done_says_why_and_what_can() {
    let fixture = agents();
    let mut client = connect(&fixture).await;
    let mut answers = Vec::new();
    for (tool, arguments) in [
        ("mutate_rename_node", json!({ "old_id": "REQ-d00066", "new_id": "REQ-d00072" })),
        ("mutate_rename_node", json!({ "old_id": "REQ-d00060", "new_id": "REQ-d61" })),
        ("mutate_rename_node", json!({ "old_id": "REQ-d00060-A", "new_id": "REQ-d00072" })),
        ("mutate_update_title", json!({ "id": "REQ-d00060", "new_title": "a\nb" })),
        ("mutate_change_status", json!({ "id": "REQ-d00060", "new_status": "Not Yet" })),
        ("mutate_add_requirement", json!({ "req_id": "REQ-d00060", "title": "x", "level": "DEV" })),
        ("mutate_add_requirement", json!({ "req_id": "REQ-d00077", "title": "x", "level": "LAB" })),
        (
            "mutate_add_requirement",
            json!({ "req_id": "REQ-d00077", "title": "x", "level": "DEV", "parent_id": "REQ-p00050" }),
        ),
        ("mutate_add_assertion", json!({ "req_id": "REQ-d00060", "label": "A", "text": "x" })),
        ("mutate_add_assertion", json!({ "req_id": "REQ-d00060", "label": "AB", "text": "x" })),
        ("mutate_update_assertion", json!({ "assertion_id": "REQ-d00060-Z", "new_text": "x" })),
        (
            "mutate_update_assertion",
            json!({ "assertion_id": "REQ-d00060-A", "new_text": "x\n*End* *y*" }),
        ),
        (
            "mutate_delete_assertion",
            json!({ "assertion_id": "REQ-o00060-A", "compact": true, "confirm": true }),
        ),
        (
            "mutate_add_edge",
            json!({ "source_id": "REQ-p00060", "target_id": "REQ-d00060", "edge_kind": "IMPLEMENTS" }),
        ),
        (
            "mutate_add_edge",
            json!({ "source_id": "REQ-d00060", "target_id": "REQ-o00061", "edge_kind": "CONTAINS" }),
        ),
        (
            "mutate_add_edge",
            json!({ "source_id": "REQ-d00060", "target_id": "REQ-o00061", "edge_kind": "refines", "assertion_targets": ["Q"] }),
        ),
        (
            "mutate_add_edge",
            json!({ "source_id": "REQ-d00060", "target_id": "REQ-o00060", "edge_kind": "implements", "assertion_targets": ["A"] }),
        ),
        (
            "mutate_fix_broken_reference",
            json!({ "source_id": "REQ-d00060", "old_target_id": "REQ-o00060", "new_target_id": "REQ-p00060" }),
        ),
    ] {
        answers.push(refused(&mut client, tool, arguments).await);
    }
    insta::assert_json_snapshot!("refusals", answers);
    assert_eq!(told(&mut client, "get_mutation_log", json!({})).await["total"], 0);
}

#[tokio::test]
async fn a_change_that_touches_very_much_is_answered_as_the_success_it_is() {
    let fixture = Fixture::empty();
    let top = "# REQ-p00001: Top\nLevel: PRD\n\n## Assertions\nA. One SHALL.\nB. Two SHALL.\n\n";
    let below = (0..1_500)
        .map(|n| format!("# REQ-d{n:05}: Below\nLevel: DEV\nImplements: REQ-p00001-A\n\n"));
    let text = format!("{top}{}", below.collect::<String>());
    fixture.write("spec/a.md", &text);
    let mut client = connect(&fixture).await;
    let compact = json!({ "assertion_id": "REQ-p00001-A", "compact": true, "confirm": true });
    let answer = refused(&mut client, "mutate_delete_assertion", compact).await;
    assert_eq!(answer["cited_by_total"], 1_500);
    let rename = json!({ "old_id": "REQ-p00001", "new_id": "REQ-p00002" });
    let made = told(&mut client, "mutate_rename_node", rename).await;
    assert_eq!(made["mutation"]["after_state"]["citations_total"], 1_500);
    let delete = json!({ "node_id": "REQ-p00002", "confirm": true });
    told(&mut client, "mutate_delete_requirement", delete).await;
    let log = told(&mut client, "get_mutation_log", json!({})).await;
    assert_eq!((&log["count"], &log["total"]), (&json!(2), &json!(2)));
    told(&mut client, "undo_last_mutation", json!({})).await;
    let text = format!("It SHALL {}.", "x".repeat(19_000));
    let long = json!({ "assertion_id": "REQ-p00002-B", "new_text": text });
    let made = told(&mut client, "mutate_update_assertion", long).await;
    assert_eq!(made["mutation"]["after_state"]["text"], json!(text));
    let log = told(&mut client, "get_mutation_log", json!({ "limit": 1 })).await;
    assert_eq!(log["mutations"][0]["after_state"]["text_total"], json!(text.len()));
    let saved = told(&mut client, "save_mutations", json!({})).await;
    assert_eq!((&saved["files"], &saved["diff_truncated"]), (&json!(["spec/a.md"]), &json!(true)));
    assert!(fixture.read("spec/a.md").contains("Implements: REQ-p00002-A"));
}
