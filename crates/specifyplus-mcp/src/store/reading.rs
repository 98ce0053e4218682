//! Reading one command file: bounded, regular files only, and every fault in words.

use mcp_core::sandbox::{self, EntryKind, RelPath, Root};
use mcp_core::text;

use crate::domain::{Kind, Problem};

/// Larger files are no commands.
pub(crate) const MAX_COMMAND_BYTES: u64 = 1024 * 1024;

/// Fewer files are looked at sooner than threads are started.
const WORTH_THREADS: usize = 512;

pub(super) fn read(root: &Root, path: &RelPath, kind: EntryKind) -> Result<String, Problem> {
    let file_name = path.as_str();
    if text::one_line(file_name) != file_name {
        let message = "its name has invisible characters or odd spacing";
        return Err(Problem::new(Kind::FileName, 1, message));
    }
    let bytes =
        root.read_up_to(path, MAX_COMMAND_BYTES).map_err(|error| problem_of(&error, kind))?;
    String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = valid.split(|byte| *byte == b'\n').count();
        Problem::new(Kind::Encoding, line, "it is not UTF-8")
    })
}

/// Looks at every item, in several threads where there are many.
pub(super) fn look_at_all<T: Sync, U: Send>(items: &[T], look: impl Fn(&T) -> U + Sync) -> Vec<U> {
    if items.len() < WORTH_THREADS {
        return items.iter().map(look).collect();
    }
    let n_threads = std::thread::available_parallelism().map_or(2, |it| it.get().clamp(2, 8));
    let part = items.len().div_ceil(n_threads);
    let look = &look;
    std::thread::scope(|scope| {
        let parts: Vec<_> = items
            .chunks(part)
            .map(|part| scope.spawn(move || part.iter().map(look).collect::<Vec<_>>()))
            .collect();
        let looked = parts.into_iter().map(|part| match part.join() {
            Ok(looked) => looked,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        looked.flatten().collect()
    })
}

/// Why a folder cannot be opened, for a sentence that names it already.
pub(crate) fn why_unopened(error: &sandbox::Error) -> String {
    match error {
        sandbox::Error::Root { problem, .. } => problem.to_string(),
        sandbox::Error::Io { source, .. } => without_number(source),
        other => other.to_string(),
    }
}

/// The system's words, which are followed by a number that nobody reads.
fn without_number(error: &std::io::Error) -> String {
    let words = error.to_string();
    words.split(" (os error").next().unwrap_or_default().to_owned()
}

pub(super) fn problem_of(error: &sandbox::Error, kind: EntryKind) -> Problem {
    use sandbox::Error;
    let (kind, message) = match error {
        Error::Escape { .. } => {
            (Kind::Outside, "it is a link that leads out of the directory".to_owned())
        }
        Error::Missing { .. } if kind == EntryKind::Symlink => {
            (Kind::Vanished, "it is a link that leads nowhere".to_owned())
        }
        Error::Missing { .. } => (Kind::Vanished, "it vanished while it was read".to_owned()),
        Error::WrongKind { actual, .. } => (Kind::NotAFile, format!("it is {actual}")),
        Error::TooLarge { size, limit, .. } => {
            (Kind::TooLarge, format!("it has {size} bytes, {limit} are read at most"))
        }
        Error::Io { source, .. } => {
            (Kind::Unreadable, format!("it cannot be read: {}", without_number(source)))
        }
        other => (Kind::Unreadable, other.to_string()),
    };
    Problem::new(kind, 1, message)
}
