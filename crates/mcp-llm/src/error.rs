//! Why no answer came, in words that hold neither a key nor anything of the prompt.

use std::time::Duration;

use mcp_core::failure::{DomainError, Failure};

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    #[error("no language model is configured")]
    NotConfigured { how: String },
    #[error("{variable} {problem}")]
    Setting { variable: String, problem: String },
    #[error("{provider} refused the key (status {status})")]
    Unauthorized { provider: String, status: u16 },
    #[error("{provider} is limiting requests (status 429)")]
    RateLimited { provider: String, retry_after: Option<Duration> },
    #[error("{provider} failed with status {status}")]
    Server { provider: String, status: u16, retry_after: Option<Duration> },
    /// The request itself was found wrong: an unknown model, a prompt that is too long.
    #[error("{provider} rejected the request with status {status}{}", named(.kind.as_ref()))]
    Rejected { provider: String, status: u16, kind: Option<String> },
    #[error("{provider} redirects to another address (status {status}), which is not followed")]
    Redirected { provider: String, status: u16 },
    #[error("{provider} gave no answer within {} s", .after.as_secs_f32())]
    Timeout { provider: String, after: Duration },
    #[error("{provider} could not be reached: {problem}")]
    Unreachable { provider: String, problem: &'static str },
    #[error("the answer was cut off at the limit of {limit} tokens")]
    Truncated { limit: u32 },
    #[error("the answer has more than {limit} bytes")]
    TooLarge { limit: usize },
    #[error("the answer cannot be used: {problem}")]
    Malformed { problem: String },
    #[error("the model declined to answer")]
    Refused,
    #[error("the `claude` command ended with {problem}")]
    Command { problem: String },
    #[error("the request was cancelled")]
    Cancelled,
    /// Our own mistake: a schema that cannot be checked.
    #[error("the schema of the answer is not one we can check: {problem}")]
    Shape { problem: String },
}

fn named(kind: Option<&String>) -> String {
    kind.map(|it| format!(" ({it})")).unwrap_or_default()
}

impl Error {
    pub(crate) fn setting(variable: impl Into<String>, problem: impl Into<String>) -> Self {
        Self::Setting { variable: variable.into(), problem: problem.into() }
    }

    pub(crate) fn malformed(problem: impl Into<String>) -> Self {
        Self::Malformed { problem: problem.into() }
    }

    /// The status the provider answered with, where it answered with one.
    pub fn status(&self) -> Option<u16> {
        match self {
            Self::RateLimited { .. } => Some(429),
            Self::Unauthorized { status, .. }
            | Self::Server { status, .. }
            | Self::Rejected { status, .. }
            | Self::Redirected { status, .. } => Some(*status),
            _ => None,
        }
    }

    /// Whether the same request may succeed a moment later.
    pub(crate) fn may_pass(&self) -> bool {
        matches!(
            self,
            Self::RateLimited { .. }
                | Self::Server { .. }
                | Self::Timeout { .. }
                | Self::Unreachable { .. }
                | Self::Malformed { .. }
                | Self::Command { .. }
        )
    }

    /// How long the provider wants us to wait.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::RateLimited { retry_after, .. } | Self::Server { retry_after, .. } => {
                *retry_after
            }
            _ => None,
        }
    }
}

impl DomainError for Error {
    fn code(&self) -> &'static str {
        match self {
            Self::NotConfigured { .. } => "llm_not_configured",
            Self::Setting { .. } => "llm_setting",
            Self::Unauthorized { .. } => "llm_unauthorized",
            Self::RateLimited { .. } => "llm_rate_limited",
            Self::Server { .. } => "llm_server_error",
            Self::Rejected { .. } => "llm_rejected",
            Self::Redirected { .. } => "llm_redirected",
            Self::Timeout { .. } => "llm_timeout",
            Self::Unreachable { .. } => "llm_unreachable",
            Self::Truncated { .. } => "llm_truncated",
            Self::TooLarge { .. } => "llm_too_large",
            Self::Malformed { .. } => "llm_malformed",
            Self::Refused => "llm_refused",
            Self::Command { .. } => "llm_command",
            Self::Cancelled => Failure::CANCELLED,
            Self::Shape { .. } => Failure::INTERNAL,
        }
    }

    fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::NotConfigured { how } => return Some(how.clone()),
            Self::Setting { .. } => "Mend the variable where the server is started.".to_owned(),
            Self::Unauthorized { .. } => "Check the key, and that it may use the model.".to_owned(),
            Self::RateLimited { retry_after: Some(wait), .. } => {
                format!("Try again in {} s.", wait.as_secs().max(1))
            }
            Self::RateLimited { .. } | Self::Server { .. } => "Try again later.".to_owned(),
            Self::Rejected { .. } => {
                "Check the name of the model and the address; a shorter prompt may help.".to_owned()
            }
            Self::Redirected { .. } => "Name the final address as the base URL.".to_owned(),
            Self::Timeout { .. } => "Try again, or choose a faster model.".to_owned(),
            Self::Unreachable { .. } => {
                "Check the base URL, the network and the proxy settings.".to_owned()
            }
            Self::Truncated { .. } | Self::TooLarge { .. } => "Ask for less at a time.".to_owned(),
            Self::Malformed { .. } => "Try again, or choose another model.".to_owned(),
            Self::Refused => "Word the request differently.".to_owned(),
            Self::Command { .. } => {
                "Run `claude` once in a terminal: it may be out of date or not logged in."
                    .to_owned()
            }
            Self::Cancelled | Self::Shape { .. } => return None,
        };
        Some(hint)
    }
}
