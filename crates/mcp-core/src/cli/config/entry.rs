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
    /// Settings of this server that have no flag; never the value of a key.
    pub(super) env: Vec<(String, String)>,
}

impl Entry {
    pub(super) fn new(
        product: &Product,
        settings: &Settings,
        client: Client,
        flags: &[clap::Arg],
    ) -> Self {
        let root = match client.project() {
            Some(project) if !settings.root_was_given() => project.to_owned(),
            _ => settings.root().display().to_string(),
        };
        let mut args = vec!["--root".to_owned(), root];
        args.extend(settings.given(flags));
        // What this client needs, unless it was given already.
        let needed = (product.client_args)(client).into_iter();
        let needed: Vec<String> = needed.filter(|it| !args.contains(it)).collect();
        args.extend(needed);
        let (env, _) = own_variables(product, flags);
        Self {
            name: product.identity.name,
            kind: client.wants_type().then_some("stdio"),
            command: command(product.binary, settings),
            args,
            env,
        }
    }
}

/// What keys are called. Their values are never written into a file.
const SECRET_WORDS: &[&str] = &["KEY", "TOKEN", "SECRET", "PASSWORD"];

/// The variables of this server that are set and have no flag, and the names of those that hold a
/// key.
pub(super) fn own_variables(
    product: &Product,
    flags: &[clap::Arg],
) -> (Vec<(String, String)>, Vec<String>) {
    let prefix = format!("{}_", product.identity.name.to_uppercase().replace('-', "_"));
    let has_flag = |name: &str| {
        flags.iter().any(|it| it.get_env().is_some_and(|env| env.to_str() == Some(name)))
    };
    let mut set = Settings::variables_beginning(&prefix);
    set.extend(Settings::variables_beginning("PLUMBLINE_STATE_DIR"));
    let set = set.into_iter().filter(|it| !has_flag(&it.0));
    let (secret, plain): (Vec<_>, Vec<_>) =
        set.partition(|(name, _)| SECRET_WORDS.iter().any(|word| name.contains(word)));
    (plain, secret.into_iter().map(|it| it.0).collect())
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
    crate::doors::start(directory).is_ok_and(|root| root.has_entry(&name).unwrap_or_default())
}
