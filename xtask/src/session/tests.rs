//! The session against servers of one shell line each.

use std::process::Command;
use std::time::Duration;

use serde_json::json;

use super::Session;

fn start(script: &str, limit: Duration) -> Session {
    let mut command = Command::new("sh");
    command.args(["-c", script]);
    Session::start(command, limit).unwrap()
}

const PLENTY: Duration = Duration::from_secs(20);

#[test]
fn notifications_do_not_hide_the_answer() {
    let mut session = start(
        r#"read line
           echo '{"jsonrpc":"2.0","method":"notifications/message","params":{}}'
           echo '{"jsonrpc":"2.0","id":1,"result":{"fine":true}}'
           cat >/dev/null"#,
        PLENTY,
    );
    let answer = session.request("ping", json!({})).unwrap();
    assert_eq!(answer, json!({ "fine": true }));
    session.finish().unwrap();
}

#[test]
fn an_error_is_reported_with_the_method() {
    let mut session = start(
        r#"read line; echo '{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}}'"#,
        PLENTY,
    );
    let error = session.request("ping", json!({})).unwrap_err().to_string();
    assert!(error.contains(r#"answered ping with {"code":-1,"message":"no"}"#), "{error}");
}

#[test]
fn a_server_that_dies_reports_what_it_wrote_to_stderr() {
    let mut session = start("read line; echo out of order >&2; sleep 0.1; exit 3", PLENTY);
    let error = session.request("ping", json!({})).unwrap_err().to_string();
    assert!(error.contains("closed its output; waited for the answer to ping"), "{error}");
    assert!(error.contains("out of order"), "{error}");
}

#[test]
fn a_silent_server_is_reported() {
    let mut session = start("exec sleep 60", Duration::from_millis(200));
    let error = session.request("ping", json!({})).unwrap_err().to_string();
    assert!(error.contains("waited in vain for the answer to ping"), "{error}");
}

#[test]
fn an_unclean_exit_is_an_error() {
    let error = start("cat >/dev/null; exit 7", PLENTY).finish().unwrap_err().to_string();
    assert!(error.contains("exit status: 7"), "{error}");
}

#[test]
fn a_line_that_is_not_json_is_quoted() {
    let mut session = start("read line; echo hello world; cat >/dev/null", PLENTY);
    let error = session.request("ping", json!({})).unwrap_err().to_string();
    assert!(error.contains("not JSON") && error.contains("hello world"), "{error}");
}

#[test]
fn a_pipeline_longer_than_both_pipes_is_answered_whole() {
    let request = [b"x".repeat(1023), b"\n".to_vec()].concat();
    let requests = request.repeat(400);
    let mut session = start("exec cat", PLENTY);
    assert_eq!(session.pipeline(&requests, 400).unwrap(), requests);
    session.finish().unwrap();
}
