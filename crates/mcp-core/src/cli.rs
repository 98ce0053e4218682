//! One command line for all servers: serve, tools, call, doctor, config, setup, completions, man,
//! and whatever commands a server adds.

mod args;
mod call;
mod config;
mod doctor;
mod greeting;
mod listing;
mod logging;
mod outline;
mod pages;
mod place;
mod setup;

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use clap::ArgMatches;

#[cfg(any(test, feature = "fuzzing"))]
pub(crate) use config::merge_probe;
pub use config::{Client, KnownBy, Prompts};
pub use doctor::{Finding, Severity};

pub use crate::console::{note, on_interrupt, print};
pub use crate::settings::Settings;

use crate::failure::Failure;
use crate::sandbox::audit;
use crate::server::{Identity, Server};
use crate::transport;

/// What makes one binary of this library.
pub struct Product {
    /// The name of the executable.
    pub binary: &'static str,
    /// One line for `--help`.
    pub about: &'static str,
    /// What the server tells clients of itself; `doctor` and `--version` show the version in it.
    pub identity: Identity,
    /// Puts the server together; the core applies limits and the user's selection to it.
    pub build: fn(&Settings) -> Result<Server, Failure>,
    /// Flags of this server alone, accepted before and after every command.
    pub flags: fn() -> Vec<clap::Arg>,
    /// Commands of this server alone.
    pub commands: &'static [Command],
    /// What `doctor` looks at besides the roots.
    pub doctor: fn(&Settings) -> Vec<Finding>,
    /// Arguments that a client's entry should have besides `--root`.
    pub client_args: fn(&Client) -> Vec<String>,
    /// The variables that hold a key for this server and do not begin with its name, where set.
    pub keys: fn(&Settings) -> Vec<String>,
    /// Refuses where the server could not start, before a client is told to start it.
    pub ready: fn(&Settings) -> Result<(), Failure>,
    /// What tells that a directory is a project of this server's, before `.git` does.
    pub landmarks: &'static [&'static str],
    /// The same, where it takes more than a name to tell; asked within a repository only.
    pub is_project: fn(&Path) -> bool,
    /// Whether the way may lead up to the project: not where a contract means the directory itself.
    pub climbs: fn(&Settings) -> bool,
    /// The tools that look at no project, and answer wherever the server was started.
    pub projectless: &'static [&'static str],
    /// A picture for clients to show, as SVG.
    pub icon: Option<&'static str>,
    /// What to try first in the shell, behind the executable's name.
    pub tries: &'static [&'static str],
    /// How long a call may take unless the user says otherwise.
    pub call_timeout: Duration,
    /// Another name for `serve`, where clients know one.
    pub serve_alias: Option<&'static str>,
}

impl Product {
    /// A server with the common command line and nothing of its own; set what it adds.
    pub fn new(
        binary: &'static str,
        about: &'static str,
        identity: Identity,
        build: fn(&Settings) -> Result<Server, Failure>,
    ) -> Self {
        Self {
            binary,
            about,
            identity,
            build,
            flags: Vec::new,
            commands: &[],
            doctor: |_| Vec::new(),
            client_args: |_| Vec::new(),
            keys: |_| Vec::new(),
            ready: |_| Ok(()),
            landmarks: &[],
            is_project: |_| false,
            climbs: |_| true,
            projectless: &[],
            icon: None,
            tries: &[],
            call_timeout: Duration::from_mins(1),
            serve_alias: None,
        }
    }
}

/// A command that one server adds.
pub struct Command {
    /// Makes the subcommand as clap parses it; its name is what the user types.
    pub describe: fn() -> clap::Command,
    /// Does the work; gets the settings and the matches of the subcommand alone.
    pub run: fn(&Settings, &ArgMatches) -> Result<ExitCode, Failure>,
}

/// Parses the command line and does what it says.
pub fn run(product: &Product) -> ExitCode {
    let matches = args::serving_alone(product)
        .try_get_matches()
        // Anything but plain serving is for the whole command line to judge: other commands, help
        // and mistakes.
        .unwrap_or_else(|_| args::command(product).get_matches());
    match dispatch(product, &matches) {
        Ok(code) => code,
        Err(failure) => {
            note(&format!("{}: {}", product.binary, failure.text()));
            ExitCode::FAILURE
        }
    }
}

fn dispatch(product: &Product, matches: &ArgMatches) -> Result<ExitCode, Failure> {
    let given = Settings::from_matches(matches)?;
    logging::init(product.binary, &given)?;
    if let Some(file) = given.audit() {
        audit::open(file)?;
    }
    let (name, own) = matches.subcommand().unwrap_or(("serve", matches));
    if name == "serve" {
        return serve(product, &given, own);
    }
    let settings = place::found(product, &given);
    match (name, own) {
        ("tools", own) => listing::run(&build(product, &settings)?, own),
        ("call", own) => call::run(&build(product, &settings)?, own),
        ("doctor", own) => doctor::run(product, &settings, own),
        ("config", own) => {
            place::check(&settings)?;
            config::run(product, &settings, own, &args::carried(product))
        }
        ("setup", own) => {
            place::check(&settings)?;
            setup::run(product, &settings, own, &args::carried_by_all(product))
        }
        ("completions", own) => pages::completions(product, &settings, own),
        ("man", _) => pages::manual(product),
        (name, own) => {
            let command = product.commands.iter().find(|it| (it.describe)().get_name() == name);
            match command {
                Some(command) => audit::in_the_name_of(name, || (command.run)(&settings, own)),
                None => Err(Failure::new(Failure::INTERNAL, format!("`{name}` does nothing"))),
            }
        }
    }
}

fn serve(product: &Product, given: &Settings, matches: &ArgMatches) -> Result<ExitCode, Failure> {
    let endpoint = args::endpoint(matches)?;
    place::check(given)?;
    let settings = match endpoint {
        // Clients over the network see what the person named, and nothing above it.
        transport::Endpoint::Http(_) => given.for_serving(true),
        transport::Endpoint::Stdio => place::found(product, &given.for_serving(false)),
    };
    if matches!(endpoint, transport::Endpoint::Stdio) {
        greeting::on_a_terminal(product, &settings);
    }
    transport::serve(build(product, &settings)?, endpoint)?;
    Ok(ExitCode::SUCCESS)
}

fn build(product: &Product, settings: &Settings) -> Result<Server, Failure> {
    let server = (product.build)(settings)?.limits(settings.limits());
    let server = server.introduced(product.about, product.icon);
    server.astray(settings.stray(), product.projectless).select(settings.selection())
}

#[cfg(test)]
mod tests;
