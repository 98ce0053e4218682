//! Every error code, how it is reached, and that the session survives it.

use serde_json::json;

use super::*;

const TOOL: &str = "require_clarification";
const GOOD: &str = "20250107T143512.237Z-A001";

// Verifies: PLB-d02003-A
#[tokio::test]
async fn outside_of_a_repository_both_tools_say_so() {
    let fixture = Fixture::empty();
    let mut client = connect(&fixture).await;
    for (tool, arguments) in [
        (TOOL, json!({ "user_intention": "Add authentication" })),
        ("read_architecture", json!({})),
        ("read_architecture", json!({ "repo_path": "/nowhere/at/all" })),
    ] {
        let error = refused(&mut client, tool, arguments).await;
        assert_eq!(error["code"], "REPO_NOT_FOUND");
        assert_eq!(error["message"], "No git repository found");
        assert_eq!(error["recovery_hint"], "Run from a git repository or provide repo_path");
    }
}

// Verifies: PLB-d02003-B
#[tokio::test]
async fn sessions_expire_once_and_are_then_unknown() {
    let fixture = repository("");
    let clock = clock();
    let mut client = connect_with(&fixture, clock.clone(), json!({}), Some("2025-11-25")).await;
    let asked = start(&mut client, "Add authentication").await;
    clock.advance(jiff::SignedDuration::from_mins(30));
    let again = json!({ "user_intention": "x", "session_id": asked["session_id"] });
    assert_eq!(refused(&mut client, TOOL, again.clone()).await["code"], "SESSION_EXPIRED");
    assert_eq!(refused(&mut client, TOOL, again).await["code"], "SESSION_NOT_FOUND");
    let guessed = json!({ "user_intention": "x", "session_id": "sess-1" });
    assert_eq!(refused(&mut client, TOOL, guessed).await["code"], "SESSION_NOT_FOUND");
}

#[tokio::test]
async fn wrong_arguments_come_in_the_envelope() {
    let fixture = repository("");
    let mut client = connect(&fixture).await;
    for arguments in [
        json!({}),
        json!({ "user_intention": 1 }),
        json!({ "user_intention": "  " }),
        json!({ "user_intention": "x".repeat(9000) }),
        json!({ "user_intention": "x", "answers": [] }),
    ] {
        let reply = client.call_tool(TOOL, arguments).await;
        assert!(reply.is_tool_error());
        let envelope: Value = serde_json::from_str(&reply.text()).unwrap();
        assert_eq!(envelope["error"]["code"], "VALIDATION_FAILED", "{envelope}");
    }
}

#[tokio::test]
async fn a_record_that_cannot_be_read_is_named_with_its_line_and_mending_it_helps() {
    let fixture = repository("");
    let mut client = connect(&fixture).await;
    let asked = start(&mut client, "Add authentication").await;
    let path = format!("docs/adr/{GOOD}_x.md");
    fixture.write(&path, "# mine\n\n## PART 1\n\n- nonsense\n");
    let error = refused(&mut client, "read_architecture", json!({})).await;
    assert_eq!(error["code"], "PARSE_ERROR");
    assert_eq!(error["details"], json!({ "path": path, "line": 5 }));
    let answers = json!({ "auth_strategy": "OAuth", "auth_library": "custom" });
    let again =
        json!({ "user_intention": "", "session_id": asked["session_id"], "answers": answers });
    assert_eq!(refused(&mut client, TOOL, again).await["code"], "PARSE_ERROR");
    assert!(!fixture.has("docs/CURRENT_TASK.md"));
    fixture.write(&path, "## PART 1\n\n### A\n\n- **B**: c\n");
    let done = carry_on(&mut client, &asked, answers).await;
    assert_eq!(done["status"], "completed");
}

#[tokio::test]
async fn a_record_that_is_not_text_is_a_parse_error() {
    let fixture = repository("");
    let path = fixture.path().join("docs/adr");
    std::fs::create_dir_all(&path).unwrap();
    std::fs::write(path.join(format!("{GOOD}_x.md")), b"\xff\xfe").unwrap();
    let mut client = connect(&fixture).await;
    assert_eq!(refused(&mut client, "read_architecture", json!({})).await["code"], "PARSE_ERROR");
}

#[tokio::test]
async fn a_task_that_somebody_wrote_by_hand_is_archived_under_a_uid_of_its_own() {
    let fixture = repository("//- docs/CURRENT_TASK.md\n# Mine\n");
    let mut client = connect(&fixture).await;
    let done = start(&mut client, "Fix typo in login button").await;
    assert_eq!(done["status"], "completed", "{done}");
    let files = fixture.files();
    let archived = files.iter().find(|(path, _)| path.starts_with("docs/archive/task/")).unwrap();
    assert!(archived.0.ends_with("_mine.md"), "{archived:?}");
    assert_eq!(archived.1, "# Mine\n");
}

#[tokio::test]
async fn a_record_that_cannot_be_read_is_in_the_way_of_records_only() {
    let fixture = repository("//- docs/adr/20250106T143512.237Z-A001_a.md\nnothing of ours\n");
    let mut client = connect(&fixture).await;
    let done = start(&mut client, "Fix typo in login button").await;
    assert_eq!(done["status"], "completed", "{done}");
    assert!(done["warnings"].to_string().contains("cannot be read"), "{done}");
    let error = refused(&mut client, TOOL, json!({ "user_intention": "Add authentication" })).await;
    assert_eq!(error["code"], "PARSE_ERROR");
}

#[tokio::test]
async fn a_snapshot_that_lost_a_key_is_refused_and_the_key_is_named() {
    let fixture = repository(&format!(
        "//- docs/adr/20250106T143512.237Z-A001_a.md\n## PART 1\n\n### Database\n\n- **Type**: MySQL\n- **ORM**: Prisma\n\n### Cache\n\n- **Store**: Redis\n//- docs/adr/{GOOD}_b.md\n<!-- Previous: 20250106T143512.237Z-A001 -->\n\n## PART 1\n\n### Database\n\n- **Type**: MySQL\n\n## PART 2\n\n### Changes\n\n- Removed: Cache.Store (was: Redis)\n",
    ));
    let mut client = connect(&fixture).await;
    let asked = start(&mut client, "Add authentication").await;
    let answers = json!({ "auth_strategy": "OAuth", "auth_library": "custom" });
    let again =
        json!({ "user_intention": "", "session_id": asked["session_id"], "answers": answers });
    let error = refused(&mut client, TOOL, again).await;
    assert_eq!(error["code"], "VALIDATION_FAILED");
    assert_eq!(error["message"], "ADR snapshot validation failed");
    assert_eq!(error["details"]["missing_keys"], json!(["Database.ORM"]));
    assert_eq!(error["recovery_hint"], "Review previous ADR and retry");
}

#[tokio::test]
async fn a_record_demanded_without_a_decision_fails_and_the_session_goes_on() {
    let fixture = repository("");
    let mut client = connect(&fixture).await;
    let asked = clarify(
        &mut client,
        json!({ "user_intention": "Add authentication", "preferences": { "force_adr": true } }),
    )
    .await;
    let later = json!({ "auth_strategy": "decide later", "auth_library": "decide later" });
    let again =
        json!({ "user_intention": "", "session_id": asked["session_id"], "answers": later });
    let error = refused(&mut client, TOOL, again).await;
    assert_eq!(error["code"], "PATCH_EXTRACTION_FAILED");
    assert!(!fixture.has("docs"));
    let done = carry_on(&mut client, &asked, json!({ "auth_strategy": "OAuth" })).await;
    assert_eq!(done["status"], "completed");
}

// Verifies: PLB-d02003-C
#[tokio::test]
async fn files_that_cannot_be_written_leave_everything_as_it_was_and_the_session_goes_on() {
    // A directory where a file is to be.
    for (obstacle, file) in [
        ("docs/ARCHITECTURE_STATE.md", "docs/ARCHITECTURE_STATE.md/x"),
        ("docs/CURRENT_TASK.md", "docs/CURRENT_TASK.md/x"),
    ] {
        let fixture = repository(&format!("//- {file}\nin the way\n"));
        let mut client = connect(&fixture).await;
        let before = in_the_tree(&fixture);
        let asked = start(&mut client, "Add authentication").await;
        let answers = json!({ "auth_strategy": "OAuth", "auth_library": "custom" });
        let again =
            json!({ "user_intention": "", "session_id": asked["session_id"], "answers": answers });
        let error = refused(&mut client, TOOL, again).await;
        assert_eq!(error["code"], "FILESYSTEM_ERROR", "{error}");
        assert_eq!(in_the_tree(&fixture), before);
        let obstacle = fixture.path().join(obstacle);
        if obstacle.is_dir() {
            std::fs::remove_dir_all(obstacle).unwrap();
        } else {
            std::fs::remove_file(obstacle).unwrap();
        }
        let done = carry_on(&mut client, &asked, json!({})).await;
        assert_eq!(done["status"], "completed");
    }
}
