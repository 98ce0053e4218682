//! Who is defined where and who cites whom, by id.

mod ids;

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::FileUpdate;
use super::coverage::Metrics;
use super::item::{Cite, Item};
use ids::Quickly;

#[derive(Debug)]
pub(super) struct Entry {
    pub(super) id: Arc<str>,
    /// By path and place, examples last; the first one counts.
    pub(super) defined: Vec<Item>,
    /// By path and place.
    pub(super) citers: Vec<Cite>,
    pub(super) metrics: Metrics,
    /// What this entry adds to the totals.
    pub(super) share: Share,
}

/// An entry's part of the totals, so that it can be taken back.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each counts towards a total of its own")]
pub(super) struct Share {
    pub(super) is_requirement: bool,
    pub(super) level: u16,
    pub(super) is_active: bool,
    /// Whether its status counts towards coverage.
    pub(super) is_counted: bool,
    pub(super) assertions: u32,
    pub(super) is_root: bool,
    pub(super) broken: u32,
    pub(super) covered: u32,
    pub(super) countable: u32,
    pub(super) tested: u32,
    pub(super) validated: u32,
    pub(super) is_full: bool,
    pub(super) is_partial: bool,
    pub(super) has_failures: bool,
    pub(super) instances: u32,
    /// Who cites it, once for each assertion that is named.
    pub(super) links: u32,
}

#[derive(Debug, Default)]
pub(super) struct Index {
    pub(super) entries: Vec<Entry>,
    pub(super) by_id: HashMap<Arc<str>, u32, Quickly>,
    /// Ids that some citation names in vain.
    pub(super) broken: BTreeSet<u32>,
    /// Ids with more than one definition.
    pub(super) duplicated: BTreeSet<u32>,
    /// Names of levels, so that shares stay small.
    pub(super) levels: Vec<String>,
}

impl Index {
    /// Makes room for all ids that a first build is about to bring.
    pub(super) fn expect(&mut self, updates: &[FileUpdate]) {
        let count = |it: &FileUpdate| match it {
            FileUpdate::Put(file) => file.contents.requirements.len(),
            FileUpdate::Amend(..) | FileUpdate::Remove(_) => 0,
        };
        let count = updates.iter().map(count).sum();
        self.entries.reserve(count);
        self.by_id.reserve(count);
    }

    pub(super) fn sym(&mut self, id: &str) -> u32 {
        if let Some(sym) = self.by_id.get(id) {
            return *sym;
        }
        let sym = u32::try_from(self.entries.len()).unwrap_or(u32::MAX);
        let id: Arc<str> = id.into();
        self.by_id.insert(id.clone(), sym);
        self.entries.push(Entry {
            id,
            defined: Vec::new(),
            citers: Vec::new(),
            metrics: Metrics::default(),
            share: Share::default(),
        });
        sym
    }

    /// The number of a level, given to it now where it has none.
    pub(super) fn level_or_new(&mut self, name: &str) -> u16 {
        self.level(name).unwrap_or_else(|| {
            self.levels.push(name.to_owned());
            u16::try_from(self.levels.len() - 1).unwrap_or(0)
        })
    }

    /// The number of a level that is known.
    pub(super) fn level(&self, name: &str) -> Option<u16> {
        let at = self.levels.iter().position(|it| it == name)?;
        u16::try_from(at).ok()
    }
}
