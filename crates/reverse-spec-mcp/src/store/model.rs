//! The language model that may write or judge: which one, and how a call waits for it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use mcp_core::clock::Clock;
use mcp_core::failure::Failure;
use mcp_core::work::Work;
use mcp_llm::{Client, Config, Names, Request, Shape, Stop};
use serde_json::Value;
use tokio::runtime::Handle;

use crate::domain::prose::Prompt;
use crate::error::Error;

const NAMES: Names = Names { prefix: "REVERSE_SPEC", model: Some("REVERSE_SPEC_MODEL"), off: None };
const MAX_TOKENS: u32 = 8192;
/// What is left of a call's time for writing and answering after the model's answer.
const MARGIN: Duration = Duration::from_secs(5);

/// What a model gave back.
#[derive(Debug, Clone)]
pub(crate) struct Prose {
    pub(crate) text: String,
    pub(crate) model: String,
    pub(crate) tokens: u64,
    /// The answer ended because it was long, not because it was done.
    pub(crate) is_cut: bool,
}

/// A language model, or something that stands for one.
pub(crate) trait Model: Sync {
    fn write(&self, prompt: &Prompt) -> Result<Prose, ModelError>;

    /// An answer as data of the given schema.
    fn judge(&self, prompt: &Prompt, schema: &Value) -> Result<Value, ModelError>;
}

/// Why there is no prose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ModelError {
    /// The service answered with this status.
    Status {
        provider: String,
        status: u16,
    },
    Other {
        provider: String,
        reason: String,
    },
    Cancelled,
}

impl From<ModelError> for Error {
    fn from(error: ModelError) -> Self {
        match error {
            ModelError::Status { provider, status } => Self::ModelStatus { provider, status },
            ModelError::Other { provider, reason } => Self::ModelFailed { provider, reason },
            ModelError::Cancelled => Self::Cancelled,
        }
    }
}

/// Whether a model writes.
#[derive(Clone)]
pub(crate) enum Llm {
    Client {
        client: Arc<Client>,
        provider: String,
        /// Which model where, for people; the key is named, never shown.
        described: String,
    },
    /// Switched off by the user.
    Off,
    /// None is configured, which is fine.
    Nobody,
    /// None is configured, and the user demands one.
    Missing,
}

impl Llm {
    /// The variable that holds the key, where one is used.
    pub(crate) fn key_variable(variable: &dyn Fn(&str) -> Option<String>) -> Option<String> {
        Config::find(&NAMES, variable).ok()??.key_variable().map(str::to_owned)
    }

    /// By the environment: `REVERSE_SPEC_LLM` is `auto`, `required` or `off`.
    pub(crate) fn of(variable: &dyn Fn(&str) -> Option<String>) -> Result<Self, Failure> {
        let wish = variable("REVERSE_SPEC_LLM").map(|it| it.trim().to_ascii_lowercase());
        let required = match wish.as_deref() {
            None | Some("" | "auto") => false,
            Some("required") => true,
            Some("off" | "none" | "false" | "0") => return Ok(Self::Off),
            Some(_) => {
                return Err(Failure::new(
                    "invalid_setting",
                    "REVERSE_SPEC_LLM is not a known word",
                )
                .hint("Set it to auto, required or off."));
            }
        };
        let Some(config) = Config::find(&NAMES, variable)? else {
            return Ok(if required { Self::Missing } else { Self::Nobody });
        };
        let provider = match config.provider() {
            "anthropic" | "claude" => "Claude".to_owned(),
            other => other.to_owned(),
        };
        let described = config.describe();
        let client = Arc::new(Client::new(config, Clock::system())?);
        Ok(Self::Client { client, provider, described })
    }
}

/// A model during one call. Used from threads of the work itself, so it brings its runtime along.
pub(crate) struct Remote<'a> {
    client: &'a Client,
    provider: &'a str,
    work: Work,
    runtime: Handle,
    until: Instant,
}

impl<'a> Remote<'a> {
    pub(crate) fn new(
        client: &'a Client,
        provider: &'a str,
        work: Work,
        runtime: Handle,
        until: Instant,
    ) -> Self {
        Self { client, provider, work, runtime, until }
    }
}

impl Remote<'_> {
    fn request(&self, prompt: &Prompt) -> Request {
        let left = self.until.saturating_duration_since(Instant::now()).saturating_sub(MARGIN);
        Request::new(&prompt.instructions, &prompt.text)
            .max_tokens(MAX_TOKENS)
            .deadline(left.max(Duration::from_secs(1)))
    }

    fn failed(&self, error: &mcp_llm::Error) -> ModelError {
        let provider = self.provider.to_owned();
        match (error, error.status()) {
            (mcp_llm::Error::Cancelled, _) => ModelError::Cancelled,
            (_, Some(status)) => ModelError::Status { provider, status },
            (_, None) => ModelError::Other { provider, reason: error.to_string() },
        }
    }
}

impl Model for Remote<'_> {
    fn write(&self, prompt: &Prompt) -> Result<Prose, ModelError> {
        let request = self.request(prompt);
        let asked = self.client.text(&request, self.work.cancelled());
        let reply = self.runtime.block_on(asked).map_err(|error| self.failed(&error))?;
        Ok(Prose {
            text: reply.text,
            model: reply.model,
            tokens: reply.usage.input + reply.usage.output,
            is_cut: reply.stop == Stop::Cut,
        })
    }

    fn judge(&self, prompt: &Prompt, schema: &Value) -> Result<Value, ModelError> {
        let request = self.request(prompt);
        let shape = Shape::new("submit_verdicts", "What was found.", schema.clone());
        let shape = shape.map_err(|error| self.failed(&error))?;
        let asked = self.client.structured(&request, &shape, self.work.cancelled());
        let reply = self.runtime.block_on(asked).map_err(|error| self.failed(&error))?;
        Ok(reply.value)
    }
}
