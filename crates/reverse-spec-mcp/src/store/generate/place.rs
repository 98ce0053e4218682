//! Where specifications go: beneath the project, or beneath a root the user named.

use std::path::PathBuf;

use mcp_core::doors::{Named, Spot};
use mcp_core::sandbox::{self, EntryKind, RelPath, Root};

use crate::error::Error;
use crate::store::project::{Places, Target};

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
    /// directory may lie outside the project; what nobody chose is then in the project itself.
    pub(crate) fn choose(
        places: &Places,
        project: &Target,
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
    fn open(places: &Places, project: &Target, directory: &str) -> Result<Self, Error> {
        let outside = || Error::OutputOutside { path: directory.to_owned() };
        let reach = places.reach();
        let wanted = places.absolute(directory);
        // The nearest directory on the way that is there; the others are made below it.
        let mut missing = Vec::new();
        for path in wanted.ancestors() {
            match reach.look(path.to_str().ok_or_else(outside)?) {
                Ok(Some(Named { spot, file: None })) => {
                    missing.reverse();
                    let base = places.working_directory.clone();
                    return Self::at(places, project, &spot, &missing, base)?.ok_or_else(outside);
                }
                Ok(Some(_)) => return Err(Error::OutputIsFile { path: directory.to_owned() }),
                Ok(None) => {
                    let name = path.file_name().and_then(|it| it.to_str());
                    missing.push(name.ok_or_else(outside)?);
                }
                Err(sandbox::Error::Escape { .. }) => return Err(outside()),
                Err(error) => return Err(error.into()),
            }
        }
        Err(outside())
    }

    /// A directory that lies in the project, or in a root that was named, by its handle; none where
    /// it lies in neither.
    fn at(
        places: &Places,
        project: &Target,
        spot: &Spot,
        further: &[&str],
        base: PathBuf,
    ) -> Result<Option<Self>, Error> {
        let mut allowed = vec![project.root.duplicate()?];
        allowed.extend(places.open_roots());
        for root in allowed {
            let Some(climbed) = spot.climb(|it| Ok(it.id() == root.id()))? else { continue };
            let mut directory = climbed.inside;
            for name in further {
                directory = Some(match directory {
                    Some(above) => above.join(name)?,
                    None => RelPath::parse(name)?,
                });
            }
            return Ok(Some(Self { root, directory, base }));
        }
        Ok(None)
    }

    /// A directory of the project itself.
    pub(crate) fn in_project(project: &Target, name: &str) -> Result<Self, Error> {
        let root = project.root.duplicate()?;
        let directory = RelPath::parse(name)?;
        let path = || name.to_owned();
        match root.kind(&directory) {
            Ok(None | Some(EntryKind::Directory)) => {}
            Ok(Some(_)) => return Err(Error::OutputIsFile { path: path() }),
            // A link on the way leads out of the project.
            Err(sandbox::Error::Escape { .. }) => {
                return Err(Error::OutputOutside { path: path() });
            }
            Err(error) => return Err(error.into()),
        }
        let base = project.project_root().to_owned();
        Ok(Self { root, directory: Some(directory), base })
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
