//! Scope that is kept: `check` for a change, `hook` for an agent about to write, and `regenerate`.

use std::io::Read as _;
use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches};
use mcp_core::cli::print;
use serde_json::{Value, json};

use super::shell::Shell;
use crate::domain::check::{Finding, Kind};
use crate::error::Error;
use crate::store::changed::Since;

pub(super) fn describe_check() -> clap::Command {
    clap::Command::new("check")
        .about("Hold a change against the current task and the decisions")
        .after_help("A forbidden path fails. A path outside of the allowlist or a dependency that no record names is a warning, and fails with --strict.")
        .arg(Arg::new("since").long("since").value_name("REF").help("Everything since this commit or branch; default: what is not committed"))
        .arg(
            Arg::new("staged")
                .long("staged")
                .action(ArgAction::SetTrue)
                .conflicts_with("since")
                .help("What is in the index"),
        )
        .arg(Arg::new("strict").long("strict").action(ArgAction::SetTrue).help("Warnings fail, too"))
        .arg(
            Arg::new("format")
                .long("format")
                .value_parser(["text", "json", "github"])
                .default_value("text")
                .help("How findings are printed"),
        )
        .arg(Arg::new("json").long("json").action(ArgAction::SetTrue).help("The same as --format json"))
}

pub(super) fn check(shell: &Shell, matches: &ArgMatches) -> Result<ExitCode, Error> {
    let since = match matches.get_one::<String>("since") {
        Some(name) => Since::Commit(name),
        None if matches.get_flag("staged") => Since::Staged,
        None => Since::LastCommit,
    };
    let findings = shell.check(&since)?;
    let fails = |it: &Finding| it.kind == Kind::Forbidden || matches.get_flag("strict");
    let format = if matches.get_flag("json") {
        "json"
    } else {
        matches.get_one("format").map_or("text", String::as_str)
    };
    match format {
        "json" => {
            let list: Vec<Value> = findings
                .iter()
                .map(|it| {
                    json!({ "severity": severity(fails(it)), "kind": kind(it), "path": it.path, "message": it.message })
                })
                .collect();
            print(&format!("{:#}", json!({ "findings": list })));
        }
        "github" => {
            for it in &findings {
                let path = it.path.replace([',', '\n'], " ");
                print(&format!(
                    "::{} file={path}::{}",
                    severity(fails(it)),
                    it.message.replace('\n', " ")
                ));
            }
        }
        _ if findings.is_empty() => print("The change keeps to the task and to the decisions."),
        _ => {
            for it in &findings {
                print(&format!("{}: {}: {}", it.path, severity(fails(it)), it.message));
            }
        }
    }
    let failed = findings.iter().any(fails);
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn severity(fails: bool) -> &'static str {
    if fails { "error" } else { "warning" }
}

fn kind(finding: &Finding) -> &'static str {
    match finding.kind {
        Kind::Forbidden => "forbidden",
        Kind::Outside => "outside",
        Kind::Dependency => "dependency",
    }
}

pub(super) fn describe_hook() -> clap::Command {
    clap::Command::new("hook")
        .about("Print a hook that asks before an agent writes outside of the current task")
        .after_help(
            "Put what it prints into .claude/settings.json. The hook asks, it never denies.",
        )
        .arg(
            Arg::new("client")
                .value_name("CLIENT")
                .required(true)
                .value_parser(["claude-code"])
                .help("Whose hook"),
        )
        .arg(
            Arg::new("event")
                .long("event")
                .action(ArgAction::SetTrue)
                .help("Judge the tool call on standard input; this is what the hook runs"),
        )
        .arg(Arg::new("json").long("json").action(ArgAction::SetTrue).hide(true))
}

pub(super) fn hook(shell: &Shell, matches: &ArgMatches) -> Result<ExitCode, Error> {
    if !matches.get_flag("event") {
        print(&format!("{:#}", settings()));
        return Ok(ExitCode::SUCCESS);
    }
    let mut text = String::new();
    // What cannot be read is none of the hook's business: the write goes ahead.
    if std::io::stdin().take(4 << 20).read_to_string(&mut text).is_ok()
        && let Ok(event) = serde_json::from_str::<Value>(&text)
        && let Some(answer) = verdict(shell, &event)?
    {
        print(&answer.to_string());
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) fn settings() -> Value {
    let run = json!({ "type": "command", "command": "preflights-mcp hook claude-code --event" });
    let entry = json!({ "matcher": "Edit|MultiEdit|Write|NotebookEdit", "hooks": [run] });
    json!({ "hooks": { "PreToolUse": [entry] } })
}

/// What the hook answers a tool call with: nothing, or the wish that somebody is asked.
pub(super) fn verdict(shell: &Shell, event: &Value) -> Result<Option<Value>, Error> {
    let input = &event["tool_input"];
    let path = input["file_path"].as_str().or_else(|| input["notebook_path"].as_str());
    let Some(path) = path.and_then(|it| shell.inside(it)) else { return Ok(None) };
    let Some(finding) = shell.judge(&path)? else { return Ok(None) };
    let reason = format!("{}: {}. See docs/CURRENT_TASK.md.", finding.path, finding.message);
    Ok(Some(json!({ "hookSpecificOutput": {
        "hookEventName": "PreToolUse",
        "permissionDecision": "ask",
        "permissionDecisionReason": reason,
    } })))
}

pub(super) fn describe_regenerate() -> clap::Command {
    clap::Command::new("regenerate")
        .about("Write docs/ARCHITECTURE_STATE.md anew from the records")
        .arg(Arg::new("json").long("json").action(ArgAction::SetTrue).help("Print JSON"))
}

pub(super) fn regenerate(shell: &Shell, matches: &ArgMatches) -> Result<ExitCode, Error> {
    let path = shell.regenerate()?;
    if matches.get_flag("json") {
        print(&format!("{:#}", json!({ "status": "success", "path": path })));
    } else {
        print(&match path {
            Some(path) => format!("{path} is what the records say."),
            None => "There are no records to write it from.".to_owned(),
        });
    }
    Ok(ExitCode::SUCCESS)
}
