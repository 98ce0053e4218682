//! The flags, each with its environment twin.

use std::net::SocketAddr;
use std::time::Duration;

use clap::builder::{FalseyValueParser, PossibleValuesParser};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use serde_json::Value;

use super::{Product, config, setup};
use crate::failure::Failure;
use crate::settings::{environment, values};
use crate::transport::{Endpoint, HttpSettings, Token};

/// The heading of the flags that go with every command, which stand behind a command's own.
const FOR_ALL: &str = "With every command";

/// What a client starts, without the other commands: putting those together takes longer than all
/// else before a server answers.
pub(super) fn serving_alone(product: &Product) -> Command {
    Command::new(product.binary)
        .args(shared(product.call_timeout))
        .args((product.flags)().into_iter().map(|arg| arg.global(true).help_heading(FOR_ALL)))
        .args(serving())
        .subcommand(
            Command::new("serve")
                .about("Serve on stdio, or over HTTP with --http")
                .visible_aliases(product.serve_alias)
                .args(serving()),
        )
        // The whole command line answers these.
        .disable_help_flag(true)
        .disable_help_subcommand(true)
}

pub(super) fn command(product: &Product) -> Command {
    let mut command = serving_alone(product)
        .disable_help_flag(false)
        .disable_help_subcommand(false)
        .version(product.identity.version)
        .about(product.about)
        .after_help("Without a command it serves on stdio, which is what a client's entry starts.")
        .subcommand(
            Command::new("tools")
                .about("Show what the server offers, or one tool with its parameters")
                .arg(Arg::new("name").value_name("NAME").help("A tool, to see all of it"))
                .arg(flag("json", "Print JSON instead of a table")),
        )
        .subcommand(call())
        .subcommand(
            Command::new("doctor")
                .about("Check the set-up and say how to fix what is wrong")
                .arg(flag("json", "Print JSON instead of lines")),
        )
        .subcommand(config::command())
        .subcommand(setup::command())
        .subcommand(Command::new("completions").about("Print the completions of a shell").arg(
            Arg::new("shell").required(true).value_parser(value_parser!(clap_complete::Shell)),
        ))
        .subcommand(Command::new("man").about("Print the manual page"));
    for extra in product.commands {
        command = command.subcommand((extra.describe)());
    }
    command
}

fn call() -> Command {
    Command::new("call")
        .about("Run one tool and print its answer")
        .after_help(
            "Arguments are name=value pairs, or one JSON object, or - for JSON on standard input.\n\
             A value is read as the tool's schema says; name:=value is always JSON.\n\
             The exit code is 0 when the tool succeeded and 1 when it did not.",
        )
        .arg(Arg::new("tool").required(true).value_name("TOOL"))
        .arg(Arg::new("arguments").value_name("NAME=VALUE").action(ArgAction::Append))
        .arg(flag("json", "Print the whole result as JSON"))
        .arg(flag("text", "Print for people, as on a terminal").conflicts_with("json"))
}

/// `call` as the completions see it: each tool a command, its arguments with the values they take.
pub(super) fn call_by_name(described: &Value) -> Command {
    let tools = described["tools"].as_array().map(Vec::as_slice).unwrap_or_default();
    let commands = tools.iter().map(|tool| {
        let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let about = crate::text::one_line(&word(&tool["description"]));
        let about = about.split(". ").next().unwrap_or_default().to_owned();
        let pairs = PossibleValuesParser::new(pairs_of(&tool["inputSchema"]["properties"]));
        let arguments = Arg::new("arguments").action(ArgAction::Append).value_parser(pairs);
        Command::new(word(&tool["name"])).about(about).arg(arguments)
    });
    Command::new("call").about("Run one tool and print its answer").subcommands(commands)
}

/// `name=value` for each value that is known, `name=` where anything goes.
fn pairs_of(properties: &Value) -> Vec<String> {
    let mut pairs = Vec::new();
    for (name, property) in properties.as_object().into_iter().flatten() {
        match property["enum"].as_array() {
            Some(values) => {
                let values = values.iter().filter_map(Value::as_str);
                pairs.extend(values.map(|value| format!("{name}={value}")));
            }
            None => pairs.push(format!("{name}=")),
        }
    }
    pairs
}

fn flag(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).action(ArgAction::SetTrue).help(help)
}

fn switch(name: &'static str, env: &'static str, help: &'static str) -> Arg {
    flag(name, help).env(env).value_parser(FalseyValueParser::new())
}

fn list(name: &'static str, env: &'static str, value: &'static str, help: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .env(env)
        .value_name(value)
        .value_delimiter(',')
        .action(ArgAction::Append)
        .help(help)
}

/// Flags that make sense with every command.
fn shared(call_timeout: Duration) -> Vec<Arg> {
    let shared = [
        Arg::new("root")
            .long("root")
            .env("PLUMBLINE_ROOT")
            .value_name("DIR")
            .action(ArgAction::Append)
            .help("The project's directory; may be given several times [default: the working directory]"),
        switch("read-only", "PLUMBLINE_READ_ONLY", "Switch off every tool that writes"),
        list("tools", "PLUMBLINE_TOOLS", "NAMES", "Offer only these tools"),
        list("exclude-tools", "PLUMBLINE_EXCLUDE_TOOLS", "NAMES", "Do not offer these tools"),
        list("toolsets", "PLUMBLINE_TOOLSETS", "NAMES", "Offer these groups of tools; `all` and `default` are understood"),
        Arg::new("call-timeout")
            .long("call-timeout")
            .env("PLUMBLINE_CALL_TIMEOUT")
            .value_name("SECONDS")
            .value_parser(value_parser!(u64).range(1..=86_400))
            .default_value(call_timeout.as_secs().to_string())
            .help("Stop a call after so long"),
        Arg::new("audit")
            .long("audit")
            .env("PLUMBLINE_AUDIT")
            .value_name("FILE")
            .help("Add a line of JSON to this file for every file that is written"),
        Arg::new("log")
            .long("log")
            .env("RUST_LOG")
            .value_name("FILTER")
            .help("What to log on stderr: error, warn, info, debug, trace, or target=level pairs"),
        Arg::new("log-file")
            .long("log-file")
            .env("PLUMBLINE_LOG_FILE")
            .value_name("FILE")
            .help("Add the log to this file too, with times"),
    ];
    shared.into_iter().map(|arg| arg.global(true).help_heading(FOR_ALL)).collect()
}

/// The flags that a client's entry passes on when they were given, in the order of the help. The
/// root has a word of its own for every client.
pub(super) fn carried(product: &Product) -> Vec<Arg> {
    carried_by_all(product).into_iter().chain((product.flags)()).collect()
}

/// Those of them that every server has.
pub(super) fn carried_by_all(product: &Product) -> Vec<Arg> {
    shared(product.call_timeout).into_iter().filter(|it| it.get_id() != "root").collect()
}

fn serving() -> Vec<Arg> {
    vec![
        Arg::new("http")
            .long("http")
            .env("PLUMBLINE_HTTP")
            .value_name("ADDRESS")
            .help("Serve Streamable HTTP there instead of stdio, such as 127.0.0.1:8123; port 0 takes a free one"),
        switch("sse", "PLUMBLINE_SSE", "With --http: also offer the older /sse and /messages"),
        Arg::new("token-env")
            .long("token-env")
            .env("PLUMBLINE_TOKEN_ENV")
            .value_name("VARIABLE")
            .help("With --http: require the bearer token that this environment variable holds"),
        list("allow-host", "PLUMBLINE_ALLOW_HOST", "HOST", "With --http: another name clients may address the server by"),
        list("allow-origin", "PLUMBLINE_ALLOW_ORIGIN", "ORIGIN", "With --http: another origin whose pages may use the server"),
    ]
}

fn value<'a>(matches: &'a ArgMatches, name: &str) -> Option<&'a str> {
    matches.get_one::<String>(name).map(|it| it.trim()).filter(|it| !it.is_empty())
}

pub(super) fn endpoint(matches: &ArgMatches) -> Result<Endpoint, Failure> {
    let Some(address) = value(matches, "http") else {
        for name in ["sse", "token-env", "allow-host", "allow-origin"] {
            if matches.value_source(name) == Some(clap::parser::ValueSource::CommandLine) {
                return Err(Failure::new("usage", format!("--{name} does nothing without --http"))
                    .hint("Add --http 127.0.0.1:8123, or leave it out."));
            }
        }
        return Ok(Endpoint::Stdio);
    };
    Ok(Endpoint::Http(HttpSettings {
        address: parse_address(address)?,
        sse: matches.get_flag("sse"),
        token: token(matches)?,
        allow_hosts: values(matches, "allow-host"),
        allow_origins: values(matches, "allow-origin"),
    }))
}

fn parse_address(text: &str) -> Result<SocketAddr, Failure> {
    let with_host = match text.strip_prefix("localhost:") {
        Some(port) => format!("127.0.0.1:{port}"),
        // A port alone means this machine.
        None if text.parse::<u16>().is_ok() => format!("127.0.0.1:{text}"),
        None => text.to_owned(),
    };
    with_host.parse().map_err(|_| {
        let shown = crate::text::one_line(text);
        Failure::new("usage", format!("`{shown}` is not an address"))
            .hint("Give an IP address and a port, such as 127.0.0.1:8123 or [::1]:0.")
    })
}

fn token(matches: &ArgMatches) -> Result<Option<Token>, Failure> {
    let Some(variable) = value(matches, "token-env") else { return Ok(None) };
    let secret = environment(variable).unwrap_or_default();
    match Token::new(&secret) {
        Some(token) => Ok(Some(token)),
        None => Err(Failure::new(
            "usage",
            format!("the environment variable `{variable}` named by --token-env holds no token"),
        )
        .hint("Set it to a secret of at least 8 characters.")),
    }
}
