//! What is asked of a model and what comes back.

use std::time::Duration;

use serde_json::Value;

use crate::redact::Finding;

/// One question to the model. Secrets in it are replaced before it leaves.
#[derive(Debug, Clone)]
pub struct Request {
    pub(crate) system: String,
    pub(crate) prompt: String,
    pub(crate) max_tokens: u32,
    pub(crate) deadline: Duration,
    pub(crate) patience: Duration,
}

impl Request {
    /// `system` says what the model is to do, `prompt` is the material.
    pub fn new(system: impl Into<String>, prompt: impl Into<String>) -> Self {
        let deadline = Duration::from_mins(2);
        Self {
            system: system.into(),
            prompt: prompt.into(),
            max_tokens: 4096,
            deadline,
            patience: deadline,
        }
    }

    /// How long the answer may be.
    #[must_use]
    pub fn max_tokens(mut self, tokens: u32) -> Self {
        self.max_tokens = tokens;
        self
    }

    /// How long all tries together may take.
    #[must_use]
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = deadline;
        self
    }

    /// How long one try may take; the deadline where it is shorter.
    #[must_use]
    pub fn patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }
}

/// Why the model stopped writing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    Complete,
    /// At the limit of tokens: the rest is missing.
    Cut,
    /// The provider did not say.
    Unstated,
}

/// Tokens of all tries together, as the provider counted them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    pub input: u64,
    pub output: u64,
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.input = self.input.saturating_add(other.input);
        self.output = self.output.saturating_add(other.output);
    }
}

/// An answer in words.
#[derive(Debug, Clone)]
pub struct Reply {
    pub text: String,
    pub stop: Stop,
    pub usage: Usage,
    /// The model that answered, as the provider names it.
    pub model: String,
    /// What was kept from leaving.
    pub redacted: Vec<Finding>,
}

/// An answer that fits the shape that was asked for.
#[derive(Debug, Clone)]
pub struct Structured {
    pub value: Value,
    pub usage: Usage,
    /// The model that answered, as the provider names it.
    pub model: String,
    /// What was kept from leaving.
    pub redacted: Vec<Finding>,
}
