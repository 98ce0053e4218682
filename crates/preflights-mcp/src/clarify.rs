//! A clarification: what was asked for, what has been asked and answered, and what is still open.

mod answer;
mod outcome;
mod question;
mod resolve;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::architecture::Architecture;
use crate::bank::Bank;
use crate::reading::Reading;
use crate::request::{self, Request, Work};
use crate::survey::Survey;

pub(crate) use crate::bank::OTHER;
pub(crate) use answer::LATER;
pub(crate) use outcome::Outcome;
use question::Purpose;
pub(crate) use question::{Asked, AskedKind};

/// Everything shown to the user counts, whatever it was.
pub(crate) const MAX_QUESTIONS: usize = 5;

/// What is remembered between calls.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Clarification {
    pub(crate) intention: String,
    pub(crate) context: Option<String>,
    pub(crate) force_adr: bool,
    pub(crate) reason: Option<String>,
    pub(crate) shown: Vec<Asked>,
    pub(crate) given: BTreeMap<String, Given>,
    /// Answers that fitted no option, by question: the same again is meant.
    refused: BTreeMap<String, String>,
    /// Why a question is asked again.
    complaints: BTreeMap<String, String>,
    /// What a language model reads in it, where one is asked.
    #[serde(default)]
    pub(crate) reading: Option<Reading>,
    /// Why the language model was given up.
    #[serde(default)]
    pub(crate) fallback: Option<String>,
}

/// What was answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Given {
    Value(String),
    /// "Other", and the text is still to come.
    Other,
    /// Decide later.
    Later,
    /// An optional question left empty.
    Nothing,
}

/// What a clarification is held against.
pub(crate) struct World<'a> {
    pub(crate) bank: &'a Bank,
    pub(crate) architecture: &'a Architecture,
    pub(crate) survey: &'a Survey,
}

/// A value that is known without asking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Detected {
    pub(crate) id: String,
    pub(crate) value: String,
    pub(crate) source: String,
}

pub(crate) enum Step {
    Ask {
        questions: Vec<Asked>,
        detected: Vec<Detected>,
        warnings: Vec<String>,
    },
    Done(Box<Outcome>),
    /// A record was demanded and there is nothing to put into it.
    NothingDecided,
}

impl Step {
    /// Nothing is left to ask, and a decision may be taken from what was said.
    pub(crate) fn is_conclusion(&self) -> bool {
        match self {
            Self::Ask { .. } => false,
            Self::Done(outcome) => outcome.writes_record,
            Self::NothingDecided => true,
        }
    }

    pub(crate) fn warn(&mut self, warning: &str) {
        match self {
            Self::Ask { warnings, .. } => warnings.push(warning.to_owned()),
            Self::Done(outcome) => outcome.warnings.push(warning.to_owned()),
            // The error that follows speaks for itself.
            Self::NothingDecided => {}
        }
    }
}

impl Clarification {
    pub(crate) fn new(intention: &str, context: Option<&str>, force_adr: bool) -> Self {
        Self {
            intention: intention.to_owned(),
            context: context.map(str::to_owned).filter(|it| !it.trim().is_empty()),
            force_adr,
            reason: None,
            shown: Vec::new(),
            given: BTreeMap::new(),
            refused: BTreeMap::new(),
            complaints: BTreeMap::new(),
            reading: None,
            fallback: None,
        }
    }

    /// Takes answers in and finds out what comes next.
    pub(crate) fn advance(&mut self, world: &World<'_>, answers: &Map<String, Value>) -> Step {
        let mut warnings = self.take(world, answers);
        let request = self.understand(world.bank);
        let resolved = resolve::resolve(self, &request, world);
        let mut questions = self.open_questions();
        let room = MAX_QUESTIONS - self.shown.len().min(MAX_QUESTIONS);
        let fresh: Vec<Asked> =
            resolved.pending.iter().filter(|it| !self.is_shown(&it.id)).cloned().collect();
        // Questions that depend on answers still to come wait for them.
        if questions.is_empty() || self.shown.is_empty() {
            questions.extend(fresh.iter().take(room).cloned());
        }
        self.has_shown(&questions);
        warnings.extend(resolved.warnings.clone());
        if !questions.is_empty() {
            for question in &mut questions {
                // One that was answered wrongly before it was ever shown.
                question.error = self.complaints.get(&question.id).cloned();
            }
            let detected = resolved.detected;
            return Step::Ask { questions, detected, warnings };
        }
        let left: Vec<String> = fresh.into_iter().map(|it| it.text).collect();
        outcome::conclude(self, &request, resolved, left, warnings, world)
    }

    fn understand(&self, bank: &Bank) -> Request {
        let mut request = request::understand(bank, &self.intention, self.context.as_deref());
        for id in self.given.keys() {
            // An answer to a question nobody asked is a decision all the same.
            if let Some((category, _)) = bank.question(id)
                && !request.topics.contains(&category.name)
            {
                request.topics.push(category.name.clone());
                request.work = Work::Feature;
            }
        }
        if self.force_adr {
            request.work = Work::Feature;
        }
        if let Some(reading) = &self.reading {
            request.take_reading(bank, reading);
        }
        request
    }

    /// Whether there may be something to decide, and not just something to do.
    pub(crate) fn decides(&self, bank: &Bank) -> bool {
        let request = self.understand(bank);
        request.work == Work::Feature || request.asks_for_record
    }

    pub(crate) fn topics(&self, bank: &Bank) -> Vec<String> {
        self.understand(bank).topics
    }

    /// Takes note of questions that were shown elsewhere.
    pub(crate) fn has_shown(&mut self, questions: &[Asked]) {
        for question in questions {
            if !self.is_shown(&question.id) {
                self.shown.push(question.clone());
            }
        }
    }

    /// Shown and not answered yet, with what was wrong about the last answer.
    pub(crate) fn open_questions(&self) -> Vec<Asked> {
        let open = self.shown.iter().filter(|it| !self.is_answered(it)).cloned();
        open.map(|it| Asked { error: self.complaints.get(&it.id).cloned(), ..it }).collect()
    }

    fn is_shown(&self, id: &str) -> bool {
        self.shown.iter().any(|it| it.id == id)
    }

    fn is_answered(&self, asked: &Asked) -> bool {
        // The text behind "Other" is no longer missing once its question has an answer of its own.
        let parent = match &asked.purpose {
            Purpose::OtherText { id } => self.given.get(id),
            _ => None,
        };
        self.given.contains_key(&asked.id) || parent.is_some_and(|it| *it != Given::Other)
    }

    /// Shown so far, and answered of them.
    pub(crate) fn progress(&self) -> (usize, usize) {
        (self.shown.len(), self.shown.iter().filter(|it| self.is_answered(it)).count())
    }
}
