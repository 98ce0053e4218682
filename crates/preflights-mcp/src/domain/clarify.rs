//! A clarification: what was asked for, what has been asked and answered, and what is still open.

mod answer;
mod beyond;
mod criteria;
mod known;
mod lingering;
mod outcome;
mod question;
mod resolve;
mod understand;
mod worth;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::domain::architecture::Architecture;
use crate::domain::bank::{Bank, Category, Question};
use crate::domain::claims::{self, Claims};
use crate::domain::ledger::Conflict;
use crate::domain::reading::Reading;
use crate::domain::request::{Clarity, Request, Work};
use crate::domain::scope;
use crate::domain::survey::Survey;

pub(crate) use crate::domain::bank::OTHER;
pub(crate) use answer::LATER;
pub(crate) use outcome::Outcome;
use question::Purpose;
pub(crate) use question::{Asked, AskedKind};

/// Everything shown to the user counts, whatever it was.
pub(crate) const MAX_QUESTIONS: usize = 5;

const UNREAD: &str = "The words of this request are not English, so nothing was taken from them: call again with `reading`, what you read in it with the user's words as quotes.";

const UNSURE: &str = "Read by its words alone, this request decides nothing that deserves a record. If it does, call again with `reading`: what you read in it, each claim with the user's words.";

/// One sentence where the words alone do not tell for certain what is wanted.
fn unsure(request: &Request) -> Option<&'static str> {
    let silent = request.work == Work::Feature
        && request.topics.is_empty()
        && request.others.is_empty()
        && request.gone.is_empty()
        && request.either.is_empty()
        && request.orphan.is_none()
        && request.upgrade.is_none();
    match request.clarity {
        Clarity::Foreign => Some(UNREAD),
        Clarity::Plain if silent => Some(UNSURE),
        Clarity::Plain | Clarity::Vague => None,
    }
}

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
    /// What the calling agent reads in it, as it came and until it is looked at.
    #[serde(default)]
    pub(crate) offered: Option<Value>,
    /// What of that holds.
    #[serde(default)]
    pub(crate) claims: Option<Claims>,
    /// What a language model reads in it, where one is asked.
    #[serde(default)]
    pub(crate) reading: Option<Reading>,
    /// Why the language model was given up.
    #[serde(default)]
    pub(crate) fallback: Option<String>,
    /// Categories that the caller says it is not about.
    #[serde(default)]
    pub(crate) not_about: Vec<String>,
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
    /// Not applicable: its topic is not what this is about.
    Apart,
}

/// What a clarification is held against.
pub(crate) struct World<'a> {
    pub(crate) bank: &'a Bank,
    pub(crate) architecture: &'a Architecture,
    pub(crate) survey: &'a Survey,
    /// Fields that branches decided differently.
    pub(crate) conflicts: &'a [Conflict],
}

impl World<'_> {
    fn conflict(&self, category: &str, field: &str) -> Option<&Conflict> {
        self.conflicts.iter().find(|it| it.category == category && it.field == field)
    }
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
            offered: None,
            claims: None,
            reading: None,
            fallback: None,
            not_about: Vec::new(),
        }
    }

    /// Without these categories, whatever the request seems to say.
    pub(crate) fn apart_from(mut self, categories: &[String]) -> Self {
        self.not_about = categories.to_vec();
        self
    }

    /// Whether the user has said that it is not about this category.
    fn is_apart(&self, category: &Category) -> bool {
        let named = self.not_about.iter().any(|it| it.eq_ignore_ascii_case(&category.name));
        let answered =
            |it: &Question| it.is_core() && matches!(self.given.get(&it.id), Some(Given::Apart));
        named || category.questions.iter().any(answered)
    }

    /// With what the calling agent reads in the request.
    pub(crate) fn with_reading(mut self, reading: Option<Value>) -> Self {
        self.offered = reading.filter(Value::is_object);
        self
    }

    /// Looks at the agent's reading, once; what does not hold is said.
    fn weigh_reading(&mut self, bank: &Bank) -> Vec<String> {
        let Some(reading) = self.offered.take() else { return Vec::new() };
        let (mut claims, warnings) =
            claims::read(&reading, bank, &self.intention, self.context.as_deref());
        claims.is_by_model = self.reading.is_some();
        // Nobody who could do better next time made those of a model.
        let warnings = if claims.is_by_model { Vec::new() } else { warnings };
        self.claims = Some(claims);
        warnings
    }

    /// Takes answers in and finds out what comes next.
    pub(crate) fn next_step(&mut self, world: &World<'_>, answers: &Map<String, Value>) -> Step {
        let mut warnings = self.weigh_reading(world.bank);
        warnings.extend(self.take(world, answers));
        let request = self.understand(world);
        let resolved = resolve::resolve(self, &request, world);
        if self.shown.is_empty() && self.claims.is_none() {
            warnings.extend(unsure(&request).map(str::to_owned));
        }
        let mut questions = self.open_questions();
        questions.retain(|it| {
            world.bank.question(&it.id).is_none_or(|(category, _)| !self.is_apart(category))
        });
        let room = MAX_QUESTIONS - self.shown.len().min(MAX_QUESTIONS);
        let fresh: Vec<Asked> =
            resolved.pending.iter().filter(|it| !self.is_shown(&it.id)).cloned().collect();
        // Questions that depend on answers still to come wait for them.
        if questions.is_empty() || self.shown.is_empty() {
            questions.extend(fresh.iter().take(room).cloned());
        }
        self.note_shown(&questions);
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

    /// Whether there may be something to decide, and not just something to do.
    pub(crate) fn decides(&self, world: &World<'_>) -> bool {
        let request = self.understand(world);
        request.work == Work::Feature || request.asks_for_record
    }

    pub(crate) fn topics(&self, world: &World<'_>) -> Vec<String> {
        self.understand(world).topics
    }

    /// What to look for in the sources: names of code that the request speaks of, and where no name
    /// of a file helps, its words and what it does away with.
    pub(crate) fn sought(
        &self,
        bank: &Bank,
        architecture: &Architecture,
        survey: &Survey,
    ) -> (Vec<String>, Vec<String>) {
        let mut symbols = scope::symbols(&self.intention);
        let read = self.claims.iter().flat_map(|it| &it.paths);
        for symbol in read.flat_map(|it| scope::symbols(it)) {
            if !symbols.contains(&symbol) {
                symbols.push(symbol);
            }
        }
        let request = self.understand(&World { bank, architecture, survey, conflicts: &[] });
        let going = request.values.values().flat_map(|it| it.replaced.iter().chain(&it.dropped));
        let mut words: Vec<String> = going.map(|it| it.words.to_lowercase()).collect();
        words.extend(request.gone.iter().map(|it| it.to_lowercase()));
        words.extend(request.orphan.iter().map(|it| it.to_lowercase()));
        if words.is_empty() && symbols.is_empty() && request.clarity != Clarity::Foreign {
            words = outcome::unplaced(self, &request, survey);
        }
        words.retain(|it| it.len() > 2);
        words.truncate(6);
        (symbols, words)
    }

    /// Takes note of questions that were shown elsewhere.
    pub(crate) fn note_shown(&mut self, questions: &[Asked]) {
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

    /// What the user said of their own accord.
    pub(crate) fn spoken(&self) -> impl Iterator<Item = &str> {
        [Some(self.intention.as_str()), self.context.as_deref()].into_iter().flatten()
    }

    /// What was answered in words rather than by choosing.
    pub(crate) fn words_given(&self) -> impl Iterator<Item = (&str, &str)> {
        let answers = self.given.iter().filter_map(|(id, given)| match given {
            Given::Value(value) => Some((id.as_str(), value.as_str())),
            Given::Other | Given::Later | Given::Nothing | Given::Apart => None,
        });
        answers.chain(self.reason.as_deref().map(|it| ("reason", it)))
    }
}
