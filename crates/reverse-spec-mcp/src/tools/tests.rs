//! A bug in a tool is an answer: the text of the contract, and a connection that goes on.

use mcp_core::server::{Identity, Server};
use mcp_core::transport::serve_over;
use plumbline_tests::{Client, Fixture};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::*;

const IDENTITY: Identity =
    Identity { name: "broken", title: "Broken", version: "1.0.0", instructions: "Breaks." };

fn breaks(_: &Call, _: &Setting, _: &Given) -> Result<Answer, Halt> {
    panic!("the roof is on fire")
}

#[tokio::test]
async fn a_bug_is_told_in_the_words_of_the_contract_and_ends_nothing_else() {
    let fixture = Fixture::new("//- a.ts\nexport const a = 1;\n");
    let setting = Arc::new(crate::tests::setting(&fixture));
    let schema = include_str!("../../assets/schemas/batch.json");
    let broken = Tool::read_only("broken", "Breaks.");
    let tools = vec![described(broken, "broken", schema, setting.clone(), breaks)];
    let server =
        Server::new(IDENTITY).tools(tools).tools(all(&setting)).render_failure(|tool, failure| {
            Answer::text(crate::error::rendered(tool, failure)).failed()
        });
    let (ours, theirs) = tokio::io::duplex(64 * 1024);
    let (input, output) = tokio::io::split(theirs);
    tokio::spawn(serve_over(server, Box::new(input), Box::new(output), CancellationToken::new()));
    let (read, write) = tokio::io::split(ours);
    let mut client = Client::over(read, write);
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
