//! The handshake era: which version is answered to which.

use serde_json::json;

use crate::start;

// Verifies: PLB-d01002-A
#[tokio::test]
async fn every_version_with_a_handshake_is_echoed() {
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let (mut client, _project) = start::fresh();
        let opened = client.initialize(version).await;
        assert_eq!(opened["protocolVersion"], version);
        assert!(opened["capabilities"]["tools"].is_object(), "{opened}");
        assert_eq!(opened["serverInfo"]["name"], "everything");
        let reply = client.call_tool("echo", json!({ "text": version })).await;
        assert_eq!(reply.structured(), &json!({ "text": version }));
    }
}

#[tokio::test]
async fn any_other_version_is_answered_with_the_newest_that_has_a_handshake() {
    for version in ["2026-07-28", "1999-01-01", "2099-12-31", "", "latest"] {
        let (mut client, _project) = start::fresh();
        let opened = client.initialize(version).await;
        assert_eq!(opened["protocolVersion"], "2025-11-25", "asked for {version:?}");
    }
}

#[tokio::test]
async fn answers_of_the_handshake_era_carry_nothing_of_the_stateless_one() {
    let (mut client, _project) = start::ready().await;
    let listed = client.request("tools/list", json!({})).await;
    let called = client.call_tool("echo", json!({ "text": "a" })).await;
    for result in [listed.result(), called.result()] {
        for member in ["resultType", "ttlMs", "cacheScope"] {
            assert!(result.get(member).is_none(), "{member} in {result}");
        }
    }
}

#[tokio::test]
async fn a_client_that_probes_with_discover_can_fall_back_to_initialize() {
    let (mut client, _project) = start::fresh();
    client.modern_request("server/discover", json!({})).await;
    let opened = client.initialize("2025-06-18").await;
    assert_eq!(opened["protocolVersion"], "2025-06-18");
}

#[tokio::test]
async fn a_subscriber_is_told_when_the_resource_changed() {
    let (mut client, _project) = start::ready().await;
    let watched = json!({ "uri": "test://watched" });
    client.request("resources/subscribe", watched.clone()).await.result();
    client.call_tool("touch_watched", json!({})).await.result();
    let updated = client.next_notification("notifications/resources/updated").await;
    assert_eq!(updated["params"]["uri"], "test://watched");
}

#[tokio::test]
async fn a_client_that_unsubscribed_is_not_told() {
    let (mut client, _project) = start::ready().await;
    let watched = json!({ "uri": "test://watched" });
    client.request("resources/subscribe", watched.clone()).await.result();
    client.request("resources/unsubscribe", watched).await.result();
    client.call_tool("touch_watched", json!({})).await.result();
    client.close_stdin().await;
    let told = client
        .drain()
        .await
        .into_iter()
        .any(|message| message["method"] == "notifications/resources/updated");
    assert!(!told, "an unsubscribed client was told");
}

#[tokio::test]
async fn a_change_of_the_list_is_announced() {
    let (mut client, _project) = start::ready().await;
    client.call_tool("touch_watched", json!({})).await.result();
    client.next_notification("notifications/resources/list_changed").await;
}

#[tokio::test]
async fn progress_is_reported_to_a_client_that_gave_a_token() {
    let (mut client, _project) = start::ready().await;
    let params = json!({
        "name": "progress",
        "arguments": { "steps": 3 },
        "_meta": { "progressToken": "the-token" },
    });
    let id = client.send_request("tools/call", params).await;
    let mut last = -1.0;
    for _ in 0..3 {
        let note = client.next_notification("notifications/progress").await;
        assert_eq!(note["params"]["progressToken"], "the-token");
        let progress = note["params"]["progress"].as_f64().expect("progress is a number");
        assert!(progress > last, "progress must grow: {progress} after {last}");
        last = progress;
    }
    client.wait_for(id).await.result();
}

#[tokio::test]
async fn progress_is_not_reported_without_a_token() {
    let (mut client, _project) = start::ready().await;
    let id = client
        .send_request("tools/call", json!({ "name": "progress", "arguments": { "steps": 3 } }))
        .await;
    assert_eq!(client.next_message().await["id"], id, "the answer comes first and alone");
}
