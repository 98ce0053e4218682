//! Learning of changes to files: a [`Bell`] that rings when something happened somewhere, and
//! [`Reports`] that say which files of one directory were touched.
//!
//! Neither is relied on alone. A file system may report nothing, and the system may have no room
//! for another watch: whoever uses them looks at the files themselves now and then.

mod reports;

use std::path::Path;

use notify::event::{AccessKind, AccessMode};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};

pub use reports::{Reports, Touched};

/// Rings when files in the directories it watches are written, moved or removed.
pub struct Bell {
    watcher: RecommendedWatcher,
}

/// Why the system reports nothing.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Unheard(String);

impl Unheard {
    /// For tests of what happens then.
    pub fn new(reason: impl Into<String>) -> Self {
        Self(reason.into())
    }
}

impl From<notify::Error> for Unheard {
    fn from(error: notify::Error) -> Self {
        Self(error.to_string())
    }
}

impl Bell {
    /// `ring` is called on a thread of the watcher's, many times for a burst of changes, and must
    /// not take long.
    pub fn new(ring: impl Fn() + Send + 'static) -> Result<Self, Unheard> {
        let hear = move |event: notify::Result<Event>| {
            // An error may stand for any change.
            if event.map_or(true, |event| changes_something(event.kind)) {
                ring();
            }
        };
        Ok(Self { watcher: notify::recommended_watcher(hear)? })
    }

    /// Watches the files directly in a directory, once more where it was watched before and is
    /// another one now.
    pub fn watch(&mut self, directory: &Path) -> Result<(), Unheard> {
        Ok(self.watcher.watch(directory, RecursiveMode::NonRecursive)?)
    }

    /// Watches a directory no longer; one that is gone is not watched anyway.
    pub fn forget(&mut self, directory: &Path) {
        drop(self.watcher.unwatch(directory));
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
    use std::sync::mpsc::channel;
    use std::time::Duration;

    use plumbline_tests::Fixture;

    use super::*;

    #[test]
    fn it_rings_for_writing_and_not_for_reading() {
        let fixture = Fixture::new("//- a/x\n1\n");
        let (sender, rung) = channel();
        let Ok(mut bell) = Bell::new(move || sender.send(()).unwrap_or_default()) else {
            println!("notice: this system has no room for another watch");
            return;
        };
        bell.watch(&fixture.path().join("a")).unwrap();
        assert_eq!(fixture.read("a/x"), "1\n");
        assert!(rung.recv_timeout(Duration::from_millis(200)).is_err());
        fixture.write("a/x", "2\n");
        assert!(rung.recv_timeout(Duration::from_secs(10)).is_ok());
    }

    #[test]
    fn a_directory_that_is_not_there_cannot_be_watched() {
        let Ok(mut bell) = Bell::new(|| ()) else { return };
        assert!(bell.watch(Path::new("/nowhere/at/all")).is_err());
        bell.forget(Path::new("/nowhere/at/all"));
    }
}
