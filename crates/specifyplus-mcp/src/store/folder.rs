//! One directory of command files: what lies in it, read through the sandbox, and read again only
//! where something changed.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use jiff::Timestamp;
use mcp_core::doors;
use mcp_core::sandbox::{self, Entry, RelPath, Root, RootProblem};
use mcp_core::text;

use super::file::{Candidate, CommandFile, Looked, look_again};
use super::reading::{look_at_all, problem_of};
use crate::domain::{Format, Problem};

pub(crate) use super::reading::why_unopened;

const SUFFIX: &str = ".md";

/// Where commands come from.
#[derive(Debug, Clone)]
pub(crate) struct Folder {
    pub(crate) path: PathBuf,
    /// The name shown to people: relative to the project where it lies there.
    pub(crate) label: String,
}

/// What was found in a folder.
#[derive(Debug, Clone, Default)]
pub(crate) struct Contents {
    /// By file name.
    files: BTreeMap<String, Arc<CommandFile>>,
    /// Why nothing could be looked at.
    pub(crate) missing: Option<String>,
    /// Whether that is because there is no such directory.
    pub(crate) is_absent: bool,
}

impl Folder {
    pub(crate) fn open(&self) -> Result<Root, sandbox::Error> {
        doors::configured(&self.path)
    }

    /// The name shown to people for one of its files, whose name may be anything.
    pub(crate) fn label_of(&self, file_name: &str) -> String {
        format!("{}/{}", self.label, text::one_line(file_name))
    }

    /// Looks at the folder. What has not changed since `before` is taken from there; `None` when
    /// nothing has. `now` was taken before the call.
    pub(crate) fn scan(&self, before: &Contents, now: Timestamp) -> Option<Contents> {
        let listed = self.open().and_then(|root| root.list(None).map(|entries| (root, entries)));
        let (root, entries) = match listed {
            Ok(listed) => listed,
            Err(error) => {
                let missing = Some(why_unopened(&error));
                if before.missing == missing {
                    return None;
                }
                let is_absent =
                    matches!(&error, sandbox::Error::Root { problem: RootProblem::Missing, .. });
                return Some(Contents { files: BTreeMap::new(), missing, is_absent });
            }
        };
        let entries: Vec<Entry> =
            entries.into_iter().filter(|entry| is_command(&entry.name)).collect();
        let look = |entry: &Entry| look(&root, entry, before.files.get(&entry.name), now);
        let mut contents = Contents::default();
        let mut changed = before.missing.is_some() || entries.len() != before.files.len();
        for (entry, looked) in entries.iter().zip(look_at_all(&entries, look)) {
            let file = match looked {
                Ok(Looked::Same(file)) => file,
                Ok(Looked::New(file)) => {
                    changed = true;
                    file
                }
                Err(_) => continue,
            };
            contents.files.insert(entry.name.clone(), file);
        }
        changed.then_some(contents)
    }
}

/// An error where the name itself is no path.
fn look(
    root: &Root,
    entry: &Entry,
    known: Option<&Arc<CommandFile>>,
    now: Timestamp,
) -> Result<Looked, Problem> {
    let path = RelPath::parse(&entry.name).map_err(|error| problem_of(&error, entry.kind))?;
    let name = entry.name.strip_suffix(SUFFIX).unwrap_or(&entry.name);
    let candidate =
        Candidate { path: &path, name, kind: entry.kind, format: &Format::Plain, points_to: None };
    Ok(look_again(root, &candidate, known, now))
}

impl Contents {
    /// The files with their names, in order.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&String, &Arc<CommandFile>)> {
        self.files.iter()
    }

    /// Whether the folder still holds for this command what it held when it was scanned.
    pub(crate) fn is_current(&self, folder: &Folder, name: &str) -> bool {
        let file_name = format!("{name}{SUFFIX}");
        let Ok(path) = RelPath::parse(&file_name) else { return false };
        if let Some(file) = self.files.get(&file_name) {
            return file.is_still_in(&folder.path, &path);
        }
        match folder.open() {
            Ok(root) => self.missing.is_none() && root.has_entry(&path).is_ok_and(|it| !it),
            Err(_) => self.missing.is_some(),
        }
    }

    pub(crate) fn holds(&self, name: &str) -> bool {
        self.files.contains_key(&format!("{name}{SUFFIX}"))
    }
}

/// Dot files are notes of editors and tools.
fn is_command(file_name: &str) -> bool {
    file_name.ends_with(SUFFIX) && !file_name.starts_with('.')
}
