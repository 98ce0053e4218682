//! Writing one file: whole or not at all, and on the disk when we say so.

use std::io::{self, Write as _};
use std::time::SystemTime;

use cap_std::fs::OpenOptions;
use cap_tempfile::TempFile;

use super::fault::{self, Operation};
use super::handle::Handle;
use super::root::Writes;
use super::{EntryKind, Error, RelPath, Root, audit, protected};

impl Root {
    /// Replaces or creates a file. A reader sees the old bytes or the new ones, never a mixture,
    /// and after a crash the same holds. A symbolic link at `path` is replaced, not followed.
    pub fn write(&self, path: &RelPath, bytes: &[u8]) -> Result<(), Error> {
        self.write_with(path, |file| file.write_all(bytes))
    }

    /// Like [`Self::write`], for bytes that are made on the way and never all in memory.
    pub fn write_with(
        &self,
        path: &RelPath,
        fill: impl FnOnce(&mut dyn io::Write) -> io::Result<()>,
    ) -> Result<(), Error> {
        let failed = |error| Error::from_io("write", path.as_str(), error);
        let parent = self.parent_for_writing(path)?;
        self.refuse_directory(path)?;
        let noted = audit::before(self, path, audit::Action::Write);
        // Without a name until it is whole, so that a kill leaves nothing behind.
        let step = || fault::pass(Operation::Write);
        let mut staged = step().and_then(|()| TempFile::new(parent.dir())).map_err(failed)?;
        step().and_then(|()| fill(&mut staged)).map_err(failed)?;
        step().and_then(|()| staged.as_file().sync_all()).map_err(failed)?;
        self.keep_permissions(path, &staged);
        step().and_then(|()| staged.replace(path.file_name())).map_err(failed)?;
        noted.into_iter().for_each(audit::Noted::done);
        parent.sync().map_err(failed)
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
        let noted = audit::before(self, path, audit::Action::Append);
        let mut options = OpenOptions::new();
        let file = parent.open_to_write(path.file_name(), options.append(true).create(true));
        file.and_then(|mut file| file.write_all(bytes)).map_err(failed)?;
        noted.into_iter().for_each(audit::Noted::done);
        Ok(())
    }

    /// Creates a file that must not exist yet; two callers cannot both succeed.
    pub fn create_new(&self, path: &RelPath, bytes: &[u8]) -> Result<(), Error> {
        let failed = |error| Error::from_io("create", path.as_str(), error);
        let parent = self.parent_for_writing(path)?;
        // A hard link to a complete file is the one way to make it appear whole and only once.
        let noted = audit::before(self, path, audit::Action::Write);
        let staged_name = staged_name(path.file_name());
        drop(parent.create_durably(&staged_name, bytes).map_err(failed)?);
        let linked = parent.hard_link(&staged_name, path.file_name());
        let removed = parent.remove_file(&staged_name);
        linked.map_err(failed)?;
        removed.map_err(failed)?;
        noted.into_iter().for_each(audit::Noted::done);
        parent.sync().map_err(failed)
    }

    /// Removes a file that must exist; a link is removed itself, a directory refused.
    pub fn remove(&self, path: &RelPath) -> Result<(), Error> {
        let failed = |error| Error::from_io("remove", path.as_str(), error);
        self.refuse_directory(path)?;
        let parent = match path.parent() {
            Some(parent) => self.dir.open_dir(&parent),
            None => self.dir.duplicate(),
        };
        let parent = parent.map_err(failed)?;
        self.refuse_protected(&parent, path)?;
        let noted = audit::before(self, path, audit::Action::Remove);
        parent.remove_file(path.file_name()).map_err(failed)?;
        noted.into_iter().for_each(audit::Noted::done);
        parent.sync().map_err(failed)
    }

    /// Makes a file look as old as this.
    pub fn set_modified(&self, path: &RelPath, modified: SystemTime) -> Result<(), Error> {
        let mut options = OpenOptions::new();
        let file = self.dir.open_to_write(path, options.write(true));
        let file = file.map(cap_std::fs::File::into_std);
        file.and_then(|file| file.set_modified(modified))
            .map_err(|error| Error::from_io("date", path.as_str(), error))
    }

    /// Makes a directory and those above it; one that is there already is no error.
    pub fn create_dir_all(&self, path: &RelPath) -> Result<(), Error> {
        self.dir
            .create_dir_all(path)
            .map_err(|error| Error::from_io("create", path.as_str(), error))
    }

    /// The directory a file is about to be written in, made if it is not there; refused where no
    /// tool writes.
    pub(super) fn parent_for_writing(&self, path: &RelPath) -> Result<Handle, Error> {
        let failed = |error| Error::from_io("open the directory of", path.as_str(), error);
        let Some(parent) = path.parent() else {
            let own = self.dir.duplicate().map_err(failed)?;
            self.refuse_protected(&own, path)?;
            return Ok(own);
        };
        // Nothing is made on the way into a closed place either.
        let mut above = Some(parent.clone());
        while let Some(it) = &above {
            if let Ok(existing) = self.dir.open_dir(it) {
                self.refuse_below(&existing, it, path)?;
                break;
            }
            above = it.parent();
        }
        if above.is_none() {
            self.refuse_below(&self.dir, path, path)?;
        }
        self.create_dir_all(&parent)?;
        let parent = self.dir.open_dir(&parent).map_err(failed)?;
        self.refuse_protected(&parent, path)?;
        Ok(parent)
    }

    /// Judges what would be made below a directory that exists.
    fn refuse_below(&self, existing: &Handle, at: &RelPath, path: &RelPath) -> Result<(), Error> {
        if self.writes != Writes::Guarded {
            return Ok(());
        }
        let rest = if at == path {
            path.as_str()
        } else {
            path.as_str().strip_prefix(at.as_str()).unwrap_or(path.as_str())
        };
        protected::refuse(&self.dir, existing, rest.trim_matches('/'), path.as_str())
    }

    /// Refuses a target of a recorded step that no tool may write.
    pub(super) fn refuse_target(&self, path: &RelPath) -> Result<(), Error> {
        let parent = match path.parent() {
            Some(parent) => self.dir.open_dir(&parent),
            None => self.dir.duplicate(),
        };
        // Where its directory is gone there is nothing left to do either.
        parent.map_or(Ok(()), |parent| self.refuse_protected(&parent, path))
    }

    pub(super) fn refuse_protected(&self, parent: &Handle, path: &RelPath) -> Result<(), Error> {
        if self.writes != Writes::Guarded {
            return Ok(());
        }
        protected::refuse(&self.dir, parent, path.file_name(), path.as_str())
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

/// A name that nobody can guess: what lies there is ours, or the file is not made.
pub(super) fn staged_name(target: &str) -> String {
    let shortened = crate::text::cut(target, 60);
    format!(".{shortened}.{}{STAGED}", crate::entropy::Entropy::system().id())
}

/// Whether a name is one that `staged_name` makes for the file it lies beside.
pub(super) fn is_staged_name(name: &str, target: &str) -> bool {
    let shortened = crate::text::cut(target, 60);
    let id = name.strip_prefix('.').and_then(|it| it.strip_prefix(shortened));
    let id = id.and_then(|it| it.strip_prefix('.')).and_then(|it| it.strip_suffix(STAGED));
    id.is_some_and(|it| it.len() == 32 && it.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// How the names of staged files end.
const STAGED: &str = ".tmp";
