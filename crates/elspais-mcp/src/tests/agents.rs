//! The shape of a known document: counts, links, and what each tool says of it.

use super::*;

#[tokio::test]
async fn eleven_requirements_with_fifty_nine_assertions_hang_on_one_root() {
    let fixture = agents();
    let mut client = connect(&fixture).await;
    let status = told(&mut client, "get_graph_status", json!({})).await;
    assert_eq!(status["node_counts"]["requirement"], 11);
    assert_eq!(status["node_counts"]["assertion"], 59);
    assert_eq!(status["root_count"], 1);
    assert_eq!(status["broken_reference_count"], 1);
    assert_eq!(status["is_stale"], false);
    assert_eq!(status["last_refresh"], "2026-01-02T03:04:05Z");
    insta::assert_json_snapshot!("status", status);
    let broken = told(&mut client, "get_broken_references", json!({})).await;
    assert_eq!(broken["broken_references"][0]["target_id"], "REQ-p00050");
    let summary = told(&mut client, "get_project_summary", json!({})).await;
    assert_eq!(summary["requirements_by_level"]["all"], json!({ "PRD": 1, "OPS": 4, "DEV": 6 }));
    insta::assert_json_snapshot!(
        "requirement",
        told(&mut client, "get_requirement", json!({ "req_id": "REQ-o00060" })).await
    );
    insta::assert_json_snapshot!(
        "hierarchy",
        told(&mut client, "get_hierarchy", json!({ "req_id": "REQ-d00061" })).await
    );
    insta::assert_json_snapshot!(
        "search",
        told(&mut client, "search", json!({ "query": "found by" })).await
    );
}
