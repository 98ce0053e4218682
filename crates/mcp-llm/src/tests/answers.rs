//! What each wire is asked, and what becomes of its answer.

use super::*;
use crate::Stop;

#[tokio::test]
async fn anthropic_is_asked_for_words_and_says_why_it_stopped() {
    let stub = ModelStub::start([Reaction::anthropic_text("All well.", "end_turn")]).await;
    let reply = text(&client(&stub, "anthropic")).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.stop), ("All well.", Stop::Complete));
    assert_eq!((reply.usage.input, reply.usage.output), (11, 7));
    assert_eq!(reply.model, "stub-model");
    let received = &stub.received()[0];
    assert_eq!(received.path(), "/v1/messages");
    assert_eq!(received.header("x-api-key"), Some(KEY));
    assert_eq!(received.header("anthropic-version"), Some("2023-06-01"));
    let expected = json!({
        "model": "demo-model",
        "max_tokens": 16_484,
        "system": "Be brief.",
        "messages": [{ "role": "user", "content": "What is up?" }],
        "stream": true,
    });
    assert_eq!(received.body, expected);
}

#[tokio::test]
async fn anthropic_gets_what_it_enforces_of_a_schema_and_the_rest_in_words() {
    let written = Reaction::anthropic_text("{\"name\": \"pump\", \"count\": 3}", "end_turn");
    let stub = ModelStub::start([written, fitting()]).await;
    for _ in 0..2 {
        // Written out, or as the input of a tool by a service in between.
        let answer = structured(&client(&stub, "anthropic")).await.unwrap();
        assert_eq!(answer.value, json!({ "name": "pump", "count": 3 }));
    }
    let body = &stub.received()[0].body;
    assert_eq!(body["tool_choice"], serde_json::Value::Null, "newer models refuse to be made to");
    let enforced = json!({
        "title": "submit_demo",
        "type": "object",
        "properties": { "name": { "type": "string" }, "count": { "type": "integer" } },
        "required": ["name", "count"],
        "additionalProperties": false,
    });
    let expected = json!({ "format": { "type": "json_schema", "schema": enforced } });
    assert_eq!(body["output_config"], expected);
    assert!(body["system"].as_str().unwrap().contains("\"minimum\":1"), "{body}");
}

#[tokio::test]
async fn a_long_answer_comes_in_parts() {
    let events = [
        json!({ "type": "message_start", "message": { "model": "m", "content": [], "stop_reason": null, "usage": { "input_tokens": 5, "output_tokens": 1 } } }),
        json!({ "type": "content_block_start", "index": 0, "content_block": { "type": "thinking", "thinking": "" } }),
        json!({ "type": "content_block_delta", "index": 0, "delta": { "type": "thinking_delta", "thinking": "Hm." } }),
        json!({ "type": "content_block_start", "index": 1, "content_block": { "type": "text", "text": "" } }),
        json!({ "type": "ping" }),
        json!({ "type": "content_block_delta", "index": 1, "delta": { "type": "text_delta", "text": "All " } }),
        json!({ "type": "content_block_delta", "index": 1, "delta": { "type": "text_delta", "text": "well." } }),
        json!({ "type": "message_delta", "delta": { "stop_reason": "end_turn" }, "usage": { "output_tokens": 9 } }),
        json!({ "type": "message_stop" }),
    ];
    let written = |count: usize| -> Vec<u8> {
        let one = |it: &serde_json::Value| format!("event: x\ndata: {it}\n\n");
        events[..count].iter().map(one).collect::<String>().into_bytes()
    };
    let stub = ModelStub::start([
        Reaction::bytes(200, written(6)),
        Reaction::bytes(200, written(events.len())),
    ])
    .await;
    // What breaks off in the middle is asked for again.
    let reply = text(&client(&stub, "anthropic")).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.stop), ("All well.", Stop::Complete));
    assert_eq!((reply.usage.input, reply.usage.output), (5, 9));
    assert_eq!(stub.received().len(), 2);
}

#[tokio::test]
async fn chat_completions_get_the_schema_as_the_format_of_the_answer_and_in_words() {
    for (provider, limit) in [("openai", "max_completion_tokens"), ("openrouter", "max_tokens")] {
        let content = "```json\n{\"name\": \"pump\", \"count\": 3}\n```";
        let stub = ModelStub::start([Reaction::openai(content, "stop")]).await;
        let answer = structured(&client(&stub, provider)).await.unwrap();
        assert_eq!(answer.value, json!({ "name": "pump", "count": 3 }));
        assert_eq!(answer.usage.output, 7);
        let received = &stub.received()[0];
        assert_eq!(received.path(), "/chat/completions");
        assert_eq!(received.header("authorization"), Some(format!("Bearer {KEY}").as_str()));
        // The newer limit is about thoughts too.
        let expected = if limit == "max_tokens" { 100 } else { 16_484 };
        assert_eq!(received.body[limit], expected);
        let format = &received.body["response_format"]["json_schema"];
        assert_eq!(format["strict"], true);
        assert_eq!(format["schema"], shape().schema);
        let system = received.body["messages"][0]["content"].as_str().unwrap();
        assert!(system.starts_with("Be brief.") && system.contains("\"additionalProperties\""));
    }
}

#[tokio::test]
async fn a_service_without_a_key_gets_no_key_of_another() {
    let stub = ModelStub::start([Reaction::openai("Fine.", "stop")]).await;
    let url = format!("{}/v1/", stub.url());
    let variables = [
        ("DEMO_LLM_PROVIDER", "compatible"),
        ("DEMO_LLM_BASE_URL", url.as_str()),
        ("DEMO_LLM_MODEL", "llama"),
        ("OPENAI_API_KEY", KEY),
    ];
    let client = Client::new(config(&variables).unwrap().unwrap(), clock()).unwrap();
    assert_eq!(text(&client).await.unwrap().text, "Fine.");
    assert_eq!(stub.received()[0].path(), "/v1/chat/completions");
    assert!(!stub.received_text().contains(KEY));
}

#[tokio::test]
async fn cut_words_are_marked_and_cut_data_is_an_error() {
    let cut = Reaction::anthropic_text("All w", "max_tokens");
    let stub = ModelStub::start([cut]).await;
    assert_eq!(text(&client(&stub, "anthropic")).await.unwrap().stop, Stop::Cut);
    let error = structured(&client(&stub, "anthropic")).await.unwrap_err();
    assert_eq!(error, Error::Truncated { limit: 100 });
    assert_eq!(stub.received().len(), 2, "the same question would be cut again");

    let stub = ModelStub::start([Reaction::openai("{\"name\": \"pu", "length")]).await;
    assert_eq!(text(&client(&stub, "openai")).await.unwrap().stop, Stop::Cut);
    let error = structured(&client(&stub, "openai")).await.unwrap_err();
    assert_eq!(error, Error::Truncated { limit: 100 });
}

#[tokio::test]
async fn a_refusal_of_the_model_is_no_answer() {
    let refused = json!({ "choices": [{
        "message": { "role": "assistant", "content": null, "refusal": "No." },
        "finish_reason": "stop",
    }] });
    let stub = ModelStub::start([Reaction::json(200, &refused)]).await;
    assert_eq!(text(&client(&stub, "openai")).await.unwrap_err(), Error::Refused);
    let stub = ModelStub::start([Reaction::anthropic_text("", "refusal")]).await;
    assert_eq!(text(&client(&stub, "anthropic")).await.unwrap_err(), Error::Refused);
    assert_eq!(stub.received().len(), 1);
}

#[tokio::test]
async fn secrets_in_the_question_stay_here_and_are_reported() {
    let stub = ModelStub::start([Reaction::anthropic_text("Fine.", "end_turn")]).await;
    let token = format!("ghp_{}", "a1B2".repeat(9));
    let request = Request::new("Look.", format!("line one\nlet t = \"{token}\";\nmine: {KEY}"));
    let reply = client(&stub, "anthropic").text(&request, pending()).await.unwrap();
    let found: Vec<_> = reply.redacted.iter().map(|it| (it.kind, it.line)).collect();
    assert_eq!(found, [("GITHUB_TOKEN", 2)]);
    let prompt = stub.received()[0].body["messages"][0]["content"].to_string();
    assert!(prompt.contains("REDACTED_GITHUB_TOKEN"), "{prompt}");
    assert!(!prompt.contains(&token) && !prompt.contains(KEY), "{prompt}");
}

#[tokio::test]
async fn an_answer_that_repeats_the_key_is_given_on_without_it() {
    let said = format!("Your key is {KEY}.");
    let stub = ModelStub::start([Reaction::anthropic_text(&said, "end_turn")]).await;
    let client_ = client(&stub, "anthropic");
    let reply = text(&client_).await.unwrap();
    assert!(!format!("{reply:?}").contains(KEY), "{reply:?}");
    assert!(!format!("{:?}", client_.config()).contains(KEY));
    let echo = Reaction::anthropic_tool("submit_demo", &json!({ "name": KEY, "count": 1 }));
    let stub = ModelStub::start([echo]).await;
    let answer = structured(&client(&stub, "anthropic")).await.unwrap();
    assert!(!format!("{answer:?}").contains(KEY), "{answer:?}");
}
