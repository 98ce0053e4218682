//! The `reverse-spec-mcp` executable.

use std::process::ExitCode;

fn main() -> ExitCode {
    mcp_core::cli::run(&reverse_spec_mcp::product())
}
