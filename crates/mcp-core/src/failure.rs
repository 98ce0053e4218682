//! `Failure`: the one shape every error takes before a server renders it for its callers.

use std::fmt;

use serde_json::Value;

use crate::text;

/// What went wrong, for a caller who can act on it.
///
/// The message is a fragment without a full stop, the hint a whole sentence naming what is valid
/// or what to call next. Neither ever holds a stack trace or an absolute path of somebody else.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    pub code: &'static str,
    pub message: String,
    pub hint: Option<String>,
    /// Boxed, because most failures have none and all are returned by value.
    pub details: Option<Box<Value>>,
}

impl Failure {
    /// Our own bug: the caller can only report it.
    pub const INTERNAL: &'static str = "internal";
    pub const INVALID_ARGUMENTS: &'static str = "invalid_arguments";
    pub const TIMED_OUT: &'static str = "timed_out";
    pub const CANCELLED: &'static str = "cancelled";
    pub const RESULT_TOO_LARGE: &'static str = "result_too_large";

    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), hint: None, details: None }
    }

    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    #[must_use]
    pub fn details(mut self, details: Value) -> Self {
        self.details = Some(Box::new(details));
        self
    }

    /// What is left of a failure that is too long to tell: its code, the beginning of its message
    /// and of its hint, and no details.
    #[must_use]
    pub fn shortened(&self, chars: usize) -> Self {
        let cut = |words: &String| match text::cut(words, chars) {
            whole if whole.len() == words.len() => words.clone(),
            part => format!("{part}…"),
        };
        Self {
            code: self.code,
            message: cut(&self.message),
            hint: self.hint.as_ref().map(cut),
            details: None,
        }
    }

    /// The plain rendering: the message, then the hint on a line of its own.
    pub fn text(&self) -> String {
        match &self.hint {
            Some(hint) => format!("{}\n{hint}", self.message),
            None => self.message.clone(),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

/// Implemented by each server's error enum; `Display` is the message.
pub trait DomainError: fmt::Display {
    /// Stable, snake case, part of the contract: callers branch on it.
    fn code(&self) -> &'static str;

    fn hint(&self) -> Option<String> {
        None
    }

    fn details(&self) -> Option<Value> {
        None
    }
}

impl<E: DomainError> From<E> for Failure {
    fn from(error: E) -> Self {
        Self {
            code: error.code(),
            message: error.to_string(),
            hint: error.hint(),
            details: error.details().map(Box::new),
        }
    }
}
