//! What a client has to know to start this server.

use std::path::PathBuf;

use serde_json::{Map, Value};

use super::client::{self, Client};
use crate::cli::{Product, Settings};

pub(super) struct Entry {
    /// The key of the entry, which becomes part of the tools' names.
    pub(super) name: String,
    pub(super) command: String,
    pub(super) args: Vec<String>,
    /// Settings of this server that have no flag; never the value of a key.
    pub(super) env: Vec<(String, String)>,
    /// The variables that hold a key, by name.
    pub(super) keys: Vec<String>,
    /// The project's directory, for clients that want to be told where to start the server.
    pub(super) directory: String,
}

impl Entry {
    pub(super) fn new(
        product: &Product,
        settings: &Settings,
        client: &Client,
        flags: &[clap::Arg],
    ) -> Self {
        let directory = settings.root().display().to_string();
        let root = match client.project_word() {
            Some(project) if !settings.root_was_given() => project.to_owned(),
            _ => directory.clone(),
        };
        let mut args = vec!["--root".to_owned(), root];
        args.extend(settings.given(flags));
        // What this client needs, unless it was given already.
        let needed = (product.client_args)(client).into_iter();
        let needed: Vec<String> = needed.filter(|it| !args.contains(it)).collect();
        args.extend(needed);
        let env = own_variables(product, flags).0;
        let keys = keys(product, settings, flags);
        Self {
            name: product.identity.name.to_owned(),
            command: command(product.binary, settings),
            args,
            env,
            keys,
            directory,
        }
    }

    /// The members of the entry as a client wants them.
    pub(super) fn members(&self, client: &Client) -> Map<String, Value> {
        self.fill(&client.entry, client)
    }

    fn fill(&self, template: &Map<String, Value>, client: &Client) -> Map<String, Value> {
        let filled = template.iter().filter_map(|(name, value)| {
            let value = match value {
                Value::Object(inner) => Value::Object(self.fill(inner, client)),
                Value::String(word) => self.word(word, client)?,
                other => other.clone(),
            };
            Some((name.clone(), value))
        });
        filled.collect()
    }

    /// What a word of the table stands for; nothing where there is nothing to say.
    fn word(&self, word: &str, client: &Client) -> Option<Value> {
        let args = || self.args.iter().map(String::as_str);
        Some(match word {
            "$command" => Value::from(self.command.as_str()),
            "$args" => args().collect(),
            "$argv" => std::iter::once(self.command.as_str()).chain(args()).collect(),
            "$directory" => Value::from(self.directory.as_str()),
            "$env" => {
                let env = self.env.iter().map(|(name, value)| (name.clone(), value.clone()));
                let keys = self.keys.iter().filter_map(|name| client.handing_on(name));
                let env: Map<String, Value> =
                    env.chain(keys).map(|(name, value)| (name, Value::from(value))).collect();
                return (!env.is_empty()).then_some(Value::Object(env));
            }
            "$keys" if self.keys.is_empty() => return None,
            "$keys" => self.keys.iter().map(String::as_str).collect(),
            constant => Value::from(constant),
        })
    }
}

/// What keys are called. Their values are never written into a file.
const SECRET_WORDS: &[&str] = &["KEY", "TOKEN", "SECRET", "PASSWORD"];

/// The variables of this server that are set and have no flag, and the names of those that hold a
/// key.
fn own_variables(product: &Product, flags: &[clap::Arg]) -> (Vec<(String, String)>, Vec<String>) {
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

/// The names of the variables that hold a key for this server, its own and those it shares.
pub(super) fn keys(product: &Product, settings: &Settings, flags: &[clap::Arg]) -> Vec<String> {
    let mut names = own_variables(product, flags).1;
    names.extend((product.keys)(settings));
    names.sort();
    names.dedup();
    names
}

/// The bare name where the shell would find it, which works on other people's machines too; the
/// full path of this executable otherwise.
fn command(binary: &str, settings: &Settings) -> String {
    if client::on_path(settings, binary).is_some() {
        return binary.to_owned();
    }
    let executable = std::env::current_exe().unwrap_or_else(|_| PathBuf::from(binary));
    executable.display().to_string()
}
