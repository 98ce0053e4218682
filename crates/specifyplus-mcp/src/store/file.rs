//! One command file as it was when it was read, and whether it still is.

use std::sync::Arc;

use jiff::Timestamp;
use mcp_core::sandbox::{EntryKind, RelPath, Root, Stamp};

use super::reading::{problem_of, read};
use crate::domain::{Command, Format, Problem, pointed_agent};

#[derive(Debug)]
pub(crate) struct CommandFile {
    seen: Seen,
    /// The file that it leaves its text to, as it was then.
    pointed: Option<(RelPath, Seen)>,
    pub(crate) name: String,
    pub(crate) command: Result<Arc<Command>, Problem>,
    /// What is wrong with a command that is served all the same, or worth knowing of it.
    pub(crate) problems: Vec<Problem>,
}

/// A stamp, and whether an equal one means the same bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seen {
    stamp: Option<Stamp>,
    settled: bool,
}

/// A file that may be a command.
#[derive(Debug)]
pub(super) struct Candidate<'a> {
    pub(super) path: &'a RelPath,
    pub(super) name: &'a str,
    pub(super) kind: EntryKind,
    pub(super) format: &'a Format,
    /// The directory of the files that it may leave its text to.
    pub(super) points_to: Option<&'a str>,
}

pub(super) enum Looked {
    Same(Arc<CommandFile>),
    New(Arc<CommandFile>),
}

impl Seen {
    pub(super) fn new(stamp: Option<Stamp>, now: Timestamp) -> Self {
        Self { stamp, settled: stamp.is_none_or(|stamp| stamp.is_settled(now)) }
    }

    /// Whether both would answer alike.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        self.stamp == other.stamp && self.settled == other.settled
    }

    /// Whether what bears `stamp` now is what was seen.
    pub(super) fn is_still(&self, stamp: Option<Stamp>) -> bool {
        self.settled && self.stamp == stamp
    }
}

impl CommandFile {
    /// Whether a glance finds the file, and the one it points to, as they were.
    pub(super) fn is_still_in(&self, directory: &std::path::Path, path: &RelPath) -> bool {
        let unchanged = |path: &RelPath, seen: &Seen| {
            let now = Stamp::glance(directory, path);
            now.is_some() && seen.is_still(now)
        };
        unchanged(path, &self.seen)
            && self.pointed.as_ref().is_none_or(|(path, seen)| unchanged(path, seen))
    }

    fn lost(name: &str, seen: Seen, problem: Problem) -> Self {
        let (name, problems) = (name.to_owned(), Vec::new());
        Self { seen, pointed: None, name, command: Err(problem), problems }
    }
}

/// Reads a file again only where it, or the one it points to, may have changed.
pub(super) fn look_again(
    root: &Root,
    candidate: &Candidate<'_>,
    known: Option<&Arc<CommandFile>>,
    now: Timestamp,
) -> Looked {
    let Candidate { path, name, kind, .. } = *candidate;
    let stamp = match root.stamp(path) {
        Ok(stamp) => stamp,
        Err(error) => {
            let problem = problem_of(&error, kind);
            return match known {
                Some(file) if file.command.as_ref() == Err(&problem) => Looked::Same(file.clone()),
                _ => {
                    let file = CommandFile::lost(name, Seen::new(None, now), problem);
                    Looked::New(Arc::new(file))
                }
            };
        }
    };
    if let Some(file) = known
        && file.name == name
        && file.seen.is_still(Some(stamp))
        && file.pointed.as_ref().is_none_or(|(path, seen)| seen.is_still(root.stamp(path).ok()))
    {
        return Looked::Same(file.clone());
    }
    let seen = Seen::new(Some(stamp), now);
    let file = match read(root, path, stamp.kind) {
        Ok(text) => parsed(root, candidate, seen, &text, now),
        Err(problem) => CommandFile::lost(name, seen, problem),
    };
    Looked::New(Arc::new(file))
}

fn parsed(
    root: &Root,
    candidate: &Candidate<'_>,
    seen: Seen,
    text: &str,
    now: Timestamp,
) -> CommandFile {
    let Candidate { name, format, .. } = *candidate;
    let pointed = candidate.points_to.and_then(|directory| pointed(root, directory, text, now));
    let (pointed, agent) = pointed.map(|(path, seen, text)| ((path, seen), text)).unzip();
    match format.read(name, text, agent.as_deref()) {
        Ok((command, problems)) => CommandFile {
            seen,
            pointed,
            name: name.to_owned(),
            command: Ok(Arc::new(command)),
            problems,
        },
        Err(problem) => CommandFile { pointed, ..CommandFile::lost(name, seen, problem) },
    }
}

/// The agent file that a prompt file points to. Many name an agent that the editor has built in:
/// then there is no such file.
fn pointed(
    root: &Root,
    directory: &str,
    text: &str,
    now: Timestamp,
) -> Option<(RelPath, Seen, String)> {
    let agent = pointed_agent(text)?;
    [".agent.md", ".md"].iter().find_map(|ending| {
        let path = RelPath::parse(&format!("{directory}/{agent}{ending}")).ok()?;
        let stamp = root.stamp(&path).ok()?;
        let text = read(root, &path, stamp.kind).ok()?;
        Some((path, Seen::new(Some(stamp), now), text))
    })
}
