//! Asking the user: by a request in the handshake era, by a result in the stateless one.

use plumbline_tests::Reply;
use serde_json::{Value, json};

use crate::start;

fn declared() -> Value {
    json!({ "elicitation": { "form": {} } })
}

fn ask() -> Value {
    json!({ "name": "ask", "arguments": { "question": "Which colour?" } })
}

fn assert_asks(request: &Value) {
    assert_eq!(request["method"], "elicitation/create", "{request}");
    assert!(request["params"]["message"].as_str().is_some_and(|text| text.contains("colour")));
    let schema = &request["params"]["requestedSchema"];
    assert_eq!(schema["type"], "object", "{request}");
    assert_eq!(schema["properties"]["answer"]["type"], "string", "{request}");
}

/// Calls `ask` in the stateless era; returns the key of the question and its opaque state.
fn asked(reply: &Reply) -> (String, Value) {
    let result = reply.result();
    assert_eq!(result["resultType"], "input_required", "{result}");
    let requests = result["inputRequests"].as_object().expect("a map of requests");
    assert_eq!(requests.len(), 1, "{result}");
    let (key, request) = requests.iter().next().expect("one request");
    assert_asks(request);
    (key.clone(), result["requestState"].clone())
}

fn answered(key: &str, state: &Value, response: &Value) -> Value {
    let mut params = ask();
    params["inputResponses"] = json!({ key: response });
    if !state.is_null() {
        params["requestState"] = state.clone();
    }
    params
}

#[tokio::test]
async fn the_handshake_era_asks_with_a_request_and_uses_the_answer() {
    let (mut client, _project) = start::ready_declaring(declared()).await;
    let id = client.send_request("tools/call", ask()).await;
    let request = client.next_server_request().await;
    assert_asks(&request);
    let accepted = json!({ "action": "accept", "content": { "answer": "green" } });
    client.respond(&request["id"], accepted).await;
    let reply = client.wait_for(id).await;
    assert!(reply.result().to_string().contains("green"), "{reply:?}");
}

#[tokio::test]
async fn the_handshake_era_falls_back_when_the_user_declines_or_cancels() {
    let (mut client, _project) = start::ready_declaring(declared()).await;
    for action in ["decline", "cancel"] {
        let id = client.send_request("tools/call", ask()).await;
        let request = client.next_server_request().await;
        client.respond(&request["id"], json!({ "action": action })).await;
        let reply = client.wait_for(id).await;
        assert!(reply.result().to_string().contains("declined"), "{action}: {reply:?}");
    }
}

#[tokio::test]
async fn the_handshake_era_falls_back_when_the_client_cannot_answer() {
    let (mut client, _project) = start::ready_declaring(declared()).await;
    let id = client.send_request("tools/call", ask()).await;
    let request = client.next_server_request().await;
    let error = json!({ "code": -32603, "message": "no window to ask in" });
    client.send(&json!({ "jsonrpc": "2.0", "id": request["id"], "error": error })).await;
    let reply = client.wait_for(id).await;
    assert!(!reply.is_error(), "the tool decides what to do without an answer: {reply:?}");
}

#[tokio::test]
async fn a_client_that_did_not_declare_elicitation_is_never_asked() {
    let (mut client, _project) = start::ready().await;
    let reply = client.request("tools/call", ask()).await;
    assert!(reply.result().to_string().contains("no elicitation"), "{reply:?}");
    let (mut client, _project) = start::fresh();
    let reply = client.modern_request("tools/call", ask()).await;
    assert_eq!(reply.result()["resultType"], "complete", "{reply:?}");
    assert!(reply.result().to_string().contains("no elicitation"), "{reply:?}");
}

#[tokio::test]
async fn the_stateless_era_asks_with_a_result_and_uses_the_answer() {
    let (client, _project) = start::fresh();
    let mut client = client.declaring(declared());
    let (key, state) = asked(&client.modern_request("tools/call", ask()).await);
    let accepted = json!({ "action": "accept", "content": { "answer": "green" } });
    let reply = client.modern_request("tools/call", answered(&key, &state, &accepted)).await;
    assert_eq!(reply.result()["resultType"], "complete", "{reply:?}");
    assert!(reply.result().to_string().contains("green"), "{reply:?}");
}

#[tokio::test]
async fn the_stateless_era_falls_back_when_the_user_declines() {
    let (client, _project) = start::fresh();
    let mut client = client.declaring(declared());
    let (key, state) = asked(&client.modern_request("tools/call", ask()).await);
    let declined = json!({ "action": "decline" });
    let reply = client.modern_request("tools/call", answered(&key, &state, &declined)).await;
    assert!(reply.result().to_string().contains("declined"), "{reply:?}");
}

#[tokio::test]
async fn an_answer_to_another_question_is_not_taken_for_this_one() {
    let (client, _project) = start::fresh();
    let mut client = client.declaring(declared());
    let (_, state) = asked(&client.modern_request("tools/call", ask()).await);
    let accepted = json!({ "action": "accept", "content": { "answer": "green" } });
    let stray = answered("somebody-else", &state, &accepted);
    asked(&client.modern_request("tools/call", stray).await);
}
