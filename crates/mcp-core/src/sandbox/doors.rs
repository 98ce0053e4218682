//! The doors: the only ways from a path to an open directory.
//!
//! Each says who chose the path. A person names the start root and what a command of the shell
//! writes; the environment names further roots; a contract lets a call name a path, over stdio
//! and nowhere else; from there one may climb to the project around it. Everything else is opened
//! below a handle, where the kernel keeps it inside.

mod climb;
mod reach;

use std::path::{Component, Path, PathBuf};

pub use climb::{Climbed, Spot};
pub use reach::{Named, Reach};

use super::{Error, RelPath, Root, Writes};

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
