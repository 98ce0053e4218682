//! Documents as resources: templates, completion, and reading.

use plumbline_tests::{Client, Fixture, Reply};
use serde_json::{Value, json};

use super::{bare, connect, everything};

async fn read(client: &mut Client, uri: &str) -> Reply {
    client.request("resources/read", json!({ "uri": uri })).await
}

#[tokio::test]
async fn the_templates_are_those_promised() {
    let mut client = connect(bare(&Fixture::empty())).await;
    let reply = client.request("resources/templates/list", json!({})).await;
    let templates = reply.result()["resourceTemplates"].as_array().unwrap().clone();
    let uris: Vec<&str> = templates.iter().map(|it| it["uriTemplate"].as_str().unwrap()).collect();
    assert_eq!(
        uris,
        [
            "acm://spec/{artifact}",
            "acm://prompt/{name}",
            "acm://stub/{artifact}",
            "acm://kb/{entry}",
            "acm://capability/{id}"
        ]
    );
}

#[tokio::test]
async fn everything_listed_can_be_read() {
    let mut client = connect(bare(&Fixture::empty())).await;
    let reply = client.request("resources/list", json!({})).await;
    let resources = reply.result()["resources"].as_array().unwrap().clone();
    assert_eq!(resources.len(), 16 + 8 + 8 + 1, "the skill among them");
    for resource in resources {
        let uri = resource["uri"].as_str().unwrap();
        let reply = read(&mut client, uri).await;
        let contents = &reply.result()["contents"][0];
        assert_eq!(contents["uri"], uri);
        assert_eq!(contents["mimeType"], "text/markdown");
        assert!(contents["text"].as_str().unwrap().starts_with("---\n"), "{uri}");
    }
}

#[tokio::test]
async fn articles_and_capabilities_are_read_by_name() {
    let fixture = Fixture::new(
        "//- kb/my notes.md\nnotes\n//- prompts/own.md\nown\n//- inventory.json\n[{\"name\": \"c\", \"type\": \"tool\"}]\n//- capabilities/tools/c/capability.yaml\nname: c\n",
    );
    let mut client = connect(everything(&fixture)).await;
    for (uri, text) in [
        ("acm://kb/my%20notes", "notes\n"),
        ("acm://prompt/own", "own\n"),
        ("acm://capability/c", "name: c\n"),
    ] {
        assert_eq!(read(&mut client, uri).await.result()["contents"][0]["text"], text, "{uri}");
    }
}

#[tokio::test]
async fn what_is_not_there_or_not_ours_is_a_clear_error() {
    let fixture = Fixture::new("//- secret.md\nsecret\n//- kb/x.md\nx\n//- inventory.json\n[]\n");
    let mut client = connect(everything(&fixture)).await;
    for uri in [
        "acm://kb/nothing",
        "acm://kb/",
        "acm://kb/../secret",
        "acm://kb/..%2Fsecret",
        "acm://kb/%zz",
        "acm://kb/%",
        "acm://spec/nothing",
        "acm://other/x",
        "file:///etc/passwd",
        "acm://capability/none",
        "acm://capability/..",
        "acm://prompt/%00",
        "acm://stub/",
        "",
    ] {
        let reply = read(&mut client, uri).await;
        assert!(reply.is_error(), "{uri}");
        assert!(!reply.error_text().contains("os error"), "{}", reply.error_text());
    }
}

async fn completed(client: &mut Client, template: &str, argument: &str, typed: &str) -> Vec<Value> {
    let params = json!({
        "ref": { "type": "ref/resource", "uri": template },
        "argument": { "name": argument, "value": typed },
    });
    let reply = client.request("completion/complete", params).await;
    reply.result()["completion"]["values"].as_array().unwrap().clone()
}

#[tokio::test]
async fn the_variables_are_completed() {
    let mut client = connect(bare(&Fixture::empty())).await;
    let cases = [
        ("acm://spec/{artifact}", "artifact", "pro", json!(["project_types", "project_claude_md"])),
        (
            "acm://prompt/{name}",
            "name",
            "start",
            json!(["start-design-prompt", "start-develop-prompt"]),
        ),
        (
            "acm://stub/{artifact}",
            "artifact",
            "CLAUDE_MD_a",
            json!(["claude_md_app", "claude_md_artifact"]),
        ),
        (
            "acm://kb/{entry}",
            "entry",
            "s",
            json!([
                "scoping-an-mvp",
                "session-handoff",
                "small-changes",
                "status-reports",
                "success-criteria"
            ]),
        ),
        ("acm://capability/{id}", "id", "acm", json!(["acm", "acm-workflow"])),
        ("acm://kb/{entry}", "other", "", json!([])),
        ("acm://nothing/{x}", "x", "", json!([])),
    ];
    for (template, argument, typed, expected) in cases {
        let values = completed(&mut client, template, argument, typed).await;
        assert_eq!(Value::from(values), expected, "{template} {typed}");
    }
}
