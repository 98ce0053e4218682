//! A question as it is put to somebody.

use serde::{Deserialize, Serialize};

use crate::domain::bank::{self, Facet, Kind, OTHER};
use crate::domain::claims::Wondered;
use crate::domain::ledger::Conflict;
use crate::domain::reading::Said;
use crate::domain::survey::Survey;

/// What an answer is for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Purpose {
    /// A field of the bank.
    Field,
    /// Whether a decided field changes.
    Confirm { id: String, now: String },
    /// The text behind "Other".
    OtherText { id: String },
    /// What is decided, where the bank has no words for it.
    Decision,
    /// How one knows that the task is done.
    Criteria,
    /// What is meant at all.
    Detail,
    /// What the calling agent wants to know, or a good engineer would; the answer goes into the
    /// task.
    Wondered,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Recommended {
    pub(crate) option: String,
    pub(crate) because: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Asked {
    pub(crate) id: String,
    pub(crate) kind: AskedKind,
    pub(crate) text: String,
    pub(crate) why: String,
    pub(crate) options: Vec<String>,
    pub(crate) min: Option<usize>,
    pub(crate) max: Option<usize>,
    pub(crate) optional: bool,
    pub(crate) recommended: Option<Recommended>,
    pub(crate) purpose: Purpose,
    #[serde(skip)]
    pub(crate) error: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum AskedKind {
    SingleChoice,
    MultiChoice,
    FreeText,
}

pub(crate) const DECISION: &str = "decision_summary";
pub(crate) const CRITERIA: &str = "acceptance_criteria";
pub(crate) const DETAIL: &str = "task_detail";
pub(crate) const CUTOVER: &str = "cutover";

impl Asked {
    /// A question of the bank, for this repository, without the options the request refuses.
    pub(super) fn field(question: &bank::Question, survey: &Survey, refused: &[&str]) -> Self {
        let mut options: Vec<String> = question
            .options_in(&survey.ecosystems)
            .into_iter()
            .filter(|it| !refused.contains(&it.as_str()))
            .collect();
        let mut likely = survey.shows(question);
        likely.extend(survey.suggests(question));
        for shown in &likely {
            if question.kind == Kind::SingleChoice && !options.contains(&shown.value) {
                options.insert(0, shown.value.clone());
            }
        }
        let recommended =
            likely.first().filter(|_| question.kind == Kind::SingleChoice).map(|it| Recommended {
                option: it.value.clone(),
                because: format!("{} shows it", it.source),
            });
        if question.kind != Kind::FreeText {
            options.push(OTHER.to_owned());
        }
        Self {
            id: question.id.clone(),
            kind: match question.kind {
                Kind::SingleChoice => AskedKind::SingleChoice,
                Kind::MultiChoice => AskedKind::MultiChoice,
                Kind::FreeText => AskedKind::FreeText,
            },
            text: question.ask.clone(),
            why: question.why.clone(),
            options,
            min: question.min,
            max: question.max,
            optional: question.optional,
            recommended,
            purpose: Purpose::Field,
            error: None,
        }
    }

    /// With what a language model takes the request to mean, where nothing else is recommended.
    pub(super) fn suggesting(mut self, said: &Said) -> Self {
        if self.recommended.is_none() {
            let because = format!("the language model reads it in \"{}\"", said.quote);
            self = self.recommending(&said.value, because);
        }
        self
    }

    pub(super) fn recommending(mut self, value: &str, because: String) -> Self {
        if self.kind == AskedKind::SingleChoice {
            if !self.options.iter().any(|it| it == value) {
                self.options.insert(0, value.to_owned());
            }
            self.recommended = Some(Recommended { option: value.to_owned(), because });
        }
        self
    }

    /// With only what the request names to choose from.
    pub(super) fn among(mut self, names: &[&str]) -> Self {
        self.options = names.iter().map(|it| (*it).to_owned()).chain([OTHER.to_owned()]).collect();
        self.recommended = self.recommended.filter(|it| names.contains(&it.option.as_str()));
        self
    }

    fn free_text(id: &str, text: String, why: &str, purpose: Purpose) -> Self {
        Self {
            id: id.to_owned(),
            kind: AskedKind::FreeText,
            text,
            why: why.to_owned(),
            options: Vec::new(),
            min: None,
            max: None,
            optional: false,
            recommended: None,
            purpose,
            error: None,
        }
    }

    /// A question of the calling agent's, cleaned.
    pub(super) fn wondered(index: usize, asked: &Wondered) -> Self {
        let why =
            if asked.why.is_empty() { "The agent needs it to do the work." } else { &asked.why };
        let mut question =
            Self::free_text(&wondered_id(index), asked.question.clone(), why, Purpose::Wondered);
        if asked.options.len() >= 2 {
            question.kind = AskedKind::SingleChoice;
            question.options.clone_from(&asked.options);
            question.options.retain(|it| it != OTHER);
            question.options.push(OTHER.to_owned());
        }
        question
    }

    /// With the words and options of this question, and the answer of that one.
    pub(super) fn in_place_of(mut self, ours: &Self) -> Self {
        self.id.clone_from(&ours.id);
        self.purpose.clone_from(&ours.purpose);
        if self.kind == AskedKind::FreeText || ours.kind == AskedKind::MultiChoice {
            self.kind = ours.kind;
            self.options.clone_from(&ours.options);
            (self.min, self.max) = (ours.min, ours.max);
        }
        self.recommended.clone_from(&ours.recommended);
        self.recommended = self.recommended.filter(|it| self.options.contains(&it.option));
        self
    }

    pub(super) fn other_text(question: &bank::Question) -> Self {
        let text = format!("{} Please name the other choice.", question.ask);
        let purpose = Purpose::OtherText { id: question.id.clone() };
        Self::free_text(&other_id(&question.id), text, &question.why, purpose)
    }

    pub(super) fn confirm(question: &bank::Question, decided: &str, by: &str, now: &str) -> Self {
        Self {
            id: confirm_id(&question.id),
            kind: AskedKind::SingleChoice,
            text: format!("{by} decided on {decided}, and the request says {now}. Change it?"),
            why: question.why.clone(),
            options: vec![change_option(now), format!("Keep {decided}")],
            min: None,
            max: None,
            optional: false,
            recommended: None,
            purpose: Purpose::Confirm { id: question.id.clone(), now: now.to_owned() },
            error: None,
        }
    }

    /// Which of two decisions holds, where branches took both.
    pub(super) fn conflict(question: &bank::Question, conflict: &Conflict) -> Self {
        let ((earlier, one), (later, other)) = (&conflict.earlier, &conflict.later);
        let text =
            format!("ADR {earlier} decided on {one}, ADR {later} on {other}. Which one holds?");
        let why = "Two branches decided the same thing differently, and only one can be built on.";
        let mut asked = Self::free_text(&question.id, text, why, Purpose::Field);
        asked.kind = AskedKind::SingleChoice;
        asked.options = vec![one.clone(), other.clone(), OTHER.to_owned()];
        asked
    }

    /// What becomes of what is there when `gone` gives way. `holds` data or accounts.
    pub(super) fn cutover(gone: &str, holds: bool) -> Self {
        let (text, why, options) = if holds {
            (
                format!("What happens to existing data and users of {gone}?"),
                "What is there must be moved, kept reachable or given up on purpose.",
                [
                    "Migrate everything before the switch",
                    "Run both for a while and move step by step",
                    "Start fresh; nothing has to be kept",
                ],
            )
        } else {
            (
                format!("How is everything existing moved off {gone}?"),
                "Two ways of doing the same thing have to be told apart while both are there.",
                [
                    "All in one change",
                    "Step by step, with both side by side for a while",
                    "Only what is new; what exists stays as it is",
                ],
            )
        };
        let mut question = Self::free_text(CUTOVER, text, why, Purpose::Wondered);
        question.kind = AskedKind::SingleChoice;
        question.options = options.into_iter().chain([OTHER]).map(str::to_owned).collect();
        question
    }

    /// What a good engineer asks of a feature.
    pub(super) fn facet(facet: &Facet) -> Self {
        Self::free_text(&facet.id, facet.ask.clone(), &facet.why, Purpose::Wondered)
    }

    /// Which of the names that the request leaves open.
    pub(super) fn either(names: &[String]) -> Self {
        let text = format!("Which one: {}?", names.join(" or "));
        let why = "The request leaves the choice open, and the record needs one.";
        let mut question = Self::free_text(DECISION, text, why, Purpose::Decision);
        question.kind = AskedKind::SingleChoice;
        question.options = names.iter().cloned().chain([OTHER.to_owned()]).collect();
        question
    }

    pub(super) fn decision() -> Self {
        let text = "What is decided, in one sentence?".to_owned();
        let why = "The record needs a decision that a reader can hold on to.";
        Self::free_text(DECISION, text, why, Purpose::Decision)
    }

    pub(super) fn successor(gone: &str) -> Self {
        let text = format!("What replaces {gone}, or which way is it done without?");
        let why = "The record needs what comes instead.";
        Self::free_text(DECISION, text, why, Purpose::Decision)
    }

    pub(super) fn criteria() -> Self {
        let text = "How will you know that it is done?".to_owned();
        let why = "It becomes the task's acceptance criteria; separate several with a semicolon.";
        Self::free_text(CRITERIA, text, why, Purpose::Criteria)
    }

    pub(super) fn detail() -> Self {
        let text = "What exactly is to be done, and where?".to_owned();
        let why = "The request is too short to write a task from.";
        Self::free_text(DETAIL, text, why, Purpose::Detail)
    }
}

pub(super) fn wondered_id(index: usize) -> String {
    format!("ask_{}", index + 1)
}

pub(super) fn other_id(id: &str) -> String {
    format!("{id}__other")
}

pub(super) fn confirm_id(id: &str) -> String {
    format!("confirm_{id}")
}

pub(super) fn change_option(now: &str) -> String {
    format!("Change to {now}")
}
