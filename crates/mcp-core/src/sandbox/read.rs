//! Reading: regular files only, bounded, as bytes or as UTF-8.

use std::io::Read as _;

use cap_std::fs::{File, OpenOptions};

use super::root::kind_of;
use super::{EntryKind, Error, MAX_FILE_BYTES, RelPath, Root};

impl Root {
    /// Reads a file of at most [`MAX_FILE_BYTES`].
    pub fn read(&self, path: &RelPath) -> Result<Vec<u8>, Error> {
        self.read_up_to(path, MAX_FILE_BYTES)
    }

    /// Reads a file, refusing one of more than `limit` bytes.
    pub fn read_up_to(&self, path: &RelPath, limit: u64) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        self.read_up_to_into(path, limit, &mut bytes)?;
        Ok(bytes)
    }

    /// Like [`Self::read_up_to`], reusing `bytes` as the buffer.
    pub fn read_up_to_into(
        &self,
        path: &RelPath,
        limit: u64,
        bytes: &mut Vec<u8>,
    ) -> Result<(), Error> {
        let failed = |error| Error::from_io("read", path.as_str(), error);
        let (file, size) = self.open_regular(path)?;
        let too_large = |size| Error::TooLarge { path: path.to_string(), size, limit };
        if size > limit {
            return Err(too_large(size));
        }
        bytes.clear();
        bytes.reserve(usize::try_from(size).unwrap_or(0));
        // The file may grow while it is read; one byte past the limit is enough to know. A file of
        // the standard library is read into memory as it is, without clearing it first.
        let mut file = file.into_std().take(limit.saturating_add(1));
        file.read_to_end(bytes).map_err(failed)?;
        if bytes.len() as u64 > limit {
            return Err(too_large(bytes.len() as u64));
        }
        Ok(())
    }

    /// The text as it is on disk, byte-order mark included.
    pub fn read_text(&self, path: &RelPath) -> Result<String, Error> {
        let bytes = self.read(path)?;
        String::from_utf8(bytes).map_err(|error| Error::Encoding {
            path: path.to_string(),
            offset: error.utf8_error().valid_up_to(),
        })
    }

    /// Like [`Self::read_text`], where a missing file is an ordinary answer.
    pub fn read_text_if_any(&self, path: &RelPath) -> Result<Option<String>, Error> {
        match self.read_text(path) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.is_missing() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// A file and its size. Opens without waiting: opening a pipe would otherwise block until
    /// somebody writes to it.
    fn open_regular(&self, path: &RelPath) -> Result<(File, u64), Error> {
        let mut options = OpenOptions::new();
        options.read(true);
        #[cfg(unix)]
        {
            use cap_std::fs::OpenOptionsExt as _;
            let nonblocking = rustix::fs::OFlags::NONBLOCK.bits();
            options.custom_flags(i32::try_from(nonblocking).unwrap_or(0));
        }
        let opened = self.dir.open_with(path, &options);
        let file = opened.map_err(|error| Error::from_io("open", path.as_str(), error))?;
        let metadata = file.metadata();
        let metadata = metadata.map_err(|error| Error::from_io("look at", path.as_str(), error))?;
        let actual = match kind_of(&metadata) {
            EntryKind::File => return Ok((file, metadata.len())),
            EntryKind::Directory => "a directory",
            EntryKind::Symlink | EntryKind::Other => "a device, pipe or socket",
        };
        Err(Error::WrongKind { path: path.to_string(), actual, required: "a file" })
    }
}
