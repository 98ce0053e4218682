//! Ten thousand lines of garbage: each is survived, and the valid request after it answered.

use std::time::Duration;

use plumbline_tests::Client;
use serde_json::{Value, json};

use crate::start;

const LINES: usize = 10_000;

/// A small deterministic source of numbers (xorshift), so that a failure can be repeated.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.roll() % limit as u64).expect("a number below a usize is one")
    }

    fn byte(&mut self) -> u8 {
        self.roll().to_le_bytes()[0]
    }
}

/// Messages that the mutations begin with. None of them could stop the server if valid.
fn seeds() -> Vec<String> {
    let echo = json!({ "name": "echo", "arguments": { "text": "a \u{e9} \u{1f600} \\ \" /" } });
    let numbers = json!({ "name": "list_numbers", "arguments": { "count": 3 } });
    let meta = plumbline_tests::modern_params(json!({}), &json!({ "elicitation": {} }));
    let messages = [
        json!({ "jsonrpc": "2.0", "id": "g1", "method": "tools/call", "params": echo }),
        json!({ "jsonrpc": "2.0", "id": "g2", "method": "tools/call", "params": numbers }),
        json!({ "jsonrpc": "2.0", "id": "g3", "method": "tools/list", "params": {} }),
        json!({ "jsonrpc": "2.0", "id": "g4", "method": "resources/read", "params": { "uri": "test://static-text" } }),
        json!({ "jsonrpc": "2.0", "id": "g5", "method": "tools/list", "params": meta }),
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 7 } }),
        json!([{ "jsonrpc": "2.0", "id": "g6", "method": "ping" }]),
        json!({ "jsonrpc": "2.0", "id": "g7", "result": { "action": "accept" } }),
    ];
    messages.iter().map(Value::to_string).collect()
}

/// One line of garbage, without a line break inside.
fn garbage(dice: &mut Dice, seeds: &[String]) -> Vec<u8> {
    let mut line = seeds[dice.below(seeds.len())].clone().into_bytes();
    match dice.below(8) {
        0 => line = (0..dice.below(200)).map(|_| dice.byte()).collect(),
        1 => line.truncate(dice.below(line.len())),
        2 => {
            let from = dice.below(line.len());
            let piece = line[from..].to_vec();
            line.extend(piece);
        }
        3 => {
            let other = seeds[dice.below(seeds.len())].as_bytes();
            let (cut, from) = (dice.below(line.len()), dice.below(other.len()));
            line.truncate(cut);
            line.extend_from_slice(&other[from..]);
        }
        4 => {
            let depth = dice.below(400);
            let at = dice.below(line.len());
            let brackets = std::iter::repeat_n(b'[', depth);
            line.splice(at..at, brackets);
        }
        5 => {
            let at = dice.below(line.len());
            let digits = b"1e9999999-0.5E+17".repeat(1 + dice.below(4));
            line.splice(at..at, digits);
        }
        6 => {
            let at = dice.below(line.len());
            line.splice(at..at, br"\ud800\u0000\uDFFF\".iter().copied());
        }
        _ => {}
    }
    for _ in 0..dice.below(4) {
        if !line.is_empty() {
            let at = dice.below(line.len());
            line[at] = dice.byte();
        }
    }
    line.retain(|byte| *byte != b'\n' && *byte != b'\r');
    line.push(b'\n');
    line
}

/// Sends garbage, each line followed by a valid call that must be answered.
async fn survive(
    client: &mut Client,
    dice: &mut Dice,
    seeds: &[String],
    lines: std::ops::Range<usize>,
) {
    for number in lines {
        let line = garbage(dice, seeds);
        let text = number.to_string();
        let id = format!("valid-{number}");
        let params = json!({ "name": "echo", "arguments": { "text": text } });
        let call = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params });
        let both = [line.as_slice(), call.to_string().as_bytes(), b"\n"].concat();
        client.send_raw(&both).await;
        loop {
            let message = client.next_message().await;
            if message["id"] == id.as_str() {
                let echoed = &message["result"]["structuredContent"]["text"];
                assert_eq!(echoed, &json!(text), "after {:?}", String::from_utf8_lossy(&line));
                break;
            }
        }
    }
}

#[tokio::test]
async fn ten_thousand_lines_of_garbage_are_survived_in_flat_memory() {
    let _machine = start::alone().await;
    let (client, _project) = start::ready().await;
    let mut client = client.with_patience(Duration::from_mins(1));
    let mut dice = Dice(0x5eed_1234_abcd_ef01);
    let seeds = seeds();
    survive(&mut client, &mut dice, &seeds, 0..LINES / 2).await;
    let first = client.rss_bytes();
    survive(&mut client, &mut dice, &seeds, LINES / 2..LINES).await;
    let second = client.rss_bytes();
    assert!(second * 100 <= first * 110, "{first} bytes after one half, {second} after the other");
}
