//! `config`: what was given to the command is in the entry it writes, for every client.

use std::process::{Command, Stdio};

use plumbline_tests::bins::{SERVERS, Server};
use plumbline_tests::{Fixture, bins};

const CLIENTS: [&str; 6] = ["claude-code", "claude-desktop", "cursor", "vscode", "gemini", "codex"];

fn run(binary: &str, project: &Fixture, args: &[&str], env: &[(&str, &str)]) -> (String, String) {
    let mut command = Command::new(bins::server(binary));
    command.args(args).current_dir(project.path()).stdin(Stdio::null());
    command.env("HOME", project.path()).envs(env.iter().copied());
    let ended = command.output().expect("the server can be started");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(ended.status.success(), "{binary} {args:?}: {}", text(&ended.stderr));
    (text(&ended.stdout), text(&ended.stderr))
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

#[test]
fn every_flag_that_is_given_is_in_the_entry_of_every_client() {
    let project = Fixture::project();
    for server in &SERVERS {
        for client in CLIENTS {
            let mut args = vec!["config", client];
            args.extend(flags(server));
            let (entry, _) = run(server.binary, &project, &args, &[]);
            for flag in flags(server) {
                for word in flag.split('=') {
                    let quoted = format!("\"{word}\"");
                    assert!(entry.contains(&quoted), "{} {client} {flag}: {entry}", server.binary);
                }
            }
        }
    }
}

#[test]
fn what_was_not_given_is_not_there() {
    let project = Fixture::project();
    for server in &SERVERS {
        let (entry, _) = run(server.binary, &project, &["config", "cursor"], &[]);
        for word in ["--read-only", "--call-timeout", "--audit", "env"] {
            assert!(!entry.contains(&format!("\"{word}\"")), "{}: {entry}", server.binary);
        }
    }
}

#[test]
fn a_variable_counts_like_its_flag_and_one_without_a_flag_is_kept_by_name() {
    let project = Fixture::project();
    for client in CLIENTS {
        let env = [("PLUMBLINE_READ_ONLY", "1"), ("ACM_ROOT", "/srv/acm")];
        let (entry, _) = run("acm-mcp", &project, &["config", client], &env);
        assert!(entry.contains("--read-only"), "{client}: {entry}");
        assert!(entry.contains("ACM_ROOT") && entry.contains("/srv/acm"), "{client}: {entry}");
    }
}

#[test]
fn the_value_of_a_key_is_never_written_and_its_name_is_said() {
    let project = Fixture::project();
    let env =
        [("PREFLIGHTS_LLM_API_KEY", "very-secret-value"), ("PREFLIGHTS_LLM_PROVIDER", "mock")];
    for client in CLIENTS {
        let (entry, said) = run("preflights-mcp", &project, &["config", client], &env);
        assert!(!entry.contains("very-secret-value") && !said.contains("very-secret-value"));
        assert!(said.contains("PREFLIGHTS_LLM_API_KEY"), "{client}: {said}");
        assert!(entry.contains("PREFLIGHTS_LLM_PROVIDER"), "{client}: {entry}");
    }
}

#[test]
fn after_writing_it_says_the_next_step_and_how_to_check() {
    for client in CLIENTS {
        let project = Fixture::project();
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
