//! A page beside the answers of a tool: there for clients that show pages, and for no others.

use serde_json::{Value, json};

use super::*;
use crate::server::page::MEDIA_TYPE;
use crate::server::{Answer, PageSource, Selection, Tool};

const PAGE: &str = "ui://probe/page.html";

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Nothing {}

fn page(uri: &'static str) -> PageSource {
    PageSource::new(uri, "Page", "Shows.", |_| Ok("<html>".to_owned()))
}

fn server() -> Server {
    let tool =
        |name| Tool::read_only(name, "Looks.").run_sync(|_, _: Nothing| Ok(Answer::text("")));
    probe().tool(tool("look")).tool(tool("other")).page_beside("look", page(PAGE))
}

fn shows(kinds: &Value) -> Value {
    json!({ "extensions": { "io.modelcontextprotocol/ui": kinds } })
}

/// What a client with these capabilities gets to see: the declared ones, the tools' `_meta`, the
/// resources.
async fn seen(server: Server, capabilities: Value) -> (Value, Value, Value) {
    let mut client = wire(server).declaring(capabilities);
    let declared = client.initialize("2025-11-25").await["capabilities"].clone();
    let tools = client.request("tools/list", Value::Null).await;
    let metas = tools.result()["tools"].as_array().unwrap().iter();
    let metas = metas.map(|it| it["_meta"].clone()).collect();
    let resources = client.request("resources/list", Value::Null).await;
    (declared, metas, resources.result()["resources"].clone())
}

#[tokio::test]
async fn a_client_that_shows_pages_finds_one_on_its_tool() {
    for kinds in [json!({}), json!({ "mimeTypes": [MEDIA_TYPE] })] {
        let (declared, metas, resources) = seen(server(), shows(&kinds)).await;
        assert!(declared["resources"].is_object(), "{declared}");
        assert_eq!(metas, json!([{ "ui": { "resourceUri": PAGE } }, null]));
        assert_eq!(resources[0]["uri"], PAGE);
    }
}

#[tokio::test]
async fn for_all_others_there_is_none() {
    let other_kind = shows(&json!({ "mimeTypes": ["text/html;profile=other"] }));
    for capabilities in [json!({}), other_kind] {
        let (declared, metas, resources) = seen(server(), capabilities.clone()).await;
        assert_eq!(declared["resources"], Value::Null);
        assert_eq!(metas, json!([null, null]));
        assert_eq!(resources, json!([]));
        let mut client = wire(server()).declaring(capabilities);
        client.initialize("2025-11-25").await;
        let refused = client.request("resources/read", json!({ "uri": PAGE })).await;
        assert!(refused.error_text().contains(PAGE), "{}", refused.error_text());
    }
}

#[tokio::test]
async fn the_page_goes_with_its_tool_and_stands_beside_other_resources() {
    let exclude = vec!["look".to_owned()];
    let without = server().select(Selection { exclude, ..Selection::default() }).unwrap();
    assert_eq!(seen(without, shows(&json!({}))).await.2, json!([]));

    let own = "file:///own.txt";
    let mut client = wire(server().resources(page(own))).declaring(shows(&json!({})));
    client.initialize("2025-11-25").await;
    for uri in [own, PAGE] {
        let read = client.request("resources/read", json!({ "uri": uri })).await;
        assert_eq!(read.result()["contents"][0]["uri"], uri);
    }
}

#[tokio::test]
async fn in_the_stateless_era_each_request_says_whether_it_can_show_pages() {
    let mut client = wire(server()).declaring(shows(&json!({})));
    let discovered = client.modern_request("server/discover", json!({})).await;
    assert!(discovered.result()["capabilities"]["resources"].is_object());
    let tools = client.modern_request("tools/list", json!({})).await;
    assert_eq!(tools.result()["tools"][0]["_meta"]["ui"]["resourceUri"], PAGE);
    let read = client.modern_request("resources/read", json!({ "uri": PAGE })).await;
    assert_eq!(read.result()["contents"][0]["uri"], PAGE);

    let mut client = client.declaring(json!({}));
    let discovered = client.modern_request("server/discover", json!({})).await;
    assert_eq!(discovered.result()["capabilities"]["resources"], Value::Null);
    assert!(client.modern_request("resources/list", json!({})).await.is_error());
}
