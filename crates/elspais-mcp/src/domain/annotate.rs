//! Figures over the whole graph, out of what the graph keeps; tools never count for themselves.

use std::collections::BTreeMap;

use crate::domain::graph::TraceGraph;

/// Requirements per level: those that are not retired, and all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LevelCounts {
    pub(crate) active: BTreeMap<String, usize>,
    pub(crate) all: BTreeMap<String, usize>,
}

/// Configured levels are always there, even with nothing in them.
pub(crate) fn count_by_level(graph: &TraceGraph) -> LevelCounts {
    let mut counts = LevelCounts { active: BTreeMap::new(), all: BTreeMap::new() };
    for level in &graph.config.levels {
        counts.active.insert(level.name.clone(), 0);
        counts.all.insert(level.name.clone(), 0);
    }
    for (level, (all, active)) in &graph.totals().by_level {
        counts.active.insert(level.clone(), *active);
        counts.all.insert(level.clone(), *all);
    }
    counts
}

/// How far requirements are covered.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct CoverageCounts {
    pub(crate) total: usize,
    pub(crate) full: usize,
    pub(crate) partial: usize,
    pub(crate) none: usize,
    pub(crate) failing: usize,
    pub(crate) assertions: usize,
    pub(crate) covered: usize,
    pub(crate) tested: usize,
    pub(crate) validated: usize,
}

pub(crate) fn count_by_coverage(graph: &TraceGraph) -> CoverageCounts {
    let totals = graph.totals();
    let total = totals.counted;
    CoverageCounts {
        total,
        full: totals.full_coverage,
        partial: totals.partial_coverage,
        none: total - totals.full_coverage - totals.partial_coverage,
        failing: totals.failing,
        assertions: totals.countable_assertions,
        covered: totals.covered_assertions,
        tested: totals.tested_assertions,
        validated: totals.validated_assertions,
    }
}
