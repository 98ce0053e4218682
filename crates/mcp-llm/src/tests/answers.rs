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
        "max_tokens": 100,
        "system": "Be brief.",
        "messages": [{ "role": "user", "content": "What is up?" }],
    });
    assert_eq!(received.body, expected);
}

#[tokio::test]
async fn anthropic_is_made_to_call_the_tool_whose_input_is_the_answer() {
    let stub = ModelStub::start([fitting()]).await;
    let answer = structured(&client(&stub, "anthropic")).await.unwrap();
    assert_eq!(answer.value, json!({ "name": "pump", "count": 3 }));
    let body = &stub.received()[0].body;
    assert_eq!(body["tool_choice"], json!({ "type": "tool", "name": "submit_demo" }));
    assert_eq!(body["tools"][0]["input_schema"], shape().schema);
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
        assert_eq!(received.body[limit], 100);
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
