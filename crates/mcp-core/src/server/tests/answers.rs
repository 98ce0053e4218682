//! Documents verbatim, data in full, composed answers within the budget.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::*;
use crate::failure::Failure;
use crate::server::{Answer, Tool};

#[derive(Deserialize, JsonSchema)]
struct Size {
    size: usize,
}

#[derive(Serialize, JsonSchema)]
struct Items {
    items: Vec<String>,
}

fn items(size: usize) -> Items {
    Items { items: (0..size).map(|n| format!("item number {n}")).collect() }
}

fn server() -> Server {
    probe()
        .tool(
            Tool::read_only("document", "Gives a document.")
                .document()
                .run_sync(|_, it: Size| Ok(Answer::document("\u{1b}[31m\u{202e}".repeat(it.size)))),
        )
        .tool(Tool::read_only("words", "Gives text.").run_sync(|_, it: Size| {
            let text = "a line of words\u{1b}[0m\n".repeat(it.size);
            Ok(Answer::text(text).narrow("Pass a smaller `size`."))
        }))
        .tool(Tool::read_only("items", "Gives items.").output::<Items>().run_sync(|_, it: Size| {
            Ok(Answer::data(&items(it.size))?.shorten("items").narrow("Pass a smaller `size`."))
        }))
        .tool(Tool::read_only("whole", "Gives items or nothing.").run_sync(|_, it: Size| {
            Ok(Answer::data(&items(it.size))?.narrow("Pass a smaller `size`."))
        }))
        .tool(
            Tool::read_only("told", "Gives data with words.")
                .run_sync(|_, _: Size| Ok(Answer::data(&json!({"n": 1}))?.with_text("one"))),
        )
}

#[tokio::test]
async fn a_document_is_passed_on_byte_for_byte() {
    let mut client = connect(server()).await;
    let reply = client.call_tool("document", json!({"size": 20_000})).await;
    assert_eq!(reply.text(), "\u{1b}[31m\u{202e}".repeat(20_000));
    let listed = client.request("tools/list", json!({})).await;
    let limit = &listed.result()["tools"][0]["_meta"]["anthropic/maxResultSizeChars"];
    assert_eq!(limit, 500_000);
}

#[tokio::test]
async fn composed_text_is_harmless_and_says_when_it_is_cut() {
    let mut client = connect(server()).await;
    let whole = client.call_tool("words", json!({"size": 2})).await;
    assert_eq!(whole.text(), "a line of words\na line of words\n");
    let cut = client.call_tool("words", json!({"size": 10_000})).await.text();
    assert!(cut.len() < 41_000, "{}", cut.len());
    assert!(
        cut.contains("of 160000 characters are shown. Pass a smaller `size`.]"),
        "{}",
        &cut[cut.len() - 200..]
    );
    assert!(cut.contains("a line of words\n\n[truncated"), "it is cut at the end of a line");
}

#[tokio::test]
async fn a_long_list_is_shortened_and_its_total_named() {
    let mut client = connect(server()).await;
    let short = client.call_tool("items", json!({"size": 2})).await;
    assert_eq!(short.structured(), &json!({"items": ["item number 0", "item number 1"]}));
    assert_eq!(short.text(), short.structured().to_string());

    let long = client.call_tool("items", json!({"size": 10_000})).await;
    let data = long.structured();
    let kept = data["items"].as_array().unwrap().len();
    assert!(long.text().len() <= 40_000 && long.text().len() > 30_000, "{}", long.text().len());
    assert_eq!(data["total"], 10_000);
    assert_eq!(data["truncated"], true);
    assert_eq!(data["next"], format!("{kept} of 10000 are shown. Pass a smaller `size`."));
    assert_eq!(long.text(), data.to_string());
}

#[tokio::test]
async fn data_that_cannot_be_shortened_is_refused_with_the_way_out() {
    let mut client = connect(server()).await;
    let reply = client.call_tool("whole", json!({"size": 10_000})).await;
    assert!(reply.is_tool_error());
    assert!(reply.text().ends_with("Pass a smaller `size`."), "{}", reply.text());
}

#[tokio::test]
async fn data_may_come_with_words_of_its_own() {
    let mut client = connect(server()).await;
    let reply = client.call_tool("told", json!({"size": 0})).await;
    assert_eq!(reply.text(), "one");
    assert_eq!(reply.structured(), &json!({"n": 1}));
}

#[tokio::test]
async fn a_server_renders_failures_as_its_callers_know_them() {
    let failing = Tool::read_only("fail", "Fails.").run_sync(|_, _: Size| {
        Err(Failure::new("no_luck", "it did not work").hint("Try again.").into())
    });
    let server = probe().tool(failing).render_failure(|tool, failure| {
        Answer::text(format!("{} 失败: {} ({})", tool.name(), failure.message, failure.code))
    });
    let mut client = connect(server).await;
    let reply = client.call_tool("fail", json!({"size": 1})).await;
    assert!(reply.is_tool_error());
    assert_eq!(reply.text(), "fail 失败: it did not work (no_luck)");
}

#[tokio::test]
async fn a_failure_that_is_too_long_is_still_told() {
    let failing = Tool::read_only("fail", "Fails at length.").run_sync(|_, it: Size| {
        Err::<Answer, _>(
            Failure::new("long", "no ".repeat(it.size))
                .hint("Try less.")
                .details(json!({ "all": vec!["no"; it.size] }))
                .into(),
        )
    });
    let server = probe().tool(failing).render_failure(|_, failure| {
        let told =
            json!({ "error": failure.message, "hint": failure.hint, "details": failure.details });
        Answer::data(&told).unwrap()
    });
    let mut client = connect(server).await;
    let short = client.call_tool("fail", json!({"size": 3})).await;
    assert_eq!(short.structured()["details"]["all"], json!(["no", "no", "no"]));
    let long = client.call_tool("fail", json!({"size": 20_000})).await;
    assert_eq!(long.result()["isError"], true);
    let told = long.structured();
    assert!(told["error"].as_str().unwrap().starts_with("no no no "), "{told}");
    assert_eq!((&told["hint"], &told["details"]), (&json!("Try less."), &json!(null)));
}
