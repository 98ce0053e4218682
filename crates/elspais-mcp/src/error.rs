//! Everything that can go wrong, with what to do about it.

use mcp_core::failure::{DomainError, Failure};
use mcp_core::sandbox;
use serde_json::{Value, json};

use crate::config::ConfigError;

#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("{what} '{id}' not found")]
    NotFound { what: &'static str, id: String, nearest: Option<String>, hint: &'static str },
    #[error("{message}")]
    Search { message: String, hint: &'static str },
    #[error("{message}")]
    Refused { message: String, hint: String, details: Value },
    #[error("Destructive operation requires confirm=True")]
    Unconfirmed { what: String },
    #[error("{count} unsaved {} in the graph", if *.count == 1 { "change is" } else { "changes are" })]
    Pending { count: usize },
    #[error("the last mutation is {}, not '{given}'", tip.as_ref().map_or_else(|| "none".to_owned(), |tip| format!("'{tip}'")))]
    OtherTip { given: String, tip: Option<String> },
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
        Self::Refused { message: message.into(), hint: hint.into(), details: json!({}) }
    }

    pub(crate) fn with_details(self, more: Value) -> Self {
        match self {
            Self::Refused { message, hint, .. } => Self::Refused { message, hint, details: more },
            other => other,
        }
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
                "Write them with save_mutations, take them back with undo_to_mutation, or pass discard_mutations=true to lose them.".to_owned(),
            ),
            Self::OtherTip { .. } => {
                Some("Somebody else has changed the graph: look at get_mutation_log, then call again with the newest id.".to_owned())
            }
            Self::Config(error) => error.hint(),
            Self::Files(error) => error.hint(),
        }
    }

    fn details(&self) -> Option<Value> {
        match self {
            Self::Refused { details, .. }
                if details.as_object().is_some_and(|it| !it.is_empty()) =>
            {
                Some(details.clone())
            }
            Self::Pending { count } => Some(json!({ "pending_mutations": count })),
            Self::OtherTip { tip, .. } => Some(json!({ "current_tip": tip })),
            _ => None,
        }
    }
}

/// How callers see a failure: reads answer `{error}`, writes `{success: false, error}`.
pub(crate) fn answer(is_writing: bool, failure: &Failure) -> Value {
    let mut fields = serde_json::Map::new();
    if is_writing {
        fields.insert("success".to_owned(), false.into());
    }
    fields.insert("error".to_owned(), failure.message.clone().into());
    fields.insert("code".to_owned(), failure.code.into());
    if let Some(hint) = &failure.hint {
        fields.insert("hint".to_owned(), hint.clone().into());
    }
    if let Some(Value::Object(details)) = failure.details.as_deref() {
        fields.extend(details.clone());
    }
    Value::Object(fields)
}
