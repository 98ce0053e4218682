//! What a path in the arguments of a call names, and how far such a path may lead.

use std::path::{Path, PathBuf};

use super::climb::{Spot, WayUp};
use super::{flattened, start};
use crate::sandbox::{EntryKind, Error, RelPath};

/// Where paths in the arguments of calls may lead.
///
/// ```
/// use mcp_core::doors::Reach;
///
/// let reach = Reach::below(vec!["/project".into()], vec!["/project".into()]);
/// assert!(reach.is_confined());
/// assert!(reach.look("../elsewhere").is_err());
/// ```
#[derive(Debug, Clone)]
pub struct Reach {
    /// What relative paths are relative to, in the order of trial.
    bases: Vec<PathBuf>,
    /// Over the network nothing but what lies below these can be named.
    confined_to: Option<Vec<PathBuf>>,
}

/// What a path in an argument names.
#[derive(Debug)]
pub struct Named {
    /// The directory, or the one that the file lies in.
    pub spot: Spot,
    /// `None` where a directory was named.
    pub file: Option<RelPath>,
}

impl Reach {
    /// Paths are the caller's choice: over stdio, or in the shell.
    pub fn anywhere(bases: Vec<PathBuf>) -> Self {
        Self { bases, confined_to: None }
    }

    /// Paths lead below `roots` only, whatever links lie on the way: over HTTP.
    pub fn below(bases: Vec<PathBuf>, roots: Vec<PathBuf>) -> Self {
        Self { bases, confined_to: Some(roots) }
    }

    /// Tells whether paths must stay below certain roots, as over HTTP.
    pub fn is_confined(&self) -> bool {
        self.confined_to.is_some()
    }

    /// What `given` names: the first that exists of what it may mean. `None` where nothing is.
    pub fn look(&self, given: &str) -> Result<Option<Named>, Error> {
        let given = if given.trim().is_empty() { "." } else { given };
        if given.contains('\0') {
            let path = crate::text::one_line(crate::text::cut(given, 200));
            return Err(Error::Path { path, reason: "it holds a NUL character" });
        }
        let mut tried = Vec::new();
        let mut outside = self.confined_to.is_some();
        for base in &self.bases {
            let path = flattened(&base.join(given));
            if tried.contains(&path) {
                continue;
            }
            match &self.confined_to {
                None => {
                    if let Some(named) = look_anywhere(&path) {
                        return Ok(Some(named));
                    }
                }
                Some(roots) => {
                    for root in roots {
                        let Some(inside) = inside_of(&path, root) else { continue };
                        outside = false;
                        if let Some(named) = look_below(root, inside?)? {
                            return Ok(Some(named));
                        }
                    }
                }
            }
            tried.push(path);
        }
        if outside { Err(Error::Escape { path: given.to_owned() }) } else { Ok(None) }
    }
}

/// The path from `root` on, by its letters: it says which name is tried below the handle, and the
/// handle says whether that is allowed.
fn inside_of(path: &Path, root: &Path) -> Option<Result<Option<RelPath>, Error>> {
    let inside = path.strip_prefix(flattened(root)).ok()?.to_str()?;
    Some(if inside.is_empty() { Ok(None) } else { RelPath::parse(inside).map(Some) })
}

fn look_anywhere(path: &Path) -> Option<Named> {
    if let Ok(root) = start(path) {
        return Some(Named { spot: Spot { root, way_up: WayUp::Free }, file: None });
    }
    let name = RelPath::parse(path.file_name()?.to_str()?).ok()?;
    let spot = Spot { root: start(path.parent()?).ok()?, way_up: WayUp::Free };
    let is_file = matches!(spot.root.kind(&name), Ok(Some(EntryKind::File)));
    is_file.then_some(Named { spot, file: Some(name) })
}

fn look_below(root: &Path, inside: Option<RelPath>) -> Result<Option<Named>, Error> {
    let top = start(root)?;
    let Some(path) = inside else {
        let spot = Spot { root: top.duplicate()?, way_up: WayUp::Within { top, inside: None } };
        return Ok(Some(Named { spot, file: None }));
    };
    match top.kind(&path)? {
        Some(EntryKind::Directory) => {
            let root = top.below(&path)?;
            let spot = Spot { root, way_up: WayUp::Within { top, inside: Some(path) } };
            Ok(Some(Named { spot, file: None }))
        }
        Some(EntryKind::File) => {
            let name = RelPath::parse(path.file_name())?;
            let inside = path.parent();
            let root = match &inside {
                Some(parent) => top.below(parent)?,
                None => top.duplicate()?,
            };
            let spot = Spot { root, way_up: WayUp::Within { top, inside } };
            Ok(Some(Named { spot, file: Some(name) }))
        }
        _ => Ok(None),
    }
}
