//! From a path in an argument to the project it lies in. Nothing here depends on earlier calls, and
//! every directory comes through a door of the core or lies below a handle.

use std::path::{Path, PathBuf};

use mcp_core::doors::{self, Named, Reach, Spot};
use mcp_core::git::Git;
use mcp_core::sandbox::{self, RelPath, Root};
use mcp_core::work::Work;

use super::manifest;
use crate::error::Error;

/// Where calls may go, as the user set it.
#[derive(Debug, Clone)]
pub(crate) struct Places {
    /// What relative paths are relative to.
    pub(crate) working_directory: PathBuf,
    /// Tried next for a relative path; over HTTP also the limit of what can be named.
    pub(crate) roots: Vec<PathBuf>,
    pub(crate) confined: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TargetKind {
    File,
    Directory,
}

/// A file or a directory inside a project.
#[derive(Debug)]
pub(crate) struct Target {
    /// The project root, which every path is relative to.
    pub(crate) root: Root,
    /// Beneath the root; none for the root itself.
    pub(crate) path: Option<RelPath>,
    pub(crate) kind: TargetKind,
    /// As the caller wrote it, for messages.
    pub(crate) given: String,
    /// The directory that was named, or the one of the file, with the way up from there.
    spot: Spot,
    /// The name of the file in it.
    file: Option<RelPath>,
}

impl Target {
    /// The path relative to the project root: `.` for the root itself.
    pub(crate) fn shown(&self) -> &str {
        self.path.as_ref().map_or(".", RelPath::as_str)
    }

    /// Where the project is, for people.
    pub(crate) fn project_root(&self) -> &Path {
        self.root.path()
    }

    /// Where the project is, links resolved: to be compared with other places.
    pub(crate) fn real_root(&self) -> PathBuf {
        real_path(&self.root)
    }

    /// Where the target itself is, links resolved.
    pub(crate) fn real_place(&self) -> PathBuf {
        let directory = real_path(&self.spot.root);
        self.file.as_ref().map_or(directory.clone(), |file| directory.join(file.as_str()))
    }

    /// git at work in the project.
    pub(crate) fn git(&self, work: &Work) -> Result<Git, Error> {
        let whole = self.whole_project()?;
        Ok(Git::open(&whole.spot, work)?)
    }

    /// The directory that was named, or the one of the file.
    pub(super) fn spot(&self) -> &Spot {
        &self.spot
    }

    /// The whole project the target lies in.
    pub(crate) fn whole_project(&self) -> Result<Self, Error> {
        let id = self.root.id();
        let climbed = self.spot.climb(|root| Ok(root.id() == id))?;
        let spot = climbed.map_or_else(|| duplicate(&self.spot), |it| Ok(it.spot))?;
        let root = self.root.duplicate()?;
        let given = self.given.clone();
        Ok(Self { root, path: None, kind: TargetKind::Directory, given, spot, file: None })
    }

    /// Seen from the nearest directory upwards that fits; none where there is no such directory.
    pub(crate) fn seen_from(
        &self,
        fits: impl Fn(&Root) -> Result<bool, sandbox::Error>,
    ) -> Result<Option<Self>, Error> {
        let Some(climbed) = self.spot.climb(fits)? else { return Ok(None) };
        let spot = duplicate(&self.spot)?;
        let path = joined(climbed.inside, self.file.as_ref())?;
        let (file, given) = (self.file.clone(), self.given.clone());
        Ok(Some(Self { root: climbed.spot.root, path, kind: self.kind, given, spot, file }))
    }

    fn of(
        named: Named,
        given: &str,
        is_project: impl Fn(&Root) -> Result<bool, sandbox::Error>,
    ) -> Result<Self, Error> {
        let Named { spot, file } = named;
        let (root, inside) = match spot.climb(is_project)? {
            Some(climbed) => (climbed.spot.root, climbed.inside),
            None => (spot.root.duplicate()?, None),
        };
        let path = joined(inside, file.as_ref())?;
        let kind = if file.is_some() { TargetKind::File } else { TargetKind::Directory };
        Ok(Self { root, path, kind, given: given.to_owned(), spot, file })
    }
}

fn real_path(root: &Root) -> PathBuf {
    root.real_path().unwrap_or_else(|| root.path().to_owned())
}

/// The place itself once more: the nearest directory upwards that is any.
fn duplicate(spot: &Spot) -> Result<Spot, sandbox::Error> {
    let missing = || sandbox::Error::Missing { path: spot.root.path().display().to_string() };
    spot.climb(|_| Ok(true))?.map(|it| it.spot).ok_or_else(missing)
}

fn joined(inside: Option<RelPath>, file: Option<&RelPath>) -> Result<Option<RelPath>, Error> {
    Ok(match (inside, file) {
        (Some(inside), Some(file)) => Some(inside.join(file.as_str())?),
        (None, Some(file)) => Some(file.clone()),
        (inside, None) => inside,
    })
}

impl Places {
    /// Where paths in arguments may lead.
    pub(crate) fn reach(&self) -> Reach {
        let mut bases = vec![self.working_directory.clone()];
        bases.extend(self.roots.iter().cloned());
        if self.confined { Reach::below(bases, self.roots.clone()) } else { Reach::anywhere(bases) }
    }

    /// A path in an argument, resolved against the working directory by its letters.
    pub(crate) fn absolute(&self, given: &str) -> PathBuf {
        doors::flattened(&self.working_directory.join(given))
    }

    /// A directory that is a project by the caller's word.
    pub(crate) fn project(&self, given: &str) -> Result<Target, Error> {
        let target = self.target(given)?;
        if target.kind == TargetKind::File {
            return Err(Error::NotADirectory { path: given.to_owned() });
        }
        Ok(Target { root: target.spot.root.duplicate()?, path: None, ..target })
    }

    /// Finds what `given` names and the project around it.
    pub(crate) fn target(&self, given: &str) -> Result<Target, Error> {
        let path = || given.to_owned();
        let named = match self.reach().look(given) {
            Ok(named) => named.ok_or_else(|| Error::TargetMissing { path: path() })?,
            Err(sandbox::Error::Escape { .. }) => return Err(Error::OutsideRoots { path: path() }),
            Err(error) => return Err(error.into()),
        };
        let roots = if self.confined { self.open_roots() } else { Vec::new() };
        // Where nothing above may be looked at, what may is the project.
        let is_top = |root: &Root| roots.iter().any(|it| it.id() == root.id());
        Target::of(named, given, |root| Ok(is_top(root) || is_project(root)?))
    }

    /// The roots that were named, as far as they are there.
    pub(crate) fn open_roots(&self) -> Vec<Root> {
        self.roots.iter().filter_map(|it| doors::start(it).ok()).collect()
    }
}

/// Whether a directory is a repository or a workspace.
fn is_project(root: &Root) -> Result<bool, sandbox::Error> {
    Ok(mcp_core::repository::is_top(root)? || manifest::is_workspace(root)?)
}
