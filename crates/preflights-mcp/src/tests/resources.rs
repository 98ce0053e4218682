//! Architecture, task and records as resources.

use serde_json::json;

use super::*;

async fn read(client: &mut Client, uri: &str) -> Reply {
    client.request("resources/read", json!({ "uri": uri })).await
}

async fn listed(client: &mut Client) -> Vec<String> {
    let reply = client.request("resources/list", json!({})).await;
    let resources = reply.result()["resources"].as_array().unwrap().clone();
    resources.iter().map(|it| it["uri"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn everything_listed_can_be_read_as_it_is_on_disk() {
    let fixture = repository("");
    let mut client = connect(&fixture).await;
    assert_eq!(listed(&mut client).await, ["preflights://categories"]);
    let bank = read(&mut client, "preflights://categories").await;
    let bank = bank.result()["contents"][0]["text"].as_str().unwrap().to_owned();
    assert!(bank.contains("## Database") && bank.contains("`db_type` (Type): "), "{bank}");
    let (done, _) = complete(&mut client, "Add authentication").await;
    let uid = done["artifacts_created"][0]["uid"].as_str().unwrap();
    let record = format!("preflights://adr/{uid}");
    assert_eq!(
        listed(&mut client).await,
        [
            "preflights://architecture",
            "preflights://task",
            "preflights://categories",
            record.as_str()
        ]
    );
    let (path, _) = newest_record(&fixture);
    for (uri, path) in [
        ("preflights://architecture", "docs/ARCHITECTURE_STATE.md"),
        ("preflights://task", "docs/CURRENT_TASK.md"),
        (record.as_str(), path.as_str()),
    ] {
        let reply = read(&mut client, uri).await;
        assert_eq!(reply.result()["contents"][0]["text"], fixture.read(path), "{uri}");
    }
}

#[tokio::test]
async fn what_is_not_there_is_not_found() {
    let fixture = repository("");
    let mut client = connect(&fixture).await;
    for uri in [
        "preflights://task",
        "preflights://adr/20250108T143512.237Z-A001",
        "preflights://adr/../../etc/passwd",
        "preflights://nothing",
    ] {
        assert!(read(&mut client, uri).await.is_error(), "{uri}");
    }
}

#[tokio::test]
async fn uids_are_completed() {
    let fixture = repository("");
    let mut client = connect(&fixture).await;
    complete(&mut client, "Add authentication").await;
    let params = json!({
        "ref": { "type": "ref/resource", "uri": "preflights://adr/{uid}" },
        "argument": { "name": "uid", "value": "2025" }
    });
    let reply = client.request("completion/complete", params).await;
    assert_eq!(reply.result()["completion"]["values"], json!(["20250108T143512.237Z-A003"]));
}
