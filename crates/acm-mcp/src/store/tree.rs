//! `Tree`: the files of one root, on disk or carried in the binary, read fresh each time.

use mcp_core::sandbox::{EntryKind, RelPath, Root};

use crate::error::{self, Error};
use crate::store::embedded::Files;
use crate::store::place::Place;

/// What the names of specifications begin with.
const PREFIX: &str = "ACM-";
const LATER_PREFIX: &str = "ADF-";

#[derive(Debug)]
pub(crate) struct Tree {
    place: Place,
    chosen: Chosen,
    source: Source,
}

#[derive(Debug)]
enum Source {
    Disk(Root),
    Embedded(Files),
}

/// Who chose a root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Chosen {
    ByVariable,
    ByDefault,
}

impl Tree {
    pub(crate) fn disk(place: &Place, chosen: Chosen, root: Root) -> Self {
        Self { place: *place, chosen, source: Source::Disk(root) }
    }

    pub(crate) fn embedded(place: &Place) -> Self {
        let source = Source::Embedded(place.files);
        Self { place: *place, chosen: Chosen::ByDefault, source }
    }

    /// The text of a file exactly as it is.
    pub(crate) fn read(&self, path: &str) -> Result<String, Error> {
        match &self.source {
            Source::Disk(root) => RelPath::parse(&self.present_name(path))
                .and_then(|path| root.read_text(&path))
                .map_err(|error| self.file_error(path, error::reason(&error))),
            Source::Embedded(files) => files
                .iter()
                .find(|(name, _)| *name == path)
                .map(|(_, text)| (*text).to_owned())
                .ok_or_else(|| self.file_error(path, "is missing".to_owned())),
        }
    }

    /// The name a file bears in this tree: later public trees have `ADF-` where earlier ones have
    /// `ACM-`, and either is served under the name that the tools know.
    fn present_name(&self, path: &str) -> String {
        let later = path.strip_prefix(PREFIX).map(|rest| format!("{LATER_PREFIX}{rest}"));
        match later {
            Some(later) if !self.has_entry(path) && self.has_entry(&later) => later,
            _ => path.to_owned(),
        }
    }

    /// Like `read`, where a file that is not there is an ordinary answer.
    pub(crate) fn read_if_any(&self, path: &str) -> Result<Option<String>, Error> {
        if self.has_entry(path) { self.read(path).map(Some) } else { Ok(None) }
    }

    pub(crate) fn has_entry(&self, path: &str) -> bool {
        match &self.source {
            Source::Disk(root) => {
                RelPath::parse(path).and_then(|it| root.has_entry(&it)).unwrap_or_default()
            }
            Source::Embedded(files) => files.iter().any(|(name, _)| *name == path),
        }
    }

    /// The names in a directory, sorted; what they are is seen when they are read.
    pub(crate) fn names_in(&self, directory: &str) -> Result<Vec<String>, Error> {
        match &self.source {
            Source::Disk(root) => {
                let entries = RelPath::parse(directory).and_then(|path| root.list(Some(&path)));
                let entries =
                    entries.map_err(|error| self.file_error(directory, error::reason(&error)))?;
                let readable = entries.into_iter().filter(|it| it.kind != EntryKind::Other);
                Ok(readable.map(|it| it.name).collect())
            }
            Source::Embedded(files) => {
                let beneath = files.iter().filter_map(|(name, _)| {
                    name.strip_prefix(directory)?.strip_prefix('/').filter(|it| !it.contains('/'))
                });
                let mut names: Vec<String> = beneath.map(str::to_owned).collect();
                names.sort();
                Ok(names)
            }
        }
    }

    /// Where somebody finds a file: its path on disk, or what our own resources call it.
    pub(crate) fn location(&self, path: &str, uri: &str) -> String {
        match &self.source {
            Source::Disk(root) => root.path().join(path).display().to_string(),
            Source::Embedded(_) => uri.to_owned(),
        }
    }

    pub(crate) fn is_embedded(&self) -> bool {
        matches!(self.source, Source::Embedded(_))
    }

    /// `the process tree at /x (ACM_ROOT)`
    pub(crate) fn describe(&self) -> String {
        let at = if self.is_embedded() { "" } else { "at " };
        format!("the {} {at}{}", self.place.what, self.origin())
    }

    /// `/x (ACM_ROOT)`
    pub(crate) fn origin(&self) -> String {
        let variable = self.place.variable;
        match &self.source {
            Source::Disk(root) => {
                let path = root.path().display();
                match self.chosen {
                    Chosen::ByVariable => format!("{path} ({variable})"),
                    Chosen::ByDefault => format!("{path} ({variable} is not set)"),
                }
            }
            Source::Embedded(_) => "embedded in acm-mcp".to_owned(),
        }
    }

    fn file_error(&self, path: &str, problem: String) -> Error {
        let fix = (!self.is_embedded()).then(|| {
            format!(
                "Put the file right, or point {} at a complete tree; `acm-mcp doctor` lists what \
                 is missing and `acm-mcp init DIR` writes a complete one.",
                self.place.variable
            )
        });
        Error::File { path: path.to_owned(), problem, place: self.describe(), fix }
    }
}
