//! specifyplus from outside: how it starts, what it logs, its own commands, and every transport.

mod serving;
mod shell;
mod starting;
#[cfg(unix)]
mod unreadable;

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use plumbline_tests::{Client, Fixture, bins};
use serde_json::{Value, json};

const VERSION: &str = "2025-11-25";

/// Two commands and a file that is not one, in the usual place.
const PROJECT: &str = "\
//- .claude/commands/sp.plan.md
---
description: Plan it
handoffs:
  - label: Next
    agent: sp.tasks
    prompt: go
---
Plan <$ARGUMENTS>.
//- .claude/commands/sp.tasks.md
---
description: List tasks
---
List.
//- .claude/commands/notes.txt
Not a command.
";

fn executable() -> PathBuf {
    bins::server("specifyplus-mcp")
}

/// Runs it to its end, with nothing on standard input.
fn run(project: &Fixture, args: &[&str]) -> Output {
    let mut command = Command::new(executable());
    command.args(args).current_dir(project.path()).stdin(Stdio::null());
    command.output().expect("the executable can be started")
}

fn printed(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("what is printed is text")
}

fn said(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("what is said is text")
}

fn spawn(project: &Fixture, args: &[&str], env: &[(&str, &str)]) -> Client {
    Client::spawn(&executable(), args, env, project.path())
}

fn names(listed: &Value) -> Vec<&str> {
    let prompts = listed["prompts"].as_array().expect("a list of prompts");
    prompts.iter().filter_map(|prompt| prompt["name"].as_str()).collect()
}

async fn list(client: &mut Client) -> Value {
    client.request("prompts/list", json!({})).await.result().clone()
}

/// Waits for words on stderr, which arrive when they arrive.
async fn wait_for_words(client: &Client, words: &str) {
    for _ in 0..2000 {
        if client.stderr().contains(words) {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    panic!("`{words}` was never said:\n{}", client.stderr());
}
