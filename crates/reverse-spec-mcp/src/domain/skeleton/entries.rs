//! Where a program is reached and what it takes from its surroundings, as a skeleton holds it.

use serde::{Deserialize, Serialize};

/// A function or a class by its head.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Outlined {
    pub(crate) name: String,
    pub(crate) line: usize,
    pub(crate) head: String,
}

/// A place where a program is reached from outside, or where it takes something from its surroundings.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EntryPoint {
    pub(crate) kind: EntryKind,
    /// `GET /articles`, `DATABASE_URL`, `User.email`.
    pub(crate) name: String,
    /// What is called, where it has a name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) handler: Option<String>,
    /// What stands between the address and what is called.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) guards: Vec<String>,
    /// What is taken where a variable is not set; what a secret falls back to is not shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) fallback: Option<String>,
    /// What else holds of it: the type of a field and its constraints, statuses, when a job runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) details: Vec<String>,
    /// The name with what other files put before it; left out of baselines, which know one target.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) reached_as: Option<String>,
    pub(crate) line: usize,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) file: String,
    /// The router or the function it is on, by which other files know it.
    #[serde(skip)]
    pub(crate) scope: Option<String>,
    /// A decorator, an annotation or an attribute says it.
    #[serde(skip)]
    pub(crate) is_marked: bool,
}

#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub(crate) enum EntryKind {
    #[default]
    Route,
    /// A router of another file below an address.
    Mount,
    /// What everything goes through.
    Middleware,
    /// Where a program begins, and functions that other programs call.
    Main,
    Command,
    Flag,
    Job,
    Topic,
    Environment,
    Setting,
    /// A class whose fields are kept.
    Entity,
    /// What is kept, sent or checked under a name.
    Field,
    /// A step by which a database is changed, with what it does in order.
    Migration,
    /// With which statuses a function answers.
    Response,
    /// What a file does when it is loaded.
    Statements,
    /// A kind that a later version knows.
    #[serde(other)]
    Other,
}

impl EntryKind {
    /// As it is said before a name.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Route => "route",
            Self::Mount => "mount",
            Self::Middleware => "through",
            Self::Main => "begins",
            Self::Command => "command",
            Self::Flag => "flag",
            Self::Job => "job",
            Self::Topic => "topic",
            Self::Environment => "env",
            Self::Setting => "setting",
            Self::Entity => "entity",
            Self::Field => "field",
            Self::Migration => "migration",
            Self::Response => "answers",
            Self::Statements => "loads",
            Self::Other => "other",
        }
    }
}
