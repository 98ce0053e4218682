//! The part of the command line that is this server's own: flags, `init`, `lint`, and what
//! `doctor` looks at.

mod doctor;
mod flags;
mod folder;
pub(crate) mod init;
mod lint;

use mcp_core::cli::{Client, Command, Prompts};

pub(crate) use doctor::doctor;
pub(crate) use flags::{WITH_TOOLS, flags};
pub(crate) use folder::{has_folder, library, require_folder, takes_all};
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

/// Tools do what prompts cannot where a client has none, or passes on only the first word of what
/// follows one, or nobody has looked.
pub(crate) fn client_args(client: &Client) -> Vec<String> {
    match client.prompts {
        Prompts::Whole => Vec::new(),
        _ => vec![format!("--{WITH_TOOLS}")],
    }
}
