//! `Handle`: an open directory with exactly the operations we use.
//!
//! Every one of them passes the seam of `fault`, so that a test can let any of them fail, or be
//! the last before the process dies, and count those that write.

use std::io;
use std::path::Path;

use cap_std::fs::{Dir, File, Metadata, OpenOptions, Permissions, ReadDir};

use super::fault::{self, Operation};

#[derive(Debug)]
pub(super) struct Handle(Dir);

impl Handle {
    pub(super) fn new(dir: Dir) -> Self {
        Self(dir)
    }

    pub(super) fn dir(&self) -> &Dir {
        &self.0
    }

    /// Where it is now, by the kernel's own word; `None` where the system cannot say.
    pub(super) fn real_path(&self) -> Option<std::path::PathBuf> {
        place_of(&self.0)
    }

    pub(super) fn duplicate(&self) -> io::Result<Self> {
        fault::pass(Operation::Look)?;
        self.0.try_clone().map(Self)
    }

    pub(super) fn open_dir(&self, path: impl AsRef<Path>) -> io::Result<Self> {
        fault::pass(Operation::Look)?;
        self.0.open_dir(path).map(Self)
    }

    /// Links followed, as far as they stay below.
    pub(super) fn metadata(&self, path: impl AsRef<Path>) -> io::Result<Metadata> {
        fault::pass(Operation::Look)?;
        self.0.metadata(path)
    }

    /// Of a link itself.
    pub(super) fn symlink_metadata(&self, path: impl AsRef<Path>) -> io::Result<Metadata> {
        fault::pass(Operation::Look)?;
        self.0.symlink_metadata(path)
    }

    pub(super) fn own_metadata(&self) -> io::Result<Metadata> {
        fault::pass(Operation::Look)?;
        self.0.dir_metadata()
    }

    /// Whether anything has that name. A look that fails says nothing either way.
    pub(super) fn has(&self, path: impl AsRef<Path>) -> io::Result<bool> {
        match self.symlink_metadata(path) {
            Ok(_) => Ok(true),
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
                ) =>
            {
                Ok(false)
            }
            Err(error) => Err(error),
        }
    }

    pub(super) fn entries(&self, path: Option<&Path>) -> io::Result<ReadDir> {
        fault::pass(Operation::Look)?;
        match path {
            Some(path) => self.0.read_dir(path),
            None => self.0.entries(),
        }
    }

    pub(super) fn open_with(
        &self,
        path: impl AsRef<Path>,
        options: &OpenOptions,
    ) -> io::Result<File> {
        fault::pass(Operation::Look)?;
        self.0.open_with(path, options)
    }

    /// Opens for writing, as the options say.
    pub(super) fn open_to_write(
        &self,
        path: impl AsRef<Path>,
        options: &OpenOptions,
    ) -> io::Result<File> {
        fault::pass(Operation::Write)?;
        self.0.open_with(path, options)
    }

    /// A new file with these bytes, on the disk when it returns. A name that is taken, by a link
    /// too, is an error.
    pub(super) fn create_durably(&self, name: &str, bytes: &[u8]) -> io::Result<File> {
        self.create_filled(name, |file| io::Write::write_all(file, bytes))
    }

    pub(super) fn create_filled(
        &self,
        name: &str,
        fill: impl FnOnce(&mut dyn io::Write) -> io::Result<()>,
    ) -> io::Result<File> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        let mut file = self.open_to_write(name, &options)?;
        let filled = fault::pass(Operation::Write)
            .and_then(|()| fill(&mut file))
            .and_then(|()| fault::pass(Operation::Write))
            .and_then(|()| file.sync_all());
        if let Err(error) = filled {
            // What cannot be removed either is swept by the journal that lists it.
            drop(self.remove_file(name));
            return Err(error);
        }
        Ok(file)
    }

    pub(super) fn rename(&self, from: impl AsRef<Path>, to: impl AsRef<Path>) -> io::Result<()> {
        fault::pass(Operation::Write)?;
        self.0.rename(from, &self.0, to)
    }

    pub(super) fn hard_link(&self, from: impl AsRef<Path>, to: impl AsRef<Path>) -> io::Result<()> {
        fault::pass(Operation::Write)?;
        self.0.hard_link(from, &self.0, to)
    }

    pub(super) fn remove_file(&self, path: impl AsRef<Path>) -> io::Result<()> {
        fault::pass(Operation::Write)?;
        self.0.remove_file(path)
    }

    pub(super) fn remove_dir(&self, path: impl AsRef<Path>) -> io::Result<()> {
        fault::pass(Operation::Write)?;
        self.0.remove_dir(path)
    }

    pub(super) fn create_dir_all(&self, path: impl AsRef<Path>) -> io::Result<()> {
        fault::pass(Operation::Write)?;
        self.0.create_dir_all(path)
    }

    /// A file system without permissions is no reason not to write.
    pub(super) fn try_set_permissions(&self, path: impl AsRef<Path>, permissions: Permissions) {
        if fault::pass(Operation::Write).is_ok() {
            drop(self.0.set_permissions(path, permissions));
        }
    }

    /// A rename is on the disk only once its directory is.
    pub(super) fn sync(&self) -> io::Result<()> {
        fault::pass(Operation::Write)?;
        if cfg!(windows) {
            return Ok(());
        }
        self.0.open(".")?.sync_all()
    }
}

/// Where an open directory is now.
#[cfg(target_os = "linux")]
#[expect(clippy::disallowed_methods, reason = "the kernel's own word on a handle")]
fn place_of(dir: &Dir) -> Option<std::path::PathBuf> {
    use std::os::fd::AsRawFd as _;
    std::fs::read_link(format!("/proc/self/fd/{}", dir.as_raw_fd())).ok()
}

#[cfg(target_vendor = "apple")]
fn place_of(dir: &Dir) -> Option<std::path::PathBuf> {
    let path = rustix::fs::getpath(dir).ok()?;
    Some(std::path::PathBuf::from(path.into_string().ok()?))
}

#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
fn place_of(_dir: &Dir) -> Option<std::path::PathBuf> {
    None
}
