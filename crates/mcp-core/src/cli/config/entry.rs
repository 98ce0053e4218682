//! What a client has to know to start this server.

use std::path::{Path, PathBuf};

use super::client::Client;
use crate::cli::{Product, Settings};

pub(super) struct Entry {
    /// The key of the entry, which becomes part of the tools' names.
    pub(super) name: &'static str,
    pub(super) kind: Option<&'static str>,
    pub(super) command: String,
    pub(super) args: Vec<String>,
}

impl Entry {
    pub(super) fn new(product: &Product, settings: &Settings, client: Client) -> Self {
        let root = match client.project() {
            Some(project) if !settings.root_was_given() => project.to_owned(),
            _ => settings.root().display().to_string(),
        };
        let mut args = vec!["--root".to_owned(), root];
        args.extend((product.client_args)(client));
        Self {
            name: product.identity.name,
            kind: client.wants_type().then_some("stdio"),
            command: command(product.binary, settings),
            args,
        }
    }
}

/// The bare name where the shell would find it, which works on other people's machines too; the
/// full path of this executable otherwise.
fn command(binary: &str, settings: &Settings) -> String {
    let path = settings.variable("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).any(|directory| holds(&directory, binary));
    if found {
        return binary.to_owned();
    }
    let executable = std::env::current_exe().unwrap_or_else(|_| PathBuf::from(binary));
    executable.display().to_string()
}

fn holds(directory: &Path, binary: &str) -> bool {
    let name = format!("{binary}{}", std::env::consts::EXE_SUFFIX);
    let Ok(name) = crate::sandbox::RelPath::parse(&name) else { return false };
    // A link in a directory of the path usually leads out of it.
    crate::doors::start(directory).is_ok_and(|root| root.has_entry(&name))
}
