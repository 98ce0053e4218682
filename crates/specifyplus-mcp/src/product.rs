//! The product: the server with its shell.

use std::sync::Arc;

use mcp_core::cli::Product;
use mcp_core::failure::Failure;
use mcp_core::server::{Changes, Server};
use mcp_core::settings::Settings;

use crate::cli;
use crate::server::{self, IDENTITY};

pub fn product() -> Product {
    Product {
        flags: cli::flags,
        commands: cli::COMMANDS,
        doctor: cli::doctor,
        client_args: cli::client_args,
        ready: |settings| cli::require_folder(settings, &cli::library(settings).quiet()),
        is_project: cli::has_folder,
        climbs: cli::takes_all,
        icon: Some(include_str!("../assets/icon.svg")),
        tries: &["init", "lint", "call list_commands"],
        ..Product::new("specifyplus-mcp", env!("CARGO_PKG_DESCRIPTION"), IDENTITY, build)
    }
}

fn build(settings: &Settings) -> Result<Server, Failure> {
    let library = cli::library(settings);
    // Who asks for one thing in the shell has `lint` for the problems of all others.
    let library = Arc::new(if settings.is_serving() { library } else { library.quiet() });
    cli::require_folder(settings, &library)?;
    // In the shell the tools are there whether or not clients are to see them.
    let with_tools = settings.flag(cli::WITH_TOOLS) || !settings.is_serving();
    let changes = Changes::default();
    let server = server::assemble(library.clone(), changes.clone(), with_tools);
    // Nobody hears of a change before the handshake, which has the processor to itself.
    Ok(server.prepared_by(move || server::announce_changes(&library, &changes)))
}
