//! The language model that rewrites requirements, if one is configured.

use std::sync::Arc;
use std::time::Duration;

use mcp_core::clock::Clock;
use mcp_core::failure::Failure;
use mcp_core::work::Work;
use mcp_llm::{Client, Config, Names, Request, Shape};

use crate::domain::transform::{INSTRUCTIONS, Rewriting, schema};

const NAMES: Names = Names { prefix: "ELSPAIS", model: None, off: None };
const MAX_TOKENS: u32 = 8192;
/// What is left of a call's time for writing the file.
const MARGIN: Duration = Duration::from_secs(5);

/// The model that is asked; what is wrong with the settings where there is none.
#[derive(Clone)]
pub(crate) struct Rewriter {
    client: Result<Arc<Client>, Failure>,
    timeout: Duration,
}

impl Rewriter {
    pub(crate) fn from_variables(
        variable: &dyn Fn(&str) -> Option<String>,
        timeout: Duration,
    ) -> Self {
        let client = match Config::read(&NAMES, variable) {
            Ok(Some(config)) => {
                Client::new(config, Clock::system()).map(Arc::new).map_err(Failure::from)
            }
            Ok(None) => Err(Config::missing(&NAMES).into()),
            Err(error) => Err(error.into()),
        };
        Self { client, timeout }
    }

    /// The variable that holds the key, where one is used.
    pub(crate) fn key_variable(variable: &dyn Fn(&str) -> Option<String>) -> Option<String> {
        Config::read(&NAMES, variable).ok()??.key_variable().map(str::to_owned)
    }

    /// Whether there is a model to ask.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        self.client.as_ref().map(|_| ()).map_err(Clone::clone)
    }

    /// The requirement as the model would have it, and the model's name.
    pub(crate) async fn ask(
        &self,
        prompt: &str,
        work: &Work,
    ) -> Result<(Rewriting, String), Failure> {
        let client = self.client.clone()?;
        let shape = Shape::new("submit_requirement", "The requirement as it should be.", schema())?;
        let deadline = self.timeout.saturating_sub(MARGIN).max(Duration::from_secs(1));
        let request = Request::new(INSTRUCTIONS, prompt).max_tokens(MAX_TOKENS).deadline(deadline);
        let answered = client.structured(&request, &shape, work.cancelled()).await?;
        Ok((Rewriting::of(answered.value)?, answered.model))
    }
}
