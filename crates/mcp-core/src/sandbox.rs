//! The file sandbox: a directory handle beneath which every read and write happens.
//!
//! Paths are resolved by the kernel relative to the handle, so `..`, absolute paths, symbolic links
//! and links swapped in while we look all end at the same wall. Nothing else in the workspace
//! touches the file system.

mod commit;
mod path;
mod read;
mod root;
mod write;

pub use commit::{Change, Commit, Journal, View};
pub use path::RelPath;
pub use root::{Entry, EntryKind, Root, Stamp};

use crate::failure::DomainError;

/// Follows links to the file that is really meant; a path that does not exist stays as it is.
#[expect(clippy::disallowed_methods, reason = "this module is the one place that looks at files")]
pub(crate) fn resolve_links(path: &std::path::Path) -> std::path::PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// Larger files are refused unless a caller names another limit.
pub const MAX_FILE_BYTES: u64 = 5 * 1024 * 1024;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("`{path}` leads outside of the project root")]
    Escape { path: String },
    #[error("`{path}` is not a path relative to the project root: {reason}")]
    Path { path: String, reason: &'static str },
    #[error("`{path}` does not exist")]
    Missing { path: String },
    #[error("`{path}` exists already")]
    Exists { path: String },
    #[error("`{path}` is {actual}, {required} is required")]
    WrongKind { path: String, actual: &'static str, required: &'static str },
    #[error("`{path}` has {size} bytes, {limit} are read at most")]
    TooLarge { path: String, size: u64, limit: u64 },
    #[error("`{path}` is not valid UTF-8 (byte {offset})")]
    Encoding { path: String, offset: usize },
    #[error("cannot {verb} `{path}`: {}", plainly(source))]
    Io { verb: &'static str, path: String, source: std::io::Error },
    #[error("the project root `{path}` cannot be opened: {problem}")]
    Root { path: String, problem: RootProblem },
    #[error("the journal in `{path}` cannot be read: {reason}")]
    Journal { path: String, reason: String },
}

/// Why a root cannot be opened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RootProblem {
    #[error("it does not exist")]
    Missing,
    #[error("it is not a directory")]
    NotADirectory,
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
            Self::Journal { .. } => "journal_unreadable",
        }
    }

    fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Escape { .. } | Self::Path { .. } => {
                "Give a path beneath the project root, such as `docs/brief.md`."
            }
            Self::Root { .. } => "Start the server with --root naming an existing directory.",
            Self::Encoding { .. } => "Save the file as UTF-8.",
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

    pub fn is_missing(&self) -> bool {
        matches!(self, Self::Missing { .. })
    }
}

#[cfg(test)]
mod tests;
