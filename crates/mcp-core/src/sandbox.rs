//! The file sandbox: a directory handle beneath which every read and write happens.
//!
//! Paths are resolved by the kernel relative to the handle, so `..`, absolute paths, symbolic links
//! and links swapped in while we look all end at the same wall. Nothing else in the workspace
//! touches the file system.

pub mod audit;
mod commit;
pub mod doors;
pub mod fault;
mod handle;
mod path;
mod protected;
mod read;
mod root;
mod settled;
mod state;
mod write;

#[cfg(any(test, feature = "fuzzing"))]
pub(crate) use commit::read_any_journal;
pub use commit::{Change, Commit, Journal, View};
pub use path::RelPath;
pub(crate) use root::Writes;
pub use root::{DirectoryId, Entry, EntryKind, Root, Stamp};
pub use state::{Leftover, State};

use crate::failure::DomainError;

/// Larger files are refused unless a caller names another limit.
pub const MAX_FILE_BYTES: u64 = 5 * 1024 * 1024;

/// Why a file operation was refused or failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A link or a path leads out of the root.
    #[error("`{path}` leads outside of the project root")]
    Escape {
        /// As the caller gave it.
        path: String,
    },
    /// A path is absolute, empty or malformed, or is named twice in one commit.
    #[error("`{path}` is not a path relative to the project root: {reason}")]
    Path {
        /// As the caller gave it, cut to 200 characters.
        path: String,
        /// What is wrong with it, as a clause.
        reason: &'static str,
    },
    /// Nothing lies at a path where something must.
    #[error("`{path}` does not exist")]
    Missing {
        /// As the caller gave it.
        path: String,
    },
    /// Something lies already at a path where a file was to be created.
    #[error("`{path}` exists already")]
    Exists {
        /// As the caller gave it.
        path: String,
    },
    /// What lies at a path is not of the kind that the operation needs.
    #[error("`{path}` is {actual}, {required} is required")]
    WrongKind {
        /// As the caller gave it.
        path: String,
        /// What it is, with its article.
        actual: &'static str,
        /// What it would have to be, with its article.
        required: &'static str,
    },
    /// A file exceeds the limit of the read.
    #[error("`{path}` has {size} bytes, {limit} are read at most")]
    TooLarge {
        /// As the caller gave it.
        path: String,
        /// In bytes; of a file that grew meanwhile, as many as were read.
        size: u64,
        /// How many bytes were allowed.
        limit: u64,
    },
    /// A file that was to be read as text is not UTF-8.
    #[error("`{path}` is not valid UTF-8 (byte {offset})")]
    Encoding {
        /// As the caller gave it.
        path: String,
        /// How many bytes before the first wrong one are valid.
        offset: usize,
    },
    /// The operating system reports an error that has no variant of its own.
    #[error("cannot {verb} `{path}`: {}", plainly(source))]
    Io {
        /// What was being done, such as `read`.
        verb: &'static str,
        /// As the caller gave it.
        path: String,
        /// The system's own error.
        source: std::io::Error,
    },
    /// A directory cannot be opened as a root.
    #[error("the project root `{path}` cannot be opened: {problem}")]
    Root {
        /// The path of the directory, which may be absolute.
        path: String,
        /// What stands in the way.
        problem: RootProblem,
    },
    /// A tool was about to write where no tool may, such as into `.git`.
    #[error("`{path}` is a place that other programs take orders from, and no tool writes there")]
    Protected {
        /// As the caller gave it.
        path: String,
    },
    /// An interrupted commit left a record that is damaged or names what it must not.
    #[error("the record of an interrupted write in `{path}` cannot be used: {reason}")]
    Journal {
        /// Where the record lies.
        path: String,
        /// What is wrong with it.
        reason: String,
    },
    /// No directory for locks and journals can be found or made.
    #[error("there is no place outside of the project to keep its lock: {reason}")]
    NoState {
        /// Why the last one that was tried will not do.
        reason: String,
    },
    /// The lock of the tree could not be had in time.
    #[error("another process has been writing here for {seconds} s")]
    Busy {
        /// How long it was waited for.
        seconds: u64,
    },
    /// The caller gave up while waiting for the lock of the tree.
    #[error("the call was cancelled while another process was writing here")]
    Cancelled,
}

/// Why a root cannot be opened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RootProblem {
    /// Nothing lies at the path.
    #[error("it does not exist")]
    Missing,
    /// The path, or a part of it, is something else.
    #[error("it is not a directory")]
    NotADirectory,
    /// The system refuses for another reason, told in its words.
    #[error("{0}")]
    Other(String),
}

impl From<std::io::Error> for RootProblem {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::NotFound => Self::Missing,
            std::io::ErrorKind::NotADirectory => Self::NotADirectory,
            _ => Self::Other(plainly(&error)),
        }
    }
}

/// The operating system's words without its number.
fn plainly(error: &std::io::Error) -> String {
    let words = error.to_string();
    let words = words.split(" (os error").next().unwrap_or(&words);
    let mut letters = words.chars();
    let first = letters.next().map(char::to_lowercase).into_iter().flatten();
    first.chain(letters).collect()
}

impl DomainError for Error {
    fn code(&self) -> &'static str {
        match self {
            Self::Escape { .. } => "path_escapes_root",
            Self::Path { .. } => "invalid_path",
            Self::Missing { .. } => "not_found",
            Self::Exists { .. } => "already_exists",
            Self::WrongKind { .. } => "wrong_kind",
            Self::TooLarge { .. } => "file_too_large",
            Self::Encoding { .. } => "not_utf8",
            Self::Io { .. } => "file_system",
            Self::Root { .. } => "root_unavailable",
            Self::Protected { .. } => "protected_path",
            Self::Journal { .. } => "journal_unreadable",
            Self::NoState { .. } => "no_state_directory",
            Self::Busy { .. } => "busy",
            Self::Cancelled => crate::failure::Failure::CANCELLED,
        }
    }

    fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Escape { .. } | Self::Path { .. } => {
                "Give a path beneath the project root, such as `docs/brief.md`."
            }
            Self::Root { .. } => "Start the server with --root naming an existing directory.",
            Self::Encoding { .. } => "Save the file as UTF-8.",
            Self::Protected { .. } => {
                "Name another place; `init` and `config`, started by a person, may write there."
            }
            Self::Journal { .. } => {
                "Look at the project's files, put right what is half done, then delete the record."
            }
            Self::NoState { .. } => {
                "Set PLUMBLINE_STATE_DIR to a directory of your own outside of the project."
            }
            Self::Busy { .. } => "Try again; if it goes on, look for a server that hangs.",
            _ => return None,
        };
        Some(hint.to_owned())
    }
}

impl Error {
    /// Puts an operating system error into our words; the path is the one the caller gave.
    fn from_io(verb: &'static str, path: &str, source: std::io::Error) -> Self {
        use std::io::ErrorKind;
        let path = path.to_owned();
        match source.kind() {
            ErrorKind::NotFound => Self::Missing { path },
            ErrorKind::AlreadyExists => Self::Exists { path },
            ErrorKind::IsADirectory => {
                Self::WrongKind { path, actual: "a directory", required: "a file" }
            }
            ErrorKind::NotADirectory => {
                Self::WrongKind { path, actual: "not in a directory", required: "a directory" }
            }
            // cap-std reports an escape as a permission error of its own, without a system code.
            ErrorKind::PermissionDenied if source.raw_os_error().is_none() => Self::Escape { path },
            ErrorKind::CrossesDevices => Self::Escape { path },
            _ => Self::Io { verb, path, source },
        }
    }

    /// Tells whether nothing lies at the path, which is often an ordinary answer.
    pub fn is_missing(&self) -> bool {
        matches!(self, Self::Missing { .. })
    }
}

#[cfg(test)]
mod tests;
