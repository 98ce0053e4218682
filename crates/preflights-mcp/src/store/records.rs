//! The decision records of a repository on disk: read once, then only what has changed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jiff::Timestamp;
use mcp_core::sandbox::{self, Entry, EntryKind, RelPath, Root, Stamp, View};
use mcp_core::watch::Touched;

use crate::domain::adr::{self, Adr, Detail};
use crate::domain::bank;
use crate::domain::ledger::{Ledger, Record};
use crate::domain::uid::Uid;
use crate::error::Error;

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

/// How a record was found when it was read.
#[derive(Debug, Clone, Copy)]
struct Seen {
    stamp: Option<Stamp>,
    at_ms: i64,
}

impl Seen {
    /// Whether the file is still what was read: by its stamp, or, where none was taken, because it
    /// had been old for a while when it was read.
    fn is_still(&self, stamp: Option<Stamp>) -> bool {
        let Some(now) = stamp else { return false };
        if let Some(before) = self.stamp {
            return before == now;
        }
        let changed_ms = i64::try_from(now.changed / 1_000_000).unwrap_or(i64::MAX);
        changed_ms > 0 && changed_ms.saturating_add(SETTLED_MS) < self.at_ms
    }
}

/// The ledger of a directory of records, and how its files were found.
#[derive(Debug, Default)]
pub(crate) struct Records {
    ledger: Arc<Ledger>,
    seen: BTreeMap<Uid, Seen>,
    directory: Option<Stamp>,
    looked_at_ms: i64,
    /// Every snapshot is kept, not just those of the last two records.
    in_detail: bool,
}

/// A record that has to be read.
struct Wanted {
    uid: Uid,
    file: String,
    stamp: Option<Stamp>,
}

impl Records {
    pub(crate) fn in_detail() -> Self {
        Self { in_detail: true, ..Self::default() }
    }

    pub(crate) fn ledger(&self) -> &Arc<Ledger> {
        &self.ledger
    }

    /// Brings the ledger up to date. `touched` is what a watch says, where there is one.
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
        let ledger = Arc::make_mut(&mut self.ledger);
        let before = ledger.records.len();
        ledger.records.retain(|uid, _| listed.contains_key(uid));
        self.seen.retain(|uid, _| listed.contains_key(uid));
        let highest = ledger.records.keys().next_back().cloned();
        let mut from_the_start = ledger.records.len() < before || highest.is_none();
        let here = tree.below(&path).ok();
        let mut wanted = Vec::new();
        for (uid, file) in listed {
            let known = ledger.records.get(&uid).is_some_and(|it| it.file == file);
            let seen = self.seen.get_mut(&uid).filter(|_| known);
            if seen.is_some() && !looks_at_each && !touched.has(&file) {
                continue;
            }
            // What is read for the first time needs no stamp: its age tells later whether it is
            // still the same.
            let stamp = seen.as_ref().and_then(|_| {
                let name = RelPath::parse(&file).ok()?;
                here.as_ref()?.stamp(&name).ok().filter(|stamp| stamp.is_settled(now))
            });
            match seen {
                Some(seen) if seen.is_still(stamp) => seen.stamp = stamp,
                _ => wanted.push(Wanted { uid, file, stamp }),
            }
        }
        let detail = if self.in_detail { Detail::Everything } else { Detail::Changes };
        let mut added = BTreeSet::new();
        for (record, seen) in read_all(source, &path, wanted, detail, now)? {
            let uid = record.adr.uid.clone();
            self.seen.insert(uid.clone(), seen);
            let known = ledger.records.get(&uid);
            if !known.is_some_and(|it| record.adr.folds_like(&it.adr)) {
                from_the_start |= highest.as_ref().is_some_and(|highest| uid <= *highest);
                added.insert(uid.clone());
            }
            ledger.records.insert(uid, record);
        }
        if from_the_start {
            ledger.fold();
        } else {
            ledger.fold_newest(&added);
        }
        if !self.in_detail {
            complete_the_last(ledger, source, &path)?;
        }
        self.directory = directory;
        if looks_at_each {
            self.looked_at_ms = now.as_millisecond();
        }
        Ok(())
    }

    /// So many records that somebody should watch over them.
    pub(crate) fn has_many(&self) -> bool {
        self.ledger.records.len() > LOOK_AT_EACH
    }

    /// Nothing came, went or was edited, as far as the directory and the watch say.
    pub(crate) fn is_current(&self, tree: &Root, now: Timestamp, touched: &Touched) -> bool {
        let path = RelPath::parse(adr::DIRECTORY).ok();
        let directory = path.and_then(|path| tree.stamp(&path).ok());
        let settled = directory.is_some_and(|it| it.is_settled(now));
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
}

/// The newest record and its predecessor are held against each other and the architecture, so
/// theirs are the snapshots worth keeping.
fn complete_the_last(
    ledger: &mut Ledger,
    source: &Source<'_>,
    path: &RelPath,
) -> Result<(), Error> {
    let Some((newest, record)) = ledger.newest() else { return Ok(()) };
    let last: Vec<Uid> =
        [Some(newest.clone()), record.adr.previous.clone()].into_iter().flatten().collect();
    for (uid, record) in &mut ledger.records {
        if record.adr.changes.is_some() && !last.contains(uid) {
            record.adr.snapshot = None;
        }
    }
    for uid in last {
        let Some(record) = ledger.records.get_mut(&uid) else { continue };
        if record.adr.snapshot.is_none() {
            record.adr = read_one(source, path, &uid, &record.file, Detail::Everything)?;
        }
    }
    Ok(())
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
) -> Result<Vec<(Record, Seen)>, Error> {
    let read = |wanted: Wanted| {
        let adr = read_one(source, path, &wanted.uid, &wanted.file, detail)?;
        let seen = Seen { stamp: wanted.stamp, at_ms: now.as_millisecond() };
        Ok((Record { file: wanted.file, adr }, seen))
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
                scope.spawn(move || share.into_iter().map(read).collect::<Result<Vec<_>, Error>>())
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
