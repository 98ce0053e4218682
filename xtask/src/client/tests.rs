//! The client against servers of one shell line each.

#![cfg(unix)]

use std::process::Command;
use std::time::Duration;

use serde_json::json;

use super::Client;

fn start(script: &str, limit: Duration) -> Client {
    Client::start(Command::new("sh").args(["-c", script]), limit).unwrap()
}

const PLENTY: Duration = Duration::from_secs(20);

#[test]
fn notifications_and_server_requests_do_not_hide_the_answer() {
    let mut client = start(
        r#"read line
           echo '{"jsonrpc":"2.0","method":"notifications/message","params":{}}'
           echo '{"jsonrpc":"2.0","id":"s1","method":"roots/list"}'
           read refusal
           case "$refusal" in *'"id":"s1"'*-32601*) ;; *) exit 3 ;; esac
           echo '{"jsonrpc":"2.0","id":1,"result":{"fine":true}}'
           cat >/dev/null"#,
        PLENTY,
    );
    let answer = client.request("ping", &json!({})).unwrap();
    assert_eq!(answer, json!({ "fine": true }));
    client.finish().unwrap();
}

#[test]
fn a_server_that_dies_reports_what_it_wrote_to_stderr() {
    let mut client = start("read line; echo out of patience >&2; exit 3", PLENTY);
    let error = client.request("ping", &json!({})).unwrap_err().to_string();
    assert!(error.contains("ended before it answered ping"), "{error}");
    assert!(error.contains("out of patience"), "{error}");
}

#[test]
fn a_silent_server_is_ended_and_reported() {
    let mut client = start("exec sleep 60", Duration::from_millis(200));
    let error = client.request("ping", &json!({})).unwrap_err().to_string();
    assert!(error.contains("took too long to answer ping"), "{error}");
}

#[test]
fn an_unclean_exit_is_an_error() {
    let error = start("cat >/dev/null; exit 7", PLENTY).finish().unwrap_err().to_string();
    assert!(error.contains("exit status: 7"), "{error}");
}

#[test]
fn a_line_that_is_not_json_is_quoted() {
    let mut client = start("read line; echo hello world; cat >/dev/null", PLENTY);
    let error = client.request("ping", &json!({})).unwrap_err().to_string();
    assert!(error.contains("not JSON") && error.contains("hello world"), "{error}");
}

#[test]
fn a_pipeline_longer_than_both_pipes_is_answered_whole() {
    let request = [b"x".repeat(1023), b"\n".to_vec()].concat();
    let requests = request.repeat(400);
    let mut client = start("exec cat", PLENTY);
    assert_eq!(client.pipeline(&requests, 400).unwrap(), requests);
    client.finish().unwrap();
}
