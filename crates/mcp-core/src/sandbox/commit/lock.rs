//! The lock of a journal: a file of ours, waited for with an end in sight.

use std::fs::{File, TryLockError};
use std::time::{Duration, Instant};

use cap_std::fs::OpenOptions;

use crate::sandbox::{Error, Root};
use crate::work::Work;

const LOCK: &str = "lock";

/// Nobody writes for longer than this.
const PATIENCE: Duration = Duration::from_secs(10);
const FIRST_PAUSE: Duration = Duration::from_millis(1);
const LONGEST_PAUSE: Duration = Duration::from_millis(50);

/// The right to write, alone.
pub(super) fn exclusive(dir: &Root, work: &Work) -> Result<File, Error> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true);
    let opened = dir.dir.open_to_write(LOCK, &carefully(options));
    let lock = ours(opened.map_err(failed)?)?;
    wait(work, || lock.try_lock())?;
    Ok(lock)
}

/// The right to read while nobody writes; `None` where nobody ever has.
pub(super) fn shared(dir: &Root, work: &Work) -> Result<Option<File>, Error> {
    let mut options = OpenOptions::new();
    options.read(true);
    let lock = match dir.dir.open_with(LOCK, &carefully(options)) {
        Ok(lock) => ours(lock)?,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error)),
    };
    wait(work, || lock.try_lock_shared())?;
    Ok(Some(lock))
}

fn failed(error: std::io::Error) -> Error {
    Error::from_io("lock", LOCK, error)
}

/// Opening neither follows a link nor waits for the other end of a pipe.
fn carefully(mut options: OpenOptions) -> OpenOptions {
    #[cfg(unix)]
    {
        use cap_std::fs::OpenOptionsExt as _;
        let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOFOLLOW;
        options.custom_flags(i32::try_from(flags.bits()).unwrap_or(0));
    }
    options
}

/// A regular file that belongs to this user, or no lock at all.
fn ours(lock: cap_std::fs::File) -> Result<File, Error> {
    let metadata = lock.metadata().map_err(failed)?;
    let wrong = |actual| Error::WrongKind {
        path: LOCK.to_owned(),
        actual,
        required: "a regular file of this user's",
    };
    if !metadata.is_file() {
        return Err(wrong("something else"));
    }
    #[cfg(unix)]
    {
        use cap_std::fs::MetadataExt as _;
        if metadata.uid() != rustix::process::geteuid().as_raw() {
            return Err(wrong("another user's"));
        }
    }
    Ok(lock.into_std())
}

fn wait(work: &Work, attempt: impl Fn() -> Result<(), TryLockError>) -> Result<(), Error> {
    let deadline = Instant::now() + PATIENCE;
    let mut pause = FIRST_PAUSE;
    loop {
        match attempt() {
            Ok(()) => return Ok(()),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
            Err(TryLockError::WouldBlock) if work.is_cancelled() => return Err(Error::Cancelled),
            Err(TryLockError::WouldBlock) if Instant::now() >= deadline => {
                return Err(Error::Busy { seconds: PATIENCE.as_secs() });
            }
            Err(TryLockError::WouldBlock) => std::thread::sleep(pause),
        }
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}
