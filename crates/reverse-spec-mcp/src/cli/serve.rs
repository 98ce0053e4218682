//! `mcp-server`: the entry of the contract, the same as no command at all.

use std::process::ExitCode;

use clap::ArgMatches;
use mcp_core::cli::Settings;
use mcp_core::failure::Failure;
use mcp_core::server::{Limits, Selection};
use mcp_core::transport::{self, Endpoint};

use crate::server;

pub(super) fn describe() -> clap::Command {
    clap::Command::new("mcp-server").about("Serve on stdio, as without a command")
}

pub(super) fn run(settings: &Settings, _matches: &ArgMatches) -> Result<ExitCode, Failure> {
    let limits = Limits { timeout: settings.call_timeout(), ..Limits::default() };
    let selection = Selection {
        read_only: settings.is_read_only(),
        tools: settings.values("tools"),
        exclude: settings.values("exclude-tools"),
        toolsets: settings.values("toolsets"),
    };
    let server = server::assemble(server::setting(settings)?).limits(limits).select(selection)?;
    transport::serve(server, Endpoint::Stdio)?;
    Ok(ExitCode::SUCCESS)
}
