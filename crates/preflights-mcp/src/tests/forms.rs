//! Questions asked inside the call, by clients that can show forms.

use serde_json::json;

use super::*;

const TOOL: &str = "require_clarification";

async fn with_forms(fixture: &Fixture, version: Option<&str>) -> Client {
    connect_with(fixture, clock(), json!({ "elicitation": {} }), version).await
}

#[tokio::test]
async fn a_client_with_forms_is_asked_inside_the_call() {
    let fixture = repository("");
    let mut client = with_forms(&fixture, Some("2025-11-25")).await;
    let arguments = json!({ "name": "require_clarification", "arguments": { "user_intention": "Add authentication" } });
    let id = client.send_request("tools/call", arguments).await;
    let question = client.next_server_request().await;
    let properties = &question["params"]["requestedSchema"]["properties"];
    assert!(
        properties["auth_strategy"]["enum"].as_array().unwrap().contains(&json!("decide later"))
    );
    assert_eq!(properties["auth_strategy__other"]["type"], "string");
    let content =
        json!({ "auth_strategy": "OAuth", "auth_library": "custom", "auth_library__other": "" });
    client.respond(&question["id"], json!({ "action": "accept", "content": content })).await;
    let done = client.wait_for(id).await;
    assert_eq!(done.structured()["status"], "completed", "{done:?}");
}

#[tokio::test]
async fn a_declined_form_falls_back_to_questions_and_is_not_shown_again() {
    let fixture = repository("");
    let mut client = with_forms(&fixture, Some("2025-11-25")).await;
    let arguments = json!({ "name": "require_clarification", "arguments": { "user_intention": "Add authentication" } });
    let id = client.send_request("tools/call", arguments).await;
    let question = client.next_server_request().await;
    client.respond(&question["id"], json!({ "action": "decline" })).await;
    let asked = client.wait_for(id).await.structured().clone();
    assert_eq!(ids(&asked), ["auth_strategy", "auth_library"]);
    let again = carry_on(&mut client, &asked, json!({})).await;
    assert_eq!(ids(&again), ["auth_strategy", "auth_library"]);
}

#[tokio::test]
async fn the_stateless_era_asks_by_result_and_completes_on_the_second_call() {
    let fixture = repository("");
    let mut client = with_forms(&fixture, None).await;
    let mut params = json!({ "name": "require_clarification", "arguments": { "user_intention": "Add authentication" } });
    let asked = client.modern_request("tools/call", params.clone()).await;
    assert_eq!(asked.result()["resultType"], "input_required", "{asked:?}");
    assert!(!fixture.has("docs"));
    let content = json!({ "auth_strategy": "OAuth", "auth_library": "custom" });
    params["inputResponses"] = json!({ "questions_0": { "action": "accept", "content": content } });
    let done = client.modern_request("tools/call", params).await;
    assert_eq!(done.structured()["status"], "completed", "{done:?}");
}

#[tokio::test]
async fn a_form_that_is_dismissed_or_fails_falls_back_too() {
    let cancelled = json!({ "result": { "action": "cancel" } });
    let failed = json!({ "error": { "code": -32603, "message": "no window" } });
    let empty = json!({ "result": { "action": "accept" } });
    let nonsense = json!({ "result": { "action": "perhaps" } });
    for answer in [cancelled, failed, empty, nonsense] {
        let fixture = repository("");
        let mut client = with_forms(&fixture, Some("2025-11-25")).await;
        let id = client.send_request("tools/call", call_for("Add authentication")).await;
        let question = client.next_server_request().await;
        let mut message = json!({ "jsonrpc": "2.0", "id": question["id"] });
        message.as_object_mut().unwrap().extend(answer.as_object().unwrap().clone());
        client.send(&message).await;
        let asked = client.wait_for(id).await;
        assert_eq!(ids(asked.structured()), ["auth_strategy", "auth_library"], "{answer}");
        let again = carry_on(&mut client, asked.structured(), json!({})).await;
        assert_eq!(ids(&again), ["auth_strategy", "auth_library"], "not asked by form again");
    }
}

fn call_for(intention: &str) -> Value {
    json!({ "name": TOOL, "arguments": { "user_intention": intention } })
}

#[tokio::test]
async fn what_an_answer_leaves_open_is_asked_in_the_next_form() {
    let fixture = repository("");
    let mut client = with_forms(&fixture, Some("2025-11-25")).await;
    let id = client.send_request("tools/call", call_for("Add authentication")).await;
    let rounds = [
        (
            "auth_strategy",
            json!({ "auth_strategy": "Other (specify)", "auth_library": "nonsense" }),
        ),
        ("auth_library", json!({ "auth_library": "custom" })),
        ("auth_strategy__other", json!({ "auth_strategy__other": "Kerberos" })),
    ];
    let mut shown = Vec::new();
    for (expected, content) in rounds {
        let question = client.next_server_request().await;
        let properties = question["params"]["requestedSchema"]["properties"].clone();
        assert!(properties[expected].is_object(), "{expected}: {properties}");
        shown.push(properties);
        client.respond(&question["id"], json!({ "action": "accept", "content": content })).await;
    }
    let error = shown[1]["auth_library"]["description"].as_str().unwrap();
    assert!(error.contains("`nonsense` is not one of"), "{error}");
    let done = client.wait_for(id).await;
    assert_eq!(done.structured()["status"], "completed", "{done:?}");
    let known = architecture(&mut client).await;
    assert_eq!(
        known["categories"]["Authentication"],
        json!({ "Library": "custom", "Strategy": "Kerberos" })
    );
}

#[tokio::test]
async fn the_stateless_era_goes_through_several_forms_as_well() {
    let fixture = repository("");
    let mut client = with_forms(&fixture, None).await;
    let mut params = call_for("Add authentication");
    client.modern_request("tools/call", params.clone()).await;
    let content = json!({ "auth_strategy": "Other (specify)", "auth_library": "custom" });
    params["inputResponses"] = json!({ "questions_0": { "action": "accept", "content": content } });
    let asked = client.modern_request("tools/call", params.clone()).await;
    let requests = &asked.result()["inputRequests"];
    let schema = &requests["questions_1"]["params"]["requestedSchema"];
    assert!(schema["properties"]["auth_strategy__other"].is_object(), "{asked:?}");
    assert!(!fixture.has("docs"), "nothing is written before all is answered");
    let content = json!({ "auth_strategy__other": "Kerberos" });
    params["inputResponses"] = json!({ "questions_1": { "action": "accept", "content": content } });
    params["requestState"] = asked.result()["requestState"].clone();
    let done = client.modern_request("tools/call", params).await;
    assert_eq!(done.structured()["status"], "completed", "{done:?}");
}

#[tokio::test]
async fn answers_given_in_the_call_and_the_switch_suppress_the_form() {
    let fixture = repository("");
    let mut client = with_forms(&fixture, Some("2025-11-25")).await;
    let answers = json!({ "auth_strategy": "OAuth" });
    let arguments = json!({ "user_intention": "Add authentication", "answers": answers });
    assert_eq!(ids(&clarify(&mut client, arguments).await), ["auth_library"]);

    let server = assemble(service(&fixture, clock()), false);
    let forms = json!({ "elicitation": {} });
    let mut client = connect_to(server, forms, Some("2025-11-25")).await;
    let asked = start(&mut client, "Add authentication").await;
    assert_eq!(ids(&asked), ["auth_strategy", "auth_library"]);
}
