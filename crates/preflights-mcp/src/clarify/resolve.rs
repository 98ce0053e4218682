//! For each field a request touches: decided, said, shown by the repository, answered, or to be
//! asked.

use super::question::{self, Asked};
use super::{Clarification, Detected, Given, World};
use crate::adr::Settled;
use crate::architecture::Decided;
use crate::bank::{Category, Kind, Question};
use crate::request::{Request, Work};

#[derive(Debug, Default, Clone)]
pub(super) struct Resolved {
    pub(super) pending: Vec<Asked>,
    pub(super) settled: Vec<Settled>,
    /// Decided before and not touched: constraints of the task.
    pub(super) kept: Vec<(String, String, Decided)>,
    /// Category and field.
    pub(super) removed: Vec<(String, String)>,
    pub(super) detected: Vec<Detected>,
    /// Questions put off.
    pub(super) open: Vec<String>,
    pub(super) warnings: Vec<String>,
    /// Nothing but details within what is decided.
    pub(super) is_configuration: bool,
}

pub(super) fn resolve(state: &Clarification, request: &Request, world: &World<'_>) -> Resolved {
    let mut resolved = Resolved::default();
    let decides = request.work == Work::Feature || request.asks_for_record;
    if decides {
        for topic in &request.topics {
            if let Some(category) = world.bank.category(topic) {
                resolved.category(state, request, world, category);
            }
        }
        resolved.is_configuration = resolved.only_details(request, world);
        let order = state.reading.as_ref().map(|it| it.missing_info.as_slice());
        resolved.pending.sort_by_key(|asked| {
            let id = asked.id.strip_prefix("confirm_").unwrap_or(&asked.id);
            let id = id.strip_suffix("__other").unwrap_or(id);
            let impact = world.bank.question(id).map_or(0, |(_, it)| it.impact);
            let place = order.into_iter().flatten().position(|it| it == id);
            (place.unwrap_or(usize::MAX), std::cmp::Reverse(impact))
        });
    }
    resolved.beyond_the_bank(state, request, world, decides);
    resolved
}

impl Resolved {
    fn category(
        &mut self,
        state: &Clarification,
        request: &Request,
        world: &World<'_>,
        category: &Category,
    ) {
        if self.drops(request, world, category) {
            return;
        }
        for question in &category.questions {
            let decided = world.architecture.get(&category.name, &question.field);
            if let Some(given) = state.given.get(&question.id) {
                self.answered(world, category, question, given);
            } else if let Some(decided) = decided {
                self.decided_before(state, request, category, question, decided);
            } else if !self.is_due(request, question) {
            } else if !self.said(request, world, category, question)
                && !self.shown(request, world, category, question)
            {
                let refused = request.values_of(&question.id).refused.iter();
                let refused: Vec<&str> = refused.map(|it| it.value.as_str()).collect();
                let asked = Asked::field(question, world.survey, &refused);
                let read = state.reading.as_ref().and_then(|it| it.said.get(&question.id));
                self.pending.push(match read {
                    Some(said) if !refused.contains(&said.value.as_str()) => asked.suggesting(said),
                    _ => asked,
                });
            }
        }
    }

    /// "Drop Redis" asks for no cache; whatever else was decided about it goes too.
    fn drops(&mut self, request: &Request, world: &World<'_>, category: &Category) -> bool {
        let whole = request.dropped.contains(&category.name);
        let mut dropped = whole;
        for question in &category.questions {
            let values = request.values_of(&question.id);
            if values.dropped.is_empty() || !values.wanted.is_empty() {
                continue;
            }
            dropped = true;
            let decided = world.architecture.get(&category.name, &question.field);
            let is_it = decided
                .is_some_and(|it| values.dropped.iter().any(|dropped| dropped.value == it.value));
            if is_it && question.is_core() && is_leading(category, question) {
                self.remove_all(world, category);
                return true;
            }
            if is_it {
                self.removed.push((category.name.clone(), question.field.clone()));
            }
        }
        if whole {
            self.remove_all(world, category);
        }
        dropped
    }

    fn remove_all(&mut self, world: &World<'_>, category: &Category) {
        for (field, _) in world.architecture.fields(&category.name) {
            self.removed.push((category.name.clone(), field.to_owned()));
        }
    }

    fn answered(
        &mut self,
        world: &World<'_>,
        category: &Category,
        question: &Question,
        given: &Given,
    ) {
        match given {
            Given::Value(value) => {
                self.settle(world, category, question, value.clone(), "answered".to_owned());
            }
            Given::Other => self.pending.push(Asked::other_text(question)),
            Given::Later => self.open.push(question.ask.clone()),
            Given::Nothing => {}
        }
    }

    fn decided_before(
        &mut self,
        state: &Clarification,
        request: &Request,
        category: &Category,
        question: &Question,
        decided: &Decided,
    ) {
        let values = request.values_of(&question.id);
        let by =
            decided.by.as_ref().map_or("An earlier record".to_owned(), |it| format!("ADR {it}"));
        let wanted = values.wanted.first().filter(|it| it.value != decided.value);
        let keep = |resolved: &mut Self| {
            let kept = (category.name.clone(), question.field.clone(), decided.clone());
            resolved.kept.push(kept);
            resolved.detected.push(Detected {
                id: question.id.clone(),
                value: decided.value.clone(),
                source: by.clone(),
            });
        };
        let Some(wanted) = wanted.filter(|_| question.kind == Kind::SingleChoice) else {
            return keep(self);
        };
        let says_so = values.replaced.iter().any(|it| it.value == decided.value);
        let confirmed = state.given.get(&question::confirm_id(&question.id));
        let settled = Settled {
            category: category.name.clone(),
            field: question.field.clone(),
            value: wanted.value.clone(),
            source: if says_so { "said in the request" } else { "confirmed" }.to_owned(),
            not_taken: vec![decided.value.clone()],
            source_question: Some(question.id.clone()),
        };
        match confirmed {
            _ if says_so => self.settled.push(settled),
            Some(Given::Value(answer)) if *answer == question::change_option(&wanted.value) => {
                self.settled.push(settled);
            }
            Some(given) => {
                if *given == Given::Later {
                    self.open
                        .push(format!("{} ({} or {})", question.ask, decided.value, wanted.value));
                }
                keep(self);
            }
            None => {
                let asked = Asked::confirm(question, &decided.value, &by, &wanted.value);
                self.pending.push(asked);
            }
        }
    }

    /// Whether the question comes up at all.
    fn is_due(&self, request: &Request, question: &Question) -> bool {
        if !request.values_of(&question.id).wanted.is_empty() && question.follows.is_none() {
            return true;
        }
        if let Some(follows) = &question.follows {
            return self.settled.iter().any(|it| {
                it.source_question.as_deref() == Some(follows.id.as_str())
                    && follows.values.contains(&it.value)
            });
        }
        question.when.is_empty() || request.prompted.contains(&question.id)
    }

    fn said(
        &mut self,
        request: &Request,
        world: &World<'_>,
        category: &Category,
        question: &Question,
    ) -> bool {
        let wanted = &request.values_of(&question.id).wanted;
        let value = match (question.kind, wanted.as_slice()) {
            (Kind::SingleChoice, [one]) => one.value.clone(),
            (Kind::MultiChoice, [_, ..]) => {
                wanted.iter().map(|it| it.value.as_str()).collect::<Vec<_>>().join(", ")
            }
            // Two values for one choice are no answer, and a free text cannot be recognised.
            _ => return false,
        };
        let shown = world.survey.shows(question);
        if let Some(other) = shown.iter().find(|it| it.value != value)
            && !shown.iter().any(|it| it.value == value)
            && request.values_of(&question.id).replaced.is_empty()
        {
            self.warnings.push(format!(
                "The request says {value} for {}.{}, but {} shows {}.",
                category.name, question.field, other.source, other.value
            ));
        }
        let words: Vec<&str> = wanted.iter().map(|it| it.words.as_str()).collect();
        let words = words.join(", ");
        let (source, settled_by) = if wanted.iter().any(|it| it.is_read) {
            let read = format!("the language model read it in \"{words}\"");
            (read.clone(), read)
        } else {
            (format!("the request says \"{words}\""), "said in the request".to_owned())
        };
        self.detect_and_settle(world, category, question, (value, source), settled_by);
        true
    }

    fn shown(
        &mut self,
        request: &Request,
        world: &World<'_>,
        category: &Category,
        question: &Question,
    ) -> bool {
        let values = request.values_of(&question.id);
        let shown = world.survey.shows(question);
        let [one] = shown.as_slice() else { return false };
        let unwanted =
            values.refused.iter().chain(&values.replaced).any(|it| it.value == one.value);
        if question.kind != Kind::SingleChoice || unwanted || !values.wanted.is_empty() {
            return false;
        }
        let found = (one.value.clone(), one.source.clone());
        let settled_by = format!("found in {}", one.source);
        self.detect_and_settle(world, category, question, found, settled_by);
        true
    }

    /// A value that is known without asking, with its source.
    fn detect_and_settle(
        &mut self,
        world: &World<'_>,
        category: &Category,
        question: &Question,
        (value, source): (String, String),
        settled_by: String,
    ) {
        let id = question.id.clone();
        self.detected.push(Detected { id, value: value.clone(), source });
        self.settle(world, category, question, value, settled_by);
    }

    fn settle(
        &mut self,
        world: &World<'_>,
        category: &Category,
        question: &Question,
        value: String,
        source: String,
    ) {
        let chosen: Vec<&str> = value.split(", ").collect();
        let not_taken = question
            .options_in(&world.survey.ecosystems)
            .into_iter()
            .filter(|it| *it != value && !chosen.contains(&it.as_str()))
            .collect();
        self.settled.push(Settled {
            category: category.name.clone(),
            field: question.field.clone(),
            value,
            source,
            not_taken,
            source_question: Some(question.id.clone()),
        });
    }

    /// Adding a provider to a login that is decided changes settings, not the architecture.
    fn only_details(&self, request: &Request, world: &World<'_>) -> bool {
        let is_core = |category: &str, field: &str| {
            world.bank.question_of(category, field).is_some_and(Question::is_core)
        };
        let core_kept = self.kept.iter().any(|(category, field, _)| is_core(category, field));
        core_kept
            && self.removed.is_empty()
            && self.pending.is_empty()
            && !request.has_direction()
            && self
                .settled
                .iter()
                .all(|it| it.source != "answered" && !is_core(&it.category, &it.field))
    }

    /// What the bank has no question for: a library, a decision in the user's own words, or only
    /// how one knows that the work is done.
    fn beyond_the_bank(
        &mut self,
        state: &Clarification,
        request: &Request,
        world: &World<'_>,
        decides: bool,
    ) {
        if request.is_vague
            && request.topics.is_empty()
            && !state.given.contains_key(question::DETAIL)
        {
            self.pending.push(Asked::detail());
            return;
        }
        if let Some(Given::Later) = state.given.get(question::DECISION) {
            self.open.push(Asked::decision().text);
        }
        if !decides || !request.topics.is_empty() {
            return;
        }
        let new_library = request.dependency.as_ref().filter(|name| !world.survey.depends_on(name));
        if let Some(name) = new_library {
            self.settled.push(beyond(
                "Dependencies",
                &field_name(name),
                "in use",
                "said in the request",
            ));
            return;
        }
        if let Some(Given::Value(decision)) = state.given.get(question::DECISION) {
            let field = field_name(&state.intention);
            self.settled.push(beyond("Other", &field, decision, "answered"));
            return;
        }
        let scope = crate::scope::Scope::of(world.survey, world.bank, &[], &state.intention, false);
        let many_files = scope.is_named && scope.n_files >= 10;
        let wide =
            request.is_cross_cutting || request.asks_for_record || state.force_adr || many_files;
        if wide && !state.given.contains_key(question::DECISION) {
            self.pending.push(Asked::decision());
        } else if !wide
            && !state.given.contains_key(question::CRITERIA)
            && !state.given.contains_key(question::DETAIL)
        {
            self.pending.push(Asked::criteria());
        }
    }
}

fn is_leading(category: &Category, question: &Question) -> bool {
    let core = category.questions.iter().filter(|it| it.is_core());
    core.map(|it| it.impact).max() == Some(question.impact)
}

fn beyond(category: &str, field: &str, value: &str, source: &str) -> Settled {
    Settled {
        category: category.to_owned(),
        field: field.to_owned(),
        value: value.to_owned(),
        source: source.to_owned(),
        not_taken: Vec::new(),
        source_question: None,
    }
}

/// A name for what has none: the first telling words of the request.
fn field_name(text: &str) -> String {
    const SMALL: [&str; 16] = [
        "a", "an", "the", "our", "for", "to", "of", "in", "on", "and", "with", "please", "write",
        "adr", "we", "decide",
    ];
    let words = text
        .split(|it: char| !it.is_ascii_alphanumeric())
        .filter(|it| !it.is_empty() && !SMALL.contains(&it.to_lowercase().as_str()));
    let name: String = words
        .take(3)
        .map(|word| {
            let mut letters = word.chars();
            letters
                .next()
                .into_iter()
                .flat_map(char::to_uppercase)
                .chain(letters)
                .collect::<String>()
        })
        .collect();
    let name: String = name.chars().take(40).collect();
    if name.is_empty() { "Decision".to_owned() } else { name }
}
