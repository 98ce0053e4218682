//! Has a language model read a request and its answers. It proposes; the bank, the words of the
//! user and the rules of the engine decide.

mod wording;

use std::time::Duration;

use jiff::Timestamp;
use mcp_core::work::Work;
use mcp_llm::{Client, Request};
use serde_json::Value;

use crate::domain::clarify::{Clarification, World};
use crate::domain::reading::{self, Heard};
use crate::error::Error;
use crate::store::model::{self, Memory};

/// For one try.
const PATIENCE: Duration = Duration::from_secs(15);
const MAX_TOKENS: u32 = 2048;

/// The way to the model, and what it said before.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'a> {
    pub(crate) client: &'a Client,
    pub(crate) memory: &'a Memory,
    pub(crate) deadline: Duration,
    pub(crate) now: Timestamp,
    pub(crate) work: &'a Work,
}

impl Reader<'_> {
    /// Has the request read, once a session, where it asks for more than a trifle.
    pub(crate) fn read(&self, state: &mut Clarification, world: &World<'_>) -> Result<(), Error> {
        // Where the calling agent has read it, nobody else has to.
        let is_read = state.reading.is_some() || state.offered.is_some() || state.claims.is_some();
        if is_read || state.fallback.is_some() || !state.decides(world) {
            return Ok(());
        }
        let prompt = wording::request(state, world);
        let answer = self.ask(wording::QUESTIONS, &prompt, &wording::questions_shape(world.bank));
        match answer {
            Ok(answer) => {
                state.reading = Some(reading::questions(&heard(state, world), &answer));
                state.offered = answer.get("reading").filter(|it| claims_something(it)).cloned();
            }
            Err(error) => fall_back(state, &error)?,
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
                let mut heard = heard(state, world);
                heard.sources.extend(state.words_given().map(|(_, words)| words));
                let mut said = reading::fields(&heard, &answer);
                said.retain(|id, _| !state.given.contains_key(id));
                let Some(reading) = &mut state.reading else { return Ok(false) };
                let before = reading.said.len();
                for (id, said) in said {
                    reading.said.entry(id).or_insert(said);
                }
                Ok(reading.said.len() > before)
            }
            Err(error) => {
                fall_back(state, &error)?;
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
        let answer = model::ask(self.client, &request, shape, self.work);
        if answer.as_ref().err() != Some(&mcp_llm::Error::Cancelled) {
            self.memory.keep(key, answer.clone(), self.now);
        }
        answer
    }
}

/// Whether a reading says more than what kind of work it is.
fn claims_something(reading: &Value) -> bool {
    let mut fields = reading.as_object().into_iter().flat_map(|it| it.values());
    fields.any(|it| it.as_array().is_some_and(|list| !list.is_empty()))
}

/// Goes on without the model, for good: a session is not made to wait twice.
fn fall_back(state: &mut Clarification, error: &mcp_llm::Error) -> Result<(), Error> {
    if *error == mcp_llm::Error::Cancelled {
        return Err(Error::Cancelled);
    }
    state.fallback = Some(reason(error));
    Ok(())
}

fn heard<'a>(state: &'a Clarification, world: &World<'a>) -> Heard<'a> {
    Heard { bank: world.bank, topics: state.topics(world), sources: state.spoken().collect() }
}

/// One line for the user on why the model was not used.
pub(crate) fn reason(error: &mcp_llm::Error) -> String {
    let failure = mcp_core::failure::Failure::from(error.clone());
    let hint = failure.hint.as_deref().unwrap_or_default();
    format!("The language model was not used: {}. {hint}", failure.message).trim_end().to_owned()
}
