//! The `claude` command line, played by scripts.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::Instant;

use super::*;
use crate::Stop;

struct Script {
    directory: tempfile::TempDir,
    client: Client,
}

fn script(body: &str) -> Script {
    let directory = tempfile::tempdir().unwrap();
    let program = directory.path().join("claude");
    fs::write(&program, format!("#!/bin/sh\ncd \"$(dirname \"$0\")\" || exit 9\n{body}\n"))
        .unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let path = directory.path().to_string_lossy().into_owned();
    let variables = [("DEMO_LLM_PROVIDER", "claude"), ("PATH", path.as_str())];
    let client = Client::new(config(&variables).unwrap().unwrap(), clock()).unwrap();
    Script { directory, client }
}

fn result(text: &str) -> String {
    let result = json!({
        "type": "result", "subtype": "success", "is_error": false, "result": text,
        "stop_reason": "end_turn", "usage": { "input_tokens": 5, "output_tokens": 2 },
    });
    format!("cat <<'END'\n{result}\nEND")
}

fn read(directory: &Path, name: &str) -> String {
    fs::read_to_string(directory.join(name)).unwrap_or_default()
}

#[tokio::test]
async fn the_question_goes_to_its_input_and_nothing_of_it_to_its_arguments() {
    let script = script(&format!("cat > asked\necho \"$@\" > arguments\n{}", result("Fine.")));
    let reply = text(&script.client).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.stop), ("Fine.", Stop::Complete));
    assert_eq!((reply.usage.input, reply.usage.output), (5, 2));
    assert_eq!(read(script.directory.path(), "asked"), "Be brief.\n\nWhat is up?");
    let arguments = read(script.directory.path(), "arguments");
    assert!(arguments.starts_with("--print --output-format json"), "{arguments}");
}

#[tokio::test]
async fn data_is_asked_for_in_words_and_checked_all_the_same() {
    let script = script(&format!("cat > asked\n{}", result("{\"name\": \"pump\", \"count\": 3}")));
    let answer = structured(&script.client).await.unwrap();
    assert_eq!(answer.value, json!({ "name": "pump", "count": 3 }));
    assert!(read(script.directory.path(), "asked").contains("\"minimum\":1"));
    let wrong = self::script(&result("{\"name\": 4}"));
    let error = structured(&wrong.client).await.unwrap_err();
    assert!(matches!(error, Error::Malformed { .. }), "{error:?}");
}

#[tokio::test]
async fn it_is_killed_at_the_deadline_with_all_it_started() {
    let script = script("sh -c 'sleep 2; touch survived' &\nsleep 30");
    let request = request().deadline(Duration::from_millis(300));
    let started = Instant::now();
    let error = script.client.text(&request, pending()).await.unwrap_err();
    assert!(matches!(error, Error::Timeout { .. }), "{error:?}");
    assert!(started.elapsed() < Duration::from_secs(2));
    tokio::time::sleep(Duration::from_millis(2500)).await;
    assert!(!script.directory.path().join("survived").exists());
}

#[tokio::test]
async fn failures_are_told_without_what_it_printed() {
    let cases = [
        (format!("echo '{KEY}' >&2; exit 3"), "the `claude` command ended with exit code 3"),
        ("echo not json".to_owned(), "printed no JSON"),
        (
            "echo '{\"type\":\"result\",\"is_error\":true,\"result\":\"log in\"}'; exit 1"
                .to_owned(),
            "an error of its own",
        ),
        ("head -c 9000000 /dev/zero".to_owned(), "more than 8388608 bytes"),
    ];
    for (body, expected) in cases {
        let script = script(&body);
        let error = text(&script.client).await.unwrap_err();
        assert!(shown(&error).contains(expected), "{error}");
    }
}

#[tokio::test]
async fn it_sees_its_own_login_and_nobody_elses_keys() {
    let directory = tempfile::tempdir().unwrap();
    let program = directory.path().join("claude");
    let body =
        format!("#!/bin/sh\nenv > '{}/seen'\n{}\n", directory.path().display(), result("Hi"));
    fs::write(&program, body).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let path = program.to_string_lossy().into_owned();
    let variables = [
        ("DEMO_LLM_PROVIDER", "claude"),
        ("DEMO_LLM_COMMAND", path.as_str()),
        ("CLAUDE_CODE_OAUTH_TOKEN", "its-own"),
        ("ANTHROPIC_API_KEY", KEY),
        ("CLAUDECODE", "1"),
    ];
    let config = config(&variables).unwrap().unwrap();
    assert!(!format!("{config:?}").contains("its-own"));
    text(&Client::new(config, clock()).unwrap()).await.unwrap();
    let seen = read(directory.path(), "seen");
    assert!(seen.contains("CLAUDE_CODE_OAUTH_TOKEN=its-own"), "{seen}");
    assert!(!seen.contains(KEY) && !seen.contains("CLAUDECODE"), "{seen}");
}

#[tokio::test]
async fn the_events_of_a_talkative_command_end_with_its_result() {
    let events = "echo '[{\"type\":\"system\"},{\"type\":\"result\",\"subtype\":\"success\",\"result\":\"Hi\",\"stop_reason\":\"max_tokens\"}]'";
    let reply = text(&script(events).client).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.stop), ("Hi", Stop::Cut));
}

#[test]
fn a_command_nobody_named_is_not_used_even_where_it_is_logged_in() {
    let script = script("true");
    let home = script.directory.path().to_string_lossy().into_owned();
    fs::create_dir(script.directory.path().join(".claude")).unwrap();
    fs::write(script.directory.path().join(".claude/.credentials.json"), "{}").unwrap();
    let found = |more: &[(&str, &str)]| {
        let mut variables = vec![("PATH", home.as_str()), ("HOME", home.as_str())];
        variables.extend(more);
        Config::find(&NAMES, &lookup(&variables)).unwrap()
    };
    assert!(found(&[("CLAUDE_CODE_OAUTH_TOKEN", "x")]).is_none());
    assert_eq!(found(&[("DEMO_LLM_PROVIDER", "claude")]).unwrap().provider(), "claude");
}

#[test]
fn a_command_that_is_not_installed_is_said_to_be_missing() {
    let error = config(&[("DEMO_LLM_PROVIDER", "claude"), ("PATH", "/nowhere")]).unwrap_err();
    assert!(error.to_string().contains("`claude` command, which is not on the PATH"), "{error}");
    assert!(Config::find(&NAMES, &lookup(&[("PATH", "/nowhere")])).unwrap().is_none());
}
