//! How far a requirement's assertions are covered, and by what.

use super::item::{Item, ItemKind};
use super::{TraceGraph, verdict::Verdict};
use crate::domain::parse::EdgeKind;
use crate::domain::span::Label;

/// Kept with each requirement; nothing here is computed when it is asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Metrics {
    /// All assertions, withdrawn ones included.
    pub(crate) assertions: u32,
    /// Those that count.
    pub(crate) total: u32,
    pub(crate) covered: u32,
    /// Named by code or a test.
    pub(crate) direct: u32,
    /// Named by another requirement.
    pub(crate) explicit: u32,
    /// Covered because another requirement implements the whole.
    pub(crate) inferred: u32,
    pub(crate) tested: u32,
    pub(crate) validated: u32,
    pub(crate) has_failures: bool,
}

/// One reason why an assertion counts as covered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Source {
    pub(crate) label: Label,
    pub(crate) by: String,
    /// `direct`, `explicit` or `inferred`.
    pub(crate) how: &'static str,
    pub(crate) is_test: bool,
    pub(crate) verdict: Option<Verdict>,
}

impl Metrics {
    pub(crate) fn coverage_pct(&self) -> f64 {
        if self.total == 0 {
            return 0.0;
        }
        f64::from(self.covered) * 100.0 / f64::from(self.total)
    }
}

/// Places of labels among the assertions, one bit each.
type Bits = u128;

pub(super) fn measure(graph: &TraceGraph, sym: u32, item: Item) -> Metrics {
    let Some(requirement) = graph.requirement(item) else { return Metrics::default() };
    let assertions = &requirement.assertions;
    let bit = |label: Label| -> Bits {
        let at = assertions.iter().position(|it| it.label == label && !it.retired);
        at.filter(|at| *at < 128).map_or(0, |at| 1 << at)
    };
    // What stands alone is named by whoever names the whole.
    let alone = requirement.form.stands_alone() && assertions.is_empty();
    let all: Bits =
        assertions.iter().map(|it| bit(it.label)).fold(Bits::from(alone), |all, one| all | one);
    let [mut direct, mut explicit, mut inferred, mut tested, mut validated] = [0 as Bits; 5];
    let mut has_failures = false;
    for cite in &graph.index.entries[sym as usize].citers {
        let Some((_, citation)) = graph.active_citation(*cite) else { continue };
        if !citation.kind.covers() {
            continue;
        }
        let named = citation.labels.iter().map(|it| bit(*it)).fold(0, |all, one| all | one);
        let named = if alone && citation.labels.is_empty() { all } else { named };
        match cite.item.kind {
            ItemKind::Code => direct |= named,
            ItemKind::Test => {
                direct |= named;
                tested |= named;
                match graph.verdicts.of_test(cite.item) {
                    Some(Verdict::Passed) => validated |= named,
                    Some(Verdict::Failed) => has_failures = true,
                    Some(Verdict::Skipped) | None => {}
                }
            }
            ItemKind::Requirement if citation.kind == EdgeKind::Implements => {
                if citation.labels.is_empty() {
                    inferred |= all;
                } else {
                    explicit |= named;
                }
            }
            ItemKind::Requirement | ItemKind::Journey => {}
        }
    }
    Metrics {
        assertions: u32::try_from(assertions.len()).unwrap_or(u32::MAX),
        total: all.count_ones(),
        covered: (direct | explicit | inferred).count_ones(),
        direct: direct.count_ones(),
        explicit: explicit.count_ones(),
        inferred: inferred.count_ones(),
        tested: tested.count_ones(),
        validated: validated.count_ones(),
        has_failures,
    }
}

impl TraceGraph {
    /// What covers each assertion of a requirement, by label.
    pub(crate) fn coverage_sources(&self, id: &str) -> Vec<Source> {
        let labels: Vec<Label> = self
            .definition_of(id)
            .and_then(|item| self.requirement(item))
            .map(|it| {
                if it.form.stands_alone() && it.assertions.is_empty() {
                    return vec![Label::WHOLE];
                }
                it.assertions.iter().filter(|one| !one.retired).map(|one| one.label).collect()
            })
            .unwrap_or_default();
        let is_alone = labels == [Label::WHOLE];
        let mut sources = Vec::new();
        for (cite, _, citation) in self.citations_of(id).filter(|(_, _, it)| it.kind.covers()) {
            let is_test = cite.item.kind == ItemKind::Test;
            let (named, how) = match cite.item.kind {
                ItemKind::Code | ItemKind::Test if is_alone => (&*labels, "direct"),
                ItemKind::Code | ItemKind::Test => (&*citation.labels, "direct"),
                ItemKind::Requirement if citation.kind == EdgeKind::Implements => {
                    if citation.labels.is_empty() {
                        (&*labels, "inferred")
                    } else {
                        (&*citation.labels, "explicit")
                    }
                }
                ItemKind::Requirement | ItemKind::Journey => continue,
            };
            let verdict = self.verdicts.of_test(cite.item).filter(|_| is_test);
            sources.extend(named.iter().filter(|it| labels.contains(it)).map(|label| Source {
                label: *label,
                by: self.id_of(cite.item).to_owned(),
                how,
                is_test,
                verdict,
            }));
        }
        sources.sort_by_key(|source| source.label);
        sources
    }
}
