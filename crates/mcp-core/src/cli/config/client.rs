//! The clients we know, as the table `assets/clients.json` has them: where their settings lie,
//! under which key, and what an entry looks like.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use clap::builder::PossibleValue;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::cli::Settings;
use crate::doors;
use crate::failure::Failure;
use crate::sandbox::RelPath;

/// A program that `config` can enter a server into.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Client {
    /// What the user types.
    pub id: String,
    /// What people call it.
    pub title: String,
    /// How it shows prompts of a server to its user.
    pub prompts: Prompts,
    /// Its file in a project.
    project: Option<String>,
    /// Its file of the user's, where it has none in a project.
    user: Option<String>,
    pub(super) format: Format,
    /// The keys that lead to the list of servers.
    pub(super) key: Vec<String>,
    /// The members of an entry that are ours; `$` stands before what is filled in.
    pub(super) entry: Map<String, Value>,
    /// Members that an entry needs, which the user may set otherwise.
    #[serde(default)]
    pub(super) defaults: Map<String, Value>,
    /// How the client writes "the project that is open"; without, the path is written out.
    root: Option<String>,
    /// How an entry hands on a variable that the client would keep from the server, because it
    /// looks like a key; `NAME` stands for the variable.
    key_reference: Option<String>,
    /// Executables that tell that it is installed.
    #[serde(default)]
    programs: Vec<String>,
    /// Directories of its own, which tell the same.
    #[serde(default)]
    homes: Vec<String>,
    /// What tells in a project that it is used there.
    #[serde(default)]
    projects: Vec<String>,
    /// How we know its form: by the client itself, or by what is written about it.
    pub known_by: KnownBy,
    /// What is left for the person to do, and how to see that it worked.
    next: String,
}

/// How a client shows the prompts of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum Prompts {
    /// With everything the user typed behind them.
    #[serde(rename = "whole")]
    Whole,
    /// With the first word of it.
    #[serde(rename = "first word")]
    FirstWord,
    /// Not at all.
    #[serde(rename = "none")]
    None,
    /// Nobody has looked.
    #[serde(rename = "unknown")]
    Unknown,
}

/// What stands behind a row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum KnownBy {
    /// The client itself was seen to start a server by such an entry.
    #[serde(rename = "client")]
    Client,
    /// Its documentation says so.
    #[serde(rename = "documentation")]
    Documentation,
    /// Files of that form lie in many public repositories.
    #[serde(rename = "public repositories")]
    Repositories,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Format {
    /// JSON, perhaps with comments.
    Json,
    Toml,
    /// Shown, never written: what people keep in YAML does not survive being written again.
    Yaml,
}

static CLIENTS: LazyLock<Vec<Client>> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "the table is part of the program, and a test reads it")]
    serde_json::from_str(include_str!("../../../assets/clients.json")).expect("a table of clients")
});

impl Client {
    /// All of them, in the order of the table.
    pub fn all() -> &'static [Self] {
        &CLIENTS
    }

    /// The client that is called so.
    pub fn named(id: &str) -> Option<&'static Self> {
        Self::all().iter().find(|it| it.id == id)
    }

    /// What clap offers for a client.
    pub(in crate::cli) fn names() -> Vec<PossibleValue> {
        Self::all().iter().map(|it| PossibleValue::new(it.id.as_str())).collect()
    }

    /// How an entry names the project; `None` where the path has to be written out.
    pub(super) fn project_word(&self) -> Option<&str> {
        self.root.as_deref()
    }

    /// The variable with what an entry sets it to, where the client has to be told to hand it on.
    pub(super) fn handing_on(&self, name: &str) -> Option<(String, String)> {
        let reference = self.key_reference.as_ref()?;
        Some((name.to_owned(), reference.replace("NAME", name)))
    }

    pub(in crate::cli) fn next_step(&self) -> String {
        format!("Next: {}", self.next)
    }

    /// The file of the project, or the user's where a client has no other.
    pub(in crate::cli) fn file(&self, settings: &Settings) -> Result<PathBuf, Failure> {
        match (&self.project, &self.user) {
            (Some(path), _) => Ok(settings.root().join(path)),
            (None, Some(path)) => place(settings, path).ok_or_else(|| {
                Failure::new("no_home", "the home directory is not known")
                    .hint("Name the file with --file.")
            }),
            (None, None) => Err(Failure::new(Failure::INTERNAL, "a client without a file")),
        }
    }

    /// Whether it is installed here, or used in this project.
    pub(in crate::cli) fn is_here(&self, settings: &Settings) -> bool {
        self.programs.iter().any(|it| on_path(settings, it).is_some())
            || self.homes(settings).iter().any(|it| doors::start(it).is_ok())
            || self.is_used_in(settings.root())
    }

    fn is_used_in(&self, project: &Path) -> bool {
        let Ok(root) = doors::start(project) else { return false };
        let marks = self.projects.iter().chain(&self.project);
        marks
            .filter_map(|it| RelPath::parse(it).ok())
            .any(|it| root.has_entry(&it).unwrap_or_default())
    }

    /// The directories that are the client's own: no project lies there.
    pub(in crate::cli) fn homes(&self, settings: &Settings) -> Vec<PathBuf> {
        self.homes.iter().filter_map(|it| place(settings, it)).collect()
    }
}

/// A place that the table names: `~` is the home directory, `@config` where applications keep
/// their settings, `$NAME` a variable.
fn place(settings: &Settings, written: &str) -> Option<PathBuf> {
    let from = |name: &str| settings.variable(name).map(PathBuf::from);
    if let Some(variable) = written.strip_prefix('$') {
        return from(variable);
    }
    if let Some(rest) = written.strip_prefix("@config/") {
        return Some(settings_directory(&from)?.join(rest));
    }
    let rest = written.strip_prefix("~/")?;
    Some(from("HOME").or_else(|| from("USERPROFILE"))?.join(rest))
}

fn settings_directory(from: &dyn Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    if cfg!(target_os = "macos") {
        from("HOME").map(|home| home.join("Library/Application Support"))
    } else if cfg!(windows) {
        from("APPDATA")
    } else {
        from("XDG_CONFIG_HOME").or_else(|| from("HOME").map(|home| home.join(".config")))
    }
}

/// The directory of the `PATH` in which a program lies.
pub(in crate::cli) fn on_path(settings: &Settings, program: &str) -> Option<PathBuf> {
    let path = settings.variable("PATH").unwrap_or_default();
    std::env::split_paths(&path).find(|directory| holds(directory, program))
}

fn holds(directory: &Path, program: &str) -> bool {
    let name = format!("{program}{}", std::env::consts::EXE_SUFFIX);
    let Ok(name) = RelPath::parse(&name) else { return false };
    // A link in a directory of the path usually leads out of it.
    doors::start(directory).is_ok_and(|root| root.has_entry(&name).unwrap_or_default())
}
