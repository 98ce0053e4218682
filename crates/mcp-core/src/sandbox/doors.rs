//! The doors: the only ways from a path to an open directory.
//!
//! Each says who chose the path. A person names the start root and what a command of the shell
//! writes; the environment names further roots; a contract lets a call name a path, over stdio
//! and nowhere else; from there one may climb to the project around it. Everything else is opened
//! below a handle, where the kernel keeps it inside.

use std::path::{Component, Path, PathBuf};

use super::{EntryKind, Error, RelPath, Root, Writes};

/// Deeper trees are not climbed out of.
const MAX_CLIMB: usize = 64;

/// The root a person started the server with. Open it anew for each call: one that was deleted
/// and made again, or switched by a link, is then the one that counts.
pub fn start(path: &Path) -> Result<Root, Error> {
    Root::ambient(path, Writes::Guarded)
}

/// A root that the environment names, or its default.
pub fn configured(path: &Path) -> Result<Root, Error> {
    Root::ambient(path, Writes::Guarded)
}

/// Another repository that the person who started the server named: never written to by us.
pub fn associate(path: &Path) -> Result<Root, Error> {
    Root::ambient(path, Writes::Guarded)
}

/// A directory that a person named to a command of the shell, who may write what no tool may.
pub fn named_by_person(path: &Path) -> Result<Root, Error> {
    Root::ambient(path, Writes::Anywhere)
}

/// Opens the nearest directory above a file that exists, links followed, with the file's path from
/// there: a settings file is often a link into a repository of settings.
pub fn beside_file_named_by_person(file: &Path) -> Result<(Root, RelPath), Error> {
    let file = real_path_of(file);
    for directory in file.ancestors().skip(1) {
        if let Ok(root) = named_by_person(directory) {
            let rest = file.strip_prefix(directory).unwrap_or(&file);
            return Ok((root, RelPath::parse(&rest.to_string_lossy())?));
        }
    }
    Err(Error::Missing { path: file.display().to_string() })
}

/// A git directory that a working tree points to; whether it is the tree's own is seen there.
pub(crate) fn git_directory(path: &Path) -> Result<Root, Error> {
    Root::ambient(path, Writes::Guarded)
}

/// A directory of our own outside every project.
pub(crate) fn state(path: &Path) -> Result<Root, Error> {
    Root::ambient(path, Writes::Own)
}

/// A file that a person named to have lines added to it, made for this user alone.
#[expect(clippy::disallowed_methods, reason = "a person names one file, wherever it lies")]
pub(crate) fn appended_by_person(path: &Path) -> Result<std::fs::File, Error> {
    let mut options = std::fs::OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        let flags = rustix::fs::OFlags::NONBLOCK;
        options.mode(0o600).custom_flags(i32::try_from(flags.bits()).unwrap_or(0));
    }
    let shown = path.display().to_string();
    let file = options.open(path).map_err(|error| Error::from_io("open", &shown, error))?;
    if file.metadata().is_ok_and(|it| it.is_file()) {
        return Ok(file);
    }
    let (actual, required) = ("a device, pipe or socket", "a file");
    Err(Error::WrongKind { path: shown, actual, required })
}

/// Makes a directory, and those above it, that nobody else can look into.
#[expect(clippy::disallowed_methods, reason = "the state directory is made by its path, once")]
pub(crate) fn make_private(path: &Path) -> Result<(), Error> {
    super::fault::pass(super::fault::Operation::Write)
        .and_then(|()| {
            let mut builder = std::fs::DirBuilder::new();
            builder.recursive(true);
            #[cfg(unix)]
            std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
            builder.create(path)
        })
        .map_err(|error| Error::from_io("create", &path.display().to_string(), error))
}

/// Whether a directory is this user's and nobody else can write to it.
#[expect(clippy::disallowed_methods, reason = "looked at without following, before it is used")]
pub(crate) fn is_private(path: &Path) -> bool {
    let Ok(metadata) = path.symlink_metadata() else { return false };
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let ours = metadata.uid() == rustix::process::geteuid().as_raw();
        metadata.is_dir() && ours && metadata.mode() & 0o022 == 0
    }
    #[cfg(not(unix))]
    metadata.is_dir()
}

/// Whose a directory is; `None` where anybody may put things into it, and where nobody can say.
#[cfg(unix)]
#[expect(clippy::disallowed_methods, reason = "only looked at, nothing is opened")]
pub(crate) fn owner_of(directory: &Path) -> Option<u32> {
    use std::os::unix::fs::MetadataExt as _;
    let metadata = directory.metadata().ok()?;
    (metadata.mode() & 0o002 == 0).then(|| metadata.uid())
}

/// Owners are not told apart here.
#[cfg(not(unix))]
pub(crate) fn owner_of(_directory: &Path) -> Option<u32> {
    Some(0)
}

/// A scratch directory of our own, gone when it is dropped.
#[derive(Debug)]
pub(crate) struct Scratch {
    pub(crate) root: Root,
}

impl Scratch {
    pub(crate) fn new() -> Result<Self, Error> {
        let name = format!("plumbline-{}", crate::entropy::Entropy::system().id());
        let path = std::env::temp_dir().join(name);
        make_private(&path)?;
        Ok(Self { root: state(&path)? })
    }

    pub(crate) fn path(&self) -> &Path {
        self.root.path()
    }
}

impl Drop for Scratch {
    #[expect(clippy::disallowed_methods, reason = "a directory that only we know of")]
    fn drop(&mut self) {
        // What cannot be removed is litter in the system's directory for it.
        drop(std::fs::remove_dir_all(self.root.path()));
    }
}

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

/// An open directory, and the way up from it.
#[derive(Debug)]
pub struct Spot {
    /// The directory itself; nothing above it can be reached through this handle.
    pub root: Root,
    way_up: WayUp,
}

#[derive(Debug)]
enum WayUp {
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

/// Takes `.` and `..` out by the letters alone, as the path was meant.
pub fn flattened(path: &Path) -> PathBuf {
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

/// Follows links to what is really meant; a path that does not exist stays as it is.
#[expect(clippy::disallowed_methods, reason = "only names are looked up, nothing is opened")]
fn real_path_of(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}
