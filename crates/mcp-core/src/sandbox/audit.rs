//! `--audit`: a line of JSON for every file that is written or removed below a project's root.
//!
//! Off unless a person names a file. It hangs on the sandbox, where every write passes, and not on
//! the tools, where one could be forgotten; so the file is the process's, and which tool is at work
//! is known to the thread. What git itself writes is not in it.

use std::cell::RefCell;
use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};

use serde_json::json;
use sha2::{Digest as _, Sha256};

use super::root::Writes;
use super::{Error, RelPath, Root, doors};
use crate::clock::Clock;

static FILE: OnceLock<Mutex<File>> = OnceLock::new();

thread_local! {
    static TOOL: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// What is done to a file.
#[derive(Debug, Clone, Copy)]
pub(super) enum Action {
    Write,
    Append,
    Remove,
}

/// The state of a file before a write, taken only when somebody keeps a record.
#[must_use]
pub(super) struct Noted<'a> {
    root: &'a Root,
    path: &'a RelPath,
    action: Action,
    before: Option<String>,
}

/// Opens the file that a person named; lines are added to its end.
pub(crate) fn open(path: &Path) -> Result<(), Error> {
    let file = doors::appended_by_person(path)?;
    // A process opens it once, at its start.
    drop(FILE.set(Mutex::new(file)));
    Ok(())
}

/// Does `work` in the name of a tool, or of the command of the shell that does what tools do.
pub fn in_the_name_of<T>(tool: &str, work: impl FnOnce() -> T) -> T {
    let before = TOOL.replace(Some(tool.to_owned()));
    let outcome = work();
    TOOL.set(before);
    outcome
}

/// In whose name this thread works, for one that hands work to others.
pub fn name() -> Option<String> {
    TOOL.with_borrow(Clone::clone)
}

/// To be called before the write; `None` where nobody keeps a record or the place is our own.
pub(super) fn before<'a>(root: &'a Root, path: &'a RelPath, action: Action) -> Option<Noted<'a>> {
    if FILE.get().is_none() || root.writes == Writes::Own {
        return None;
    }
    Some(Noted { root, path, action, before: hash(root, path).map(|it| it.0) })
}

impl Noted<'_> {
    /// To be called when the write has succeeded.
    pub(super) fn done(self) {
        let Self { root, path, action, before } = self;
        let after = hash(root, path);
        let line = json!({
            "time": Clock::system().now().to_string(),
            "tool": name(),
            "action": match action {
                Action::Write => "write",
                Action::Append => "append",
                Action::Remove => "remove",
            },
            "root": root.path().display().to_string(),
            "path": path.as_str(),
            "bytes": after.as_ref().map(|it| it.1),
            "before": before,
            "after": after.map(|it| it.0),
        });
        let Some(file) = FILE.get() else { return };
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = writeln!(file, "{line}") {
            tracing::error!("the audit could not be written: {error}");
        }
    }
}

/// The hash and the length of a file; `None` where there is none.
fn hash(root: &Root, path: &RelPath) -> Option<(String, u64)> {
    let bytes = root.read_up_to(path, u64::MAX - 1).ok()?;
    let mut text = "sha256:".to_owned();
    for byte in Sha256::digest(&bytes) {
        use std::fmt::Write as _;
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    Some((text, bytes.len() as u64))
}
