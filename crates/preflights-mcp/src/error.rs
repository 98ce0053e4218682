//! Everything that can go wrong, under the codes callers branch on.

use mcp_core::failure::{DomainError, Failure};
use mcp_core::sandbox;
use mcp_core::work::Cancelled;
use serde_json::{Value, json};

#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("{message}")]
    Validation { message: String, details: Value, hint: &'static str },
    #[error("the clarification `{id}` was left alone for 30 minutes and has expired")]
    SessionExpired { id: String },
    #[error("there is no clarification `{id}`")]
    SessionNotFound { id: String },
    #[error("{0}")]
    Files(sandbox::Error),
    #[error("`{path}` line {line}: {reason}")]
    Parse { path: String, line: usize, reason: String },
    #[error("No git repository found")]
    RepoNotFound { repo_path: Option<String> },
    #[error("no decision can be taken from the answers")]
    NothingDecided { session_id: String },
    #[error("the call was cancelled")]
    Cancelled,
}

impl Error {
    pub(crate) const VALIDATION_FAILED: &'static str = "VALIDATION_FAILED";

    pub(crate) fn parse(path: &str, line: usize, reason: impl Into<String>) -> Self {
        Self::Parse { path: path.to_owned(), line, reason: reason.into() }
    }

    /// A call that cannot be meant.
    pub(crate) fn refused(message: impl Into<String>, hint: &'static str) -> Self {
        Self::Validation { message: message.into(), details: json!({}), hint }
    }

    /// Lifts what went wrong while a file of ours was read: one that is there but cannot be
    /// understood is for its owner to repair.
    pub(crate) fn while_reading(error: sandbox::Error) -> Self {
        match error {
            sandbox::Error::Encoding { path, .. } => Self::parse(&path, 1, "it is not UTF-8"),
            other => Self::Files(other),
        }
    }
}

impl From<sandbox::Error> for Error {
    fn from(error: sandbox::Error) -> Self {
        match error {
            sandbox::Error::Cancelled => Self::Cancelled,
            other => Self::Files(other),
        }
    }
}

impl From<Cancelled> for Error {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

impl DomainError for Error {
    fn code(&self) -> &'static str {
        match self {
            Self::Validation { .. } => Self::VALIDATION_FAILED,
            Self::SessionExpired { .. } => "SESSION_EXPIRED",
            Self::SessionNotFound { .. } => "SESSION_NOT_FOUND",
            Self::Files(_) => "FILESYSTEM_ERROR",
            Self::Parse { .. } => "PARSE_ERROR",
            Self::RepoNotFound { .. } => "REPO_NOT_FOUND",
            Self::NothingDecided { .. } => "PATCH_EXTRACTION_FAILED",
            Self::Cancelled => Failure::CANCELLED,
        }
    }

    fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Validation { hint, .. } => hint,
            Self::SessionExpired { .. } => {
                "Restart the clarification: call require_clarification without session_id."
            }
            Self::SessionNotFound { .. } => {
                "Start a new session: call require_clarification without session_id."
            }
            Self::Files(_) => {
                "Check that docs/ and the state directory can be written and have room, then repeat the call."
            }
            Self::Parse { .. } => {
                "Repair the file by hand, or restore it from git, then repeat the call."
            }
            Self::RepoNotFound { .. } => "Run from a git repository or provide repo_path",
            Self::Cancelled => "Repeat the call: nothing was written.",
            Self::NothingDecided { .. } => {
                "Retry with an answer other than \"decide later\" to at least one question, or without force_adr."
            }
        };
        Some(hint.to_owned())
    }

    fn details(&self) -> Option<Value> {
        match self {
            Self::Validation { details, .. } => Some(details.clone()),
            Self::SessionExpired { id } | Self::SessionNotFound { id } => {
                Some(json!({ "session_id": id }))
            }
            Self::NothingDecided { session_id } => Some(json!({ "session_id": session_id })),
            Self::Files(_) | Self::Cancelled => None,
            Self::Parse { path, line, .. } => Some(json!({ "path": path, "line": line })),
            Self::RepoNotFound { repo_path } => {
                repo_path.as_ref().map(|path| json!({ "repo_path": path }))
            }
        }
    }
}

/// The one form all errors take on the wire: every field is always there.
pub(crate) fn envelope(failure: &Failure) -> Value {
    let code = match failure.code {
        Failure::INVALID_ARGUMENTS => Error::VALIDATION_FAILED.to_owned(),
        Failure::INTERNAL => "INTERNAL_ERROR".to_owned(),
        other => other.to_uppercase(),
    };
    let hint = failure.hint.clone();
    json!({
        "status": "error",
        "error": {
            "code": code,
            "message": failure.message,
            "details": failure.details.as_deref().cloned().unwrap_or_else(|| json!({})),
            "recovery_hint": hint.unwrap_or_else(|| "Repeat the call.".to_owned()),
        }
    })
}
