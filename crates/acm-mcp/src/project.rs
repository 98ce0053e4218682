//! A project under examination: a sandbox root and the words for what is wrong in it.

use mcp_core::sandbox::{self, EntryKind, RelPath, Root};
use serde::Deserialize;

use crate::error::{self, Error};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    File,
    Directory,
}

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Directory => "directory",
        }
    }
}

#[derive(Debug)]
pub(crate) struct Project(Root);

impl Project {
    pub(crate) fn new(root: Root) -> Self {
        Self(root)
    }

    pub(crate) fn path(&self) -> String {
        self.0.path().display().to_string()
    }

    /// `None` when a required item is in order, else what is wrong with it.
    pub(crate) fn problem(&self, path: &str, required: Kind) -> Option<String> {
        let kind = RelPath::parse(path).and_then(|path| self.0.kind(&path));
        match kind {
            Ok(Some(EntryKind::File)) if required == Kind::File => None,
            Ok(Some(EntryKind::Directory)) if required == Kind::Directory => None,
            Ok(None) => Some("missing".to_owned()),
            Ok(Some(actual)) => {
                let actual = match actual {
                    EntryKind::File => "a file",
                    EntryKind::Directory => "a directory",
                    EntryKind::Symlink | EntryKind::Other => "a device, pipe or socket",
                };
                Some(format!("is {actual}, {} required", required.name()))
            }
            Err(error) => Some(error::reason(&error)),
        }
    }

    /// The first of these files that exists, with its text; or why that one cannot be read.
    pub(crate) fn read_first<'a>(
        &self,
        paths: impl IntoIterator<Item = &'a str>,
    ) -> Option<(&'a str, Result<String, String>)> {
        for path in paths {
            let Ok(relative) = RelPath::parse(path) else { continue };
            match self.0.read_text(&relative) {
                Ok(text) => return Some((path, Ok(text))),
                // Also where a file stands in place of its directory. A link to nothing, though, is
                // there, and what is wrong with it is worth saying.
                Err(sandbox::Error::Missing { .. } | sandbox::Error::WrongKind { .. })
                    if !self.0.has_entry(&relative) => {}
                Err(error) => return Some((path, Err(error::reason(&error)))),
            }
        }
        None
    }

    /// The files directly in a directory whose names end so, by name.
    pub(crate) fn files_ending(&self, directory: &str, ending: &str) -> Result<Vec<String>, Error> {
        let entries = RelPath::parse(directory).and_then(|path| self.0.list(Some(&path)));
        let entries = match entries {
            Ok(entries) => entries,
            Err(error) if error.is_missing() => return Ok(Vec::new()),
            Err(error) => {
                return Err(Error::Project {
                    problem: format!("`{directory}` {} in the project.", error::reason(&error)),
                    fix: "Put it right and call again.".to_owned(),
                });
            }
        };
        let paths = entries
            .into_iter()
            .filter(|it| it.name.ends_with(ending))
            .map(|it| format!("{directory}/{}", it.name));
        Ok(paths.filter(|path| RelPath::parse(path).is_ok_and(|it| self.0.is_file(&it))).collect())
    }
}
