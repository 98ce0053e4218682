//! `Client`: asks until there is an answer that can be used, at most three times and not past the
//! deadline.

use std::time::Duration;

use mcp_core::clock::Clock;
use tokio::time::{Instant, sleep, timeout};

use crate::command::Claude;
use crate::config::{Config, Target};
use crate::error::Error;
use crate::http::Http;
use crate::redact::{Finding, redact};
use crate::request::{Reply, Request, Stop, Structured, Usage};
use crate::shape::Shape;
use crate::wire::{Answer, Question, anthropic, openai};

const MAX_REQUESTS: u32 = 3;

/// The pause before the second request where the provider names none; the next is twice as long.
const PAUSE: Duration = Duration::from_millis(500);

pub struct Client {
    config: Config,
    way: Way,
}

/// How a question reaches the model.
enum Way {
    Anthropic(Http),
    Openai(Http, &'static str),
    Command(Claude),
}

/// What leaves the machine.
struct Outgoing {
    system: String,
    prompt: String,
    redacted: Vec<Finding>,
}

impl Client {
    pub fn new(config: Config, clock: Clock) -> Result<Self, Error> {
        let key = config.key.as_ref().map(|(_, key)| key);
        let http = |url, is_anthropic| Http::new(config.provider, url, key, is_anthropic, clock);
        let way = match &config.target {
            Target::Anthropic { url } => Way::Anthropic(http(url, true)?),
            Target::Openai { url, limit_field } => Way::Openai(http(url, false)?, limit_field),
            Target::Command(claude) => Way::Command(claude.clone()),
        };
        Ok(Self { config, way })
    }

    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Asks for words. Where they were cut, `stop` says so. Ends early when `cancelled` does, and
    /// when it is dropped.
    pub async fn text(
        &self,
        request: &Request,
        cancelled: impl Future<Output = ()>,
    ) -> Result<Reply, Error> {
        let outgoing = self.outgoing(request);
        let mut usage = Usage::default();
        let asking = self.ask(request, &outgoing, None, &mut usage, |answer| {
            let (stop, model) = (answer.stop, answer.model.clone());
            Ok((answer.into_text()?, stop, model))
        });
        let (text, stop, model) = unless(cancelled, asking).await?;
        let text = self.without_key(text);
        let model = self.model(model);
        Ok(Reply { text, stop, usage, model, redacted: outgoing.redacted })
    }

    /// Asks for data of the given shape. An answer that does not fit is asked for again with the
    /// reason. Ends early when `cancelled` does, and when it is dropped.
    pub async fn structured(
        &self,
        request: &Request,
        shape: &Shape,
        cancelled: impl Future<Output = ()>,
    ) -> Result<Structured, Error> {
        let outgoing = self.outgoing(request);
        let mut usage = Usage::default();
        let asking = self.ask(request, &outgoing, Some(shape), &mut usage, |answer| {
            if answer.stop == Stop::Cut {
                return Err(Error::Truncated { limit: request.max_tokens });
            }
            let model = answer.model.clone();
            let value = answer.into_value()?;
            shape.check(&value)?;
            Ok((value, model))
        });
        let (mut value, model) = unless(cancelled, asking).await?;
        if let Some((_, key)) = &self.config.key {
            key.scrub_value(&mut value);
        }
        let model = self.model(model);
        Ok(Structured { value, usage, model, redacted: outgoing.redacted })
    }

    async fn ask<T>(
        &self,
        request: &Request,
        outgoing: &Outgoing,
        shape: Option<&Shape>,
        usage: &mut Usage,
        accept: impl Fn(Answer) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let deadline = Instant::now() + request.deadline;
        let mut prompt = outgoing.prompt.clone();
        let mut tries = 1;
        loop {
            let patience = request.patience.min(deadline - Instant::now());
            let question = Question {
                model: self.config.model.as_deref(),
                system: &outgoing.system,
                prompt: &prompt,
                max_tokens: request.max_tokens,
                shape,
            };
            let outcome = match timeout(patience, self.once(&question)).await {
                Ok(outcome) => outcome,
                Err(_) => Err(Error::Timeout {
                    provider: self.config.provider.to_owned(),
                    after: patience,
                }),
            };
            let error = match outcome {
                Ok(answer) => {
                    *usage += answer.usage;
                    match accept(answer) {
                        Ok(accepted) => return Ok(accepted),
                        Err(error) => error,
                    }
                }
                Err(error) => error,
            };
            let pause = error.retry_after().unwrap_or(PAUSE * tries);
            let time_left = deadline.saturating_duration_since(Instant::now());
            if !error.may_pass() || tries == MAX_REQUESTS || pause >= time_left {
                return Err(error);
            }
            if let (Error::Malformed { problem }, Some(_)) = (&error, shape) {
                prompt = format!(
                    "{}\n\nYour previous answer could not be used: {problem}. Answer again.",
                    outgoing.prompt
                );
            }
            sleep(pause).await;
            tries += 1;
        }
    }

    async fn once(&self, question: &Question<'_>) -> Result<Answer, Error> {
        match &self.way {
            Way::Anthropic(http) => {
                anthropic::read(http.post(&anthropic::body(question)).await?, question.shape)
            }
            Way::Openai(http, limit_field) => {
                openai::read(&http.post(&openai::body(question, limit_field)).await?)
            }
            Way::Command(claude) => claude.ask(question).await,
        }
    }

    fn outgoing(&self, request: &Request) -> Outgoing {
        let system = redact(&request.system);
        let prompt = redact(&request.prompt);
        let mut redacted = system.findings;
        redacted.extend(prompt.findings);
        Outgoing {
            system: self.without_key(system.text.into_owned()),
            prompt: self.without_key(prompt.text.into_owned()),
            redacted,
        }
    }

    fn model(&self, answered: Option<String>) -> String {
        let answered = answered.map(|it| self.without_key(it));
        answered.or_else(|| self.config.model.clone()).unwrap_or_default()
    }

    /// Neither goes our key to the model as part of a text, nor does it come back in one.
    fn without_key(&self, text: String) -> String {
        match &self.config.key {
            Some((_, key)) => key.scrub(&text),
            None => text,
        }
    }
}

async fn unless<T>(
    cancelled: impl Future<Output = ()>,
    asking: impl Future<Output = Result<T, Error>>,
) -> Result<T, Error> {
    tokio::select! {
        outcome = asking => outcome,
        () = cancelled => Err(Error::Cancelled),
    }
}
