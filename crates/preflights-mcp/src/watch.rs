//! Whether a directory of records was touched since it was last looked at, as the system reports.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use notify::event::{AccessKind, AccessMode};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};

/// What happened in a directory since it was last asked about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum Touched {
    /// Nobody watches.
    #[default]
    Unknown,
    /// Files of these names were written, moved or removed; none, if there are none.
    Files(BTreeSet<String>),
    /// The system lost count.
    Everything,
}

/// Reports for one directory, for as long as it is the same one.
pub(crate) struct Watch {
    inode: u64,
    touched: Arc<Mutex<Touched>>,
    /// None where the system reports nothing: too many watches, or a file system without them.
    watcher: Option<RecommendedWatcher>,
}

impl Watch {
    pub(crate) fn on(path: &Path, inode: u64) -> Self {
        let touched = Arc::new(Mutex::new(Touched::Files(BTreeSet::new())));
        let mark = touched.clone();
        let watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
            mark.lock().unwrap_or_else(PoisonError::into_inner).add(event);
        });
        let watcher = watcher.ok().and_then(|mut watcher| {
            watcher.watch(path, RecursiveMode::NonRecursive).ok().map(|()| watcher)
        });
        Self { inode, touched, watcher }
    }

    pub(crate) fn is_of(&self, inode: u64) -> bool {
        self.inode == inode
    }

    /// What there is to look at; asking clears it.
    pub(crate) fn take(&self) -> Touched {
        if self.watcher.is_none() {
            return Touched::Unknown;
        }
        let mut touched = self.touched.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut touched, Touched::Files(BTreeSet::new()))
    }
}

impl Touched {
    fn add(&mut self, event: notify::Result<Event>) {
        let Ok(event) = event else {
            *self = Self::Everything;
            return;
        };
        if event.need_rescan() {
            *self = Self::Everything;
        }
        let Self::Files(files) = self else { return };
        if changes_something(event.kind) {
            let names = event.paths.iter().filter_map(|it| it.file_name()?.to_str());
            files.extend(names.map(str::to_owned));
        }
    }

    /// Whether a file of that name has to be looked at.
    pub(crate) fn has(&self, file: &str) -> bool {
        match self {
            Self::Unknown => false,
            Self::Files(files) => files.contains(file),
            Self::Everything => true,
        }
    }

    pub(crate) fn is_quiet(&self) -> bool {
        matches!(self, Self::Files(files) if files.is_empty())
    }
}

/// Our own reading is reported too.
fn changes_something(kind: EventKind) -> bool {
    match kind {
        EventKind::Access(access) => access == AccessKind::Close(AccessMode::Write),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use plumbline_tests::Fixture;

    use super::*;

    #[test]
    fn reading_touches_nothing_and_an_edit_in_place_does() {
        let fixture = Fixture::new("//- a/x\n1\n");
        let watch = Watch::on(&fixture.path().join("a"), 7);
        assert!(watch.is_of(7) && !watch.is_of(8));
        if watch.take() == Touched::Unknown {
            println!("notice: this system reports no changes of files");
            return;
        }
        assert_eq!(fixture.read("a/x"), "1\n");
        std::thread::sleep(Duration::from_millis(50));
        assert!(watch.take().is_quiet());
        fixture.write("a/x", "2\n");
        let started = Instant::now();
        while !watch.take().has("x") {
            assert!(started.elapsed() < Duration::from_secs(10), "the edit was not reported");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn an_overflow_means_everything() {
        let mut touched = Touched::Files(BTreeSet::new());
        touched.add(Err(notify::Error::generic("lost")));
        assert!(touched.has("any") && !touched.is_quiet());
        touched.add(Ok(Event::new(EventKind::Any)));
        assert_eq!(touched, Touched::Everything);
    }
}
