//! The part of the command line that is this server's own: flags, `init`, `lint`, and what
//! `doctor` looks at.

mod doctor;
mod flags;
mod folder;
pub(crate) mod init;
mod lint;
mod root;

use mcp_core::cli::{Client, Command};

pub(crate) use doctor::doctor;
pub(crate) use flags::{WITH_TOOLS, flags};
pub(crate) use folder::{library, require_folder};
#[cfg(test)]
pub(crate) use init::lay_down;
#[cfg(test)]
pub(crate) use lint::Report;

pub(crate) const COMMANDS: &[Command] = &[
    Command { describe: init::describe, run: init::run },
    Command { describe: lint::describe, run: lint::run },
];

fn counted(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// Codex has no prompts, and Claude Code passes on only the first word of what follows one.
pub(crate) fn client_args(client: Client) -> Vec<String> {
    match client {
        Client::Codex | Client::ClaudeCode => vec![format!("--{WITH_TOOLS}")],
        _ => Vec::new(),
    }
}
