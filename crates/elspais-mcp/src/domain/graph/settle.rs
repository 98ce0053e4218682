//! What each id amounts to after files were replaced: its coverage and its part of the totals.

use rayon::prelude::*;

use super::index::Share;
use super::{ItemKind, NodeKind, Totals, TraceGraph, coverage};
use crate::domain::parse::EdgeKind;

/// Fewer entries than these are not worth a second thread.
const AT_ONCE: usize = 256;

impl TraceGraph {
    /// Recomputes what depends on the given ids, and nothing else.
    pub(super) fn settle(&mut self, redefined: &[u32], mut touched: Vec<u32>) {
        // Whoever cites an id that came, went or changed may be a root now, or no longer one; and
        // where another definition counts now, other citations do.
        let mut roots: Vec<u32> = Vec::new();
        for sym in redefined {
            touched.push(*sym);
            roots.push(*sym);
            let entry = &self.index.entries[*sym as usize];
            for cite in &entry.citers {
                roots.extend(self.file(cite.item.file).and_then(|it| it.sym_of(cite.item)));
            }
            if entry.defined.len() > 1 || self.index.duplicated.contains(sym) {
                for item in &entry.defined {
                    let Some(file) = self.file(item.file) else { continue };
                    let targets = file.citations(*item).iter();
                    touched.extend(targets.filter_map(|it| it.sym.number()));
                }
            }
        }
        for sym in redefined {
            if self.index.entries[*sym as usize].defined.len() > 1 {
                self.index.duplicated.insert(*sym);
            } else {
                self.index.duplicated.remove(sym);
            }
        }
        for list in [&mut touched, &mut roots] {
            list.sort_unstable();
            list.dedup();
        }
        // What each entry amounts to is read off the graph, so that all of them can be at once.
        let shares: Vec<(coverage::Metrics, Share)> =
            touched.par_iter().with_min_len(AT_ONCE).map(|sym| self.share_of(*sym)).collect();
        let mut tally = Tally::default();
        for (sym, (metrics, share)) in touched.into_iter().zip(shares) {
            self.put_share(sym, metrics, share, &mut tally);
        }
        self.totals.add(&tally, &self.index.levels);
        let is_root = |sym: &u32| {
            let item = self.definition(*sym);
            item.is_some_and(|it| it.kind == ItemKind::Requirement && !self.has_parent(it))
        };
        let are_roots: Vec<bool> = roots.par_iter().with_min_len(AT_ONCE).map(is_root).collect();
        for (sym, is_root) in roots.into_iter().zip(are_roots) {
            let share = &mut self.index.entries[sym as usize].share;
            if share.is_root != is_root {
                share.is_root = is_root;
                self.totals.roots =
                    if is_root { self.totals.roots + 1 } else { self.totals.roots - 1 };
            }
        }
    }

    fn put_share(
        &mut self,
        sym: u32,
        metrics: coverage::Metrics,
        mut share: Share,
        tally: &mut Tally,
    ) {
        if share.level == Share::UNKNOWN_LEVEL {
            let name = self.definition(sym).map_or("", |it| self.level_of(it)).to_owned();
            share.level = self.index.level_or_new(&name);
        }
        let entry = &mut self.index.entries[sym as usize];
        share.is_root = entry.share.is_root;
        entry.metrics = metrics;
        if share.broken > 0 {
            self.index.broken.insert(sym);
        } else if entry.share.broken > 0 {
            self.index.broken.remove(&sym);
        }
        let old = std::mem::replace(&mut entry.share, share);
        tally.add(&old, -1);
        tally.add(&entry.share, 1);
    }

    fn share_of(&self, sym: u32) -> (coverage::Metrics, Share) {
        let mut share = Share::default();
        let definition = self.definition(sym);
        let requirement = definition.and_then(|it| self.requirement(it));
        let mut measure = requirement.map(coverage::Measure::of);
        let (mut broken, mut links) = (0, 0);
        for cite in &self.index.entries[sym as usize].citers {
            let Some((_, citation)) = self.active_citation(*cite) else { continue };
            let Some(item) = definition else {
                broken += 1;
                continue;
            };
            let known = match &mut measure {
                Some(measure) => measure.add(self, *cite, citation),
                None => self.known_labels(item, citation),
            };
            broken += citation.labels.len() - known;
            if known > 0 || citation.labels.is_empty() {
                share.instances += u32::from(citation.kind == EdgeKind::Satisfies);
                links += known.max(1);
            }
        }
        share.broken = u32::try_from(broken).unwrap_or(u32::MAX);
        share.links = u32::try_from(links).unwrap_or(u32::MAX);
        let metrics = measure.map(coverage::Measure::metrics).unwrap_or_default();
        match definition {
            Some(item) if item.kind == ItemKind::Requirement => {
                let status = self.status_of(item);
                share.is_requirement = true;
                share.is_active = !self.config.is_retired(status);
                share.is_counted = self.config.counts(status);
                share.level = self.index.level(self.level_of(item)).unwrap_or(Share::UNKNOWN_LEVEL);
                share.assertions = metrics.assertions;
                if share.is_counted {
                    share.countable = metrics.total;
                    share.covered = metrics.covered;
                    share.tested = metrics.tested;
                    share.validated = metrics.validated;
                    share.is_full = metrics.total > 0 && metrics.covered == metrics.total;
                    share.is_partial = metrics.covered > 0 && !share.is_full;
                    share.has_failures = metrics.has_failures;
                }
            }
            Some(_) => share.level = Share::JOURNEY,
            None => {}
        }
        (metrics, share)
    }
}

impl Share {
    /// In place of a level: the entry is a journey.
    const JOURNEY: u16 = u16::MAX;
    /// The level has no number yet.
    const UNKNOWN_LEVEL: u16 = u16::MAX - 1;

    fn is_journey(&self) -> bool {
        !self.is_requirement && self.level == Self::JOURNEY
    }
}

/// What totals change by, summed up before they are touched.
#[derive(Default)]
struct Tally {
    broken: i64,
    instances: i64,
    links: i64,
    requirements: i64,
    assertions: i64,
    journeys: i64,
    counted: i64,
    full: i64,
    partial: i64,
    covered: i64,
    countable: i64,
    tested: i64,
    validated: i64,
    failing: i64,
    /// Of each level by its number: all, and those that are not retired.
    levels: Vec<(i64, i64)>,
}

impl Tally {
    /// Takes a share in, or back.
    fn add(&mut self, share: &Share, sign: i64) {
        self.broken += sign * i64::from(share.broken);
        self.instances += sign * i64::from(share.instances);
        self.links += sign * i64::from(share.links);
        self.journeys += sign * i64::from(share.is_journey());
        if !share.is_requirement {
            return;
        }
        let level = usize::from(share.level);
        if self.levels.len() <= level {
            self.levels.resize(level + 1, (0, 0));
        }
        self.levels[level].0 += sign;
        self.levels[level].1 += sign * i64::from(share.is_active);
        self.requirements += sign;
        self.assertions += sign * i64::from(share.assertions);
        self.counted += sign * i64::from(share.is_counted);
        self.full += sign * i64::from(share.is_full);
        self.partial += sign * i64::from(share.is_partial);
        self.covered += sign * i64::from(share.covered);
        self.countable += sign * i64::from(share.countable);
        self.tested += sign * i64::from(share.tested);
        self.validated += sign * i64::from(share.validated);
        self.failing += sign * i64::from(share.has_failures);
    }
}

impl Totals {
    fn add(&mut self, tally: &Tally, levels: &[String]) {
        let change = |total: &mut usize, by: i64| {
            *total = total.saturating_add_signed(isize::try_from(by).unwrap_or(0));
        };
        for (kind, by) in [
            (NodeKind::Requirement, tally.requirements),
            (NodeKind::Assertion, tally.assertions),
            (NodeKind::Journey, tally.journeys),
        ] {
            change(self.by_kind.entry(kind).or_default(), by);
        }
        for (name, (all, active)) in levels.iter().zip(&tally.levels) {
            if (*all, *active) == (0, 0) {
                continue;
            }
            let level = self.by_level.entry(name.clone()).or_default();
            change(&mut level.0, *all);
            change(&mut level.1, *active);
            if level.0 == 0 {
                self.by_level.remove(name);
            }
        }
        change(&mut self.broken, tally.broken);
        change(&mut self.instances, tally.instances);
        change(&mut self.links, tally.links);
        change(&mut self.counted, tally.counted);
        change(&mut self.full_coverage, tally.full);
        change(&mut self.partial_coverage, tally.partial);
        change(&mut self.covered_assertions, tally.covered);
        change(&mut self.countable_assertions, tally.countable);
        change(&mut self.tested_assertions, tally.tested);
        change(&mut self.validated_assertions, tally.validated);
        change(&mut self.failing, tally.failing);
    }
}
