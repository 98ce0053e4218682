//! When a request is repeated, how long that takes, and what is said when it was in vain.

use std::time::Instant;

use super::*;

fn status(status: u16) -> Reaction {
    let body = json!({ "error": { "type": "some_error", "message": format!("bad key {KEY}") } });
    Reaction::json(status, &body)
}

#[tokio::test]
async fn a_refused_key_is_not_tried_again_and_not_shown() {
    for number in [401, 403] {
        let stub = ModelStub::start([status(number)]).await;
        let error = text(&client(&stub, "openai")).await.unwrap_err();
        assert_eq!(error.status(), Some(number));
        assert!(shown(&error).contains("refused the key"));
        assert_eq!(stub.received().len(), 1);
    }
}

#[tokio::test]
async fn a_rejected_request_names_the_kind_of_error_and_no_more() {
    let stub = ModelStub::start([status(400)]).await;
    let error = text(&client(&stub, "openai")).await.unwrap_err();
    assert_eq!(error.to_string(), "openai rejected the request with status 400 (some_error)");
    assert_eq!(stub.received().len(), 1);
    let odd = json!({ "error": { "type": format!("What is up? {KEY}") } });
    let stub = ModelStub::start([Reaction::json(404, &odd)]).await;
    let error = text(&client(&stub, "openai")).await.unwrap_err();
    assert!(shown(&error).starts_with("openai rejected the request with status 404 "));
}

#[tokio::test]
async fn a_failing_server_is_asked_three_times_at_most() {
    let stub = ModelStub::start([status(500), fitting()]).await;
    structured(&client(&stub, "anthropic")).await.unwrap();
    assert_eq!(stub.received().len(), 2);
    let stub = ModelStub::start([status(529)]).await;
    let error = text(&client(&stub, "anthropic")).await.unwrap_err();
    assert_eq!(error.status(), Some(529));
    shown(&error);
    assert_eq!(stub.received().len(), 3);
}

#[tokio::test]
async fn a_failure_told_in_an_answer_of_status_200_counts_as_one() {
    let body = json!({ "error": { "code": 429, "message": "upstream" } });
    let fine = Reaction::openai("Fine.", "stop");
    let stub = ModelStub::start([Reaction::json(200, &body), fine]).await;
    assert_eq!(text(&client(&stub, "openrouter")).await.unwrap().text, "Fine.");
    assert_eq!(stub.received().len(), 2);
}

#[tokio::test]
async fn the_time_to_wait_is_honoured_as_seconds_and_as_a_date() {
    // The clock of the client stands at 03:04:05.
    for value in ["1", "Fri, 02 Jan 2026 03:04:06 GMT"] {
        let stub = ModelStub::start([status(429).header("retry-after", value), fitting()]).await;
        let started = Instant::now();
        structured(&client(&stub, "anthropic")).await.unwrap();
        let waited = started.elapsed();
        assert!(waited >= Duration::from_secs(1) && waited < Duration::from_secs(5), "{waited:?}");
    }
}

#[tokio::test]
async fn a_wait_beyond_the_deadline_is_not_begun() {
    let stub = ModelStub::start([status(429).header("retry-after", "3600")]).await;
    let started = Instant::now();
    let error = text(&client(&stub, "anthropic")).await.unwrap_err();
    assert!(started.elapsed() < Duration::from_secs(5));
    assert!(shown(&error).contains("Try again in 3600 s."));
    assert_eq!(stub.received().len(), 1);
}

#[tokio::test]
async fn a_silent_server_is_given_up_at_the_deadline() {
    let stub = ModelStub::start([Reaction::Hang]).await;
    let request = request().deadline(Duration::from_millis(300));
    let started = Instant::now();
    let error = client(&stub, "anthropic").text(&request, pending()).await.unwrap_err();
    assert!(matches!(error, Error::Timeout { .. }), "{error:?}");
    assert!(started.elapsed() < Duration::from_secs(5));
    shown(&error);
}

#[tokio::test]
async fn with_patience_shorter_than_the_deadline_a_silent_server_is_asked_again() {
    let stub = ModelStub::start([Reaction::Hang, fitting()]).await;
    let request = request().patience(Duration::from_millis(300));
    let client = client(&stub, "anthropic");
    client.structured(&request, &shape(), pending()).await.unwrap();
    assert_eq!(stub.received().len(), 2);
}

#[tokio::test]
async fn cancelling_ends_the_wait() {
    let stub = ModelStub::start([Reaction::Hang]).await;
    let cancelled = tokio::time::sleep(Duration::from_millis(100));
    let error = client(&stub, "anthropic").text(&request(), cancelled).await.unwrap_err();
    assert_eq!(error, Error::Cancelled);
}

#[tokio::test]
async fn nobody_listening_and_a_broken_answer_are_unreachable() {
    let stub = ModelStub::start([Reaction::BreakOff]).await;
    let error = text(&client(&stub, "anthropic")).await.unwrap_err();
    assert!(shown(&error).contains("broke before the answer was complete"), "{error}");
    let gone = client(&stub, "anthropic");
    drop(stub);
    tokio::time::sleep(Duration::from_millis(50)).await;
    let error = text(&gone).await.unwrap_err();
    assert!(shown(&error).contains("no connection could be made"), "{error}");
}

#[tokio::test]
async fn an_answer_that_is_no_json_is_asked_for_again() {
    let garbage = Reaction::bytes(200, b"<html>busy</html>".to_vec());
    let stub = ModelStub::start([garbage.clone(), fitting()]).await;
    structured(&client(&stub, "anthropic")).await.unwrap();
    let stub = ModelStub::start([garbage]).await;
    let error = text(&client(&stub, "anthropic")).await.unwrap_err();
    assert!(shown(&error).contains("its body is not JSON"));
    assert_eq!(stub.received().len(), 3);
}

#[tokio::test]
async fn data_of_another_shape_is_asked_for_again_with_the_reason() {
    let wrong = Reaction::anthropic_tool("submit_demo", &json!({ "name": "pump", "count": 0 }));
    let stub = ModelStub::start([wrong.clone(), fitting()]).await;
    let answer = structured(&client(&stub, "anthropic")).await.unwrap();
    assert_eq!(answer.usage.input, 22, "both answers were paid for");
    let again = stub.received()[1].body["messages"][0]["content"].to_string();
    assert!(again.contains("`count` of the answer must have at least 1"), "{again}");
    let stub = ModelStub::start([wrong]).await;
    let error = structured(&client(&stub, "anthropic")).await.unwrap_err();
    assert!(matches!(error, Error::Malformed { .. }));
    assert_eq!(stub.received().len(), 3);
}

#[tokio::test]
async fn an_endless_answer_is_not_read_to_its_end() {
    let stub = ModelStub::start([Reaction::bytes(200, vec![b' '; 9 * 1024 * 1024])]).await;
    let error = text(&client(&stub, "anthropic")).await.unwrap_err();
    assert!(matches!(error, Error::TooLarge { .. }), "{error:?}");
    assert_eq!(stub.received().len(), 1);
}

#[tokio::test]
async fn a_redirection_is_not_followed() {
    let other = ModelStub::start([fitting()]).await;
    for number in [301, 302, 307, 308] {
        let away = status(number).header("location", &other.url());
        let stub = ModelStub::start([away]).await;
        let error = text(&client(&stub, "anthropic")).await.unwrap_err();
        assert!(matches!(error, Error::Redirected { .. }), "{error:?}");
    }
    assert!(other.received().is_empty());
}
