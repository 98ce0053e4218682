//! For each field a request touches: decided, said, shown by the repository, answered, or to be
//! asked.

use super::known::{self, Known};
use super::question::{self, Asked};
use super::{Clarification, Detected, Given, World};
use crate::domain::adr::Settled;
use crate::domain::architecture::Decided;
use crate::domain::bank::{Category, Kind, Question};
use crate::domain::request::{Named, Request, Values, Work};

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
        if resolved.is_configuration {
            resolved.pending.clear();
        }
        resolved.leave_out_what_matters_less(state, request, world);
        let order = state.reading.as_ref().map(|it| it.missing_info.as_slice());
        resolved.pending.sort_by_key(|asked| {
            let id = asked.id.strip_prefix("confirm_").unwrap_or(&asked.id);
            let id = id.strip_suffix("__other").unwrap_or(id);
            let impact = world.bank.question(id).map_or(0, |(_, it)| it.impact);
            let place = order.into_iter().flatten().position(|it| it == id);
            (place.unwrap_or(usize::MAX), std::cmp::Reverse(impact))
        });
        resolved.ask_about_what_is_there(state, request, world);
    }
    if let Some(claims) = &state.claims {
        resolved.beyond_the_bank_as_read(state, request, claims, world);
    } else {
        resolved.beyond_the_bank(state, request, world, decides);
    }
    resolved.ask_for_a_test_runner(state, request, world);
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
        if state.is_apart(category) {
            return;
        }
        self.warn_of_what_is_decided_otherwise(request, world, category);
        let comes =
            category.questions.iter().any(|it| !request.values_of(&it.id).wanted.is_empty());
        if let Some(removed) = removed(request, world, category) {
            if removed.is_empty() && !comes {
                self.settle_as_none(request, world, category);
            }
            self.removed.extend(removed);
            // What comes in its place is settled like any other.
            if !comes {
                return;
            }
        }
        let of = |list: fn(&Values) -> &Vec<Named>| {
            category.questions.iter().any(|it| !list(request.values_of(&it.id)).is_empty())
        };
        // What takes its place belongs to another category.
        if of(|it| &it.replaced) && !of(|it| &it.wanted) && request.swaps {
            return;
        }
        let prompts = |it: &&Question| request.prompted.contains(&it.id);
        let instead: Vec<&String> =
            category.questions.iter().filter(prompts).flat_map(|it| &it.instead).collect();
        for question in category.questions.iter().filter(|it| !instead.contains(&&it.id)) {
            let decided = world.architecture.get(&category.name, &question.field);
            if decided.is_some() && self.is_orphaned(question) {
                self.removed.push((category.name.clone(), question.field.clone()));
                continue;
            }
            if let Some(conflict) = world.conflict(&category.name, &question.field)
                && !state.given.contains_key(&question.id)
            {
                self.pending.push(Asked::conflict(question, conflict));
                continue;
            }
            if let Some(given) = state.given.get(&question.id) {
                self.answered(category, question, given);
            } else if let Some(decided) = decided {
                self.decided_before(state, request, category, question, decided);
            } else if self.is_due(request, question)
                && (!request.kept.contains(&question.id)
                    || !request.values_of(&question.id).wanted.is_empty())
            {
                match known::said(request, question)
                    .or_else(|| known::shown(request, world, question))
                {
                    Some(known) => self.known(request, world, category, question, known),
                    // A swap leaves the rest of what is there as it is.
                    None if request.swaps && of(|it| &it.wanted) => {}
                    None => self.pending.push(asked(state, request, world, question)),
                }
            }
        }
    }

    /// Tests are to be written, and nothing in the repository runs any.
    fn ask_for_a_test_runner(
        &mut self,
        state: &Clarification,
        request: &Request,
        world: &World<'_>,
    ) {
        const ID: &str = "testing_framework";
        let Some((_, question)) = world.bank.question(ID) else { return };
        let has_own = |it: &&'static str| ["rust", "go"].contains(it);
        let unknown = world.survey.has_manifest()
            && !world.survey.ecosystems.iter().any(has_own)
            && world.survey.shows(question).is_empty()
            && !world.survey.has_tests();
        if request.work == Work::Tests && unknown && !state.given.contains_key(ID) {
            self.pending.push(asked(state, request, world, question));
        }
    }

    /// "Remove Redis" while something else is decided: perhaps another thing is meant.
    fn warn_of_what_is_decided_otherwise(
        &mut self,
        request: &Request,
        world: &World<'_>,
        category: &Category,
    ) {
        for question in category.questions.iter().filter(|it| it.is_core()) {
            let Some(decided) = world.architecture.get(&category.name, &question.field) else {
                continue;
            };
            let values = request.values_of(&question.id);
            for gone in values.dropped.iter().chain(&values.replaced) {
                if gone.value != decided.value {
                    self.warnings.push(format!(
                        "The request does away with {}, but {}.{} is {} by decision.",
                        gone.value, category.name, question.field, decided.value
                    ));
                }
            }
        }
    }

    fn answered(&mut self, category: &Category, question: &Question, given: &Given) {
        match given {
            Given::Value(value) => {
                self.settle(category, question, value.clone(), "answered".to_owned());
            }
            Given::Other => self.pending.push(Asked::other_text(question)),
            Given::Later => self.open.push(question.ask.clone()),
            Given::Nothing | Given::Apart => {}
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

    /// What was never recorded and is in the repository is given up by saying so.
    fn settle_as_none(&mut self, request: &Request, world: &World<'_>, category: &Category) {
        for question in category.questions.iter().filter(|it| it.is_core()) {
            let dropped = &request.values_of(&question.id).dropped;
            let shown = world.survey.shows(question);
            let is_there = |gone: &Named| {
                shown.iter().any(|it| it.value == gone.value)
                    || world.survey.depends_on(&gone.words)
            };
            if dropped.iter().any(is_there) {
                let source = "said in the request".to_owned();
                self.settle(category, question, "None".to_owned(), source);
            }
        }
    }

    /// What it follows has been settled otherwise, so that what was decided has no ground any more.
    fn is_orphaned(&self, question: &Question) -> bool {
        let Some(follows) = &question.follows else { return false };
        self.settled.iter().any(|it| {
            it.source_question.as_deref() == Some(follows.id.as_str())
                && !follows.values.contains(&it.value)
        })
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

    /// Settles a value that is known without asking, and says from where.
    fn known(
        &mut self,
        request: &Request,
        world: &World<'_>,
        category: &Category,
        question: &Question,
        known: Known,
    ) {
        if known.is_said {
            self.warnings.extend(known::contradiction(
                request,
                world,
                category,
                question,
                &known.value,
            ));
        }
        self.detected.push(Detected {
            id: question.id.clone(),
            value: known.value.clone(),
            source: known.source,
        });
        self.settle(category, question, known.value, known.settled_by);
    }

    fn settle(&mut self, category: &Category, question: &Question, value: String, source: String) {
        self.settled.push(Settled {
            category: category.name.clone(),
            field: question.field.clone(),
            value,
            source,
            not_taken: Vec::new(),
            source_question: Some(question.id.clone()),
        });
    }

    /// Adding a provider to a login that is decided changes settings, not the architecture.
    fn only_details(&self, request: &Request, world: &World<'_>) -> bool {
        let is_core = |category: &str, field: &str| {
            world.bank.question_of(category, field).is_some_and(Question::is_core)
        };
        let core_kept = self.kept.iter().any(|(category, field, _)| is_core(category, field));
        // Where the repository shows that it is there, a further detail is a setting as well.
        let core_shown = request.topics.iter().filter_map(|it| world.bank.category(it)).any(|it| {
            let mut core = it.questions.iter().filter(|it| it.is_core());
            // One more of a list, such as a provider; a further single choice is a decision.
            let details =
                it.questions.iter().filter(|it| !it.is_core() && it.kind == Kind::MultiChoice);
            let wants_details =
                details.into_iter().any(|it| !request.values_of(&it.id).wanted.is_empty());
            wants_details
                && it
                    .questions
                    .iter()
                    .filter(|it| it.is_core())
                    .all(|it| request.values_of(&it.id).wanted.is_empty())
                && core.any(|it| !world.survey.shows(it).is_empty())
        });
        (core_kept || core_shown)
            && self.removed.is_empty()
            && (core_shown || self.pending.is_empty())
            && !request.has_direction()
            && self.settled.iter().all(|it| {
                it.source.starts_with("found in ")
                    || it.source != "answered" && !is_core(&it.category, &it.field)
            })
    }
}

fn asked(
    state: &Clarification,
    request: &Request,
    world: &World<'_>,
    question: &Question,
) -> Asked {
    let refused = request.values_of(&question.id).refused.iter();
    let refused: Vec<&str> = refused.map(|it| it.value.as_str()).collect();
    let mut asked = Asked::field(question, world.survey, &refused);
    if request.undecided.contains(&question.id) {
        let wanted = &request.values_of(&question.id).wanted;
        asked = asked.among(&wanted.iter().map(|it| it.value.as_str()).collect::<Vec<_>>());
    }
    let claimed = state.claims.iter().flat_map(|it| &it.wants);
    let mut suggested = claimed.filter(|it| it.id.as_deref() == Some(question.id.as_str()));
    if let Some(claim) = suggested.find(|it| !it.is_named || it.is_from_context)
        && !refused.contains(&claim.value.as_str())
    {
        let by_model = state.claims.as_ref().is_some_and(|it| it.is_by_model);
        let from = match (claim.is_from_context, by_model) {
            (true, _) => "the context given says",
            (false, true) => "the language model reads it in",
            (false, false) => "the agent reads it in",
        };
        return asked.recommending(&claim.value, format!("{from} \"{}\"", claim.quote));
    }
    let read = state.reading.as_ref().and_then(|it| it.said.get(&question.id));
    match read {
        Some(said) if !refused.contains(&said.value.as_str()) => asked.suggesting(said),
        _ => asked,
    }
}

/// The fields that go where a request drops a category or a value of it: "drop Redis" asks for no
/// cache, and whatever else was decided about it goes too. `None` where it drops nothing.
fn removed(
    request: &Request,
    world: &World<'_>,
    category: &Category,
) -> Option<Vec<(String, String)>> {
    let field = |name: &str| (category.name.clone(), name.to_owned());
    let all = || world.architecture.fields(&category.name).map(|(name, _)| field(name)).collect();
    if request.dropped.contains(&category.name) {
        return Some(all());
    }
    let mut removed = None;
    for question in &category.questions {
        let values = request.values_of(&question.id);
        if values.dropped.is_empty() || !values.wanted.is_empty() {
            continue;
        }
        let removed = removed.get_or_insert_with(Vec::new);
        let decided = world.architecture.get(&category.name, &question.field);
        let is_it = decided
            .is_some_and(|it| values.dropped.iter().any(|dropped| dropped.value == it.value));
        if is_it && question.is_core() && is_leading(category, question) {
            return Some(all());
        }
        if is_it {
            removed.push(field(&question.field));
        }
    }
    removed
}

fn is_leading(category: &Category, question: &Question) -> bool {
    let core = category.questions.iter().filter(|it| it.is_core());
    core.map(|it| it.impact).max() == Some(question.impact)
}
