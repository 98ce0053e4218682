//! Arguments, panics, deadlines, cancellation, waiting for the client.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::*;
use crate::server::{Answer, Elicited, Limits, Tool};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Params {
    /// What to look for.
    query: String,
    limit: Option<u8>,
}

#[derive(Deserialize, JsonSchema)]
struct Nothing {}

fn search() -> Tool {
    Tool::read_only("search", "Searches.")
        .aliases(&[("question", "query"), ("q", "query")])
        .run_sync(|_, it: Params| Ok(Answer::text(format!("{} {:?}", it.query, it.limit))))
}

#[tokio::test]
async fn made_up_argument_names_are_understood() {
    let mut client = connect(probe().tool(search())).await;
    assert_eq!(client.call_tool("search", json!({"q": "x"})).await.text(), "x None");
    let both = client.call_tool("search", json!({"question": "x", "limit": null})).await;
    assert_eq!(both.text(), "x None");
}

#[tokio::test]
async fn wrong_arguments_say_which_and_what_is_valid() {
    let mut client = connect(probe().tool(search())).await;
    let mut texts = Vec::new();
    for arguments in [
        json!({}),
        json!({"query": 7}),
        json!({"query": "x", "limit": 300}),
        json!({"query": "x", "colour": "red"}),
    ] {
        let reply = client.call_tool("search", arguments).await;
        assert!(reply.is_tool_error());
        texts.push(reply.text());
    }
    insta::assert_snapshot!("wrong_arguments", texts.join("\n\n"));
}

#[tokio::test]
async fn a_panic_answers_its_call_and_harms_no_other() {
    let panics = Tool::read_only("panics", "Panics.")
        .run(|_, _: Nothing| async { panic!("\u{1b}[31mout of luck") });
    let blocks = Tool::read_only("blocks", "Panics on another thread.")
        .run_blocking(|_, _: Nothing| -> Result<Answer, _> { panic!("out of luck") });
    let at_once = Tool::read_only("at_once", "Panics before it starts.")
        .run(|_, _: Nothing| -> std::future::Ready<_> { panic!("out of luck") });
    let server = probe().tools([panics, blocks, at_once, search()]);
    let mut client = connect(server).await;
    for name in ["panics", "blocks", "at_once"] {
        let reply = client.call_tool(name, json!({})).await;
        assert!(reply.is_tool_error());
        assert!(reply.text().contains("failed by a bug of ours (incident "), "{}", reply.text());
    }
    assert_eq!(client.call_tool("search", json!({"query": "on"})).await.text(), "on None");
}

#[tokio::test]
async fn a_call_that_takes_too_long_is_answered_and_its_work_told_to_stop() {
    let stopped = Arc::new(AtomicUsize::new(0));
    let seen = stopped.clone();
    let endless =
        Tool::read_only("endless", "Never ends.").run_blocking(move |call, _: Nothing| {
            while !call.is_cancelled() {
                std::thread::sleep(Duration::from_millis(1));
            }
            seen.fetch_add(1, Ordering::SeqCst);
            Ok(Answer::text("never seen"))
        });
    let limits = Limits { timeout: Duration::from_millis(50), ..Limits::default() };
    let mut client = connect(probe().tool(endless).limits(limits)).await;
    let reply = client.call_tool("endless", json!({})).await;
    assert!(reply.is_tool_error());
    assert!(reply.text().starts_with("`endless` was stopped after 0.05 s"), "{}", reply.text());
    while stopped.load(Ordering::SeqCst) == 0 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_cancelled_call_is_not_answered_and_drops_its_work() {
    struct Dropped(Arc<AtomicUsize>);
    impl Drop for Dropped {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }
    let dropped = Arc::new(AtomicUsize::new(0));
    let counter = dropped.clone();
    let waits = Tool::read_only("waits", "Waits for ever.").run(move |_, _: Nothing| {
        let guard = Dropped(counter.clone());
        async move {
            let _guard = guard;
            std::future::pending().await
        }
    });
    let mut client = connect(probe().tools([waits, search()])).await;
    let id = client.send_request("tools/call", json!({"name": "waits", "arguments": {}})).await;
    client.request("ping", json!({})).await;
    client.notify("notifications/cancelled", json!({"requestId": id})).await;
    while dropped.load(Ordering::SeqCst) == 0 {
        client.request("ping", json!({})).await;
    }
    // The id is free again, which it would not be while the call is unanswered.
    let again = json!({"jsonrpc": "2.0", "id": id, "method": "ping"});
    client.send(&again).await;
    assert_eq!(client.wait_for(id).await.result(), &json!({}));
}

fn asks() -> Tool {
    Tool::read_only("asks", "Asks.").run(|call, _: Nothing| async move {
        let form = json!({
            "type": "object",
            "properties": {"name": {"type": "string"}},
            "required": ["name"],
        });
        let answer = match call.elicit("who", "Who are you?", form).await? {
            Elicited::Accepted(form) => form["name"].as_str().unwrap_or_default().to_owned(),
            Elicited::Declined => "declined".to_owned(),
            Elicited::Unavailable => "unavailable".to_owned(),
        };
        Ok(Answer::text(answer))
    })
}

#[tokio::test]
async fn the_old_era_is_asked_during_the_call() {
    let mut client = wire(probe().tool(asks())).declaring(json!({"elicitation": {}}));
    client.initialize("2025-06-18").await;
    for (response, expected) in [
        (json!({"action": "accept", "content": {"name": "Ada"}}), "Ada"),
        (json!({"action": "decline"}), "declined"),
        (json!({"action": "cancel"}), "declined"),
    ] {
        let id = client.send_request("tools/call", json!({"name": "asks"})).await;
        let asked = client.next_server_request().await;
        assert_eq!(asked["method"], "elicitation/create");
        assert_eq!(asked["params"]["message"], "Who are you?");
        client.respond(&asked["id"], response).await;
        assert_eq!(client.wait_for(id).await.text(), expected);
    }
}

#[tokio::test]
async fn the_new_era_is_told_to_ask_and_call_again() {
    let mut client = wire(probe().tool(asks())).declaring(json!({"elicitation": {"form": {}}}));
    let asked = client.modern_request("tools/call", json!({"name": "asks"})).await;
    assert_eq!(asked.result()["resultType"], "input_required");
    assert_eq!(asked.result()["inputRequests"]["who"]["method"], "elicitation/create");
    let retry = json!({
        "name": "asks",
        "inputResponses": {"who": {"action": "accept", "content": {"name": "Ada"}}},
    });
    let answered = client.modern_request("tools/call", retry).await;
    assert_eq!(answered.result()["resultType"], "complete");
    assert_eq!(answered.text(), "Ada");
}

#[tokio::test]
async fn several_questions_of_one_call_are_all_answered_in_the_new_era() {
    let twice = Tool::read_only("twice", "Asks twice.").run(|call, _: Nothing| async move {
        let form = json!({"type": "object", "properties": {"n": {"type": "integer"}}});
        let mut sum = 0;
        for key in ["first", "second"] {
            if let Elicited::Accepted(form) = call.elicit(key, key, form.clone()).await? {
                sum += form["n"].as_i64().unwrap_or_default();
            }
        }
        Ok(Answer::text(sum.to_string()))
    });
    let mut client = wire(probe().tool(twice)).declaring(json!({"elicitation": {}}));
    let mut params = json!({"name": "twice"});
    for (key, n) in [("first", 40), ("second", 2)] {
        let asked = client.modern_request("tools/call", params).await;
        assert!(asked.result()["inputRequests"].get(key).is_some(), "{:?}", asked.message());
        params = json!({
            "name": "twice",
            "inputResponses": {key: {"action": "accept", "content": {"n": n}}},
            "requestState": asked.result().get("requestState"),
        });
    }
    let tampered = json!({"name": "twice", "requestState": "not ours"});
    assert_eq!(client.modern_request("tools/call", params).await.text(), "42");
    assert_eq!(client.modern_request("tools/call", tampered).await.code(), -32602);
}

#[tokio::test]
async fn an_answer_that_is_none_is_asked_for_again() {
    let mut client = wire(probe().tool(asks())).declaring(json!({"elicitation": {}}));
    let params = json!({"name": "asks", "inputResponses": {"who": 12345}});
    let again = client.modern_request("tools/call", params).await;
    assert_eq!(again.result()["resultType"], "input_required");
}

#[tokio::test]
async fn a_client_that_cannot_ask_is_not_asked() {
    let mut old = connect(probe().tool(asks())).await;
    assert_eq!(old.call_tool("asks", json!({})).await.text(), "unavailable");
    let mut new = wire(probe().tool(asks()));
    assert_eq!(new.call_tool_modern("asks", json!({})).await.text(), "unavailable");
    let mut links_only = wire(probe().tool(asks())).declaring(json!({"elicitation": {"url": {}}}));
    assert_eq!(links_only.call_tool_modern("asks", json!({})).await.text(), "unavailable");
}

#[tokio::test]
async fn waiting_for_the_client_uses_up_neither_slot_nor_deadline() {
    let limits = Limits { running: 2, waiting: 2, timeout: Duration::from_millis(80) };
    let server = probe().tools([asks(), search()]).limits(limits);
    let mut client = wire(server).declaring(json!({"elicitation": {}}));
    client.initialize("2025-06-18").await;
    let mut asking = Vec::new();
    for _ in 0..12 {
        asking.push(client.send_request("tools/call", json!({"name": "asks"})).await);
    }
    let mut asked = Vec::new();
    for _ in &asking {
        asked.push(client.next_server_request().await["id"].clone());
    }
    for n in 0..50 {
        let reply = client.call_tool("search", json!({"query": n.to_string()})).await;
        assert_eq!(reply.text(), format!("{n} None"));
    }
    tokio::time::sleep(Duration::from_millis(200)).await;
    for id in asked {
        client.respond(&id, json!({"action": "accept", "content": {"name": "Ada"}})).await;
    }
    for id in asking {
        assert_eq!(client.wait_for(id).await.text(), "Ada");
    }
}

#[tokio::test]
async fn progress_arrives_before_the_answer_and_only_goes_up() {
    let steps = Tool::read_only("steps", "Takes steps.").run(|call, _: Nothing| async move {
        for done in [1.0, 2.0, 2.0, 1.5, 3.0] {
            call.report_all(done, Some(3.0), "step").await;
        }
        Ok(Answer::text("done"))
    });
    let mut client = connect(probe().tool(steps)).await;
    let params = json!({"name": "steps", "_meta": {"progressToken": "t"}});
    let id = client.send_request("tools/call", params).await;
    let mut seen = Vec::new();
    for _ in 0..3 {
        let update = client.next_notification("notifications/progress").await;
        assert_eq!(update["params"]["progressToken"], "t");
        seen.push(update["params"]["progress"].clone());
    }
    assert_eq!(Value::from(seen), json!([1.0, 2.0, 3.0]));
    assert_eq!(client.wait_for(id).await.text(), "done");
    let silent = client.call_tool("steps", json!({})).await;
    assert_eq!(silent.text(), "done");
}

#[tokio::test]
async fn no_more_calls_run_at_once_than_allowed() {
    let running = Arc::new(AtomicUsize::new(0));
    let most = Arc::new(AtomicUsize::new(0));
    let (now, peak) = (running.clone(), most.clone());
    let busy = Tool::read_only("busy", "Works a little.").run_blocking(move |_, _: Nothing| {
        peak.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        std::thread::sleep(Duration::from_millis(5));
        now.fetch_sub(1, Ordering::SeqCst);
        Ok(Answer::text("done"))
    });
    let limits = Limits { running: 3, waiting: 4, ..Limits::default() };
    let mut client = connect(probe().tool(busy).limits(limits)).await;
    let mut ids = Vec::new();
    for _ in 0..40 {
        ids.push(client.send_request("tools/call", json!({"name": "busy"})).await);
    }
    for id in ids {
        assert_eq!(client.wait_for(id).await.text(), "done");
    }
    assert_eq!(most.load(Ordering::SeqCst), 3);
}
