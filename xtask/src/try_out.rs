//! `cargo xtask try`: the five real servers at work on a sample project, as an agent would see it.

mod script;

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use crate::args::Args;
use crate::files::{self, Scratch};
use crate::session::Session;
use crate::workspace::{Profile, SERVERS, Server, Workspace};
use crate::{Result, run, sample};

/// How long one server may take for everything it is asked.
const LIMIT: Duration = Duration::from_mins(1);

/// How much of an answer the transcript shows.
const SHOWN_LINES: usize = 12;
const SHOWN_CHARS: usize = 160;

pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result {
    workspace.build_servers(Profile::Release)?;
    let mut scratch = Scratch::new("try")?;
    if args.has("--keep") {
        scratch.keep();
    }
    let project = scratch.path();
    sample::lay(project)?;
    // Enough of a git directory to be found as a repository.
    files::write(&project.join(".git/HEAD"), "ref: refs/heads/main\n")?;
    println!("\nSample project: {} ({} files)", project.display(), sample::FILES.len());
    for server in &SERVERS {
        show(workspace, server, project)?;
    }
    println!("\nTo use them in Claude Code, put this into .mcp.json at the root of a project:\n");
    println!("{}", serde_json::to_string_pretty(&client_entries(workspace)?)?);
    if args.has("--keep") {
        println!("\nThe sample project stays in {}.", project.display());
    }
    Ok(())
}

fn show(workspace: &Workspace, server: &Server, project: &Path) -> Result {
    println!("\n{} · {}", server.package, server.purpose);
    let before = files::tree(project)?;
    let executable = workspace.executable(Profile::Release, server.package);
    let mut command = Command::new(executable);
    command.current_dir(project).arg("--root").arg(project);
    // Nobody who only looks shall be charged for a language model.
    command.env("REVERSE_SPEC_LLM", "off");
    let started = Instant::now();
    let (mut session, hello) = Session::open(command, LIMIT)?;
    let info = &hello["serverInfo"];
    if info["name"] != server.name {
        return Err(format!("{} calls itself {}", server.package, info["name"]).into());
    }
    let version = info["version"].as_str().unwrap_or_default();
    let protocol = hello["protocolVersion"].as_str().unwrap_or_default();
    let title = format!("{} {version}, protocol {protocol}", server.name);
    line("start and initialize", started.elapsed(), &title);

    let mut answers = Map::new();
    for step in script::steps(server.name, &hello["capabilities"]) {
        let params = script::resolve(step.params, &answers)?;
        let asked = asked(step.method, &params);
        let started = Instant::now();
        let answer = session.request(step.method, params)?;
        line(&asked, started.elapsed(), &counted(&answer));
        for text in told(&answer) {
            println!("      {text}");
        }
        if answer["isError"] == true {
            return Err(format!("{} answered {} with an error", server.package, step.name).into());
        }
        answers.insert(step.name.to_owned(), answer);
    }
    session.finish()?;

    let changes = files::changes(&before, &files::tree(project)?);
    if changes.is_empty() {
        println!("  no files written");
    }
    for change in changes {
        println!("  {change}");
    }
    Ok(())
}

fn line(what: &str, took: Duration, answer: &str) {
    let what = shortened(what, SHOWN_CHARS);
    println!("  {:>8.2} ms  {what:<28} {answer}", took.as_secs_f64() * 1000.0);
}

/// `tools/call search {"query":"todo"}`
fn asked(method: &str, params: &Value) -> String {
    let name = params["name"].as_str().or_else(|| params["uri"].as_str());
    let arguments = params.get("arguments").map(Value::to_string);
    [Some(method), name, arguments.as_deref()].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// The answer to a list request in two words, and nothing for any other.
fn counted(answer: &Value) -> String {
    let lists = [
        ("tools", "tools"),
        ("prompts", "prompts"),
        ("resources", "resources"),
        ("resourceTemplates", "resource templates"),
    ];
    let counts = lists.iter().filter_map(|(key, noun)| {
        let items = answer[*key].as_array()?;
        let names: Vec<&str> =
            items.iter().filter_map(|item| item["name"].as_str()).take(SHOWN_LINES).collect();
        let names =
            if names.is_empty() { String::new() } else { format!(": {}", names.join(", ")) };
        Some(shortened(&format!("{} {noun}{names}", items.len()), SHOWN_CHARS))
    });
    counts.collect::<Vec<_>>().join(", ")
}

/// The text an agent would read, cut to a screenful.
fn told(answer: &Value) -> Vec<String> {
    let blocks = answer["content"].as_array().or_else(|| answer["contents"].as_array());
    let messages = answer["messages"].as_array();
    let texts = blocks
        .into_iter()
        .flatten()
        .filter_map(|block| block["text"].as_str())
        .chain(messages.into_iter().flatten().filter_map(|it| it["content"]["text"].as_str()));
    let lines: Vec<String> =
        texts.flat_map(str::lines).map(|text| shortened(text, SHOWN_CHARS)).collect();
    let hidden = lines.len().saturating_sub(SHOWN_LINES);
    let more = (hidden > 0).then(|| format!("… {hidden} more lines"));
    lines.into_iter().take(SHOWN_LINES).chain(more).collect()
}

fn shortened(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The entries the servers themselves propose, gathered into one file.
fn client_entries(workspace: &Workspace) -> Result<Value> {
    let mut entries = Map::new();
    for server in &SERVERS {
        let executable = workspace.executable(Profile::Release, server.package);
        let printed = run::quietly(Command::new(executable).args(["config", "claude-code"]))?;
        let config: Value = serde_json::from_str(&printed)
            .map_err(|error| format!("`{} config` printed no JSON: {error}", server.package))?;
        let servers = config["mcpServers"].as_object().ok_or_else(|| {
            format!("`{} config claude-code` printed no mcpServers", server.package)
        })?;
        entries.extend(servers.clone());
    }
    Ok(json!({ "mcpServers": entries }))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{asked, counted, told};

    #[test]
    fn a_request_is_shown_with_its_name_and_arguments() {
        assert_eq!(asked("tools/list", &json!({})), "tools/list");
        let params = json!({ "name": "search", "arguments": { "query": "todo" } });
        assert_eq!(asked("tools/call", &params), r#"tools/call search {"query":"todo"}"#);
    }

    #[test]
    fn lists_are_counted_and_named() {
        assert_eq!(counted(&json!({ "tools": [] })), "0 tools");
        let answer = json!({ "prompts": [{ "name": "plan" }, { "name": "tasks" }] });
        assert_eq!(counted(&answer), "2 prompts: plan, tasks");
    }

    #[test]
    fn a_long_answer_is_cut_to_a_screenful() {
        let text = (1..=20).map(|n| format!("line {n}")).collect::<Vec<_>>().join("\n");
        let lines = told(&json!({ "content": [{ "type": "text", "text": text }] }));
        assert_eq!(lines.len(), 13);
        assert_eq!(lines[12], "… 8 more lines");
    }

    #[test]
    fn prompts_and_resources_are_told_as_text() {
        let prompt = json!({ "messages": [{ "role": "user", "content": { "type": "text", "text": "go" } }] });
        assert_eq!(told(&prompt), ["go"]);
        assert_eq!(told(&json!({ "contents": [{ "uri": "a:b", "text": "page" }] })), ["page"]);
    }
}
