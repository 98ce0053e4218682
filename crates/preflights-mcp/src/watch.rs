//! Whether a directory of records was touched since it was last looked at, as the system reports.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use notify::event::{AccessKind, AccessMode};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};

/// Reports for one directory, for as long as it is the same one.
pub(crate) struct Watch {
    inode: u64,
    touched: Arc<AtomicBool>,
    /// None where the system reports nothing: too many watches, or a file system without them.
    watcher: Option<RecommendedWatcher>,
}

impl Watch {
    /// Whatever happened before counts as touched.
    pub(crate) fn on(path: &Path, inode: u64) -> Self {
        let touched = Arc::new(AtomicBool::new(true));
        let mark = touched.clone();
        let watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
            if event.map_or(true, |event| changes_something(event.kind)) {
                mark.store(true, Ordering::Release);
            }
        });
        let watcher = watcher.ok().and_then(|mut watcher| {
            watcher.watch(path, RecursiveMode::NonRecursive).ok().map(|()| watcher)
        });
        Self { inode, touched, watcher }
    }

    pub(crate) fn is_of(&self, inode: u64) -> bool {
        self.inode == inode
    }

    /// Whether there is something to look at; asking clears it. `None` where nothing is reported.
    pub(crate) fn take_touched(&self) -> Option<bool> {
        self.watcher.as_ref().map(|_| self.touched.swap(false, Ordering::AcqRel))
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
        if watch.take_touched().is_none() {
            println!("notice: this system reports no changes of files");
            return;
        }
        assert_eq!(fixture.read("a/x"), "1\n");
        std::thread::sleep(Duration::from_millis(50));
        assert_eq!(watch.take_touched(), Some(false));
        fixture.write("a/x", "2\n");
        let started = Instant::now();
        while watch.take_touched() != Some(true) {
            assert!(started.elapsed() < Duration::from_secs(10), "the edit was not reported");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}
