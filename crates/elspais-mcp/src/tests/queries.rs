//! Looking: search and its limits, lookups and their errors, age, the first call.

use super::*;

// Verifies: PLB-d03001-A
#[tokio::test]
async fn search_looks_where_it_is_told_and_ranks_what_it_finds() {
    let fixture = agents();
    let mut client = connect(&fixture).await;
    let found = |answer: &Value| {
        ids(&answer["result"]).iter().map(|it| (*it).to_owned()).collect::<Vec<_>>()
    };
    let all = told(&mut client, "search", json!({ "query": "req-o00060" })).await;
    assert_eq!(found(&all), ["REQ-o00060"]);
    let prefix = told(&mut client, "search", json!({ "query": "REQ-o", "field": "id" })).await;
    assert_eq!(found(&prefix), ["REQ-o00060", "REQ-o00061", "REQ-o00062", "REQ-o00063"]);
    let title =
        told(&mut client, "search", json!({ "query": "REQUIREMENTS", "field": "title" })).await;
    assert_eq!(found(&title), ["REQ-d00061", "REQ-p00060"]);
    let body = told(&mut client, "search", json!({ "query": "annotators", "field": "body" })).await;
    assert_eq!(found(&body), ["REQ-o00061"]);
    assert_eq!(
        told(&mut client, "search", json!({ "query": "annotators", "field": "title" })).await["total"],
        0
    );
    let both = told(&mut client, "search", json!({ "query": "branch keep" })).await;
    assert_eq!(found(&both), ["REQ-o00063"]);
    let regex = told(
        &mut client,
        "search",
        json!({ "query": "^REQ-d0006[0-2]$", "field": "id", "regex": true }),
    )
    .await;
    assert_eq!(found(&regex), ["REQ-d00060", "REQ-d00061", "REQ-d00062"]);
    let some = told(&mut client, "search", json!({ "query": "SHALL", "limit": 3 })).await;
    assert_eq!(
        (&some["total"], &some["truncated"], found(&some).len()),
        (&json!(11), &json!(true), 3)
    );
    assert_eq!(some["result"][0].as_object().unwrap().len(), 4, "a summary has four fields");
}

// Verifies: PLB-d03001-B
#[tokio::test]
async fn a_query_that_cannot_be_answered_is_an_error_not_an_empty_list() {
    let fixture = agents();
    let mut client = connect(&fixture).await;
    for arguments in [
        json!({ "query": "  " }),
        json!({ "query": "x", "field": "colour" }),
        json!({ "query": "x", "limit": 0 }),
        json!({ "query": "x", "limit": -1 }),
        json!({ "query": "x", "limit": 501 }),
        json!({ "query": "(", "regex": true }),
        json!({ "query": "(a)\\1", "regex": true }),
        json!({ "query": "(?=x)", "regex": true }),
        json!({ "query": "((((a{100}){100}){100}){100})", "regex": true }),
        json!({ "query": "x".repeat(2_000) }),
    ] {
        refused(&mut client, "search", arguments).await;
    }
}

#[tokio::test]
async fn an_unknown_requirement_is_said_to_be_unknown() {
    let fixture = agents();
    let mut client = connect(&fixture).await;
    for tool in ["get_requirement", "get_hierarchy"] {
        let answer = refused(&mut client, tool, json!({ "req_id": "REQ-d00068" })).await;
        assert_eq!(answer["error"], "Requirement 'REQ-d00068' not found");
        assert_eq!(answer["code"], "not_found");
    }
    let answer =
        refused(&mut client, "get_requirement", json!({ "node_id": "REQ-d00060-A" })).await;
    assert_eq!(answer["error"], "Node 'REQ-d00060-A' is not a requirement");
    let found = told(&mut client, "get_requirement", json!({ "id": "req-d60" })).await;
    assert_eq!(found["id"], "REQ-d00060");
}

// Verifies: PLB-d03001-C
#[tokio::test]
async fn a_chain_is_walked_however_deep_it_is() {
    // Either would end any recursion; the deeper one takes long without optimisation.
    let depth: usize = if std::env::var_os("SLOW_TESTS").is_some() { 100_000 } else { 10_000 };
    let fixture = Fixture::empty();
    let link = |n: usize| {
        let above = if n == 1 { "REQ-p00000".to_owned() } else { format!("REQ-d{:05}", n - 1) };
        format!("# REQ-d{n:05}: Link\nImplements: {above}\n\n")
    };
    let links: Vec<String> = (1..depth).map(link).collect();
    let text = format!("# REQ-p00000: Top\nLevel: PRD\n\n{}", links.concat());
    fixture.write("spec/chain.md", &text);
    let mut client = connect(&fixture).await.with_patience(Duration::from_mins(3));
    let answer =
        told(&mut client, "get_hierarchy", json!({ "req_id": format!("REQ-d{:05}", depth - 1) }))
            .await;
    assert_eq!(answer["totals"]["ancestors"], depth - 1);
    assert_eq!(answer["ancestors"][0]["id"], format!("REQ-d{:05}", depth - 2));
    let status = told(&mut client, "get_graph_status", json!({})).await;
    assert_eq!(status["root_count"], 1);
    let orphans = told(&mut client, "get_orphaned_nodes", json!({})).await;
    assert_eq!(orphans["cycles"], json!([]));
    let below =
        told(&mut client, "get_subtree", json!({ "req_id": "REQ-p00000", "depth": 2 })).await;
    assert_eq!(below["count"], 3);
}

#[tokio::test]
async fn a_circle_and_two_parents_are_no_obstacle() {
    let fixture = Fixture::new(
        "//- spec/a.md\n# REQ-d00001: One\nImplements: REQ-d00002\n\n# REQ-d00002: Two\nImplements: REQ-d00001, REQ-o00001\n\n# REQ-o00001: Top\nLevel: OPS\n\n# REQ-d00003: Self\nRefines: REQ-d00003\n",
    );
    let mut client = connect(&fixture).await;
    let answer = told(&mut client, "get_hierarchy", json!({ "req_id": "REQ-d00001" })).await;
    assert_eq!(ids(&answer["ancestors"]), ["REQ-d00002", "REQ-o00001"]);
    let orphans = told(&mut client, "get_orphaned_nodes", json!({})).await;
    assert_eq!(orphans["cycles"], json!([["REQ-d00001", "REQ-d00002"], ["REQ-d00003"]]));
    let status = told(&mut client, "get_graph_status", json!({})).await;
    assert_eq!(status["root_count"], 1);
}

// Verifies: PLB-d03001-D
#[tokio::test]
async fn files_that_change_make_the_graph_stale_until_it_is_refreshed() {
    stale_until_refreshed(Workspace::watching).await;
}

#[tokio::test]
async fn so_it_is_where_the_system_tells_of_no_changes() {
    stale_until_refreshed(|workspace| {
        workspace.watching_by(|_| Err(mcp_core::watch::Unheard::new("no more watches")))
    })
    .await;
}

async fn stale_until_refreshed(watching: fn(Workspace) -> Workspace) {
    let fixture = agents();
    let mut client = connect_to(Arc::new(watching(workspace(&fixture)))).await;
    assert_eq!(told(&mut client, "get_graph_status", json!({})).await["is_stale"], false);
    fixture.write("spec/notes.txt", "nothing that is read");
    fixture.write("spec/b.md", "# REQ-d00090: New\nLevel: DEV\n");
    let mut answer = json!({});
    for _ in 0..200 {
        answer = told(&mut client, "search", json!({ "query": "REQ-d00090" })).await;
        if answer["is_stale"] == true {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(answer["is_stale"], true);
    assert_eq!(answer["total"], 0, "a query never refreshes");
    assert!(answer["hint"].as_str().unwrap().contains("refresh_graph"));
    assert_eq!(told(&mut client, "get_graph_status", json!({})).await["is_stale"], true);
    let refreshed = told(&mut client, "refresh_graph", json!({})).await;
    assert_eq!((&refreshed["files_changed"], &refreshed["files_removed"]), (&json!(1), &json!(0)));
    let answer = told(&mut client, "search", json!({ "query": "REQ-d00090" })).await;
    assert_eq!((answer.get("is_stale"), &answer["total"]), (None, &json!(1)));
}

#[tokio::test]
async fn a_wrong_setting_is_pointed_at_and_the_old_graph_stays() {
    let fixture = agents();
    let mut client = connect(&fixture).await;
    told(&mut client, "get_graph_status", json!({})).await;
    fixture.write(".elspais.toml", "[project]\nname = \"x\"\nnamespace = 5\n");
    let answer = refused(&mut client, "refresh_graph", json!({})).await;
    assert_eq!(
        answer["error"],
        ".elspais.toml line 3: `project.namespace` must be a string, not 5"
    );
    assert_eq!(
        told(&mut client, "get_graph_status", json!({})).await["node_counts"]["requirement"],
        11
    );
    fixture.write(".elspais.toml", "[project]\nname = \"x\"\n");
    fixture.write(".elspais.local.toml", "[project]\nname = \"mine\"\n");
    told(&mut client, "refresh_graph", json!({})).await;
    let info = told(&mut client, "get_workspace_info", json!({})).await;
    assert_eq!(
        (&info["project_name"], &info["config_file"]),
        (&json!("mine"), &json!(".elspais.toml"))
    );
    assert_eq!(info["config_summary"]["local_config"], true);
    assert_eq!(info["repo_path"], fixture.path_text());
    assert_eq!(info["scanned"], json!({ "spec": 1 }));
}

#[tokio::test]
async fn the_first_call_waits_for_the_graph_and_is_told_how_far_it_is() {
    let fixture = agents();
    for n in 0..20 {
        fixture.write(&format!("src/file{n}.py"), "# Implements: REQ-d00060-A\n");
    }
    let mut client = connect(&fixture).await;
    let params =
        json!({ "name": "get_graph_status", "arguments": {}, "_meta": { "progressToken": 7 } });
    let id = client.send_request("tools/call", params).await;
    let told = client.next_notification("notifications/progress").await;
    assert_eq!(
        (&told["params"]["progressToken"], &told["params"]["total"]),
        (&json!(7), &json!(21.0))
    );
    let reply = client.wait_for(id).await;
    assert_eq!(reply.structured()["node_counts"]["code"], 20);
}

#[tokio::test]
async fn callers_that_come_while_the_graph_is_built_all_get_it() {
    let fixture = agents();
    let place = Arc::new(workspace(&fixture));
    let (mut one, mut two) = (connect_to(place.clone()).await, connect_to(place).await);
    let (left, right) = tokio::join!(
        one.call_tool("get_graph_status", json!({})),
        two.call_tool("get_graph_status", json!({})),
    );
    assert_eq!(left.structured(), right.structured());
    let made = told(
        &mut one,
        "mutate_change_status",
        json!({ "id": "REQ-d00060", "new_status": "Draft" }),
    )
    .await;
    let seen = told(&mut two, "get_mutation_log", json!({})).await;
    assert_eq!(seen["current_tip"], made["mutation"]["id"], "clients share one graph");
}
