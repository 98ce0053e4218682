//! How far a requirement's assertions are covered, and by what.

use super::item::{Cite, ItemKind};
use super::{TraceGraph, verdict::Verdict};
use crate::domain::parse::{Assertion, Citation, EdgeKind, Requirement};
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

/// A requirement's coverage while its citers are looked at, one by one.
pub(super) struct Measure<'r> {
    assertions: &'r [Assertion],
    /// It is its own only assertion.
    is_alone: bool,
    all: Bits,
    direct: Bits,
    explicit: Bits,
    inferred: Bits,
    tested: Bits,
    validated: Bits,
    has_failures: bool,
}

impl<'r> Measure<'r> {
    pub(super) fn of(requirement: &'r Requirement) -> Self {
        let assertions = &requirement.assertions;
        // What stands alone is named by whoever names the whole.
        let is_alone = requirement.form.stands_alone() && assertions.is_empty();
        let mut measure = Self {
            assertions,
            is_alone,
            all: Bits::from(is_alone),
            direct: 0,
            explicit: 0,
            inferred: 0,
            tested: 0,
            validated: 0,
            has_failures: false,
        };
        for assertion in assertions {
            measure.all |= measure.named(assertion.label).0;
        }
        measure
    }

    /// The bit of a label, and whether there is one of that name at all.
    fn named(&self, label: Label) -> (Bits, bool) {
        let mut is_known = false;
        for (at, assertion) in self.assertions.iter().enumerate() {
            if assertion.label == label {
                is_known = true;
                if !assertion.retired {
                    return (if at < 128 { 1 << at } else { 0 }, true);
                }
            }
        }
        (0, is_known)
    }

    /// Takes a citation in; returns how many of the labels it names exist.
    pub(super) fn add(&mut self, graph: &TraceGraph, cite: Cite, citation: &Citation) -> usize {
        let (mut named, mut known) = (0, 0);
        for label in &*citation.labels {
            let (bit, is_known) = self.named(*label);
            named |= bit;
            known += usize::from(is_known);
        }
        if !citation.kind.covers() {
            return known;
        }
        if self.is_alone && citation.labels.is_empty() {
            named = self.all;
        }
        match cite.item.kind {
            ItemKind::Code => self.direct |= named,
            ItemKind::Test => {
                self.direct |= named;
                self.tested |= named;
                match graph.verdicts.of_test(cite.item) {
                    Some(Verdict::Passed) => self.validated |= named,
                    Some(Verdict::Failed) => self.has_failures = true,
                    Some(Verdict::Skipped) | None => {}
                }
            }
            ItemKind::Requirement if citation.kind == EdgeKind::Implements => {
                if citation.labels.is_empty() {
                    self.inferred |= self.all;
                } else {
                    self.explicit |= named;
                }
            }
            ItemKind::Requirement | ItemKind::Journey => {}
        }
        known
    }

    pub(super) fn metrics(self) -> Metrics {
        Metrics {
            assertions: u32::try_from(self.assertions.len()).unwrap_or(u32::MAX),
            total: self.all.count_ones(),
            covered: (self.direct | self.explicit | self.inferred).count_ones(),
            direct: self.direct.count_ones(),
            explicit: self.explicit.count_ones(),
            inferred: self.inferred.count_ones(),
            tested: self.tested.count_ones(),
            validated: self.validated.count_ones(),
            has_failures: self.has_failures,
        }
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
