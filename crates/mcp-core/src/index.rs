//! What git tracks, read from its index: a rule that ignores a file says nothing about one that is
//! tracked. The format is git's own `index-format`, versions 2 to 4.
//!
//! The file is read and git is not asked: an answer is then the same where git is not installed or
//! refuses a repository that belongs to somebody else, and no program has to be started.

use std::fmt::Write as _;

use crate::sandbox::{RelPath, Root};

/// Room for the index of a million files.
const MAX_INDEX_BYTES: u64 = 256 * 1024 * 1024;
/// Longer paths do not exist, and one entry may repeat all of the one before it.
const MAX_PATH_BYTES: usize = 4096;
/// Times, device, inode, owner and size of a file stand before its id; flags after it.
const BEFORE_ID: usize = 40;
const MODE_AT: usize = 24;
const ID_BYTES: [usize; 2] = [20, 32];
const REGULAR_FILE: u32 = 0o100_000;

/// The regular files that git tracks and that are wanted, by their paths from the top of the tree;
/// none where the index cannot be read.
pub fn tracked(git_dir: &Root, wanted: &dyn Fn(&str) -> bool) -> Vec<String> {
    let read = |name: &str| {
        let bytes = git_dir.read_up_to(&RelPath::parse(name).ok()?, MAX_INDEX_BYTES).ok()?;
        Index::parse(&bytes, wanted)
    };
    let index = read("index").unwrap_or_default();
    // A split index holds what changed; the rest is in a file of its own.
    let shared = index.shared.as_ref().and_then(|name| read(name)).unwrap_or_default();
    let mut paths = index.paths;
    paths.extend(shared.paths);
    paths
}

/// Any bytes as an index, for the fuzzer.
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) fn read_anything(bytes: &[u8]) {
    drop(Index::parse(bytes, &|_| true));
}

/// What is taken from an index.
#[derive(Debug, Default)]
struct Index {
    /// Regular files that are wanted.
    paths: Vec<String>,
    /// The name of the file with the rest of a split index.
    shared: Option<String>,
}

impl Index {
    fn parse(bytes: &[u8], wanted: &dyn Fn(&str) -> bool) -> Option<Self> {
        ID_BYTES.iter().find_map(|id_bytes| Self::with_ids(bytes, *id_bytes, wanted))
    }

    /// None where the ids do not have so many bytes.
    fn with_ids(bytes: &[u8], id_bytes: usize, wanted: &dyn Fn(&str) -> bool) -> Option<Self> {
        let mut paths = Vec::new();
        let mut at = Cursor { bytes, at: 0 };
        if at.take(4)? != b"DIRC" {
            return None;
        }
        let version = at.number()?;
        if !(2..=4).contains(&version) {
            return None;
        }
        let count = at.number()?;
        let mut name: Vec<u8> = Vec::new();
        for _ in 0..count {
            let begin = at.at;
            let fixed = at.take(BEFORE_ID)?;
            let mode = u32::from_be_bytes(fixed[MODE_AT..MODE_AT + 4].try_into().ok()?);
            // Any other kind means that ids have another length, or that this is no index.
            if ![0o100_000, 0o120_000, 0o160_000, 0o040_000].contains(&(mode & 0o170_000)) {
                return None;
            }
            at.take(id_bytes)?;
            let flags = u16::from_be_bytes(at.take(2)?.try_into().ok()?);
            if version >= 3 && flags & 0x4000 != 0 {
                at.take(2)?;
            }
            if version == 4 {
                let dropped = at.offset()?;
                name.truncate(name.len().checked_sub(dropped)?);
                name.extend_from_slice(at.until_zero()?);
            } else {
                name.clear();
                name.extend_from_slice(at.until_zero()?);
                // Filled up with zeros to a multiple of eight, at least one of which was taken.
                at.take((8 - (at.at - begin) % 8) % 8)?;
            }
            if name.len() > MAX_PATH_BYTES {
                return None;
            }
            if mode & 0o170_000 == REGULAR_FILE
                && let Ok(path) = std::str::from_utf8(&name)
                && wanted(path)
            {
                paths.push(path.to_owned());
            }
        }
        let shared = at.shared_index(id_bytes);
        Some(Self { paths, shared })
    }
}

struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let taken = self.bytes.get(self.at..self.at.checked_add(count)?)?;
        self.at += count;
        Some(taken)
    }

    fn number(&mut self) -> Option<u32> {
        Some(u32::from_be_bytes(self.take(4)?.try_into().ok()?))
    }

    /// The bytes before the next zero, which is taken too.
    fn until_zero(&mut self) -> Option<&'a [u8]> {
        let length = self.bytes.get(self.at..)?.iter().position(|it| *it == 0)?;
        let taken = self.take(length)?;
        self.take(1)?;
        Some(taken)
    }

    /// A number as git writes offsets: seven bits a byte, the greatest first.
    fn offset(&mut self) -> Option<usize> {
        let mut byte = self.take(1)?[0];
        let mut value = usize::from(byte & 0x7f);
        while byte & 0x80 != 0 {
            byte = self.take(1)?[0];
            value = value.checked_add(1)?.checked_mul(128)? + usize::from(byte & 0x7f);
        }
        Some(value)
    }

    /// The extensions after the entries: one of them names another file with more.
    fn shared_index(&mut self, id_bytes: usize) -> Option<String> {
        while self.at + id_bytes < self.bytes.len() {
            let signature = self.take(4)?;
            let length = usize::try_from(self.number()?).ok()?;
            let body = self.take(length)?;
            if signature == b"link" {
                let id = body.get(..id_bytes).filter(|id| id.iter().any(|it| *it != 0))?;
                return Some(id.iter().fold("sharedindex.".to_owned(), |mut name, byte| {
                    // Writing to a string cannot fail.
                    write!(name, "{byte:02x}").ok();
                    name
                }));
            }
        }
        None
    }
}
