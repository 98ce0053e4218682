//! Where specifications go: beneath the project, or beneath a root the user named.

use std::path::{Path, PathBuf};

use mcp_core::sandbox::{self, EntryKind, RelPath, Root};

use crate::error::Error;
use crate::project::Places;

/// The default of the contract.
const DEFAULT: &str = "specs";

/// An open directory to write beneath.
#[derive(Debug)]
pub(crate) struct Output {
    pub(crate) root: Root,
    /// Beneath the root; none for the root itself.
    directory: Option<RelPath>,
    base: PathBuf,
}

impl Output {
    /// Where the caller wishes, or where specifications go unless one says otherwise. The working
    /// directory may lie outside of the project; what nobody chose is then in the project itself.
    pub(crate) fn choose(
        places: &Places,
        project: &Path,
        wished: Option<&str>,
    ) -> Result<Self, Error> {
        let wished = wished.map(str::trim).filter(|it| !it.is_empty()).unwrap_or(DEFAULT);
        match Self::open(places, project, wished) {
            Err(Error::OutputOutside { .. }) if wished == DEFAULT => {
                Self::in_project(project, DEFAULT)
            }
            opened => opened,
        }
    }

    /// `directory` is relative to the working directory, or absolute.
    pub(crate) fn open(places: &Places, project: &Path, directory: &str) -> Result<Self, Error> {
        let outside = || Error::OutputOutside { path: directory.to_owned() };
        let wanted = places.absolute(directory);
        let allowed = std::iter::once(project).chain(places.roots.iter().map(PathBuf::as_path));
        for root in allowed {
            let Ok(inside) = wanted.strip_prefix(root) else { continue };
            let inside = inside.to_str().ok_or_else(outside)?;
            let inside = if inside.is_empty() { None } else { Some(RelPath::parse(inside)?) };
            return Self::within(root, inside, places.working_directory.clone(), directory);
        }
        Err(outside())
    }

    /// A directory of the project itself.
    pub(crate) fn in_project(project: &Path, name: &str) -> Result<Self, Error> {
        Self::within(project, Some(RelPath::parse(name)?), project.to_owned(), name)
    }

    fn within(
        root: &Path,
        directory: Option<RelPath>,
        base: PathBuf,
        given: &str,
    ) -> Result<Self, Error> {
        let root = Root::open(root)?;
        if let Some(directory) = &directory {
            let path = || given.to_owned();
            match root.kind(directory) {
                Ok(None | Some(EntryKind::Directory)) => {}
                Ok(Some(_)) => return Err(Error::OutputIsFile { path: path() }),
                // A link on the way leads out of the project.
                Err(sandbox::Error::Escape { .. }) => {
                    return Err(Error::OutputOutside { path: path() });
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(Self { root, directory, base })
    }

    pub(crate) fn directory(&self) -> Option<&RelPath> {
        self.directory.as_ref()
    }

    /// A file of this name in the directory.
    pub(crate) fn file(&self, name: &str) -> Result<RelPath, Error> {
        Ok(match &self.directory {
            Some(directory) => directory.join(name)?,
            None => RelPath::parse(name)?,
        })
    }

    /// The path relative to the base where it lies beneath it, else absolute; and the base.
    pub(crate) fn shown(&self, path: &RelPath) -> (String, String) {
        let whole = self.root.path().join(path.as_str());
        let shown = whole.strip_prefix(&self.base).unwrap_or(&whole);
        (shown.display().to_string(), self.base.display().to_string())
    }
}
