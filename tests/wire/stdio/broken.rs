//! Lines that are not JSON, or JSON that most parsers refuse.

use plumbline_tests::Client;
use serde_json::json;

use super::{assert_alive, echo};
use crate::start;

/// A call of echo with id 77 whose text is written into the line as it is.
fn echo_with_raw_text(text: &[u8]) -> Vec<u8> {
    let line = echo(77, "@").to_string();
    let (before, after) = line.split_once('@').expect("the text is in the line");
    [before.as_bytes(), text, after.as_bytes(), b"\n"].concat()
}

/// A call of echo with id 77 whose text is a number.
fn echo_of_number(number: &str) -> Vec<u8> {
    format!("{}\n", echo(77, "@").to_string().replace("\"@\"", number)).into_bytes()
}

/// The last line was refused, for this reason, and its id was found all the same.
async fn assert_parse_error_with_id(client: &mut Client, id: i64, why: &str) {
    let reply = client.wait_for(id).await;
    assert_eq!(reply.code(), -32700, "{reply:?}");
    assert!(reply.error_text().contains(why), "{reply:?}");
}

async fn assert_parse_error_without_id(client: &mut Client, line: &[u8]) {
    client.send_raw(line).await;
    let reply = client.next_error_without_id().await;
    assert_eq!(reply.code(), -32700, "{reply:?}");
    assert!(reply.id().is_none(), "an unknown id is left out: {reply:?}");
}

// Verifies: PLB-d01001-A
#[tokio::test]
async fn text_that_is_not_json_is_a_parse_error_without_id() {
    let (mut client, _project) = start::ready().await;
    assert_parse_error_without_id(&mut client, b"hello?\n").await;
    assert_parse_error_without_id(&mut client, b"\"open string\n").await;
    assert_parse_error_without_id(&mut client, b"\x00\xff\xfe\x01\n").await;
    assert_alive(&mut client).await;
}

#[tokio::test]
async fn truncated_json_is_answered_with_the_id_that_can_be_seen() {
    let (mut client, _project) = start::ready().await;
    client.send_raw(b"{\"jsonrpc\":\"2.0\",\"id\":77,\"method\":\"ping\",\"params\":{\n").await;
    assert_parse_error_with_id(&mut client, 77, "EOF").await;
    assert_alive(&mut client).await;
}

#[tokio::test]
async fn invalid_utf8_in_a_request_is_a_parse_error_with_its_id() {
    let (mut client, _project) = start::ready().await;
    client.send_raw(&echo_with_raw_text(b"caf\xe9 \xff\xfe")).await;
    assert_parse_error_with_id(&mut client, 77, "not valid UTF-8").await;
    assert_alive(&mut client).await;
}

#[tokio::test]
async fn half_a_surrogate_pair_arrives_as_the_replacement_character() {
    let (mut client, _project) = start::ready().await;
    for (sent, arrives) in [
        (r"\ud800", "\u{fffd}"),
        (r"\udc00 tail", "\u{fffd} tail"),
        (r"a \ud83d b", "a \u{fffd} b"),
        (r"\ud800\ud800", "\u{fffd}\u{fffd}"),
    ] {
        client.send_raw(&echo_with_raw_text(sent.as_bytes())).await;
        assert_eq!(client.wait_for(77).await.structured(), &json!({ "text": arrives }), "{sent}");
    }
    assert_alive(&mut client).await;
}

#[tokio::test]
async fn a_valid_surrogate_pair_arrives_as_its_character() {
    let (mut client, _project) = start::ready().await;
    client.send_raw(&echo_with_raw_text(br"\ud83d\ude00")).await;
    assert_eq!(client.wait_for(77).await.structured(), &json!({ "text": "😀" }));
}

#[tokio::test]
async fn a_nul_byte_inside_a_string_is_a_parse_error_with_the_id() {
    let (mut client, _project) = start::ready().await;
    client.send_raw(&echo_with_raw_text(b"a\x00b")).await;
    assert_parse_error_with_id(&mut client, 77, "control character").await;
    assert_alive(&mut client).await;
}

#[tokio::test]
async fn a_nul_byte_after_a_request_does_not_lose_the_request() {
    let (mut client, _project) = start::ready().await;
    let line = format!("{}\0\n", echo(77, "kept"));
    client.send_raw(line.as_bytes()).await;
    assert_eq!(client.wait_for(77).await.structured(), &json!({ "text": "kept" }));
    assert_alive(&mut client).await;
}

#[tokio::test]
async fn nesting_beyond_128_is_an_error_with_the_id() {
    let (mut client, _project) = start::ready().await;
    for (depth, code, why) in [
        (129, -32700, "recursion limit"),
        (10_000, -32700, "recursion limit"),
        (1_000_000, -32600, "at most 100000 values"),
    ] {
        let nested = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        let line = format!(
            r#"{{"jsonrpc":"2.0","id":{depth},"method":"tools/call","params":{{"name":"echo","arguments":{{"text":{nested}}}}}}}"#
        );
        client.send_raw(format!("{line}\n").as_bytes()).await;
        let reply = client.wait_for(depth).await;
        assert_eq!(reply.code(), code, "{reply:?}");
        assert!(reply.error_text().contains(why), "{reply:?}");
    }
    assert_alive(&mut client).await;
}

#[tokio::test]
async fn a_number_too_large_to_hold_is_a_parse_error_with_the_id() {
    let (mut client, _project) = start::ready().await;
    for number in ["1e999", "-1e999"] {
        client.send_raw(&echo_of_number(number)).await;
        assert_parse_error_with_id(&mut client, 77, "number out of range").await;
    }
    assert_alive(&mut client).await;
}

#[tokio::test]
async fn a_number_that_has_to_be_rounded_is_read_and_refused_as_no_text() {
    let (mut client, _project) = start::ready().await;
    for number in ["123456789012345678901234567890", "1e-999"] {
        client.send_raw(&echo_of_number(number)).await;
        let reply = client.wait_for(77).await;
        assert!(reply.is_tool_error(), "a number is not a text: {reply:?}");
        assert!(reply.text().contains("expected a string"), "{reply:?}");
    }
    assert_alive(&mut client).await;
}

#[tokio::test]
async fn two_messages_on_one_line_are_both_served() {
    let (mut client, _project) = start::ready().await;
    let line = format!("{}{}\n", echo(71, "first"), echo(72, "second"));
    client.send_raw(line.as_bytes()).await;
    assert_eq!(client.wait_for(71).await.structured(), &json!({ "text": "first" }));
    assert_eq!(client.wait_for(72).await.structured(), &json!({ "text": "second" }));
}

#[tokio::test]
async fn blank_lines_carriage_returns_and_a_byte_order_mark_are_no_errors() {
    let (mut client, _project) = start::ready().await;
    let line = format!("\n\r\n   \n\u{feff}{}\r\n", echo(77, "kept"));
    client.send_raw(line.as_bytes()).await;
    let reply = client.next_message().await;
    assert_eq!(reply["id"], 77, "nothing but the answer is sent: {reply}");
}

#[tokio::test]
async fn an_overlong_line_is_an_error_and_memory_stays_bounded() {
    let _machine = start::alone().await;
    let (mut client, _project) = start::ready().await;
    assert_alive(&mut client).await;
    let before = client.process().peak_rss_bytes();
    let mebibyte = vec![b'x'; 1024 * 1024];
    client.send_raw(br#"{"jsonrpc":"2.0","id":77,"method":"tools/call","params":{"name":""#).await;
    for _ in 0..64 {
        client.send_raw(&mebibyte).await;
    }
    client.send_raw(b"\"}}\n").await;
    let reply = plumbline_tests::Reply::new(client.next_message().await);
    assert_eq!(reply.code(), -32600, "{reply:?}");
    assert!(reply.error_text().contains("8 MiB"), "it says what the limit is: {reply:?}");
    assert_alive(&mut client).await;
    let grown = client.process().peak_rss_bytes() - before;
    assert!(grown < 32 * 1024 * 1024, "a 64 MiB line cost {} MiB", grown >> 20);
}

#[tokio::test]
async fn a_line_just_below_the_limit_is_served() {
    let (mut client, _project) = start::ready().await;
    let text = "y".repeat(900 * 1024);
    let reply = client.call_tool("echo", json!({ "text": text })).await;
    assert!(!reply.is_error(), "a large argument is no protocol error: {:?}", reply.id());
    let padded = format!("{}{}\n", " ".repeat(7 * 1024 * 1024), echo(77, "kept"));
    client.send_raw(padded.as_bytes()).await;
    assert_eq!(client.wait_for(77).await.structured(), &json!({ "text": "kept" }));
}
