//! Writing one file: whole or not at all, and on the disk when we say so.

use std::io::{self, Write as _};
use std::time::SystemTime;

use cap_std::fs::{Dir, OpenOptions};
use cap_tempfile::TempFile;

use super::{EntryKind, Error, RelPath, Root};

impl Root {
    /// Replaces or creates a file. A reader sees the old bytes or the new ones, never a mixture,
    /// and after a crash the same holds. A symbolic link at `path` is replaced, not followed.
    pub fn write(&self, path: &RelPath, bytes: &[u8]) -> Result<(), Error> {
        self.write_with(path, |file| file.write_all(bytes))
    }

    /// The same for bytes that are made on the way and never all in memory.
    pub fn write_with(
        &self,
        path: &RelPath,
        fill: impl FnOnce(&mut dyn io::Write) -> io::Result<()>,
    ) -> Result<(), Error> {
        let failed = |error| Error::from_io("write", path.as_str(), error);
        let parent = self.parent_for_writing(path)?;
        self.refuse_directory(path)?;
        let mut staged = TempFile::new(&parent).map_err(failed)?;
        fill(&mut staged).map_err(failed)?;
        staged.as_file().sync_all().map_err(failed)?;
        self.keep_permissions(path, &staged);
        staged.replace(path.file_name()).map_err(failed)?;
        sync_directory(&parent).map_err(failed)
    }

    /// Adds to the end of a file, or creates it. What was added survives the process, though not a
    /// power cut: for what can be done again. A link is followed no further than its directory.
    pub fn append(&self, path: &RelPath, bytes: &[u8]) -> Result<(), Error> {
        let failed = |error| Error::from_io("add to", path.as_str(), error);
        let parent = self.parent_for_writing(path)?;
        self.refuse_directory(path)?;
        // To open a pipe would wait for a reader.
        if !matches!(self.kind(path)?, None | Some(EntryKind::File)) {
            let (actual, required) = ("a device, pipe or socket", "a file");
            return Err(Error::WrongKind { path: path.to_string(), actual, required });
        }
        let mut options = OpenOptions::new();
        let file = parent.open_with(path.file_name(), options.append(true).create(true));
        file.and_then(|mut file| file.write_all(bytes)).map_err(failed)
    }

    /// Creates a file that must not exist yet; two callers cannot both succeed.
    pub fn create_new(&self, path: &RelPath, bytes: &[u8]) -> Result<(), Error> {
        let failed = |error| Error::from_io("create", path.as_str(), error);
        let parent = self.parent_for_writing(path)?;
        // A hard link to a complete file is the one way to make it appear whole and only once.
        let staged_name = staged_name(path.file_name());
        write_durably(&parent, &staged_name, bytes).map_err(failed)?;
        let linked = parent.hard_link(&staged_name, &parent, path.file_name());
        let removed = parent.remove_file(&staged_name);
        linked.map_err(failed)?;
        removed.map_err(failed)?;
        sync_directory(&parent).map_err(failed)
    }

    pub fn remove(&self, path: &RelPath) -> Result<(), Error> {
        let failed = |error| Error::from_io("remove", path.as_str(), error);
        self.refuse_directory(path)?;
        self.dir.remove_file(path).map_err(failed)?;
        match path.parent() {
            Some(parent) => self.dir.open_dir(&parent).and_then(|dir| sync_directory(&dir)),
            None => sync_directory(&self.dir),
        }
        .map_err(failed)
    }

    /// Makes a file look as old as this.
    pub fn set_modified(&self, path: &RelPath, modified: SystemTime) -> Result<(), Error> {
        let mut options = OpenOptions::new();
        let file = self.dir.open_with(path, options.write(true)).map(cap_std::fs::File::into_std);
        file.and_then(|file| file.set_modified(modified))
            .map_err(|error| Error::from_io("date", path.as_str(), error))
    }

    pub fn create_dir_all(&self, path: &RelPath) -> Result<(), Error> {
        self.dir
            .create_dir_all(path)
            .map_err(|error| Error::from_io("create", path.as_str(), error))
    }

    pub(super) fn parent_for_writing(&self, path: &RelPath) -> Result<Dir, Error> {
        let opened = match path.parent() {
            None => self.dir.try_clone(),
            Some(parent) => {
                self.create_dir_all(&parent)?;
                self.dir.open_dir(&parent)
            }
        };
        opened.map_err(|error| Error::from_io("open the directory of", path.as_str(), error))
    }

    /// Renaming a file over a directory fails anyway, but with a message that says less.
    pub(super) fn refuse_directory(&self, path: &RelPath) -> Result<(), Error> {
        match self.dir.symlink_metadata(path) {
            Ok(metadata) if metadata.is_dir() => Err(Error::WrongKind {
                path: path.to_string(),
                actual: "a directory",
                required: "a file",
            }),
            _ => Ok(()),
        }
    }

    fn keep_permissions(&self, path: &RelPath, staged: &TempFile<'_>) {
        if let Ok(metadata) = self.dir.symlink_metadata(path)
            && metadata.is_file()
        {
            // A file system without permissions is no reason not to write.
            drop(staged.as_file().set_permissions(metadata.permissions()));
        }
    }
}

pub(super) fn write_durably(dir: &Dir, name: &str, bytes: &[u8]) -> io::Result<()> {
    let mut file = dir.create(name)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// A rename is on the disk only once its directory is.
pub(super) fn sync_directory(dir: &Dir) -> io::Result<()> {
    if cfg!(windows) {
        return Ok(());
    }
    dir.open(".")?.sync_all()
}

/// A name nobody else uses at the same time: the process, and a count within it.
pub(super) fn staged_name(target: &str) -> String {
    use std::sync::atomic::{AtomicU64, Ordering};
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let shortened = crate::text::cut(target, 60);
    format!(".{shortened}.{}.{count}.tmp", std::process::id())
}
