//! The `elspais-mcp` executable.

use std::process::ExitCode;

fn main() -> ExitCode {
    mcp_core::cli::run(&elspais_mcp::product())
}
