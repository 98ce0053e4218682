//! All decision records of a repository: read once, then only what has changed.

use std::collections::{BTreeMap, BTreeSet};

use jiff::{SignedDuration, Timestamp};
use mcp_core::sandbox::{self, Entry, EntryKind, RelPath, Root, Stamp, View};

use crate::adr::{self, Adr, Detail};
use crate::architecture::Architecture;
use crate::bank;
use crate::error::Error;
use crate::uid::Uid;
use crate::watch::Touched;

/// Up to so many records each file is looked at on every read. With more, the directory tells what
/// came and went, and the system what was edited in place.
const LOOK_AT_EACH: usize = 1_000;
/// How often each file is looked at all the same: where nothing is reported, and where it is, for
/// file systems on which others write unseen.
const LOOK_AGAIN_MS: i64 = 2_000;
const LOOK_AGAIN_WATCHED_MS: i64 = 30_000;
/// A file that had not changed for so long when it was read has been read as it is.
const SETTLED_MS: i64 = 2_000;
/// Fewer files are read faster by one thread.
const WORTH_A_THREAD: usize = 128;
const MAX_THREADS: usize = 4;

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
    read_at_ms: i64,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Ledger {
    pub(crate) records: BTreeMap<Uid, Record>,
    pub(crate) architecture: Architecture,
    directory: Option<Stamp>,
    looked_at_ms: i64,
    /// Every snapshot is kept, not just those of the last two records.
    in_detail: bool,
}

impl Record {
    /// The same stamp as before; or none was taken, and the file was old when it was read.
    fn is_still(&self, stamp: Option<Stamp>) -> bool {
        let Some(now) = stamp else { return false };
        if let Some(before) = self.stamp {
            return before == now;
        }
        let changed_ms = i64::try_from(now.changed / 1_000_000).unwrap_or(i64::MAX);
        changed_ms > 0 && changed_ms.saturating_add(SETTLED_MS) < self.read_at_ms
    }

    /// Carries out what it says.
    fn fold_into(&self, architecture: &mut Architecture) {
        if let Some(changes) = &self.adr.changes {
            architecture.apply(changes, &self.adr.uid);
        } else if let Some(snapshot) = &self.adr.snapshot {
            architecture.adopt(snapshot, &self.adr.uid);
        }
    }
}

/// A record that has to be read.
struct Wanted {
    uid: Uid,
    file: String,
    stamp: Option<Stamp>,
}

impl Ledger {
    pub(crate) fn in_detail() -> Self {
        Self { in_detail: true, ..Self::default() }
    }

    /// Brings `self` up to date. `touched` is what a watch says, where there is one.
    pub(crate) fn refresh(
        &mut self,
        tree: &Root,
        source: &Source<'_>,
        now: Timestamp,
        touched: &Touched,
    ) -> Result<(), Error> {
        let path = RelPath::parse(adr::DIRECTORY)?;
        let directory = tree.stamp(&path).ok();
        let looks_at_each = self.looks_at_each(now, touched);
        let listed = listed(source, &path)?;
        let mut refold = self.records.keys().any(|uid| !listed.contains_key(uid));
        self.records.retain(|uid, _| listed.contains_key(uid));
        let highest = self.records.keys().next_back().cloned();
        refold |= highest.is_none();
        let here = tree.below(&path).ok();
        let mut wanted = Vec::new();
        for (uid, file) in listed {
            let known = self.records.get(&uid).filter(|it| it.file == file);
            if known.is_some() && !looks_at_each && !touched.has(&file) {
                continue;
            }
            // What is read for the first time needs no stamp: its age tells later whether it is
            // still the same.
            let stamp = known.and_then(|_| {
                let name = RelPath::parse(&file).ok()?;
                here.as_ref()?.stamp(&name).ok().filter(|stamp| is_settled(stamp, now))
            });
            if known.is_some_and(|it| it.is_still(stamp)) {
                if let Some(known) = self.records.get_mut(&uid) {
                    known.stamp = stamp;
                }
                continue;
            }
            wanted.push(Wanted { uid, file, stamp });
        }
        let detail = if self.in_detail { Detail::Everything } else { Detail::Changes };
        let mut added = BTreeSet::new();
        for record in read_all(source, &path, wanted, detail, now)? {
            let uid = record.adr.uid.clone();
            let known = self.records.insert(uid.clone(), record);
            let read = self.records.get(&uid);
            let same = known.is_some_and(|it| read.is_some_and(|now| now.adr.folds_like(&it.adr)));
            if !same {
                refold |= highest.as_ref().is_some_and(|highest| uid <= *highest);
                added.insert(uid);
            }
        }
        self.fold(refold, &added);
        self.complete_the_last(source, &path)?;
        self.directory = directory;
        if looks_at_each {
            self.looked_at_ms = now.as_millisecond();
        }
        Ok(())
    }

    /// So many records that somebody should watch over them.
    pub(crate) fn has_many(&self) -> bool {
        self.records.len() > LOOK_AT_EACH
    }

    /// Nothing came, went or was edited, as far as the directory and the watch say.
    pub(crate) fn is_current(&self, tree: &Root, now: Timestamp, touched: &Touched) -> bool {
        let path = RelPath::parse(adr::DIRECTORY).ok();
        let directory = path.and_then(|path| tree.stamp(&path).ok());
        let settled = directory.is_some_and(|it| is_settled(&it, now));
        let quiet = touched.is_quiet() || *touched == Touched::Unknown;
        settled && quiet && directory == self.directory && !self.looks_at_each(now, touched)
    }

    fn looks_at_each(&self, now: Timestamp, touched: &Touched) -> bool {
        let age_ms = now.as_millisecond() - self.looked_at_ms;
        !self.has_many()
            || match touched {
                Touched::Everything => true,
                Touched::Files(_) => age_ms >= LOOK_AGAIN_WATCHED_MS,
                Touched::Unknown => age_ms >= LOOK_AGAIN_MS,
            }
    }

    /// The newest record and its predecessor are held against each other and the architecture, so
    /// theirs are the snapshots worth keeping.
    fn complete_the_last(&mut self, source: &Source<'_>, path: &RelPath) -> Result<(), Error> {
        if self.in_detail {
            return Ok(());
        }
        let Some((newest, record)) = self.newest() else { return Ok(()) };
        let last: Vec<Uid> =
            [Some(newest.clone()), record.adr.previous.clone()].into_iter().flatten().collect();
        for (uid, record) in &mut self.records {
            if record.adr.changes.is_some() && !last.contains(uid) {
                record.adr.snapshot = None;
            }
        }
        for uid in last {
            let Some(record) = self.records.get_mut(&uid) else { continue };
            if record.adr.snapshot.is_none() {
                record.adr = read_one(source, path, &uid, &record.file, Detail::Everything)?;
            }
        }
        Ok(())
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
            if matches!(change.what, crate::architecture::What::Removed { .. }) {
                expected.remove(&change.category, &change.field);
            }
        }
        expected.missing_in(shown)
    }
}

/// The records there are, by their names.
fn listed(source: &Source<'_>, path: &RelPath) -> Result<BTreeMap<Uid, String>, Error> {
    let entries = match source.list(path) {
        Ok(entries) => entries,
        Err(error) if error.is_missing() => Vec::new(),
        Err(error) => return Err(error.into()),
    };
    let mut listed = BTreeMap::new();
    for entry in entries {
        let Some((uid, _)) = Uid::of_file(&entry.name) else { continue };
        if entry.kind == EntryKind::Directory {
            continue;
        }
        let file = format!("{}/{}", adr::DIRECTORY, entry.name);
        if let Some(other) = listed.insert(uid, entry.name) {
            return Err(Error::parse(&file, 1, format!("it has the same UID as `{other}`")));
        }
    }
    Ok(listed)
}

/// Reads many records at once, on several threads. Of several failures the first by name counts,
/// whichever thread was faster.
fn read_all(
    source: &Source<'_>,
    path: &RelPath,
    wanted: Vec<Wanted>,
    detail: Detail,
    now: Timestamp,
) -> Result<Vec<Record>, Error> {
    let read = |wanted: Wanted| {
        let adr = read_one(source, path, &wanted.uid, &wanted.file, detail)?;
        let read_at_ms = now.as_millisecond();
        Ok(Record { file: wanted.file, adr, stamp: wanted.stamp, read_at_ms })
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = cores.min(MAX_THREADS).min(wanted.len() / WORTH_A_THREAD).max(1);
    if threads == 1 {
        return wanted.into_iter().map(read).collect();
    }
    let share = wanted.len().div_ceil(threads);
    let mut shares: Vec<Vec<Wanted>> = Vec::new();
    let mut rest = wanted.into_iter().peekable();
    while rest.peek().is_some() {
        shares.push(rest.by_ref().take(share).collect());
    }
    std::thread::scope(|scope| {
        let running: Vec<_> = shares
            .into_iter()
            .map(|share| {
                scope.spawn(move || {
                    share.into_iter().map(read).collect::<Result<Vec<Record>, Error>>()
                })
            })
            .collect();
        let mut records = Vec::new();
        for one in running {
            match one.join() {
                Ok(read) => records.extend(read?),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        Ok(records)
    })
}

fn read_one(
    source: &Source<'_>,
    path: &RelPath,
    uid: &Uid,
    file: &str,
    detail: Detail,
) -> Result<Adr, Error> {
    let path = path.join(file)?;
    let text = source.read_text(&path).map_err(Error::while_reading)?;
    adr::parse(path.as_str(), uid, &text, &bank::renamed, detail)
}

/// A stamp younger than a tick of the file system's clock can stay the same through a change.
fn is_settled(stamp: &Stamp, now: Timestamp) -> bool {
    let Some(modified) = stamp.modified else { return false };
    let Ok(modified) = Timestamp::try_from(modified) else { return false };
    now.as_millisecond() - modified.as_millisecond() > 50
}
