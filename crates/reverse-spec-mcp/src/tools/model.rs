//! The language model behind the `Model` of the domain: which one, and how a call waits for it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use mcp_core::cli::Settings;
use mcp_core::clock::Clock;
use mcp_core::failure::Failure;
use mcp_core::server::Call;
use mcp_llm::{Client, Config, Names, Request, Stop};
use tokio::runtime::Handle;

use crate::model::{Model, ModelError, Prompt, Prose};

const NAMES: Names = Names { prefix: "REVERSE_SPEC", model: Some("REVERSE_SPEC_MODEL"), off: None };
const MAX_TOKENS: u32 = 8192;
/// What is left of a call's time for writing and answering after the model's answer.
const MARGIN: Duration = Duration::from_secs(5);

#[cfg(test)]
mod tests;

/// Whether a model writes.
#[derive(Clone)]
pub(crate) enum Llm {
    Client {
        client: Arc<Client>,
        provider: String,
    },
    /// Switched off by the user.
    Off,
    /// None is configured, which is fine.
    Nobody,
    /// None is configured, and the user demands one.
    Missing,
}

impl Llm {
    /// `REVERSE_SPEC_LLM` is `auto`, `required` or `off`.
    pub(crate) fn of(settings: &Settings) -> Result<Self, Failure> {
        Self::from_variables(&|name| settings.variable(name))
    }

    pub(crate) fn from_variables(
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, Failure> {
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
        let client = Arc::new(Client::new(config, Clock::system())?);
        Ok(Self::Client { client, provider })
    }
}

/// A model during one call. Used from threads of the work itself, so it brings its runtime along.
pub(super) struct Remote<'a> {
    client: &'a Client,
    provider: &'a str,
    /// None in the shell, where the user ends the program instead.
    call: Option<&'a Call>,
    runtime: Handle,
    until: Instant,
}

impl<'a> Remote<'a> {
    pub(super) fn new(
        client: &'a Client,
        provider: &'a str,
        call: Option<&'a Call>,
        runtime: Handle,
        until: Instant,
    ) -> Self {
        Self { client, provider, call, runtime, until }
    }
}

impl Model for Remote<'_> {
    fn write(&self, prompt: &Prompt) -> Result<Prose, ModelError> {
        let left = self.until.saturating_duration_since(Instant::now()).saturating_sub(MARGIN);
        let request = Request::new(&prompt.instructions, &prompt.text)
            .max_tokens(MAX_TOKENS)
            .deadline(left.max(Duration::from_secs(1)));
        let cancelled = async {
            match self.call {
                Some(call) => call.cancelled().await,
                None => std::future::pending().await,
            }
        };
        let asked = self.client.text(&request, cancelled);
        let reply =
            self.runtime.block_on(asked).map_err(|error| match (&error, error.status()) {
                (mcp_llm::Error::Cancelled, _) => ModelError::Cancelled,
                (_, Some(status)) => {
                    ModelError::Status { provider: self.provider.to_owned(), status }
                }
                (_, None) => ModelError::Other {
                    provider: self.provider.to_owned(),
                    reason: error.to_string(),
                },
            })?;
        Ok(Prose {
            text: reply.text,
            model: reply.model,
            tokens: reply.usage.input + reply.usage.output,
            is_cut: reply.stop == Stop::Cut,
        })
    }
}
