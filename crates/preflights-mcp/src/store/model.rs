//! The language model: whether there is one, how it is asked, and what it said before.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use mcp_core::clock::Clock;
use mcp_core::settings::Settings;
use mcp_core::work::Work;
use mcp_llm::{Client, Config, Error, Names, Request, Shape};
use serde_json::Value;
use tokio::runtime::{Builder, Handle};

pub(crate) const NAMES: Names = Names { prefix: "PREFLIGHTS", model: None, off: Some("mock") };

/// An answer is good for as long as a session lives, so that a call repeated by a form, or a
/// request made twice, is read only once and in the same way.
const ANSWER_LIFETIME: SignedDuration = SignedDuration::from_mins(30);
/// A failure is not waited for twice within one call, in which a form may be open for two minutes.
const FAILURE_LIFETIME: SignedDuration = SignedDuration::from_mins(3);
const MAX_REMEMBERED: usize = 64;

/// Whether there is one.
pub(crate) enum Setting {
    Off,
    /// Asked for, but not in a way that works.
    Unusable(Error),
    Ready {
        client: Box<Client>,
        /// How long one question may take with all its tries.
        deadline: Duration,
    },
}

impl Setting {
    /// A setting that does not work keeps nobody from working: the answers say so.
    pub(crate) fn from_settings(settings: &Settings, clock: Clock) -> Self {
        let client = match Config::read(&NAMES, &|name| settings.variable(name)) {
            Ok(None) => return Self::Off,
            Ok(Some(config)) => Client::new(config, clock),
            Err(error) => Err(error),
        };
        client.map_or_else(Self::Unusable, |client| Self::ready(client, settings.call_timeout()))
    }

    /// The variable that holds the key, where one is used.
    pub(crate) fn key_variable(settings: &Settings) -> Option<String> {
        let config = Config::read(&NAMES, &|name| settings.variable(name)).ok()??;
        config.key_variable().map(str::to_owned)
    }

    /// A call may ask twice, and has work of its own besides.
    pub(crate) fn ready(client: Client, call_timeout: Duration) -> Self {
        Self::Ready { client: Box::new(client), deadline: call_timeout.mul_f64(0.4) }
    }
}

/// Asks the model, and waits until there is an answer or nobody wants it any more.
pub(crate) fn ask(
    client: &Client,
    request: &Request,
    shape: &Shape,
    work: &Work,
) -> Result<Value, Error> {
    let asking = client.structured(request, shape, work.cancelled());
    // A call works on a thread of the runtime; the shell has none.
    if let Ok(runtime) = Handle::try_current() {
        return runtime.block_on(asking).map(|it| it.value);
    }
    let runtime = Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|_| Error::Unreachable {
        provider: client.config().provider().to_owned(),
        problem: "there is no room to wait for it",
    })?;
    runtime.block_on(asking).map(|it| it.value)
}

/// Answers by the question they were given to.
#[derive(Default)]
pub(crate) struct Memory {
    answers: Mutex<BTreeMap<String, Remembered>>,
}

struct Remembered {
    at: Timestamp,
    answer: Result<Value, Error>,
}

impl Memory {
    pub(crate) fn recall(&self, prompt: &str, now: Timestamp) -> Option<Result<Value, Error>> {
        let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        let Remembered { at, answer } = answers.get(prompt)?;
        let lifetime = if answer.is_ok() { ANSWER_LIFETIME } else { FAILURE_LIFETIME };
        (now.duration_since(*at) < lifetime).then(|| answer.clone())
    }

    pub(crate) fn keep(&self, prompt: String, answer: Result<Value, Error>, now: Timestamp) {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        answers.insert(prompt, Remembered { at: now, answer });
        if answers.len() > MAX_REMEMBERED {
            let oldest = answers.iter().min_by_key(|(_, it)| it.at).map(|(key, _)| key.clone());
            if let Some(oldest) = oldest {
                answers.remove(&oldest);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(minutes: i64) -> Timestamp {
        Timestamp::UNIX_EPOCH + SignedDuration::from_mins(minutes)
    }

    #[test]
    fn answers_are_good_for_half_an_hour_and_failures_for_three_minutes() {
        let memory = Memory::default();
        memory.keep("a".to_owned(), Ok(Value::Bool(true)), at(0));
        memory.keep("b".to_owned(), Err(Error::Refused), at(0));
        assert_eq!(memory.recall("a", at(29)), Some(Ok(Value::Bool(true))));
        assert_eq!(memory.recall("a", at(30)), None);
        assert_eq!(memory.recall("b", at(2)), Some(Err(Error::Refused)));
        assert_eq!(memory.recall("b", at(3)), None);
        assert_eq!(memory.recall("c", at(0)), None);
    }

    #[test]
    fn past_the_limit_the_oldest_answer_goes() {
        let memory = Memory::default();
        for index in 0..=MAX_REMEMBERED {
            let minutes = i64::try_from(index).unwrap();
            memory.keep(index.to_string(), Ok(Value::Null), at(minutes));
        }
        assert_eq!(memory.answers.lock().unwrap().len(), MAX_REMEMBERED);
        assert!(memory.recall("0", at(1)).is_none() && memory.recall("1", at(1)).is_some());
    }
}
