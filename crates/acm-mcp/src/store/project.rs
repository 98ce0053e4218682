//! A project under examination: what the checks and gates have to know of its files.

use mcp_core::sandbox::{self, EntryKind, RelPath, Root};

use crate::domain::catalog::Transition;
use crate::domain::check::health::{self, Found, Health, Looked};
use crate::domain::check::structure::Finding;
use crate::domain::check::{Kind, RULES};
use crate::domain::transition::{self, Brief, Output, Papers};
use crate::error::{self, Error};

#[derive(Debug)]
pub(crate) struct Project(Root);

impl Project {
    pub(crate) fn new(root: Root) -> Self {
        Self(root)
    }

    pub(crate) fn path(&self) -> String {
        self.0.path().display().to_string()
    }

    /// Each item of the required structure, with what is wrong with it.
    pub(crate) fn structure(&self) -> Vec<Finding> {
        let items = RULES.structure.items.iter();
        items
            .map(|item| {
                let elsewhere = item.elsewhere.iter().map(String::as_str);
                let elsewhere: Vec<&str> = elsewhere.filter(|it| self.has_file(it)).collect();
                Finding::new(item, self.problem(&item.path, item.kind), &elsewhere)
            })
            .collect()
    }

    /// Whether it has anything that only a project of this process has.
    fn is_ours(&self) -> bool {
        let mut marks = RULES.marks.iter().filter_map(|it| RelPath::parse(it).ok());
        marks.any(|mark| self.0.has_entry(&mark).unwrap_or_default())
    }

    /// Each artifact that the health check reads.
    fn artifacts(&self) -> Vec<Looked<'static>> {
        let artifacts = RULES.artifacts.iter();
        let look = |paths: &'static [String]| self.read_first(paths.iter().map(String::as_str));
        artifacts.map(|it| Looked { found: look(&it.paths), instead: look(&it.instead) }).collect()
    }

    /// The whole of the health check.
    pub(crate) fn health(&self) -> Health {
        health::check(self.is_ours(), self.structure(), &self.artifacts())
    }

    fn has_file(&self, path: &str) -> bool {
        RelPath::parse(path).is_ok_and(|path| self.0.is_file(&path))
    }

    /// What a transition is judged by; a status file or a brief that is not there is an error.
    pub(crate) fn papers(&self, transition: &Transition) -> Result<Papers, Error> {
        let status = self.read_first(transition::STATUS_PATHS);
        let status = status.ok_or_else(|| transition::no_status(&self.path()))?;
        let (status_path, status) = (status.path, self.readable(status)?);
        let brief = self.brief()?;
        let output = transition.output.as_deref().map(|path| match self.read_first([path]) {
            Some(found) => Output { path: path.to_owned(), text: Some(found.text) },
            None => Output { path: path.to_owned(), text: None },
        });
        Ok(Papers { project: self.path(), status_path, status, brief, output })
    }

    fn brief(&self) -> Result<Brief, Error> {
        if let Some(found) = self.read_first([transition::BRIEF]) {
            let path = found.path.to_owned();
            return Ok(Brief { path, text: self.readable(found)?, others: Vec::new() });
        }
        let mut inbox = self.files_ending(transition::INBOX, transition::INBOX_ENDING)?;
        if inbox.is_empty() {
            return Err(transition::no_brief(&self.path()));
        }
        let path = inbox.remove(0);
        let found = self.read_first([path.as_str()]);
        let gone = || transition::unreadable(&self.path(), &path, "is missing");
        let text = self.readable(found.ok_or_else(gone)?)?;
        Ok(Brief { path, text, others: inbox })
    }

    fn readable(&self, found: Found<'_>) -> Result<String, Error> {
        let Found { path, text } = found;
        text.map_err(|problem| transition::unreadable(&self.path(), path, &problem))
    }

    /// `None` when a required item is in order, else what is wrong with it.
    fn problem(&self, path: &str, required: Kind) -> Option<String> {
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
    fn read_first<'a>(&self, paths: impl IntoIterator<Item = &'a str>) -> Option<Found<'a>> {
        for path in paths {
            let Ok(relative) = RelPath::parse(path) else { continue };
            match self.0.read_text(&relative) {
                Ok(text) => return Some(Found { path, text: Ok(text) }),
                // Also where a file stands in place of its directory. A link to nothing, though, is
                // there, and what is wrong with it is worth saying.
                Err(sandbox::Error::Missing { .. } | sandbox::Error::WrongKind { .. })
                    if self.0.has_entry(&relative).is_ok_and(|it| !it) => {}
                Err(error) => return Some(Found { path, text: Err(error::reason(&error)) }),
            }
        }
        None
    }

    /// The files directly in a directory whose names end so, by name.
    fn files_ending(&self, directory: &str, ending: &str) -> Result<Vec<String>, Error> {
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
