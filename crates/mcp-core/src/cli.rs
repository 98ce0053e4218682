//! One command line for all servers: serve, tools, call, doctor, config, completions, man, and
//! whatever commands a server adds.

mod args;
mod call;
mod config;
mod doctor;
mod listing;
mod logging;
mod pages;

use std::process::ExitCode;
use std::time::Duration;

use clap::ArgMatches;

pub use config::Client;
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) use config::merge_probe;
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
    pub client_args: fn(Client) -> Vec<String>,
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
    let matches = args::command(product).get_matches();
    match dispatch(product, &matches) {
        Ok(code) => code,
        Err(failure) => {
            note(&format!("{}: {}", product.binary, failure.text()));
            ExitCode::FAILURE
        }
    }
}

fn dispatch(product: &Product, matches: &ArgMatches) -> Result<ExitCode, Failure> {
    let settings = Settings::from_matches(matches)?;
    logging::init(product.binary, &settings);
    if let Some(file) = settings.audit() {
        audit::open(file)?;
    }
    match matches.subcommand() {
        None => serve(product, &settings, matches),
        Some(("serve", serve_matches)) => serve(product, &settings, serve_matches),
        Some(("tools", matches)) => listing::run(&build(product, &settings)?, matches),
        Some(("call", matches)) => call::run(&build(product, &settings)?, matches),
        Some(("doctor", matches)) => doctor::run(product, &settings, matches),
        Some(("config", matches)) => {
            config::run(product, &settings, matches, &args::carried(product))
        }
        Some(("completions", matches)) => pages::completions(product, &settings, matches),
        Some(("man", _)) => pages::manual(product),
        Some((name, matches)) => {
            let command = product.commands.iter().find(|it| (it.describe)().get_name() == name);
            match command {
                Some(command) => audit::in_the_name_of(name, || (command.run)(&settings, matches)),
                None => Err(Failure::new(Failure::INTERNAL, format!("`{name}` does nothing"))),
            }
        }
    }
}

fn serve(
    product: &Product,
    settings: &Settings,
    matches: &ArgMatches,
) -> Result<ExitCode, Failure> {
    let endpoint = args::endpoint(matches)?;
    let over_http = matches!(endpoint, transport::Endpoint::Http(_));
    let settings = settings.for_serving(over_http);
    transport::serve(build(product, &settings)?, endpoint)?;
    Ok(ExitCode::SUCCESS)
}

fn build(product: &Product, settings: &Settings) -> Result<Server, Failure> {
    (product.build)(settings)?.limits(settings.limits()).select(settings.selection())
}

#[cfg(test)]
mod tests;
