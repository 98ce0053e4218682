//! From a path in an argument to the project it lies in. Nothing here depends on earlier calls.

use std::path::{Component, Path, PathBuf};

use mcp_core::sandbox::{self, EntryKind, RelPath, Root};

use super::manifest;
use crate::error::Error;

/// Deeper trees are not climbed out of.
const MAX_CLIMB: usize = 64;

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
}

impl Target {
    /// The path relative to the project root: `.` for the root itself.
    pub(crate) fn shown(&self) -> &str {
        self.path.as_ref().map_or(".", RelPath::as_str)
    }

    pub(crate) fn project_root(&self) -> &Path {
        self.root.path()
    }
}

impl Target {
    /// The project the target lies in.
    pub(crate) fn whole_project(&self) -> Result<Self, Error> {
        let root = Root::open(self.project_root())?;
        Ok(Self { root, path: None, kind: TargetKind::Directory, given: self.given.clone() })
    }
}

impl Target {
    /// Where it is.
    pub(crate) fn absolute(&self) -> PathBuf {
        let root = self.root.path();
        self.path.as_ref().map_or_else(|| root.to_owned(), |it| root.join(it.as_str()))
    }

    /// The same in a project that is known to begin further up.
    pub(crate) fn in_project(&self, root: &Path) -> Result<Self, Error> {
        let (absolute, given) = (self.absolute(), self.given.clone());
        let missing = || Error::TargetMissing { path: self.given.clone() };
        let inside = absolute.strip_prefix(root).ok().and_then(Path::to_str);
        let inside = inside.ok_or_else(missing)?;
        let path = if inside.is_empty() { None } else { Some(RelPath::parse(inside)?) };
        Ok(Self { root: Root::open(root)?, path, kind: self.kind, given })
    }
}

impl Places {
    /// A path in an argument, resolved against the working directory.
    pub(crate) fn absolute(&self, given: &str) -> PathBuf {
        flattened(&self.working_directory.join(given))
    }

    /// A directory that is a project by the caller's word.
    pub(crate) fn project(&self, given: &str) -> Result<Target, Error> {
        let target = self.target(given)?;
        if target.kind == TargetKind::File {
            return Err(Error::NotADirectory { path: given.to_owned() });
        }
        match &target.path {
            None => Ok(target),
            Some(path) => {
                let root = Root::open(target.root.path().join(path.as_str()))?;
                Ok(Target {
                    root,
                    path: None,
                    kind: TargetKind::Directory,
                    given: target.given.clone(),
                })
            }
        }
    }

    /// Finds what `given` names and the project around it.
    pub(crate) fn target(&self, given: &str) -> Result<Target, Error> {
        let missing = || Error::TargetMissing { path: given.to_owned() };
        for path in self.candidates(given) {
            let Some(limit) = self.limit_for(&path) else {
                return Err(Error::OutsideRoots { path: given.to_owned() });
            };
            let kind =
                kind_of(&path).map_err(|_| Error::OutsideRoots { path: given.to_owned() })?;
            let Some(kind) = kind else { continue };
            let directory = match kind {
                TargetKind::Directory => path.as_path(),
                TargetKind::File => path.parent().ok_or_else(missing)?,
            };
            let root_path = project_around(directory, limit).unwrap_or(directory).to_owned();
            let root = Root::open(&root_path)?;
            let inside = path.strip_prefix(&root_path).ok().and_then(Path::to_str);
            let inside = inside.ok_or_else(missing)?;
            if inside.is_empty() {
                return Ok(Target { root, path: None, kind, given: given.to_owned() });
            }
            let inside = RelPath::parse(inside)?;
            // A link that leads out of the project is its own project, if it may be followed.
            if root.kind(&inside).is_err() {
                if limit.is_some() {
                    return Err(Error::OutsideRoots { path: given.to_owned() });
                }
                if kind == TargetKind::Directory {
                    let (root, given) = (Root::open(&path)?, given.to_owned());
                    return Ok(Target { root, path: None, kind, given });
                }
            }
            return Ok(Target { root, path: Some(inside), kind, given: given.to_owned() });
        }
        Err(missing())
    }

    /// Where a path in an argument may lead, in the order of trial.
    fn candidates(&self, given: &str) -> Vec<PathBuf> {
        let given = Path::new(if given.trim().is_empty() { "." } else { given });
        let mut candidates = vec![flattened(&self.working_directory.join(given))];
        if given.is_relative() {
            for root in &self.roots {
                let further = flattened(&root.join(given));
                if !candidates.contains(&further) {
                    candidates.push(further);
                }
            }
        }
        if self.confined {
            let inside = |path: &PathBuf| self.roots.iter().any(|it| path.starts_with(it));
            if candidates.iter().any(inside) {
                candidates.retain(inside);
            }
        }
        candidates
    }

    /// Whether a directory may be looked at.
    pub(crate) fn allows(&self, path: &Path) -> bool {
        self.limit_for(path).is_some()
    }

    /// `Some(None)`: no limit. `Some(Some(root))`: not above this. `None`: not allowed at all.
    #[expect(clippy::option_option, reason = "three answers, named above")]
    fn limit_for(&self, path: &Path) -> Option<Option<&Path>> {
        if !self.confined {
            return Some(None);
        }
        self.roots.iter().find(|root| path.starts_with(root)).map(|root| Some(root.as_path()))
    }
}

/// Resolves `.` and `..` by the text alone, as the path was meant.
fn flattened(path: &Path) -> PathBuf {
    let mut flat = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                flat.pop();
            }
            other => flat.push(other),
        }
    }
    flat
}

/// None for what does not exist or is neither; an error for a link to a file somewhere else.
fn kind_of(path: &Path) -> Result<Option<TargetKind>, sandbox::Error> {
    if Root::open(path).is_ok() {
        return Ok(Some(TargetKind::Directory));
    }
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else { return Ok(None) };
    let (Ok(parent), Some(Ok(name))) = (Root::open(parent), name.to_str().map(RelPath::parse))
    else {
        return Ok(None);
    };
    match parent.kind(&name) {
        Ok(Some(EntryKind::File)) => Ok(Some(TargetKind::File)),
        Err(error @ sandbox::Error::Escape { .. }) => Err(error),
        _ => Ok(None),
    }
}

/// The nearest directory upwards that is a repository or a workspace.
fn project_around<'a>(directory: &'a Path, limit: Option<&Path>) -> Option<&'a Path> {
    for ancestor in directory.ancestors().take(MAX_CLIMB) {
        if Root::open(ancestor).is_ok_and(|root| is_project(&root)) {
            return Some(ancestor);
        }
        if limit == Some(ancestor) {
            return Some(ancestor);
        }
    }
    None
}

fn is_project(root: &Root) -> bool {
    let has = |name: &str| RelPath::parse(name).is_ok_and(|it| root.has_entry(&it));
    has(".git")
        || has("pnpm-workspace.yaml")
        || has("go.work")
        || manifest::json(root, "package.json").get("workspaces").is_some_and(|it| !it.is_null())
        || manifest::toml_at(root, "Cargo.toml", &["workspace"]).is_some()
        || manifest::toml_at(root, "pyproject.toml", &["tool", "uv", "workspace"]).is_some()
}
