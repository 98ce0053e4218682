//! All decision records of a repository together: the architecture they add up to, and what is odd
//! about them.

use std::collections::{BTreeMap, BTreeSet};

use jiff::{SignedDuration, Timestamp};

use super::adr::Adr;
use super::architecture::{Architecture, What};
use super::uid::Uid;

#[derive(Debug, Clone)]
pub(crate) struct Record {
    /// Its name within the directory of records.
    pub(crate) file: String,
    pub(crate) adr: Adr,
}

impl Record {
    /// Carries out what it says.
    fn fold_into(&self, architecture: &mut Architecture) {
        if let Some(changes) = &self.adr.changes {
            architecture.apply(changes, &self.adr.uid);
        } else if let Some(snapshot) = &self.adr.snapshot {
            architecture.adopt(snapshot, &self.adr.uid);
        }
    }
}

/// One field that two branches decided differently, and that no record has settled since.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Conflict {
    pub(crate) category: String,
    pub(crate) field: String,
    /// What the earlier record says, and which it is.
    pub(crate) earlier: (Uid, String),
    pub(crate) later: (Uid, String),
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Ledger {
    pub(crate) records: BTreeMap<Uid, Record>,
    pub(crate) architecture: Architecture,
}

impl Ledger {
    /// The architecture after all records in their order.
    pub(crate) fn fold(&mut self) {
        let mut architecture = Architecture::default();
        for record in self.records.values() {
            record.fold_into(&mut architecture);
        }
        self.architecture = architecture;
    }

    /// What [`fold`](Self::fold) comes to when the records in `added` are new and all others older.
    pub(crate) fn fold_newest(&mut self, added: &BTreeSet<Uid>) {
        let mut architecture = std::mem::take(&mut self.architecture);
        for record in added.iter().filter_map(|uid| self.records.get(uid)) {
            record.fold_into(&mut architecture);
        }
        self.architecture = architecture;
    }

    pub(crate) fn newest(&self) -> Option<(&Uid, &Record)> {
        self.records.last_key_value()
    }

    pub(crate) fn file_of(&self, uid: &Uid) -> Option<&str> {
        self.records.get(uid).map(|it| it.file.as_str())
    }

    /// After a merge the newest record does not know what the other branch decided.
    pub(crate) fn fork(&self) -> Option<String> {
        let (uid, newest) = self.newest()?;
        let shown = newest.adr.snapshot.as_ref()?;
        let missing = self.architecture.missing_in(shown);
        let changed = self.architecture.categories().any(|(category, fields)| {
            fields.iter().any(|(field, decided)| {
                let there = shown.get(category, field);
                there.is_some_and(|it| it.value != decided.value)
            })
        });
        if missing.is_empty() && !changed {
            return None;
        }
        let what = if missing.is_empty() { "other values".to_owned() } else { missing.join(", ") };
        Some(format!(
            "The records come from several branches: the newest one, {uid}, does not show {what}. All of them together are shown here; the next record brings them together."
        ))
    }

    /// Fields that branches decided differently: the later record does not know the earlier one, and
    /// nothing after them decides the field again.
    pub(crate) fn conflicts(&self) -> Vec<Conflict> {
        let mut deciders: BTreeMap<(&str, &str), Vec<(&Uid, &What)>> = BTreeMap::new();
        for (uid, record) in &self.records {
            for change in record.adr.changes.iter().flatten() {
                let key = (change.category.as_str(), change.field.as_str());
                deciders.entry(key).or_default().push((uid, &change.what));
            }
        }
        let mut found = Vec::new();
        for ((category, field), all) in deciders {
            let [.., (earlier, before), (later, after)] = all.as_slice() else { continue };
            let (Some(one), Some(other)) = (value_of(before), value_of(after)) else { continue };
            let knows = matches!(after, What::Modified { was, .. } if was == one);
            if one != other && !knows && !self.descends(later, earlier) {
                found.push(Conflict {
                    category: category.to_owned(),
                    field: field.to_owned(),
                    earlier: ((*earlier).clone(), one.to_owned()),
                    later: ((*later).clone(), other.to_owned()),
                });
            }
        }
        found
    }

    /// Whether a record comes after another on its own branch.
    fn descends(&self, uid: &Uid, from: &Uid) -> bool {
        let mut at = self.records.get(uid).and_then(|it| it.adr.previous.as_ref());
        while let Some(previous) = at.filter(|it| *it >= from) {
            if previous == from {
                return true;
            }
            at = self.records.get(previous).and_then(|it| it.adr.previous.as_ref());
        }
        false
    }

    pub(crate) fn notice_of_the_future(&self, now: Timestamp) -> Option<String> {
        let (uid, _) = self.newest()?;
        // Clocks differ a little, and records made within a millisecond are numbered apart.
        let soon = now.checked_add(SignedDuration::from_mins(1)).unwrap_or(now);
        let ahead = uid.time().is_some_and(|it| it > soon);
        ahead.then(|| {
            format!("The newest record, {uid}, lies in the future; new ones are numbered after it.")
        })
    }

    /// Keys that a record's predecessor has and the record lost without saying so.
    pub(crate) fn lost_keys(&self, uid: &Uid) -> Vec<String> {
        let Some(record) = self.records.get(uid) else { return Vec::new() };
        let previous = record.adr.previous.as_ref().and_then(|it| self.records.get(it));
        let before = previous.and_then(|it| it.adr.snapshot.clone());
        let (Some(mut expected), Some(shown)) = (before, &record.adr.snapshot) else {
            return Vec::new();
        };
        for change in record.adr.changes.iter().flatten() {
            if matches!(change.what, What::Removed { .. }) {
                expected.remove(&change.category, &change.field);
            }
        }
        expected.missing_in(shown)
    }
}

fn value_of(what: &What) -> Option<&str> {
    match what {
        What::Added(value) | What::Modified { now: value, .. } => Some(value),
        What::Removed { .. } => None,
    }
}
