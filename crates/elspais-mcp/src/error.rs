//! Everything that can go wrong, with what to do about it.

use mcp_core::failure::{DomainError, Failure};
use mcp_core::git::GitError;
use mcp_core::sandbox;
use mcp_core::work::Cancelled;
use serde_json::{Value, json};

/// Of very many that cite something, the first are listed.
const MAX_CITERS: usize = 100;

#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("{what} '{id}' not found")]
    NotFound { what: &'static str, id: String, nearest: Option<String>, hint: &'static str },
    #[error("{message}")]
    Search { message: String, hint: &'static str },
    #[error("{message}")]
    Refused {
        message: String,
        hint: String,
        /// Who cites what stands in the way, for callers to go through.
        cited_by: Vec<String>,
    },
    #[error("Destructive operation requires confirm=True")]
    Unconfirmed { what: String },
    #[error("{count} unsaved {} in the graph", if *.count == 1 { "change is" } else { "changes are" })]
    Pending { count: usize },
    #[error("the last mutation is {}, not '{given}'", tip.as_ref().map_or_else(|| "none".to_owned(), |tip| format!("'{tip}'")))]
    OtherTip { given: String, tip: Option<String> },
    #[error("a changelog needs a reason for the change of {named}")]
    ChangelogMessage {
        /// The first of them, for people.
        named: String,
        ids: Vec<String>,
    },
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error("{0}")]
    Files(#[from] sandbox::Error),
    #[error("{message}")]
    Git { message: String, hint: String },
}

impl Error {
    pub(crate) fn search(message: impl Into<String>, hint: &'static str) -> Self {
        Self::Search { message: message.into(), hint }
    }

    /// Something that cannot be done, and what can be done instead.
    pub(crate) fn refused(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Refused { message: message.into(), hint: hint.into(), cited_by: Vec::new() }
    }

    pub(crate) fn cited_by(self, citers: Vec<String>) -> Self {
        match self {
            Self::Refused { message, hint, .. } => {
                Self::Refused { message, hint, cited_by: citers }
            }
            other => other,
        }
    }
}

impl From<GitError> for Error {
    fn from(error: GitError) -> Self {
        let hint = error.hint().unwrap_or_else(|| "Repeat the call.".to_owned());
        Self::Git { message: error.to_string(), hint }
    }
}

impl DomainError for Error {
    fn code(&self) -> &'static str {
        match self {
            Self::NotFound { .. } => "not_found",
            Self::Search { .. } => "invalid_query",
            Self::Refused { .. } => "refused",
            Self::Unconfirmed { .. } => "confirmation_required",
            Self::Pending { .. } => "pending_mutations",
            Self::OtherTip { .. } => "mutation_log_conflict",
            Self::ChangelogMessage { .. } => "changelog_message_required",
            Self::Cancelled(_) => Failure::CANCELLED,
            Self::Config(error) => error.code(),
            Self::Files(error) => error.code(),
            Self::Git { .. } => "git",
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::NotFound { nearest: Some(near), hint, .. } => {
                Some(format!("Did you mean '{near}'? {hint}"))
            }
            Self::NotFound { hint, .. } | Self::Search { hint, .. } => Some((*hint).to_owned()),
            Self::Refused { hint, .. } | Self::Git { hint, .. } => Some(hint.clone()),
            Self::Unconfirmed { what } => Some(format!("{what} Call again with confirm=true to do it.")),
            Self::Pending { .. } => Some(
                "Write them with save_mutations, take them back with undo_to_mutation, or lose them with discard_mutations.".to_owned(),
            ),
            Self::OtherTip { .. } => {
                Some("Somebody else has changed the graph: look at get_mutation_log, then call again with the newest id.".to_owned())
            }
            Self::ChangelogMessage { .. } => Some(
                "Pass message to save_mutations: one sentence that says why; it becomes a row in the changelog of each.".to_owned(),
            ),
            Self::Cancelled(_) => None,
            Self::Config(error) => error.hint(),
            Self::Files(error) => error.hint(),
        }
    }

    fn details(&self) -> Option<Value> {
        match self {
            Self::Refused { cited_by, .. } => match cited_by.len() {
                0 => None,
                total if total > MAX_CITERS => {
                    Some(json!({ "cited_by": cited_by[..MAX_CITERS], "cited_by_total": total }))
                }
                _ => Some(json!({ "cited_by": cited_by })),
            },
            Self::Pending { count } => Some(json!({ "pending_mutations": count })),
            Self::ChangelogMessage { ids, .. } => {
                Some(json!({ "requirement_ids": ids[..ids.len().min(MAX_CITERS)] }))
            }
            Self::OtherTip { tip, .. } => Some(json!({ "current_tip": tip })),
            _ => None,
        }
    }
}

/// A configuration that cannot be understood, with the place where it goes wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file} line {line}: {message}")]
pub(crate) struct ConfigError {
    pub(crate) file: &'static str,
    pub(crate) line: usize,
    pub(crate) message: String,
}

impl DomainError for ConfigError {
    fn code(&self) -> &'static str {
        "invalid_config"
    }

    fn hint(&self) -> Option<String> {
        Some(format!("Correct {} and call refresh_graph.", self.file))
    }
}
