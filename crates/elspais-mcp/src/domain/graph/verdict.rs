//! Which outcome of a test run belongs to which test.

use std::collections::{BTreeSet, HashMap};

use super::TraceGraph;
use super::item::{Item, ItemKind};
use crate::domain::parse::results::is_acceptance;
use crate::domain::parse::{Outcome, OutcomeStatus};

/// What the runs say of one test; a failure outweighs everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verdict {
    Skipped,
    Passed,
    Failed,
}

impl Verdict {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Skipped => "skipped",
            Self::Passed => "passed",
            Self::Failed => "failed",
        }
    }
}

/// An outcome's place: the file of the report, and which one in it.
pub(super) type OutcomeAt = (u32, u32);

#[derive(Debug, Default)]
pub(super) struct Verdicts {
    of_test: HashMap<Item, (Verdict, Vec<OutcomeAt>)>,
    test_of: HashMap<OutcomeAt, Item>,
}

impl Verdicts {
    pub(super) fn of_test(&self, test: Item) -> Option<Verdict> {
        self.of_test.get(&test).map(|(verdict, _)| *verdict)
    }

    pub(super) fn outcomes_of(&self, test: Item) -> &[OutcomeAt] {
        self.of_test.get(&test).map_or(&[], |(_, outcomes)| outcomes)
    }

    pub(super) fn test_of(&self, outcome: OutcomeAt) -> Option<Item> {
        self.test_of.get(&outcome).copied()
    }
}

impl TraceGraph {
    /// What people say of a journey.
    pub(crate) fn journey_verdict(&self, id: &str) -> Option<&'static str> {
        self.verdict_of(self.definition_of(id)?)
    }

    /// What the runs say of a test.
    pub(crate) fn verdict_of(&self, test: Item) -> Option<&'static str> {
        self.verdicts.of_test(test).map(Verdict::as_str)
    }
}

/// Binds all outcomes anew; returns the ids whose coverage may be different now.
pub(super) fn rebind(graph: &mut TraceGraph) -> BTreeSet<u32> {
    let mut touched = cited_by_tests(graph, graph.verdicts.of_test.keys().copied());
    let mut verdicts = Verdicts::default();
    let mut by_name: HashMap<&str, Vec<(Item, &str)>> = HashMap::new();
    for idx in graph.by_path.values() {
        let Some(file) = graph.file(*idx) else { continue };
        for item in file.items(*idx).filter(|item| item.kind == ItemKind::Test) {
            let name =
                file.contents.tests.get(item.index as usize).and_then(|it| it.name.as_deref());
            by_name.entry(name.unwrap_or_default()).or_default().push((item, &file.path));
        }
    }
    by_name.remove("");
    for idx in graph.by_path.values() {
        let Some(file) = graph.file(*idx) else { continue };
        for (nth, outcome) in (0..).zip(&file.contents.outcomes) {
            let bound = if is_acceptance(&file.path) {
                let journey = graph.definition_of(&outcome.name);
                journey.filter(|it| it.kind == ItemKind::Journey)
            } else {
                matching(&by_name, outcome)
            };
            let Some(test) = bound else { continue };
            let verdict = match outcome.status {
                OutcomeStatus::Passed => Verdict::Passed,
                OutcomeStatus::Failed | OutcomeStatus::Error => Verdict::Failed,
                OutcomeStatus::Skipped => Verdict::Skipped,
            };
            let known = verdicts.of_test.entry(test).or_insert((verdict, Vec::new()));
            known.0 = known.0.max(verdict);
            known.1.push((*idx, nth));
            verdicts.test_of.insert((*idx, nth), test);
        }
    }
    touched.extend(cited_by_tests(graph, verdicts.of_test.keys().copied()));
    graph.verdicts = verdicts;
    touched
}

fn cited_by_tests(graph: &TraceGraph, tests: impl Iterator<Item = Item>) -> BTreeSet<u32> {
    let mut cited = BTreeSet::new();
    for test in tests {
        let Some(file) = graph.file(test.file) else { continue };
        let targets = file.citations(test).iter();
        cited.extend(targets.filter_map(|it| it.sym.number()));
    }
    cited
}

/// The one test of that name in that place; where several could be meant, none is.
fn matching(by_name: &HashMap<&str, Vec<(Item, &str)>>, outcome: &Outcome) -> Option<Item> {
    // A parametrised test is reported once for each of its cases.
    let name = outcome.name.split('[').next().unwrap_or_default();
    let name = name.rsplit("::").next().unwrap_or(name).trim_end_matches("()").trim();
    let candidates = by_name.get(name).or_else(|| by_name.get(&*outcome.name))?;
    let mut placed = candidates.iter().filter(|(_, path)| lies_at(path, &outcome.place));
    match (placed.next(), placed.next(), candidates.as_slice()) {
        (Some((test, _)), None, _) | (None, None, [(test, _)]) => Some(*test),
        _ => None,
    }
}

/// Whether a path is what a report calls `place`: the path itself, or a dotted name of it.
fn lies_at(path: &str, place: &str) -> bool {
    let place = place.trim_start_matches("./");
    if place.is_empty() {
        return false;
    }
    if place.ends_with(path) || path.ends_with(place) {
        return true;
    }
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    let dotted: Vec<&str> = stem.split('/').collect();
    let parts: Vec<&str> = place.split(['.', ':']).filter(|it| !it.is_empty()).collect();
    // `tests.test_login.TestClass` names the module with a class behind it.
    (0..parts.len()).any(|cut| {
        let module = &parts[..parts.len() - cut];
        dotted.ends_with(module)
    })
}
