//! What a client is shown of the server.

use plumbline_tests::Fixture;
use serde_json::json;

use super::*;

// Verifies: PLB-d02001-A
#[tokio::test]
async fn there_are_exactly_two_tools() {
    let mut client = connect(&Fixture::empty()).await;
    let tools = client.request("tools/list", json!({})).await.result()["tools"].clone();
    let names: Vec<&str> =
        tools.as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["require_clarification", "read_architecture"]);
    assert_eq!(tools[0]["annotations"]["readOnlyHint"], false);
    assert_eq!(tools[0]["annotations"]["destructiveHint"], false);
    assert_eq!(tools[1]["annotations"]["readOnlyHint"], true);
    insta::assert_json_snapshot!("require_clarification", tools[0]);
    insta::assert_json_snapshot!("read_architecture", tools[1]);
}

#[tokio::test]
async fn null_is_the_same_as_absent() {
    let fixture = repository("");
    let mut client = connect(&fixture).await;
    let arguments = json!({
        "user_intention": "Add authentication", "optional_context": null, "session_id": null,
        "answers": null, "preferences": null, "repo_path": null
    });
    let answer = clarify(&mut client, arguments).await;
    assert_eq!(ids(&answer), ["auth_strategy", "auth_library"]);
    let arguments =
        json!({ "user_intention": "Add caching", "preferences": { "force_adr": null } });
    assert_eq!(clarify(&mut client, arguments).await["status"], "needs_clarification");
    told(&mut client, "read_architecture", json!({ "repo_path": null })).await;
}
