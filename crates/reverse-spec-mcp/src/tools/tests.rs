//! A bug in a tool is an answer: the text of the contract, and a connection that goes on.

use mcp_core::server::{Identity, Server};
use mcp_core::transport::in_memory;
use plumbline_tests::{Client, Fixture};
use serde_json::{Map, json};

use super::*;

const IDENTITY: Identity =
    Identity { name: "broken", title: "Broken", version: "1.0.0", instructions: "Breaks." };

#[tokio::test]
async fn a_bug_is_told_in_the_words_of_the_contract_and_ends_nothing_else() {
    let fixture = Fixture::new("//- a.ts\nexport const a = 1;\n");
    let setting = Arc::new(crate::tests::setting(&fixture));
    let broken = Tool::read_only("broken", "Breaks.")
        .run_blocking(|_, _: Map<String, Value>| panic!("the roof is on fire"));
    let server = Server::new(IDENTITY).tools(vec![broken]).tools(all(&setting)).render_failure(
        |tool, failure| Answer::text(crate::error::rendered(tool.name(), failure)).failed(),
    );
    let mut client = Client::on(in_memory(server));
    client.initialize("2025-11-25").await;
    for _ in 0..3 {
        let reply = client.call_tool("broken", json!({})).await;
        assert!(reply.is_tool_error(), "{reply:?}");
        let text = reply.text();
        assert!(text.starts_with("broken 失败: 内部错误: "), "{text}");
        assert!(text.contains("incident") && !text.contains(".rs:"), "{text}");
    }
    let reply = client.call_tool("prepare", json!({ "targetPath": "a.ts" })).await;
    assert!(!reply.is_tool_error(), "{reply:?}");
}
