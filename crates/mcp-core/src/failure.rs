//! `Failure`: the one shape every error takes before a server renders it for its callers.

use std::fmt;

use serde_json::Value;

use crate::text;

/// What went wrong, for a caller who can act on it.
///
/// The message is a fragment without a full stop, the hint a whole sentence naming what is valid
/// or what to call next. Neither ever holds a stack trace or an absolute path of somebody else.
///
/// ```
/// use mcp_core::failure::Failure;
///
/// let failure =
///     Failure::new("not_found", "there is no page `a`").hint("Call `pages` to list them.");
/// assert_eq!(failure.text(), "there is no page `a`\nCall `pages` to list them.");
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    /// Stable, snake case: what callers branch on.
    pub code: &'static str,
    /// What went wrong, as a fragment without a full stop.
    pub message: String,
    /// What is valid or what to do next, as a sentence; `None` when there is nothing to advise.
    pub hint: Option<String>,
    /// Boxed, because most failures have none and all are returned by value.
    pub details: Option<Box<Value>>,
}

impl Failure {
    /// Our own bug: the caller can only report it.
    pub const INTERNAL: &'static str = "internal";
    /// The arguments do not fit the tool's schema.
    pub const INVALID_ARGUMENTS: &'static str = "invalid_arguments";
    /// The call took longer than its limit.
    pub const TIMED_OUT: &'static str = "timed_out";
    /// Nobody waits for the answer any more.
    pub const CANCELLED: &'static str = "cancelled";
    /// The answer exceeds its budget and has no list that could be shortened.
    pub const RESULT_TOO_LARGE: &'static str = "result_too_large";

    /// Makes a failure without hint or details.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), hint: None, details: None }
    }

    /// Adds the sentence that says what to do next, in place of an earlier one.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds data for callers that are programs, in place of earlier data.
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

    /// Says what to do next, as a sentence; `None` unless overridden.
    fn hint(&self) -> Option<String> {
        None
    }

    /// Gives data for callers that are programs; `None` unless overridden.
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
