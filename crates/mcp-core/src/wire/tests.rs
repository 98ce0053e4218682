//! Messages read from bytes: what is understood, what is refused and with which id.

use proptest::prelude::*;
use rmcp::model::{ClientJsonRpcMessage, GetExtensions as _, RequestMetaObject};
use serde_json::{Value, json};

use crate::wire::{self, INVALID_PARAMS, INVALID_REQUEST, PARSE_ERROR};

/// Code and id of the refusal, or `None` where the line is understood.
fn refusal(line: &[u8]) -> Option<(i32, Option<Value>)> {
    let value = wire::values(line).pop().expect("a line with something on it");
    let refusal = value.and_then(|value| wire::message(value).map(|_| ())).err()?;
    Some((refusal.code, refusal.id))
}

#[track_caller]
fn check(line: impl AsRef<[u8]>, code: i32, id: impl Into<Option<Value>>) {
    assert_eq!(refusal(line.as_ref()), Some((code, id.into())));
}

#[test]
fn broken_json_is_refused_with_the_id_if_one_can_be_seen() {
    check("garbage", PARSE_ERROR, None);
    check(r#"{"jsonrpc":"2.0","id":7,"method":"ping""#, PARSE_ERROR, json!(7));
    check(
        r#"{"jsonrpc":"2.0","method":"x","params":{"id":9},"id":"a\"b","#,
        PARSE_ERROR,
        json!("a\"b"),
    );
    check(r#"{"jsonrpc":"2.0","id":5,"method":"x","params":{"t":"open"#, PARSE_ERROR, json!(5));
    check(r#"{"id":1,"result":{"#, PARSE_ERROR, None);
    check(r#"{"jsonrpc":"2.0","id":5,"method":"x","params":{"n":1e999}}"#, PARSE_ERROR, json!(5));
    check(b"{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"\xff\"}", PARSE_ERROR, json!(6));
    check("{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"a\0b\"}", PARSE_ERROR, json!(6));
    let deep = format!(r#"{{"jsonrpc":"2.0","id":8,"method":"x","params":{}"#, "[".repeat(200));
    check(deep, PARSE_ERROR, json!(8));
}

#[test]
fn a_wrong_shape_is_refused_with_the_id_there_was() {
    check("{}", INVALID_REQUEST, None);
    check("7", INVALID_REQUEST, None);
    check(r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, INVALID_REQUEST, json!(1));
    check(r#"{"jsonrpc":"2.0","id":1}"#, INVALID_REQUEST, json!(1));
    check(r#"{"jsonrpc":"2.0","id":1,"method":7}"#, INVALID_REQUEST, json!(1));
    check(r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, INVALID_REQUEST, json!(1.5));
    check(r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, INVALID_REQUEST, None);
    check(r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, INVALID_REQUEST, None);
    check(r#"{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}"#, INVALID_REQUEST, json!(1));
    check(r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{}}"#, INVALID_REQUEST, json!(1));
    check(r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}"#, INVALID_REQUEST, json!(1));
    check(r#"{"jsonrpc":"2.0","id":1,"method":"initialize"}"#, INVALID_PARAMS, json!(1));
}

#[test]
fn padding_and_other_habits_are_understood() {
    for line in [
        "\u{feff}{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":null}\0\0",
        r#"{"jsonrpc":"2.0","id":1.0,"method":"ping","extra":true}"#,
        r#"{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"a","arguments":null}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/whatever","params":[1]}"#,
    ] {
        assert_eq!(refusal(line.as_bytes()), None, "{line}");
    }
}

/// The common calls are read by hand; whatever they hold, rmcp reads the same.
#[test]
fn calls_are_read_as_rmcp_reads_them() {
    let all = [
        json!({ "name": "a" }),
        json!({ "name": "a", "arguments": null }),
        json!({ "name": "a", "arguments": { "b": [1, null] } }),
        json!({ "name": "a", "_meta": { "progressToken": "p", "other": { "x": 1 } } }),
        json!({ "name": "a", "arguments": { "b": "c" }, "_meta": { "progressToken": 7 } }),
        json!({ "name": "a", "arguments": {}, "requestState": "s" }),
        json!({ "name": "a", "further": true }),
        json!({ "arguments": {} }),
        json!({ "name": 7 }),
        json!({ "name": "a", "arguments": [] }),
    ];
    let methods = ["tools/call", "prompts/get"];
    for (method, params) in methods.iter().flat_map(|it| all.iter().map(move |all| (it, all))) {
        let value = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let ours = wire::message(value.clone()).map_err(|it| it.message);
        let theirs = serde_json::from_value::<ClientJsonRpcMessage>(value);
        let meta = |message: &ClientJsonRpcMessage| match message {
            ClientJsonRpcMessage::Request(it) => {
                it.request.extensions().get::<RequestMetaObject>().cloned()
            }
            _ => None,
        };
        let ours = ours.unwrap().unwrap();
        let theirs = theirs.unwrap();
        assert_eq!(meta(&ours), meta(&theirs), "{method} {params}");
        let [ours, theirs] = [ours, theirs].map(|it| format!("{it:?}"));
        assert_eq!(ours, theirs, "{method} {params}");
    }
}

#[test]
fn half_a_surrogate_pair_is_replaced_and_a_whole_one_kept() {
    let line = r#"{"a":"\ud83d\ude00 \ud800 \\ud800 \udc00x"}"#;
    let value = wire::values(line.as_bytes()).pop().unwrap().unwrap();
    assert_eq!(value, json!({"a": "😀 \u{fffd} \\ud800 \u{fffd}x"}));
}

#[test]
fn several_messages_on_a_line_are_all_read() {
    let line = br#"{"id":1} {"id":2}{"id":3}"#;
    let ids: Vec<_> = wire::values(line).into_iter().map(|it| it.unwrap()["id"].clone()).collect();
    assert_eq!(ids, [json!(1), json!(2), json!(3)]);
    let broken = wire::values(br#"{"id":1} {"id":2,"#);
    assert_eq!(broken.len(), 2);
    assert_eq!(broken[1].as_ref().unwrap_err().id, Some(json!(2)));
}

proptest! {
    #[test]
    fn no_line_makes_the_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        for value in wire::values(&bytes).into_iter().flatten() {
            drop(wire::message(value));
        }
        drop(wire::recover_id(&bytes));
    }

    #[test]
    fn no_mangled_message_makes_the_reader_panic(at in 0usize..120, byte in any::<u8>(), cut in 0usize..130) {
        let mut line = br#"{"jsonrpc":"2.0","id":"a\u00e9","method":"tools/call","params":{"name":"x","arguments":{"k":[1,{"z":null}]}}}"#.to_vec();
        let at = at % line.len();
        line[at] = byte;
        line.truncate(cut);
        for value in wire::values(&line).into_iter().flatten() {
            drop(wire::message(value));
        }
    }
}
