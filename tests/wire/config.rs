//! `config`: what was given to the command is in the entry it writes, for every client.

use std::path::Path;
use std::process::{Command, Stdio};

use plumbline_tests::bins::{SERVERS, Server};
use plumbline_tests::{Fixture, bins};
use serde_json::Value;

/// The ids in the table of clients.
fn clients() -> Vec<String> {
    let table = bins::workspace().join("crates/mcp-core/assets/clients.json");
    let table = std::fs::read_to_string(table).expect("the table of clients");
    let table: Vec<Value> = serde_json::from_str(&table).expect("a list");
    let ids = table.iter().map(|it| it["id"].as_str().expect("an id").to_owned());
    let ids: Vec<String> = ids.collect();
    assert!(ids.len() >= 20, "{ids:?}");
    ids
}

/// What is printed but never written.
const SHOWN_ONLY: &str = "goose";

fn start(binary: &str, at: &Path, home: &Path, args: &[&str], env: &[(&str, &str)]) -> Ended {
    let mut command = Command::new(bins::server(binary));
    command.args(args).current_dir(at).stdin(Stdio::null());
    command.env("HOME", home).env_remove("XDG_CONFIG_HOME").env("PATH", "/usr/bin:/bin");
    let ended = command.envs(env.iter().copied()).output().expect("the server can be started");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ended { well: ended.status.success(), out: text(&ended.stdout), said: text(&ended.stderr) }
}

struct Ended {
    well: bool,
    out: String,
    said: String,
}

fn run(binary: &str, project: &Fixture, args: &[&str], env: &[(&str, &str)]) -> (String, String) {
    let ended = start(binary, project.path(), project.path(), args, env);
    assert!(ended.well, "{binary} {args:?}: {}", ended.said);
    (ended.out, ended.said)
}

/// A project that every server can start in.
fn project() -> Fixture {
    let project = Fixture::project();
    project.write(".claude/commands/plan.md", "Make a plan.\n");
    project
}

/// The flags that every server has, and one of its own where it has some.
fn flags(server: &Server) -> Vec<&'static str> {
    let mut flags = vec!["--read-only", "--call-timeout=17", "--log=debug", "--audit=/tmp/audit"];
    match server.name {
        "specifyplus" => flags.extend(["--builtin", "--commands-dir=other"]),
        "elspais" => flags.push("--toolsets=all"),
        "reverse-spec" => flags.push("--semantic"),
        _ => {}
    }
    flags
}

// Verifies: PLB-d01003-A
#[test]
fn every_flag_that_is_given_is_in_the_entry_of_every_client() {
    let project = project();
    for server in &SERVERS {
        for client in clients() {
            let mut args = vec!["config", client.as_str()];
            args.extend(flags(server));
            let (entry, _) = run(server.binary, &project, &args, &[]);
            for flag in flags(server) {
                for word in flag.split('=') {
                    let quoted = format!("\"{word}\"");
                    let found = entry.contains(&quoted) || entry.contains(&format!("- {word}\n"));
                    assert!(found, "{} {client} {flag}: {entry}", server.binary);
                }
            }
        }
    }
}

#[test]
fn what_was_not_given_is_not_there() {
    let project = project();
    for server in &SERVERS {
        let (entry, _) = run(server.binary, &project, &["config", "cursor"], &[]);
        for word in ["--read-only", "--call-timeout", "--audit", "env"] {
            assert!(!entry.contains(&format!("\"{word}\"")), "{}: {entry}", server.binary);
        }
    }
}

#[test]
fn a_variable_counts_like_its_flag_and_one_without_a_flag_is_kept_by_name() {
    let project = project();
    for client in clients() {
        let env = [("PLUMBLINE_READ_ONLY", "1"), ("ACM_ROOT", "/srv/acm")];
        let (entry, _) = run("acm-mcp", &project, &["config", &client], &env);
        assert!(entry.contains("--read-only"), "{client}: {entry}");
        assert!(entry.contains("ACM_ROOT") && entry.contains("/srv/acm"), "{client}: {entry}");
    }
}

/// Seen of the clients themselves: these two start a server without the variables that look like
/// keys, unless the entry names them.
#[test]
fn a_key_reaches_the_server_where_a_client_would_keep_it() {
    let project = project();
    let ways = [
        ("PREFLIGHTS_LLM_API_KEY", "preflights-mcp", "PREFLIGHTS_LLM_PROVIDER"),
        // One that is shared with other programs counts where this server reads it.
        ("ANTHROPIC_API_KEY", "elspais-mcp", "ELSPAIS_LLM_PROVIDER"),
        ("OPENAI_API_KEY", "reverse-spec-mcp", "REVERSE_SPEC_LLM_PROVIDER"),
    ];
    for (key, binary, provider) in ways {
        let word = if key.starts_with("OPENAI") { "openai" } else { "anthropic" };
        let env = [(key, "very-secret-value"), (provider, word)];
        let (codex, _) = run(binary, &project, &["config", "codex"], &env);
        assert!(codex.contains(&format!("env_vars = [\"{key}\"]")), "{codex}");
        let (gemini, _) = run(binary, &project, &["config", "gemini"], &env);
        assert!(gemini.contains(&format!("\"{key}\": \"${{{key}}}\"")), "{gemini}");
        let (claude, said) = run(binary, &project, &["config", "claude-code"], &env);
        assert!(!claude.contains(key) && said.contains(key), "{claude}{said}");
        let asks_nobody = [(key, "very-secret-value"), (provider, "off")];
        let (idle, _) = run(binary, &project, &["config", "codex"], &asks_nobody);
        assert_eq!(idle.contains(key), key.starts_with("PREFLIGHTS"), "{idle}");
    }
}

// Verifies: PLB-d01003-B
#[test]
fn the_value_of_a_key_is_never_written_and_its_name_is_said() {
    let project = project();
    let env =
        [("PREFLIGHTS_LLM_API_KEY", "very-secret-value"), ("PREFLIGHTS_LLM_PROVIDER", "mock")];
    for client in clients() {
        let (entry, said) = run("preflights-mcp", &project, &["config", &client], &env);
        assert!(!entry.contains("very-secret-value") && !said.contains("very-secret-value"));
        assert!(said.contains("PREFLIGHTS_LLM_API_KEY"), "{client}: {said}");
        assert!(entry.contains("PREFLIGHTS_LLM_PROVIDER"), "{client}: {entry}");
    }
}

#[test]
fn after_writing_it_says_the_next_step_and_how_to_check() {
    for client in clients().iter().filter(|it| *it != SHOWN_ONLY) {
        let project = project();
        let env = [("ACM_ROOT", "/srv/acm")];
        let args = ["config", client, "--write", "--read-only", "--file", "settings"];
        let (_, said) = run("acm-mcp", &project, &args, &env);
        assert!(said.contains("Next: "), "{client}: {said}");
        let written = project.read("settings");
        assert!(written.contains("--read-only") && written.contains("ACM_ROOT"), "{written}");
        // A second time changes nothing.
        run("acm-mcp", &project, &args, &env);
        assert_eq!(project.read("settings"), written, "{client}");
    }
}

#[test]
fn an_entry_that_was_written_is_seen_and_taken_out_again_and_nothing_else_changes() {
    for client in clients().iter().filter(|it| *it != SHOWN_ONLY) {
        let project = project();
        let said = |flags: &[&str]| {
            let args: Vec<&str> = ["config", client].into_iter().chain(flags.to_vec()).collect();
            start("acm-mcp", project.path(), project.path(), &args, &[])
        };
        assert!(!said(&["--check"]).well, "{client}: nothing is there yet");
        assert!(said(&["--write", "--name", "kept"]).well, "{client}");
        let before = project.files();
        assert!(said(&["--write"]).well, "{client}");
        assert!(said(&["--check"]).well, "{client}");
        assert_ne!(project.files(), before, "{client}");
        assert!(said(&["--remove"]).said.contains("removed from"), "{client}");
        assert!(said(&["--remove"]).said.contains("not in"), "{client}");
        assert!(!said(&["--check"]).well, "{client}");
        assert!(said(&["--check", "--name", "kept"]).well, "{client}: the other one stays");
    }
}

#[test]
fn yaml_is_shown_and_not_written() {
    let project = project();
    let ended =
        start("acm-mcp", project.path(), project.path(), &["config", SHOWN_ONLY, "--write"], &[]);
    assert!(!ended.well && ended.said.contains("without --write"), "{}", ended.said);
}

// Verifies: PLB-d01003-C
#[test]
fn an_entry_of_another_project_is_kept_unless_a_name_or_force_says_otherwise() {
    let home = Fixture::new("//- one/.git/HEAD\nx\n//- two/.git/HEAD\nx\n");
    let at = |project: &str, flags: &[&str]| {
        let args: Vec<&str> =
            ["config", "claude-desktop"].into_iter().chain(flags.to_vec()).collect();
        start("acm-mcp", &home.path().join(project), home.path(), &args, &[])
    };
    let file = ".config/Claude/claude_desktop_config.json";
    assert!(at("one", &["--write"]).well);
    let first = home.read(file);
    let refused = at("two", &["--write"]);
    assert!(!refused.well && refused.said.contains("--name"), "{}", refused.said);
    assert!(!at("two", &["--remove"]).well, "nor may it be removed from there");
    assert_eq!(home.read(file), first);
    assert!(at("two", &["--write", "--name", "acm-two"]).well);
    let both: Value = serde_json::from_str(&home.read(file)).expect("JSON");
    assert_eq!(both["mcpServers"].as_object().map(serde_json::Map::len), Some(2), "{both}");
    assert!(at("two", &["--write", "--force"]).well);
    assert!(!at("two", &["--write", "--name", "a b"]).well, "no name for a tool");
}

#[test]
fn an_entry_that_starts_something_else_is_kept_too() {
    let project = project();
    project.write(
        ".cursor/mcp.json",
        r#"{"mcpServers": {"acm": {"url": "https://example.com/mcp"}}}"#,
    );
    let ended =
        start("acm-mcp", project.path(), project.path(), &["config", "cursor", "--write"], &[]);
    assert!(!ended.well && ended.said.contains("something else"), "{}", ended.said);
}

#[test]
fn links_hold_the_entry() {
    let project = project();
    let (link, _) = run("acm-mcp", &project, &["config", "vscode", "--link", "--read-only"], &[]);
    let json = link.trim().strip_prefix("vscode:mcp/install?").expect("a link");
    let json: Value = serde_json::from_slice(&unescaped(json)).expect("JSON");
    assert_eq!(json["name"], "acm");
    assert_eq!(json["args"], serde_json::json!(["--root", "${workspaceFolder}", "--read-only"]));
    let (link, _) = run("acm-mcp", &project, &["config", "cursor", "--link"], &[]);
    let rest =
        link.trim().strip_prefix("cursor://anysphere.cursor-deeplink/mcp/install?name=acm&config=");
    let config = String::from_utf8(unescaped(rest.expect("a link"))).expect("letters");
    let json: Value = serde_json::from_slice(&unbased(&config)).expect("JSON");
    assert_eq!(json["args"], serde_json::json!(["--root", "${workspaceFolder}"]));
    let ended =
        start("acm-mcp", project.path(), project.path(), &["config", "codex", "--link"], &[]);
    assert!(!ended.well && ended.said.contains("cursor and vscode"), "{}", ended.said);
}

fn unescaped(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [byte, after @ ..] = rest {
        if *byte == b'%' {
            let digits = std::str::from_utf8(&after[..2]).expect("digits");
            bytes.push(u8::from_str_radix(digits, 16).expect("hexadecimal"));
            rest = &after[2..];
        } else {
            bytes.push(*byte);
            rest = after;
        }
    }
    bytes
}

fn unbased(text: &str) -> Vec<u8> {
    let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits = text.bytes().filter(|it| *it != b'=');
    let digits = digits.map(|it| letters.iter().position(|letter| *letter == it).expect("base64"));
    let (mut bytes, mut bits, mut held) = (Vec::new(), 0, 0usize);
    for digit in digits {
        (held, bits) = ((held << 6 | digit) & 0xffff, bits + 6);
        if bits >= 8 {
            bits -= 8;
            bytes.push(u8::try_from(held >> bits & 0xff).expect("a byte"));
        }
    }
    bytes
}

#[test]
fn a_server_that_could_not_start_is_not_entered_and_the_way_out_is_named() {
    let empty = Fixture::empty();
    let start = |flags: &[&str]| {
        let args: Vec<&str> =
            ["config", "cursor", "--write"].into_iter().chain(flags.to_vec()).collect();
        start("specifyplus-mcp", empty.path(), empty.path(), &args, &[])
    };
    let refused = start(&[]);
    assert!(!refused.well && refused.said.contains("--builtin"), "{}", refused.said);
    assert!(empty.files().is_empty());
    assert!(start(&["--builtin"]).well);
}

#[test]
fn auto_means_the_clients_that_are_used_here() {
    let project = project();
    project.write(".cursor/mcp.json", "{}");
    project.write(".codex/config.toml", "");
    let (_, said) = run("acm-mcp", &project, &["config", "auto", "--write"], &[]);
    assert!(project.read(".cursor/mcp.json").contains("acm-mcp"), "{said}");
    assert!(project.read(".codex/config.toml").contains("acm-mcp"), "{said}");
    let nobody = Fixture::empty();
    let ended = start("acm-mcp", nobody.path(), nobody.path(), &["config", "auto"], &[]);
    assert!(!ended.well && ended.said.contains("claude-code"), "{}", ended.said);
}

// Verifies: PLB-d01003-D
#[test]
fn setup_enters_checks_and_removes_the_siblings_beside_the_executable() {
    let project = project();
    let setup = |flags: &[&str]| {
        let args: Vec<&str> = ["setup"].into_iter().chain(flags.to_vec()).collect();
        start("acm-mcp", project.path(), project.path(), &args, &[])
    };
    let nobody_asked = setup(&["--client", "codex"]);
    assert!(!nobody_asked.well && nobody_asked.said.contains("--all"), "{}", nobody_asked.said);
    let unknown = setup(&["nonesuch", "--client", "codex"]);
    assert!(!unknown.well && unknown.said.contains("elspais"), "{}", unknown.said);
    let two = setup(&["acm", "elspais-mcp", "--client", "codex"]);
    assert!(two.well && two.out.contains("Next: "), "{} {}", two.out, two.said);
    let written = project.read(".codex/config.toml");
    assert_eq!(written.matches("[mcp_servers.").count(), 2, "{written}");
    let all = setup(&["--all", "--client", "codex", "--client", "cursor", "--read-only"]);
    assert!(all.well, "{} {}", all.out, all.said);
    for server in &SERVERS {
        for file in [".codex/config.toml", ".cursor/mcp.json"] {
            let written = project.read(file);
            assert!(written.contains(server.binary), "{file}: {written}");
            // A server that another test built may lie beside them, and is a sibling too.
            assert!(written.matches("--read-only").count() >= SERVERS.len(), "{written}");
        }
    }
    let checked = setup(&["--check", "--client", "codex"]);
    assert!(checked.well && checked.out.contains("specifyplus starts"), "{}", checked.out);
    assert!(setup(&["--all", "--remove", "--client", "codex"]).well);
    assert!(!project.read(".codex/config.toml").contains("mcp_servers."));
    assert!(project.read(".cursor/mcp.json").contains("acm-mcp"), "the other client keeps its own");
}
