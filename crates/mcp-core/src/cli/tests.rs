//! The command line as clap sees it, and entries merged into clients' files.

use super::args;
use crate::cli::{Product, Settings};
use crate::failure::Failure;
use crate::server::{Identity, Server};

mod merging;

pub(super) fn product() -> Product {
    const IDENTITY: Identity =
        Identity { name: "probe", title: "Probe", version: "0.0.1", instructions: "For tests." };
    Product {
        flags: || vec![clap::Arg::new("deep").long("deep").action(clap::ArgAction::SetTrue)],
        ..Product::new("probe-mcp", "For tests", IDENTITY, |_| Ok(Server::new(IDENTITY)))
    }
}

fn settings(arguments: &[&str]) -> Result<Settings, Failure> {
    let matches = args::command(&product()).try_get_matches_from(arguments).unwrap();
    Settings::from_matches(&matches)
}

#[test]
fn the_command_line_is_consistent() {
    args::command(&product()).debug_assert();
}

#[test]
fn flags_count_before_and_after_the_command() {
    for arguments in [
        ["probe-mcp", "--root", "/somewhere", "--deep", "doctor"],
        ["probe-mcp", "doctor", "--root", "/somewhere", "--deep"],
    ] {
        let settings = settings(&arguments).unwrap();
        assert_eq!(settings.root(), std::path::Path::new("/somewhere"));
        assert!(settings.flag("deep"));
    }
}

#[test]
fn what_a_client_starts_means_the_same_without_the_other_commands() {
    let (product, root) = (product(), ["--root", "/somewhere"]);
    let lines: [&[&str]; 5] = [
        &[],
        &root,
        &["serve", "--deep", "--root", "/somewhere"],
        &["--read-only", "serve"],
        &["--http", "127.0.0.1:0", "--sse"],
    ];
    for line in lines {
        let line: Vec<&str> = std::iter::once("probe-mcp").chain(line.iter().copied()).collect();
        let soon = args::serving_alone(&product).try_get_matches_from(&line).unwrap();
        let whole = args::command(&product).try_get_matches_from(&line).unwrap();
        assert_eq!(soon.subcommand_name(), whole.subcommand_name(), "{line:?}");
        let given = |matches| {
            let settings = Settings::from_matches(matches).unwrap();
            (settings.roots().to_vec(), settings.flag("deep"), settings.is_read_only())
        };
        assert_eq!(given(&soon), given(&whole), "{line:?}");
    }
}

#[test]
fn all_but_serving_is_left_to_the_whole_command_line() {
    for word in ["doctor", "call", "--help", "-h", "help", "--version", "surve", "--rot"] {
        let read = args::serving_alone(&product()).try_get_matches_from(["probe-mcp", word]);
        assert!(read.is_err(), "{word}");
    }
}

#[test]
fn completions_know_the_tools_and_the_values_of_their_arguments() {
    let tools = serde_json::json!({"tools": [{
        "name": "get_stage",
        "description": "Gets a stage. Call it first.",
        "inputSchema": {"properties": {
            "stage": {"type": "string", "enum": ["design", "develop"]},
            "section": {"type": "string"},
        }},
    }]});
    let mut call = args::call_by_name(&tools);
    let mut script = Vec::new();
    clap_complete::generate(clap_complete::Shell::Zsh, &mut call, "probe", &mut script);
    let script = String::from_utf8(script).unwrap();
    for word in ["get_stage", "Gets a stage", "stage=design", "stage=develop", "section="] {
        assert!(script.contains(word), "{word} is missing in {script}");
    }
}

#[test]
fn an_address_may_be_a_port_alone() {
    let address = |text: &str| {
        let matches =
            args::command(&product()).try_get_matches_from(["probe-mcp", "--http", text]).unwrap();
        match args::endpoint(&matches) {
            Ok(crate::transport::Endpoint::Http(settings)) => Ok(settings.address.to_string()),
            Ok(crate::transport::Endpoint::Stdio) => Ok("stdio".to_owned()),
            Err(failure) => Err(failure.text()),
        }
    };
    assert_eq!(address("8123").unwrap(), "127.0.0.1:8123");
    assert_eq!(address("localhost:1").unwrap(), "127.0.0.1:1");
    assert_eq!(address("[::1]:0").unwrap(), "[::1]:0");
    assert!(address("everywhere").unwrap_err().contains("such as 127.0.0.1:8123"));
}
