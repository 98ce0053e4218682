//! What a language model reads in a request and its answers. It proposes; the bank, the words of
//! the user and the rules of the engine decide.

mod accept;
mod wording;

use std::collections::BTreeMap;
use std::time::Duration;

use jiff::Timestamp;
use mcp_llm::Request;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::clarify::{Clarification, Given, World};
use crate::error::Error;
use crate::model::{Memory, Model};

/// For one try.
const PATIENCE: Duration = Duration::from_secs(15);
const MAX_TOKENS: u32 = 2048;

/// Kept with the session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Reading {
    /// Questions of the bank that belong to the request.
    pub(crate) questions: Vec<String>,
    /// The order to ask in; it decides nothing else.
    pub(crate) missing_info: Vec<String>,
    /// For information: it never decides whether a record is written.
    pub(crate) decision_hint: Option<String>,
    /// By question.
    pub(crate) said: BTreeMap<String, Said>,
}

/// A value with the words of the user behind it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Said {
    pub(crate) value: String,
    pub(crate) quote: String,
    /// The words name the value. Where they only suggest it, it is recommended and asked.
    pub(crate) is_literal: bool,
}

/// The way to the model, and what it said before.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'a> {
    pub(crate) model: &'a dyn Model,
    pub(crate) memory: &'a Memory,
    pub(crate) deadline: Duration,
    pub(crate) now: Timestamp,
}

impl Reader<'_> {
    /// Has the request read, once a session, where it asks for more than a trifle.
    pub(crate) fn read(&self, state: &mut Clarification, world: &World<'_>) -> Result<(), Error> {
        if state.reading.is_some() || state.fallback.is_some() || !state.decides(world.bank) {
            return Ok(());
        }
        let prompt = wording::request(state, world);
        let answer = self.ask(wording::QUESTIONS, &prompt, &wording::questions_shape(world.bank));
        match answer {
            Ok(answer) => state.reading = Some(accept::questions(state, world, &answer)),
            Err(error) => state.fall_back(&error)?,
        }
        Ok(())
    }

    /// Has the answers read when all are there, the same answers only once. True where that told
    /// something new.
    pub(crate) fn conclude(
        &self,
        state: &mut Clarification,
        world: &World<'_>,
    ) -> Result<bool, Error> {
        if state.reading.is_none() || state.fallback.is_some() {
            return Ok(false);
        }
        let prompt = wording::answers(state, world);
        let shape = wording::decision_shape(world.bank);
        match self.ask(wording::DECISION, &prompt, &shape) {
            Ok(answer) => {
                let said = accept::fields(state, world, &answer);
                let Some(reading) = &mut state.reading else { return Ok(false) };
                let before = reading.said.len();
                for (id, said) in said {
                    reading.said.entry(id).or_insert(said);
                }
                Ok(reading.said.len() > before)
            }
            Err(error) => {
                state.fall_back(&error)?;
                Ok(false)
            }
        }
    }

    fn ask(
        &self,
        system: &str,
        prompt: &str,
        shape: &Result<mcp_llm::Shape, mcp_llm::Error>,
    ) -> Result<Value, mcp_llm::Error> {
        let key = format!("{system}\n{prompt}");
        if let Some(answer) = self.memory.recall(&key, self.now) {
            return answer;
        }
        let shape = shape.as_ref().map_err(Clone::clone)?;
        let request = Request::new(system, prompt)
            .max_tokens(MAX_TOKENS)
            .patience(PATIENCE)
            .deadline(self.deadline);
        let answer = self.model.ask(&request, shape);
        if answer.as_ref().err() != Some(&mcp_llm::Error::Cancelled) {
            self.memory.keep(key, answer.clone(), self.now);
        }
        answer
    }
}

impl Clarification {
    /// Goes on without the model, for good: a session is not made to wait twice.
    fn fall_back(&mut self, error: &mcp_llm::Error) -> Result<(), Error> {
        if *error == mcp_llm::Error::Cancelled {
            return Err(Error::Cancelled);
        }
        self.fallback = Some(reason(error));
        Ok(())
    }

    /// What was answered in words rather than by choosing.
    fn words_given(&self) -> impl Iterator<Item = (&str, &str)> {
        let answers = self.given.iter().filter_map(|(id, given)| match given {
            Given::Value(value) => Some((id.as_str(), value.as_str())),
            Given::Other | Given::Later | Given::Nothing => None,
        });
        answers.chain(self.reason.as_deref().map(|it| ("reason", it)))
    }
}

/// One line for the user on why the model was not used.
pub(crate) fn reason(error: &mcp_llm::Error) -> String {
    let failure = mcp_core::failure::Failure::from(error.clone());
    let hint = failure.hint.as_deref().unwrap_or_default();
    format!("The language model was not used: {}. {hint}", failure.message).trim_end().to_owned()
}
