//! `subscriptions/listen`: acknowledged first, then told of what was asked for.

use serde_json::{Value, json};

use crate::start;

const SUBSCRIPTION: &str = "io.modelcontextprotocol/subscriptionId";

#[tokio::test]
async fn a_listener_is_acknowledged_and_told_of_what_it_asked_for() {
    let (mut client, _project) = start::fresh();
    let filter = json!({
        "resourcesListChanged": true,
        "resourceSubscriptions": ["test://watched"],
    });
    let id = client
        .send_modern_request("subscriptions/listen", json!({ "notifications": filter }))
        .await;
    let acknowledged = client.next_message().await;
    assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged");
    assert_belongs_to(&acknowledged, id);
    client.call_tool_modern("touch_watched", json!({})).await.result();
    let updated = client.next_notification("notifications/resources/updated").await;
    assert_eq!(updated["params"]["uri"], "test://watched");
    assert_belongs_to(&updated, id);
    let changed = client.next_notification("notifications/resources/list_changed").await;
    assert_belongs_to(&changed, id);
}

#[tokio::test]
async fn a_listener_is_not_told_of_what_it_did_not_ask_for() {
    let (mut client, _project) = start::fresh();
    let filter = json!({ "resourcesListChanged": true });
    client.send_modern_request("subscriptions/listen", json!({ "notifications": filter })).await;
    client.next_notification("notifications/subscriptions/acknowledged").await;
    client.call_tool_modern("touch_watched", json!({})).await.result();
    client.next_notification("notifications/resources/list_changed").await;
    client.close_stdin().await;
    let told = client.drain().await;
    let updated = |message: &Value| message["method"] == "notifications/resources/updated";
    assert!(!told.iter().any(updated), "{told:?}");
}

#[tokio::test]
async fn nobody_is_told_without_listening() {
    let (mut client, _project) = start::fresh();
    client.call_tool_modern("touch_watched", json!({})).await.result();
    client.close_stdin().await;
    assert_eq!(client.drain().await, Vec::<Value>::new());
}

fn assert_belongs_to(message: &Value, listen: i64) {
    let subscription = &message["params"]["_meta"][SUBSCRIPTION];
    assert!(
        *subscription == json!(listen) || *subscription == json!(listen.to_string()),
        "the notification does not name the request {listen}: {message}"
    );
}
