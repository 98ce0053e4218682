//! The `preflights-mcp` executable.

use std::process::ExitCode;

fn main() -> ExitCode {
    mcp_core::cli::run(&preflights_mcp::product())
}
