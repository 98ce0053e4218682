//! `Root`: the open directory everything is resolved beneath.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use cap_std::ambient_authority;
use cap_std::fs::{Dir, Metadata};

use super::{Error, RelPath};

/// An open directory. Open it anew for each call: a root that was deleted and made again, or
/// switched by a link, is then the one that counts.
#[derive(Debug)]
pub struct Root {
    pub(super) dir: Dir,
    path: PathBuf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    File,
    Directory,
    /// Where it leads has not been looked at.
    Symlink,
    /// A device, a pipe or a socket.
    Other,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub name: String,
    pub kind: EntryKind,
}

/// Two equal stamps mean an unchanged file, unless it was changed twice within one tick of the
/// file system's clock: compare `modified` with the present before relying on a stamp.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    pub kind: EntryKind,
    pub size: u64,
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
    /// Opens `path`, which may itself be a symbolic link to a directory.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let dir = Dir::open_ambient_dir(path, ambient_authority()).map_err(|error| {
            Error::Root { path: path.display().to_string(), problem: error.into() }
        })?;
        Ok(Self { dir, path: path.to_owned() })
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
        Ok(Self { dir, path: self.path.join(path.as_str()) })
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

    pub fn is_file(&self, path: &RelPath) -> bool {
        matches!(self.kind(path), Ok(Some(EntryKind::File)))
    }

    pub fn is_dir(&self, path: &RelPath) -> bool {
        matches!(self.kind(path), Ok(Some(EntryKind::Directory)))
    }

    /// Whether there is anything by that name, a link included wherever it leads.
    pub fn has_entry(&self, path: &RelPath) -> bool {
        self.dir.symlink_metadata(path).is_ok()
    }

    /// What tells whether a file is still the one that was read, links followed.
    pub fn stamp(&self, path: &RelPath) -> Result<Stamp, Error> {
        let metadata = self.dir.metadata(path);
        let metadata = metadata.map_err(|error| Error::from_io("look at", path.as_str(), error))?;
        Ok(Stamp::of(&metadata))
    }

    pub fn modified(&self, path: &RelPath) -> Result<SystemTime, Error> {
        let stamp = self.dir.metadata(path).and_then(|metadata| metadata.modified());
        stamp
            .map(cap_std::time::SystemTime::into_std)
            .map_err(|error| Error::from_io("look at", path.as_str(), error))
    }

    /// What lies in a directory (`None`: in the root itself), by name; names that are not UTF-8
    /// are left out.
    pub fn list(&self, path: Option<&RelPath>) -> Result<Vec<Entry>, Error> {
        let shown = path.map_or(".", RelPath::as_str);
        let failed = |error| Error::from_io("list", shown, error);
        let entries = match path {
            Some(path) => self.dir.read_dir(path),
            None => self.dir.entries(),
        };
        let mut listed = Vec::new();
        for entry in entries.map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            let kind = match entry.file_type() {
                Ok(kind) if kind.is_file() => EntryKind::File,
                Ok(kind) if kind.is_dir() => EntryKind::Directory,
                Ok(kind) if kind.is_symlink() => EntryKind::Symlink,
                _ => EntryKind::Other,
            };
            listed.push(Entry { name, kind });
        }
        listed.sort_by(|left, right| left.name.cmp(&right.name));
        Ok(listed)
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
