//! The documentation as resources.

use serde_json::{Value, json};

use super::{SAMPLE, connected};

/// Two that lead to each other, and one that leads nowhere.
const CIRCLE: &str = "\
//- a.md
---
description: A
handoffs:
- {label: To B, agent: b, prompt: go}
---
//- b.md
---
description: B
handoffs:
- {label: To A, agent: a, prompt: back}
- {label: To C, agent: c, prompt: on, send: true}
---
$ARGUMENTS
";

async fn read(client: &mut plumbline_tests::Client, uri: &str) -> Value {
    let reply = client.request("resources/read", json!({ "uri": uri })).await;
    let contents = reply.result()["contents"].as_array().unwrap();
    assert_eq!(contents.len(), 1);
    contents[0].clone()
}

// Verifies: PLB-d04001-F
#[tokio::test]
async fn the_graph_shows_circles_and_dangling_handoffs_as_they_are() {
    let (mut client, _project) = connected(CIRCLE).await;
    let page = read(&mut client, "specifyplus://commands").await;
    assert_eq!(page["mimeType"], "application/json");
    let graph: Value = serde_json::from_str(page["text"].as_str().unwrap()).unwrap();
    insta::assert_json_snapshot!("graph", graph);
}

#[tokio::test]
async fn each_command_has_a_page_and_a_place_in_the_list() {
    let (mut client, project) = connected(SAMPLE).await;
    project.write("größe & co.md", "Words.");
    let listed = client.request("resources/list", json!({})).await;
    let uris: Vec<&str> = listed.result()["resources"]
        .as_array()
        .unwrap()
        .iter()
        .map(|resource| resource["uri"].as_str().unwrap())
        .collect();
    assert_eq!(uris.len(), 5);
    for uri in &uris[1..] {
        let page = read(&mut client, uri).await;
        assert_eq!(page["mimeType"], "text/markdown");
        for heading in ["## Input", "## Next", "## Example"] {
            assert!(page["text"].as_str().unwrap().contains(heading), "{uri}");
        }
    }
    let page = read(&mut client, "specifyplus://commands//PLAN").await;
    assert!(page["text"].as_str().unwrap().starts_with("# plan\n\nPlan a change\n"));
}

#[tokio::test]
async fn what_is_not_there_is_not_found() {
    let (mut client, project) = connected(SAMPLE).await;
    project.write("broken.md", "---\na: [\n---\n");
    for uri in [
        "specifyplus://commands/none",
        "specifyplus://commands/%ff",
        "file:///etc/passwd",
        "specifyplus://",
    ] {
        let reply = client.request("resources/read", json!({ "uri": uri })).await;
        assert_eq!(reply.code(), -32002, "{uri}");
    }
    let reply =
        client.request("resources/read", json!({ "uri": "specifyplus://commands/broken" })).await;
    assert!(reply.error_text().contains("broken.md:"), "{}", reply.error_text());
}

#[tokio::test]
async fn names_are_completed_in_the_template() {
    let (mut client, _project) = connected(SAMPLE).await;
    let templates = client.request("resources/templates/list", json!({})).await;
    let template = templates.result()["resourceTemplates"][0]["uriTemplate"].clone();
    let complete = |name: &str, value: &str| {
        json!({
            "ref": { "type": "ref/resource", "uri": template },
            "argument": { "name": name, "value": value },
        })
    };
    let reply = client.request("completion/complete", complete("name", "re")).await;
    assert_eq!(reply.result()["completion"]["values"], json!(["review", "bare"]));
    let reply = client.request("completion/complete", complete("other", "")).await;
    assert_eq!(reply.result()["completion"]["values"], json!([]));
}
