//! The `specifyplus-mcp` executable.

use std::process::ExitCode;

fn main() -> ExitCode {
    mcp_core::cli::run(&specifyplus_mcp::product())
}
