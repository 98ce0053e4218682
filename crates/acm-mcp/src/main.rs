//! The `acm-mcp` executable.

use std::process::ExitCode;

fn main() -> ExitCode {
    mcp_core::cli::run(&acm_mcp::product())
}
