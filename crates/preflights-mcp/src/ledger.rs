//! All decision records of a repository: read once, then only what has changed.

use std::collections::{BTreeMap, BTreeSet};

use jiff::{SignedDuration, Timestamp};
use mcp_core::sandbox::{self, Entry, EntryKind, RelPath, Root, Stamp, View};

use crate::adr::{self, Adr};
use crate::architecture::Architecture;
use crate::bank;
use crate::error::Error;
use crate::uid::Uid;

/// Up to so many records each file is looked at on every read. With more, the directory tells what
/// came and went, and the system what was edited in place.
const LOOK_AT_EACH: usize = 1_000;
/// How often each file is looked at all the same: where nothing is reported, and where it is, for
/// file systems on which others write unseen.
const LOOK_AGAIN_MS: i64 = 2_000;
const LOOK_AGAIN_WATCHED_MS: i64 = 30_000;

/// Where records are read from.
pub(crate) enum Source<'a> {
    /// While others may write.
    View(&'a View<'a>),
    /// While we hold the lock ourselves: a view would wait for it.
    Tree(&'a Root),
}

impl Source<'_> {
    fn list(&self, path: &RelPath) -> Result<Vec<Entry>, sandbox::Error> {
        match self {
            Self::View(view) => view.list(Some(path)),
            Self::Tree(tree) => tree.list(Some(path)),
        }
    }

    fn read_text(&self, path: &RelPath) -> Result<String, sandbox::Error> {
        match self {
            Self::View(view) => view.read_text(path),
            Self::Tree(tree) => tree.read_text(path),
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Record {
    pub(crate) file: String,
    pub(crate) adr: Adr,
    stamp: Option<Stamp>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Ledger {
    pub(crate) records: BTreeMap<Uid, Record>,
    pub(crate) architecture: Architecture,
    directory: Option<Stamp>,
    looked_at_ms: i64,
}

impl Ledger {
    /// So many records that somebody should watch over them.
    pub(crate) fn has_many(&self) -> bool {
        self.records.len() > LOOK_AT_EACH
    }

    /// Brings `self` up to date. `touched` is what a watch says, where there is one.
    pub(crate) fn refresh(
        &mut self,
        tree: &Root,
        source: &Source<'_>,
        now: Timestamp,
        touched: Option<bool>,
    ) -> Result<(), Error> {
        let path = RelPath::parse(adr::DIRECTORY)?;
        let directory = tree.stamp(&path).ok();
        let looks_at_each = self.looks_at_each(now, touched);
        let entries = match source.list(&path) {
            Ok(entries) => entries,
            Err(error) if error.is_missing() => Vec::new(),
            Err(error) => return Err(error.into()),
        };
        let here = tree.below(&path).ok();
        let mut listed = BTreeMap::new();
        for entry in entries {
            let Some((uid, _)) = Uid::of_file(&entry.name) else { continue };
            if entry.kind == EntryKind::Directory {
                continue;
            }
            if let Some(other) = listed.insert(uid.clone(), entry.name.clone()) {
                let file = format!("{}/{}", adr::DIRECTORY, entry.name);
                return Err(Error::parse(&file, 1, format!("it has the same UID as `{other}`")));
            }
        }
        let mut refold = self.records.keys().any(|uid| !listed.contains_key(uid));
        self.records.retain(|uid, _| listed.contains_key(uid));
        let highest = self.records.keys().next_back().cloned();
        refold |= highest.is_none();
        let mut added = BTreeSet::new();
        for (uid, file) in listed {
            let known = self.records.get(&uid);
            if !looks_at_each && known.is_some_and(|it| it.file == file) {
                continue;
            }
            let stamp = RelPath::parse(&file)
                .ok()
                .and_then(|name| here.as_ref()?.stamp(&name).ok())
                .filter(|stamp| is_settled(stamp, now));
            if known.is_some_and(|it| it.stamp.is_some() && it.stamp == stamp && it.file == file) {
                continue;
            }
            let path = path.join(&file)?;
            let text = source.read_text(&path).map_err(Error::while_reading)?;
            let adr = adr::parse(path.as_str(), &uid, &text, &bank::renamed)?;
            if known.is_some_and(|it| it.adr == adr && it.file == file) {
                if let Some(known) = self.records.get_mut(&uid) {
                    known.stamp = stamp;
                }
                continue;
            }
            refold |= highest.as_ref().is_some_and(|highest| uid <= *highest);
            added.insert(uid.clone());
            self.records.insert(uid, Record { file, adr, stamp });
        }
        self.fold(refold, &added);
        self.directory = directory;
        if looks_at_each {
            self.looked_at_ms = now.as_millisecond();
        }
        Ok(())
    }

    /// Nothing came, went or was edited, as far as the directory and the watch say.
    pub(crate) fn is_current(&self, tree: &Root, now: Timestamp, touched: Option<bool>) -> bool {
        let path = RelPath::parse(adr::DIRECTORY).ok();
        let directory = path.and_then(|path| tree.stamp(&path).ok());
        let settled = directory.is_some_and(|it| is_settled(&it, now));
        settled && directory == self.directory && !self.looks_at_each(now, touched)
    }

    fn looks_at_each(&self, now: Timestamp, touched: Option<bool>) -> bool {
        let age_ms = now.as_millisecond() - self.looked_at_ms;
        !self.has_many()
            || match touched {
                Some(touched) => touched || age_ms >= LOOK_AGAIN_WATCHED_MS,
                None => age_ms >= LOOK_AGAIN_MS,
            }
    }

    /// The architecture after all records in their order; only the new ones where they come last.
    fn fold(&mut self, from_the_start: bool, added: &BTreeSet<Uid>) {
        let mut architecture = if from_the_start {
            Architecture::default()
        } else {
            std::mem::take(&mut self.architecture)
        };
        for (uid, record) in &self.records {
            if !from_the_start && !added.contains(uid) {
                continue;
            }
            match &record.adr.changes {
                Some(changes) => architecture.apply(changes, uid),
                None => architecture.adopt(&record.adr.snapshot, uid),
            }
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
        let missing = self.architecture.missing_in(&newest.adr.snapshot);
        let changed = self.architecture.categories().any(|(category, fields)| {
            fields.iter().any(|(field, decided)| {
                let there = newest.adr.snapshot.get(category, field);
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
        let Some(previous) = previous else { return Vec::new() };
        let mut expected = previous.adr.snapshot.clone();
        for change in record.adr.changes.iter().flatten() {
            if matches!(change.what, crate::architecture::What::Removed { .. }) {
                expected.remove(&change.category, &change.field);
            }
        }
        expected.missing_in(&record.adr.snapshot)
    }
}

/// A stamp younger than a tick of the file system's clock can stay the same through a change.
fn is_settled(stamp: &Stamp, now: Timestamp) -> bool {
    let Some(modified) = stamp.modified else { return false };
    let Ok(modified) = Timestamp::try_from(modified) else { return false };
    now.as_millisecond() - modified.as_millisecond() > 50
}
