//! The way up from an open directory to the project around it, as far as it is open.

use std::path::Path;

use super::{real_path_of, start};
use crate::sandbox::{Error, RelPath, Root};

/// Deeper trees are not climbed out of.
const MAX_CLIMB: usize = 64;

/// An open directory, and the way up from it.
#[derive(Debug)]
pub struct Spot {
    /// The directory itself; nothing above it can be reached through this handle.
    pub root: Root,
    pub(super) way_up: WayUp,
}

#[derive(Debug)]
pub(super) enum WayUp {
    /// To whatever lies above.
    Free,
    /// No further than this root, and no way but below its handle.
    Within { top: Root, inside: Option<RelPath> },
}

/// Where a climb ended.
#[derive(Debug)]
pub struct Climbed {
    /// The directory that fits, from which one may climb on.
    pub spot: Spot,
    /// The way back down to where it began; `None` where that is the same directory.
    pub inside: Option<RelPath>,
}

impl Spot {
    /// The start root as a place to climb from; where calls are confined, there is no way up.
    pub fn start(path: &Path, confined: bool) -> Result<Self, Error> {
        let root = start(path)?;
        if !confined {
            return Ok(Self { root, way_up: WayUp::Free });
        }
        let top = root.duplicate()?;
        Ok(Self { root, way_up: WayUp::Within { top, inside: None } })
    }

    /// Whether what lies above the start root is out of bounds.
    pub fn is_confined(&self) -> bool {
        matches!(self.way_up, WayUp::Within { .. })
    }

    /// The nearest directory from here upwards that fits, this one included.
    pub fn climb(
        &self,
        fits: impl Fn(&Root) -> Result<bool, Error>,
    ) -> Result<Option<Climbed>, Error> {
        match &self.way_up {
            WayUp::Free => self.climb_freely(fits),
            WayUp::Within { top, inside } => climb_within(top, inside.as_ref(), fits),
        }
    }

    fn climb_freely(
        &self,
        fits: impl Fn(&Root) -> Result<bool, Error>,
    ) -> Result<Option<Climbed>, Error> {
        if fits(&self.root)? {
            let spot = Self { root: self.root.duplicate()?, way_up: WayUp::Free };
            return Ok(Some(Climbed { spot, inside: None }));
        }
        // Links were followed to get here, so what lies above is what the kernel says it is.
        let here = self.root.real_path().unwrap_or_else(|| real_path_of(self.root.path()));
        for above in here.ancestors().skip(1).take(MAX_CLIMB) {
            let Ok(root) = start(above) else { return Ok(None) };
            let is_it = match fits(&root) {
                // What lies above and may not be looked at is somebody else's.
                Err(Error::Io { source, .. }) if is_denied(&source) => false,
                other => other?,
            };
            if is_it {
                let inside = here.strip_prefix(above).ok().and_then(Path::to_str);
                let inside = inside.map(RelPath::parse).transpose()?;
                return Ok(Some(Climbed { spot: Self { root, way_up: WayUp::Free }, inside }));
            }
        }
        Ok(None)
    }
}

fn is_denied(error: &std::io::Error) -> bool {
    error.kind() == std::io::ErrorKind::PermissionDenied
}

fn climb_within(
    top: &Root,
    inside: Option<&RelPath>,
    fits: impl Fn(&Root) -> Result<bool, Error>,
) -> Result<Option<Climbed>, Error> {
    let mut at = inside.cloned();
    loop {
        let root = match &at {
            Some(path) => top.below(path)?,
            None => top.duplicate()?,
        };
        if fits(&root)? {
            let down = match (inside, &at) {
                (Some(inside), Some(at)) => {
                    let rest = inside.as_str().strip_prefix(at.as_str()).unwrap_or_default();
                    let rest = rest.trim_start_matches('/');
                    if rest.is_empty() { None } else { Some(RelPath::parse(rest)?) }
                }
                (inside, _) => inside.cloned(),
            };
            let way_up = WayUp::Within { top: top.duplicate()?, inside: at };
            return Ok(Some(Climbed { spot: Spot { root, way_up }, inside: down }));
        }
        let Some(path) = at else { return Ok(None) };
        at = path.parent();
    }
}
