//! `Root`: the open directory everything is resolved beneath.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use cap_std::ambient_authority;
use cap_std::fs::{Dir, Metadata};

use super::handle::Handle;
use super::{Error, RelPath};

/// An open directory. Open it anew for each call: a root that was deleted and made again, or
/// switched by a link, is then the one that counts.
///
/// ```no_run
/// use std::path::Path;
///
/// use mcp_core::doors;
/// use mcp_core::sandbox::RelPath;
///
/// let root = doors::start(Path::new("."))?;
/// let brief = root.read_text(&RelPath::parse("docs/brief.md")?)?;
/// root.write(&RelPath::parse("docs/copy.md")?, brief.as_bytes())?;
/// # Ok::<(), mcp_core::sandbox::Error>(())
/// ```
#[derive(Debug)]
pub struct Root {
    pub(super) dir: Handle,
    path: PathBuf,
    pub(super) writes: Writes,
}

/// What may be written below a root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Writes {
    /// Everything but what other programs take orders from.
    Guarded,
    /// Everything: a person named the place.
    Anywhere,
    /// Everything: the place is our own, and what happens there concerns nobody.
    Own,
}

/// What tells one directory from every other while it exists, whatever it is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DirectoryId {
    /// The number of the file system it lies on.
    pub device: u64,
    /// Its number within that file system.
    pub inode: u64,
}

/// What lies at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A directory, which may be listed.
    Directory,
    /// Where it leads has not been looked at.
    Symlink,
    /// A device, a pipe or a socket.
    Other,
}

/// One line of a directory's listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Without the directory it lies in.
    pub name: String,
    /// What it is itself: a link is not followed.
    pub kind: EntryKind,
}

/// What a directory holds.
pub(crate) struct Listing {
    /// By name.
    pub(crate) entries: Vec<Entry>,
    /// Names that are not UTF-8, made readable.
    pub(crate) unnamed: Vec<String>,
}

/// Two equal stamps mean an unchanged file, unless it was changed twice within one tick of the
/// file system's clock: compare `modified` with the present before relying on a stamp.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    /// What it is, links followed.
    pub kind: EntryKind,
    /// In bytes.
    pub size: u64,
    /// When its contents last changed; `None` where the file system keeps no such time.
    pub modified: Option<SystemTime>,
    /// When contents, name or permissions last changed, in nanoseconds; 0 where there is no such
    /// time.
    pub changed: i128,
    /// 0 where files have none.
    pub inode: u64,
}

impl Stamp {
    /// The stamp of a file beneath a directory that is not opened for it: one look instead of five
    /// calls to the system. Only good for comparing with a stamp that a root gave, because links
    /// lead wherever they like here.
    #[expect(clippy::disallowed_methods, reason = "nothing is opened, and only compared")]
    pub fn glance(directory: &Path, path: &RelPath) -> Option<Self> {
        let metadata = std::fs::metadata(directory.join(path.as_str())).ok()?;
        Some(Self::of(&Metadata::from_just_metadata(metadata)))
    }

    fn of(metadata: &Metadata) -> Self {
        #[cfg(unix)]
        let (changed, inode) = {
            use cap_std::fs::MetadataExt as _;
            let seconds = i128::from(metadata.ctime()) * 1_000_000_000;
            (seconds + i128::from(metadata.ctime_nsec()), metadata.ino())
        };
        #[cfg(not(unix))]
        let (changed, inode) = (0, 0);
        Self {
            kind: kind_of(metadata),
            size: metadata.len(),
            modified: metadata.modified().ok().map(cap_std::time::SystemTime::into_std),
            changed,
            inode,
        }
    }
}

impl Root {
    /// Opens `path`, which may itself be a symbolic link to a directory. Only `doors` may: it is
    /// the one way from a path to a handle.
    pub(crate) fn ambient(path: &Path, writes: Writes) -> Result<Self, Error> {
        let opened = Dir::open_ambient_dir(path, ambient_authority());
        let dir = opened.map_err(|error| Error::Root {
            path: path.display().to_string(),
            problem: error.into(),
        })?;
        Ok(Self { dir: Handle::new(dir), path: path.to_owned(), writes })
    }

    /// Which directory this is; `None` where the system has no such numbers.
    pub fn id(&self) -> Option<DirectoryId> {
        #[cfg(unix)]
        {
            use cap_std::fs::MetadataExt as _;
            let metadata = self.dir.own_metadata().ok()?;
            Some(DirectoryId { device: metadata.dev(), inode: metadata.ino() })
        }
        #[cfg(not(unix))]
        None
    }

    /// Where it is now, links resolved; `None` where the system cannot say.
    pub fn real_path(&self) -> Option<PathBuf> {
        self.dir.real_path()
    }

    /// Another handle on the same directory.
    pub fn duplicate(&self) -> Result<Self, Error> {
        let dir = self.dir.duplicate().map_err(|error| Error::from_io("open", ".", error))?;
        Ok(Self { dir, path: self.path.clone(), writes: self.writes })
    }

    /// The path it was opened by: for messages, and for telling others where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A root further down, from which what lies above can no longer be reached.
    pub fn below(&self, path: &RelPath) -> Result<Self, Error> {
        let dir = self
            .dir
            .open_dir(path)
            .map_err(|error| Error::from_io("open", path.as_str(), error))?;
        Ok(Self { dir, path: self.path.join(path.as_str()), writes: self.writes })
    }

    /// What `path` is, symbolic links followed; `None` when there is nothing.
    pub fn kind(&self, path: &RelPath) -> Result<Option<EntryKind>, Error> {
        match self.dir.metadata(path) {
            Ok(metadata) => Ok(Some(kind_of(&metadata))),
            Err(error) => match Error::from_io("look at", path.as_str(), error) {
                Error::Missing { .. } | Error::WrongKind { .. } => Ok(None),
                other => Err(other),
            },
        }
    }

    /// Tells whether a regular file lies there, links followed; a look that fails counts as no.
    pub fn is_file(&self, path: &RelPath) -> bool {
        matches!(self.kind(path), Ok(Some(EntryKind::File)))
    }

    /// Tells whether a directory lies there, links followed; a look that fails counts as no.
    pub fn is_dir(&self, path: &RelPath) -> bool {
        matches!(self.kind(path), Ok(Some(EntryKind::Directory)))
    }

    /// Whether there is anything by that name, a link included wherever it leads. A look that fails
    /// is an error: who takes it for absence writes over what is there.
    pub fn has_entry(&self, path: &RelPath) -> Result<bool, Error> {
        self.dir.has(path).map_err(|error| Error::from_io("look at", path.as_str(), error))
    }

    /// What tells whether a file is still the one that was read, links followed.
    pub fn stamp(&self, path: &RelPath) -> Result<Stamp, Error> {
        let metadata = self.dir.metadata(path);
        let metadata = metadata.map_err(|error| Error::from_io("look at", path.as_str(), error))?;
        Ok(Stamp::of(&metadata))
    }

    /// Tells when the contents of a file last changed, links followed.
    pub fn modified(&self, path: &RelPath) -> Result<SystemTime, Error> {
        let stamp = self.dir.metadata(path).and_then(|metadata| metadata.modified());
        stamp
            .map(cap_std::time::SystemTime::into_std)
            .map_err(|error| Error::from_io("look at", path.as_str(), error))
    }

    /// What lies in a directory (`None`: in the root itself), by name; names that are not UTF-8
    /// are left out.
    pub fn list(&self, path: Option<&RelPath>) -> Result<Vec<Entry>, Error> {
        Ok(self.list_all(path)?.entries)
    }

    /// Like [`Self::list`], with the names that are not UTF-8.
    pub(crate) fn list_all(&self, path: Option<&RelPath>) -> Result<Listing, Error> {
        let shown = path.map_or(".", RelPath::as_str);
        let failed = |error| Error::from_io("list", shown, error);
        let entries = self.dir.entries(path.map(AsRef::as_ref));
        let mut listing = Listing { entries: Vec::new(), unnamed: Vec::new() };
        for entry in entries.map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let name = match entry.file_name().into_string() {
                Ok(name) => name,
                Err(name) => {
                    listing.unnamed.push(name.to_string_lossy().into_owned());
                    continue;
                }
            };
            let kind = match entry.file_type() {
                Ok(kind) if kind.is_file() => EntryKind::File,
                Ok(kind) if kind.is_dir() => EntryKind::Directory,
                Ok(kind) if kind.is_symlink() => EntryKind::Symlink,
                _ => EntryKind::Other,
            };
            listing.entries.push(Entry { name, kind });
        }
        listing.entries.sort_by(|left, right| left.name.cmp(&right.name));
        Ok(listing)
    }
}

pub(super) fn kind_of(metadata: &Metadata) -> EntryKind {
    if metadata.is_file() {
        EntryKind::File
    } else if metadata.is_dir() {
        EntryKind::Directory
    } else {
        EntryKind::Other
    }
}
