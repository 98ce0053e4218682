//! What a finished clarification comes to: changes, whether they deserve a record, and the task.

use super::criteria;
use super::lingering::lingers;
use super::question::Purpose;
use super::resolve::Resolved;
use super::{Clarification, Detected, Given, Step, World, question};
use crate::domain::adr::Settled;
use crate::domain::architecture::{Change, Decided, What};
use crate::domain::bank::OTHER;
use crate::domain::markup;
use crate::domain::request::{Request, Work, names_nothing};
use crate::domain::scope::{self, Clues, Scope};
use crate::domain::survey::Survey;
use crate::domain::ticket;

#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) writes_record: bool,
    pub(crate) changes: Vec<Change>,
    pub(crate) settled: Vec<Settled>,
    pub(crate) kept: Vec<(String, String, Decided)>,
    /// Left open, and not asked for want of room.
    pub(crate) open: Vec<String>,
    pub(crate) detected: Vec<Detected>,
    pub(crate) warnings: Vec<String>,
    pub(crate) scope: Scope,
    pub(crate) forbidden: Vec<String>,
    pub(crate) criteria: Vec<String>,
    pub(crate) consequences: Vec<String>,
    /// What the user added to a request that was too short.
    pub(crate) detail: Option<String>,
    /// Questions of the agent's with what the user answered.
    pub(crate) answered: Vec<(String, String)>,
}

pub(super) fn conclude(
    state: &Clarification,
    request: &Request,
    resolved: Resolved,
    left: Vec<String>,
    warnings: Vec<String>,
    world: &World<'_>,
) -> Step {
    let mut resolved = resolved;
    // What the repository shows is worth saying, but nobody decided it here.
    let is_evidence = |it: &Settled| it.source.starts_with("found in ");
    if !state.force_adr {
        resolved.settled.retain(|it| !is_evidence(it));
    }
    for settled in &mut resolved.settled {
        considered(settled, state, request);
        let leads = settled.source_question.as_ref().is_some_and(|id| {
            let lead = world.bank.question(id).and_then(|(category, _)| category.lead());
            lead.is_some_and(|it| it.id == *id)
        });
        // What it takes the place of was on the table, too.
        if leads && request.swaps && settled.source == "said in the request" {
            let named = |it: &&String| it.chars().any(|it| it.is_uppercase() || it == '-');
            let gone = request.gone.iter().filter(named).filter(|it| **it != settled.value);
            let gone: Vec<String> =
                gone.filter(|it| !settled.not_taken.contains(it)).cloned().collect();
            settled.not_taken.extend(gone);
        }
    }
    let changes = if resolved.is_configuration { Vec::new() } else { changes(&resolved, world) };
    let decided_something =
        !resolved.settled.is_empty() || !resolved.kept.is_empty() || !changes.is_empty();
    if state.force_adr && !decided_something {
        return Step::NothingDecided;
    }
    // Force, then an explicit wish, then what never deserves one, then what always does.
    let writes_record = state.force_adr
        || (!changes.is_empty()
            && (request.asks_for_record
                || (request.work == Work::Feature && !resolved.is_configuration)));
    let scope = place(state, request, world, writes_record);
    let mut open = resolved.open.clone();
    open.extend(left);
    let consequences = consequences(state, request, &resolved, &changes, world);
    let criteria = criteria::criteria(state, request, &resolved, &changes, world);
    let detail = match state.given.get(question::DETAIL) {
        Some(Given::Value(detail)) => Some(detail.clone()),
        _ => None,
    };
    Step::Done(Box::new(Outcome {
        writes_record,
        changes,
        settled: resolved.settled,
        kept: resolved.kept,
        open,
        detected: resolved.detected,
        warnings,
        scope,
        forbidden: forbidden(state, world),
        criteria,
        consequences,
        detail,
        answered: answered(state),
    }))
}

/// Where the work lies.
pub(super) fn place(
    state: &Clarification,
    request: &Request,
    world: &World<'_>,
    writes_record: bool,
) -> Scope {
    Scope::of(world.survey, world.bank, &clues(state, request, writes_record))
}

/// Words to look for in the sources, where the names of files do not help.
pub(super) fn unplaced(state: &Clarification, request: &Request, survey: &Survey) -> Vec<String> {
    scope::plain_words(survey, &clues(state, request, false))
}

fn clues<'a>(state: &'a Clarification, request: &'a Request, writes_record: bool) -> Clues<'a> {
    let read = state.claims.as_ref().map_or(&[][..], |it| it.paths.as_slice());
    let brings = !request.others.is_empty()
        || !request.gone.is_empty()
        || request.upgrade.is_some()
        || request.values.values().any(|it| !it.wanted.is_empty());
    let bumps = ["bump ", "upgrade ", "downgrade ", "pin "];
    let lower = state.intention.to_lowercase();
    let versions = request.work == Work::Configuration && bumps.iter().any(|it| lower.contains(it));
    Clues {
        words: ticket::work(&state.intention),
        paths: read,
        topics: &request.topics,
        things: things(request),
        changes_dependencies: writes_record
            || versions
            || (brings && request.work == Work::Feature),
        verbs: &names_nothing,
    }
}

/// Technologies that come, go or are raised.
fn things(request: &Request) -> Vec<String> {
    let values = request.values.values();
    let values = values.flat_map(|it| it.wanted.iter().chain(&it.replaced).chain(&it.dropped));
    let mut things: Vec<String> = values.map(|it| it.words.clone()).collect();
    things.extend(request.others.iter().map(|(name, _)| name.clone()));
    things.extend(request.gone.iter().chain(&request.orphan).cloned());
    things.extend(request.upgrade.iter().map(|(what, _)| what.clone()));
    things
}

/// What stays as it is: always, and as the user said.
fn forbidden(state: &Clarification, world: &World<'_>) -> Vec<String> {
    let mut forbidden = Scope::forbidden(world.survey);
    let mut said = ticket::exclusions(&state.intention);
    if let Some(claims) = &state.claims {
        for more in &claims.out_of_scope {
            if !said.iter().any(|it| it.contains(more.as_str()) || more.contains(it.as_str())) {
                said.push(more.clone());
            }
        }
    }
    forbidden.extend(said.iter().map(|it| markup::inline(it)));
    forbidden
}

/// The agent's questions that the user answered.
fn answered(state: &Clarification) -> Vec<(String, String)> {
    let asked = state.shown.iter().filter(|it| it.purpose == Purpose::Wondered);
    asked
        .filter_map(|it| match state.given.get(&it.id)? {
            Given::Value(value) => Some((it.text.clone(), value.clone())),
            Given::Other | Given::Later | Given::Nothing | Given::Apart => None,
        })
        .collect()
}

fn changes(resolved: &Resolved, world: &World<'_>) -> Vec<Change> {
    let mut changes = Vec::new();
    for settled in &resolved.settled {
        let conflict = world.conflict(&settled.category, &settled.field);
        let what = match world.architecture.get(&settled.category, &settled.field) {
            // Said again so that the record that says it knows both of the others.
            Some(decided) if decided.value == settled.value && conflict.is_some() => {
                let was = conflict.map_or_else(String::new, |it| it.earlier.1.clone());
                What::Modified { now: settled.value.clone(), was }
            }
            None => What::Added(settled.value.clone()),
            Some(decided) if decided.value == settled.value => continue,
            Some(decided) => {
                What::Modified { now: settled.value.clone(), was: decided.value.clone() }
            }
        };
        let (category, field) = (settled.category.clone(), settled.field.clone());
        changes.push(Change { category, field, what });
    }
    for (category, field) in &resolved.removed {
        if let Some(decided) = world.architecture.get(category, field) {
            let what = What::Removed { was: decided.value.clone() };
            changes.push(Change { category: category.clone(), field: field.clone(), what });
        }
    }
    changes
}

/// What was really on the table: the options that were shown, and what the request names and does
/// not want.
fn considered(settled: &mut Settled, state: &Clarification, request: &Request) {
    let Some(id) = &settled.source_question else { return };
    let chosen: Vec<&str> = settled.value.split(", ").collect();
    let shown = state.shown.iter().filter(|it| it.id == *id).flat_map(|it| &it.options);
    let values = request.values_of(id);
    let named = values.replaced.iter().chain(&values.refused).chain(&values.dropped);
    let mut options: Vec<String> = shown.filter(|it| *it != OTHER).cloned().collect();
    options.extend(named.map(|it| it.value.clone()));
    options.append(&mut settled.not_taken);
    let mut taken: Vec<String> = Vec::new();
    options.retain(|it| {
        let is_new = !taken.contains(it) && !chosen.contains(&it.as_str()) && *it != settled.value;
        taken.push(it.clone());
        is_new
    });
    settled.not_taken = options;
}

/// Only what follows from the decision itself; the rest would be invented.
fn consequences(
    state: &Clarification,
    request: &Request,
    resolved: &Resolved,
    changes: &[Change],
    world: &World<'_>,
) -> Vec<String> {
    let mut lines = Vec::new();
    for change in changes {
        match &change.what {
            What::Added(_) => {}
            What::Modified { now, was } => lines.push(format!(
                "What relies on {} has to be brought to {}.",
                markup::inline(was),
                markup::inline(now)
            )),
            What::Removed { was } => {
                lines.push(format!("Nothing may rely on {} any more.", markup::inline(was)));
            }
        }
    }
    let values = request.values.values().flat_map(|it| it.replaced.iter().chain(&it.dropped));
    for gone in values.map(|it| &it.value).chain(&request.gone) {
        let line = format!("Nothing may rely on {} any more.", markup::inline(gone));
        let kept = lines.iter().any(|it: &String| it.contains(&markup::inline(gone)));
        // What the user lets run on is relied on for a while.
        if !kept && !lingers(&state.intention, gone) {
            lines.push(line);
        }
    }
    if let Some(Given::Value(answer)) = state.given.get(question::CUTOVER) {
        lines.push(format!("For what exists: {}.", markup::inline(answer.trim_end_matches('.'))));
    }
    for settled in &resolved.settled {
        let question = world.bank.question_of(&settled.category, &settled.field);
        let names_library = question.is_some_and(|it| it.found.contains_key(&settled.value));
        let is_there = question
            .is_some_and(|it| world.survey.shows(it).iter().any(|it| it.value == settled.value));
        if names_library && !is_there && world.survey.has_manifest() {
            let value = markup::inline(&settled.value);
            lines.push(format!("{value} is new to the repository: no manifest names it yet."));
        }
    }
    lines
}
