//! What each id amounts to after files were replaced: its coverage and its part of the totals.

use rayon::prelude::*;

use super::index::Share;
use super::{ItemKind, NodeKind, TraceGraph, coverage};
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
                if cite.item.kind.is_definition()
                    && let Some(citer) = self.index.by_id.get(self.id_of(cite.item))
                {
                    roots.push(*citer);
                }
            }
            if entry.defined.len() > 1 || self.index.duplicated.contains(sym) {
                for item in &entry.defined {
                    let Some(file) = self.file(item.file) else { continue };
                    let targets = file.citations(*item).iter();
                    touched.extend(targets.filter_map(|it| self.index.by_id.get(&*it.target)));
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
        self.know_levels(&touched);
        // What each entry amounts to is read off the graph, so that all of them can be at once.
        let shares: Vec<(coverage::Metrics, Share)> =
            touched.par_iter().with_min_len(AT_ONCE).map(|sym| self.share_of(*sym)).collect();
        for (sym, (metrics, share)) in touched.into_iter().zip(shares) {
            self.put_share(sym, metrics, &share);
        }
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

    /// Gives numbers to levels that have none yet.
    fn know_levels(&mut self, touched: &[u32]) {
        let unknown = |sym: &u32| {
            let item = self.definition(*sym).filter(|it| it.kind == ItemKind::Requirement)?;
            let level = self.level_of(item);
            self.index.level(level).is_none().then(|| level.to_owned())
        };
        let mut unknown: Vec<String> =
            touched.par_iter().with_min_len(AT_ONCE).filter_map(unknown).collect();
        unknown.sort_unstable();
        unknown.dedup();
        self.index.levels.extend(unknown);
    }

    fn put_share(&mut self, sym: u32, metrics: coverage::Metrics, share: &Share) {
        let entry = &mut self.index.entries[sym as usize];
        let share = Share { is_root: entry.share.is_root, ..share.clone() };
        let old = std::mem::replace(&mut entry.share, share.clone());
        entry.metrics = metrics;
        if share.broken > 0 {
            self.index.broken.insert(sym);
        } else {
            self.index.broken.remove(&sym);
        }
        self.add_share(&old, false);
        self.add_share(&share, true);
        let was = old.is_journey();
        let is = share.is_journey();
        if was != is {
            let journeys = self.totals.by_kind.entry(NodeKind::Journey).or_default();
            *journeys = if is { *journeys + 1 } else { *journeys - 1 };
        }
    }

    fn share_of(&self, sym: u32) -> (coverage::Metrics, Share) {
        let mut share = Share::default();
        let definition = self.definition(sym);
        let metrics = match definition {
            Some(item) if item.kind == ItemKind::Requirement => {
                share.is_requirement = true;
                share.is_active = !self.config.is_retired(self.status_of(item));
                share.is_counted = self.config.counts(self.status_of(item));
                share.level = self.index.level(self.level_of(item)).unwrap_or(u16::MAX - 1);
                let metrics = coverage::measure(self, sym, item);
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
                metrics
            }
            Some(_) => {
                share.level = Share::JOURNEY;
                coverage::Metrics::default()
            }
            None => coverage::Metrics::default(),
        };
        let (mut broken, mut links) = (0, 0);
        for cite in &self.index.entries[sym as usize].citers {
            let Some((_, citation)) = self.active_citation(*cite) else { continue };
            let Some(item) = definition else {
                broken += 1;
                continue;
            };
            let known = self.known_labels(item, citation);
            broken += citation.labels.len() - known;
            if known > 0 || citation.labels.is_empty() {
                share.instances += u32::from(citation.kind == EdgeKind::Satisfies);
                links += known.max(1);
            }
        }
        share.broken = u32::try_from(broken).unwrap_or(u32::MAX);
        share.links = u32::try_from(links).unwrap_or(u32::MAX);
        (metrics, share)
    }

    fn add_share(&mut self, share: &Share, add: bool) {
        let change = |total: &mut usize, by: usize| {
            *total = if add { *total + by } else { *total - by };
        };
        let totals = &mut self.totals;
        change(&mut totals.broken, share.broken as usize);
        change(&mut totals.instances, share.instances as usize);
        change(&mut totals.links, share.links as usize);
        if !share.is_requirement {
            return;
        }
        change(totals.by_kind.entry(NodeKind::Requirement).or_default(), 1);
        change(totals.by_kind.entry(NodeKind::Assertion).or_default(), share.assertions as usize);
        let name = self.index.levels.get(usize::from(share.level)).map_or("", String::as_str);
        if !totals.by_level.contains_key(name) {
            totals.by_level.insert(name.to_owned(), (0, 0));
        }
        if let Some(level) = totals.by_level.get_mut(name) {
            change(&mut level.0, 1);
            change(&mut level.1, usize::from(share.is_active));
            if level.0 == 0 {
                totals.by_level.remove(name);
            }
        }
        change(&mut totals.counted, usize::from(share.is_counted));
        change(&mut totals.full_coverage, usize::from(share.is_full));
        change(&mut totals.partial_coverage, usize::from(share.is_partial));
        change(&mut totals.covered_assertions, share.covered as usize);
        change(&mut totals.countable_assertions, share.countable as usize);
        change(&mut totals.tested_assertions, share.tested as usize);
        change(&mut totals.validated_assertions, share.validated as usize);
        change(&mut totals.failing, usize::from(share.has_failures));
    }
}

impl Share {
    /// In place of a level: the entry is a journey.
    const JOURNEY: u16 = u16::MAX;

    fn is_journey(&self) -> bool {
        !self.is_requirement && self.level == Self::JOURNEY
    }
}
