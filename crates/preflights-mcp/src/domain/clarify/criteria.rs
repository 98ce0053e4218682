//! How one knows that a task is done: what the ticket states word for word, and beyond that what
//! follows from the decision and from how this repository tests.

use super::lingering::lingers;
use super::resolve::Resolved;
use super::{Clarification, Given, World, question};
use crate::domain::architecture::{Change, What};
use crate::domain::markup;
use crate::domain::request::{Request, Work};
use crate::domain::ticket;

pub(super) fn criteria(
    state: &Clarification,
    request: &Request,
    resolved: &Resolved,
    changes: &[Change],
    world: &World<'_>,
) -> Vec<String> {
    let mut criteria = stated(state, request);
    if let Some(Given::Value(given)) = state.given.get(question::CRITERIA) {
        for item in given.split(';').map(str::trim).filter(|it| !it.is_empty()) {
            add(&mut criteria, item);
        }
    }
    if criteria.is_empty() {
        criteria.extend(drawn(request, resolved, changes));
        // What the user lets run on is still used for a while.
        let ends = |it: &String| {
            it.strip_prefix("Nothing uses ")
                .and_then(|it| it.split(" any more").next())
                .is_none_or(|it| !lingers(&state.intention, it))
        };
        criteria.retain(ends);
    }
    let mut lines: Vec<String> = criteria.iter().map(|it| markup::inline(it)).collect();
    if let Some(command) = world.survey.test_command()
        && request.work != Work::Question
        && request.work != Work::Wording
    {
        lines.push(format!("`{command}` passes."));
    }
    lines
}

/// Criteria that the ticket states, word for word, and the limits it names.
fn stated(state: &Clarification, request: &Request) -> Vec<String> {
    let mut said = Vec::new();
    for words in state.spoken() {
        for item in ticket::criteria(words) {
            add(&mut said, &item);
        }
    }
    if let Some(claims) = &state.claims {
        for item in &claims.criteria {
            add(&mut said, item);
        }
    }
    let reports = matches!(request.work, Work::BugFix | Work::Question | Work::Wording);
    if !reports {
        for item in ticket::conditions(&state.intention) {
            add(&mut said, &item);
        }
    }
    said
}

/// Unless it is said already, in more or fewer words.
fn add(said: &mut Vec<String>, item: &str) {
    if !said.iter().any(|it| it.contains(item) || item.contains(it.as_str())) {
        said.push(item.to_owned());
    }
}

/// What follows from the kind of work and from what was decided.
fn drawn(request: &Request, resolved: &Resolved, changes: &[Change]) -> Vec<String> {
    let mut criteria = Vec::new();
    match request.work {
        Work::BugFix => {
            criteria.push("What was reported no longer happens.".to_owned());
            criteria.push("A test fails without the fix and passes with it.".to_owned());
        }
        Work::Refactor => {
            criteria.push("Behaviour is unchanged: the tests pass as they are.".to_owned());
        }
        Work::Rename => criteria
            .push("Nothing uses the old name any more, and behaviour is unchanged.".to_owned()),
        Work::Performance => {
            criteria
                .push("The same measurement, taken before and after, shows the gain.".to_owned());
            criteria.push("Behaviour is unchanged: the tests pass as they are.".to_owned());
        }
        Work::Tests => {
            criteria.push("The new tests fail when the code they cover is broken.".to_owned());
        }
        Work::Question => {
            criteria.push("The question is answered, with the places that show it.".to_owned());
        }
        Work::Wording => {
            criteria.push("The change touches words and nothing that runs.".to_owned());
        }
        Work::Configuration | Work::Feature => {}
    }
    if let Some((what, version)) = &request.upgrade {
        criteria.push(format!("{what} {version} is the only version in manifests and lock files."));
    }
    for settled in &resolved.settled {
        for old in settled.not_taken.iter().filter(|it| is_replaced(request, it)) {
            let new = name_of(settled);
            criteria.push(if new == "None" {
                format!("Nothing uses {old} any more.")
            } else {
                format!("Nothing uses {old} any more; its work is done by {new}.")
            });
        }
    }
    for change in changes {
        if let What::Removed { was } = &change.what {
            criteria.push(format!("Nothing uses {was} any more."));
        }
    }
    let chosen: Vec<&str> = resolved.settled.iter().map(name_of).collect();
    if criteria.is_empty() && !chosen.is_empty() {
        criteria.push(format!("Tests exercise what was decided: {}.", chosen.join(", ")));
    }
    criteria.dedup();
    criteria
}

fn is_replaced(request: &Request, value: &str) -> bool {
    let gone = |it: &crate::domain::request::Named| it.value == value;
    request.gone.iter().any(|it| it == value)
        || request.values.values().any(|it| it.replaced.iter().chain(&it.dropped).any(gone))
}

fn name_of(settled: &crate::domain::adr::Settled) -> &str {
    if settled.category == "Dependencies" { &settled.field } else { &settled.value }
}
