//! File access with the path in every error, a scratch directory, and what changed in a tree.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::Result;

pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()).into())
}

pub(crate) fn read_text(path: &Path) -> Result<String> {
    fs::read_to_string(path)
        .map_err(|error| format!("cannot read {}: {error}", path.display()).into())
}

/// Writes a file and the directories above it.
pub(crate) fn write(path: &Path, bytes: impl AsRef<[u8]>) -> Result {
    let parent = path.parent().map_or(Ok(()), fs::create_dir_all);
    parent
        .and_then(|()| fs::write(path, bytes))
        .map_err(|error| format!("cannot write {}: {error}", path.display()).into())
}

/// Removes a directory with everything in it; one that does not exist is fine.
pub(crate) fn remove_dir(path: &Path) -> Result {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(format!("cannot remove {}: {error}", path.display()).into())
        }
        _ => Ok(()),
    }
}

pub(crate) fn sha256(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from_digit(value.into(), 16).unwrap_or_default();
    Sha256::digest(bytes).iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// A directory of our own under the system's temporary one, removed on drop unless kept.
pub(crate) struct Scratch {
    path: PathBuf,
    keep: bool,
}

impl Scratch {
    pub(crate) fn new(purpose: &str) -> Result<Self> {
        let stem = format!("plumbline-{purpose}-{}", std::process::id());
        let mut path = std::env::temp_dir().join(&stem);
        for attempt in 1.. {
            // `create_dir`, not `create_dir_all`: a directory that is already there is not ours.
            match fs::create_dir(&path) {
                Ok(()) => break,
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                    path.set_file_name(format!("{stem}-{attempt}"));
                }
                Err(error) => {
                    return Err(format!("cannot create {}: {error}", path.display()).into());
                }
            }
        }
        Ok(Self { path, keep: false })
    }

    pub(crate) fn keep(&mut self) {
        self.keep = true;
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if !self.keep {
            // Nothing useful can be done about a leftover in the temporary directory.
            drop(fs::remove_dir_all(&self.path));
        }
    }
}

/// Every file below a directory: relative path → (size, hash).
pub(crate) type Tree = BTreeMap<String, (usize, String)>;

pub(crate) fn tree(root: &Path) -> Result<Tree> {
    let mut found = Tree::new();
    let mut pending = vec![root.to_path_buf()];
    while let Some(dir) = pending.pop() {
        for entry in fs::read_dir(&dir)? {
            let entry = entry?;
            let path = entry.path();
            if entry.file_type()?.is_dir() {
                pending.push(path);
                continue;
            }
            let bytes = read(&path)?;
            let relative = path.strip_prefix(root)?.to_string_lossy().replace('\\', "/");
            found.insert(relative, (bytes.len(), sha256(&bytes)));
        }
    }
    Ok(found)
}

/// One line per file that appeared, changed or went away.
pub(crate) fn changes(before: &Tree, after: &Tree) -> Vec<String> {
    let written = after.iter().filter_map(|(path, now)| match before.get(path) {
        None => Some(format!("+ {path} ({} bytes)", now.0)),
        Some(was) if was != now => Some(format!("~ {path} ({} → {} bytes)", was.0, now.0)),
        Some(_) => None,
    });
    let removed =
        before.keys().filter(|path| !after.contains_key(*path)).map(|path| format!("- {path}"));
    written.chain(removed).collect()
}

#[cfg(test)]
mod tests {
    use super::{Scratch, changes, sha256, tree, write};

    #[test]
    fn the_hash_of_nothing_is_the_published_one() {
        let published = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(sha256(b""), published);
    }

    #[test]
    fn changes_name_new_altered_and_removed_files() {
        let scratch = Scratch::new("test-changes").unwrap();
        let at = |path: &str| scratch.path().join(path);
        write(&at("kept.md"), "same").unwrap();
        write(&at("docs/edited.md"), "one").unwrap();
        write(&at("gone.md"), "x").unwrap();
        let before = tree(scratch.path()).unwrap();
        write(&at("docs/edited.md"), "two").unwrap();
        write(&at("docs/new/made.md"), "hello").unwrap();
        std::fs::remove_file(at("gone.md")).unwrap();
        let after = tree(scratch.path()).unwrap();
        assert_eq!(
            changes(&before, &after),
            ["~ docs/edited.md (3 → 3 bytes)", "+ docs/new/made.md (5 bytes)", "- gone.md"]
        );
    }

    #[test]
    fn a_second_scratch_directory_does_not_share_the_first() {
        let first = Scratch::new("test-twice").unwrap();
        let second = Scratch::new("test-twice").unwrap();
        assert_ne!(first.path(), second.path());
        assert!(second.path().is_dir());
    }

    #[test]
    fn a_scratch_directory_is_gone_after_use() {
        let scratch = Scratch::new("test-scratch").unwrap();
        let path = scratch.path().to_path_buf();
        assert!(path.is_dir());
        drop(scratch);
        assert!(!path.exists());
    }
}
