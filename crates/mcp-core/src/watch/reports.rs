//! Which files of a directory were touched since it was last looked at, as the system reports.
//!
//! The reports are read when they are asked for, not by a thread that waits for them: they have
//! been queued by the time a write returns, so what was written before a question is in its answer.

use std::collections::BTreeSet;
use std::path::Path;

/// What happened in a directory since it was last asked about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Touched {
    /// Nobody watches.
    #[default]
    Unknown,
    /// Files of these names were written, moved or removed; none, if there are none.
    Files(BTreeSet<String>),
    /// The system lost count.
    Everything,
}

impl Touched {
    /// Whether a file of that name has to be looked at.
    pub fn has(&self, file: &str) -> bool {
        match self {
            Self::Unknown => false,
            Self::Files(files) => files.contains(file),
            Self::Everything => true,
        }
    }

    /// Somebody listens, and there was nothing.
    pub fn is_quiet(&self) -> bool {
        matches!(self, Self::Files(files) if files.is_empty())
    }
}

/// Reports for one directory, for as long as it is the same one.
pub struct Reports {
    inode: u64,
    /// None where the system reports nothing: too many watches, or a system without them.
    queue: Option<queue::Queue>,
}

impl Reports {
    /// Begins to listen to the directory at `path`, which has this inode.
    pub fn on(path: &Path, inode: u64) -> Self {
        Self { inode, queue: queue::Queue::on(path) }
    }

    /// Whether it is still the directory it began with.
    pub fn is_of(&self, inode: u64) -> bool {
        self.inode == inode
    }

    /// What there is to look at; asking clears it.
    pub fn take(&self) -> Touched {
        self.queue.as_ref().map(queue::Queue::drain).unwrap_or_default()
    }
}

#[cfg(target_os = "linux")]
mod queue {
    //! inotify, asked for changes alone: opening and reading, which we do ourselves, is not one.

    use std::collections::BTreeSet;
    use std::mem::MaybeUninit;
    use std::os::fd::OwnedFd;
    use std::path::Path;

    use rustix::fs::inotify::{self, CreateFlags, ReadFlags, Reader, WatchFlags};
    use rustix::io::Errno;

    use super::Touched;

    pub(super) struct Queue(OwnedFd);

    impl Queue {
        pub(super) fn on(path: &Path) -> Option<Self> {
            let queue = inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC).ok()?;
            let changes = WatchFlags::CREATE
                | WatchFlags::DELETE
                | WatchFlags::MODIFY
                | WatchFlags::MOVE
                | WatchFlags::ATTRIB
                | WatchFlags::ONLYDIR;
            inotify::add_watch(&queue, path, changes).ok()?;
            Some(Self(queue))
        }

        pub(super) fn drain(&self) -> Touched {
            let mut buffer = [MaybeUninit::uninit(); 8192];
            let mut reader = Reader::new(&self.0, &mut buffer);
            let mut files = BTreeSet::new();
            let mut lost = false;
            loop {
                match reader.next() {
                    Ok(event) => {
                        let over =
                            ReadFlags::QUEUE_OVERFLOW | ReadFlags::IGNORED | ReadFlags::UNMOUNT;
                        lost |= event.events().intersects(over);
                        let name = event.file_name().and_then(|it| it.to_str().ok());
                        files.extend(name.map(str::to_owned));
                    }
                    Err(Errno::WOULDBLOCK) if lost => return Touched::Everything,
                    Err(Errno::WOULDBLOCK) => return Touched::Files(files),
                    Err(_) => return Touched::Everything,
                }
            }
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod queue {
    //! Nothing is reported here; the ledger looks at its files more often instead.

    use std::path::Path;

    use super::Touched;

    pub(super) struct Queue;

    impl Queue {
        pub(super) fn on(_path: &Path) -> Option<Self> {
            None
        }

        pub(super) fn drain(&self) -> Touched {
            Touched::Unknown
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use plumbline_tests::Fixture;

    use super::*;

    #[test]
    fn reading_touches_nothing_and_every_change_is_reported_at_once() {
        let fixture = Fixture::new("//- a/x\n1\n//- a/y\n1\n");
        let reports = Reports::on(&fixture.path().join("a"), 7);
        assert!(reports.is_of(7) && !reports.is_of(8));
        if reports.take() == Touched::Unknown {
            println!("notice: this system has no room for another watch");
            return;
        }
        assert_eq!(fixture.read("a/x"), "1\n");
        assert!(reports.take().is_quiet());
        fixture.write("a/x", "2\n");
        let touched = reports.take();
        assert!(touched.has("x") && !touched.has("y"), "{touched:?}");
        assert!(reports.take().is_quiet());
        std::fs::rename(fixture.path().join("a/y"), fixture.path().join("a/z")).unwrap();
        let touched = reports.take();
        assert!(touched.has("y") && touched.has("z"), "{touched:?}");
        std::fs::remove_file(fixture.path().join("a/z")).unwrap();
        assert!(reports.take().has("z"));
    }

    #[test]
    fn a_directory_that_is_gone_means_everything() {
        let fixture = Fixture::new("//- a/x\n1\n");
        let reports = Reports::on(&fixture.path().join("a"), 7);
        std::fs::remove_dir_all(fixture.path().join("a")).unwrap();
        assert!(matches!(reports.take(), Touched::Everything | Touched::Unknown));
    }

    #[test]
    fn where_nobody_watches_nothing_is_known() {
        let reports = Reports::on(Path::new("/nowhere/at/all"), 7);
        assert_eq!(reports.take(), Touched::Unknown);
        assert!(!Touched::Unknown.has("x") && !Touched::Unknown.is_quiet());
    }
}
