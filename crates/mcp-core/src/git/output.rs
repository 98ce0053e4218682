//! What git says, read: lists of files, trees, contents and branches.
//!
//! Paths come as bytes from the top of the repository; `inside` gives those below our directory,
//! from there on.

use jiff::Timestamp;

use super::{GitError, ObjectId};

/// What happened to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangedHow {
    /// In the tree now, and not in the commit it is compared with.
    Added,
    /// In both, with other contents or another mode.
    Modified,
    /// In the commit, and no longer here.
    Deleted,
    /// Here under another name, recognised by its contents.
    Renamed,
    /// Not known to git at all.
    Untracked,
}

/// One file that differs from a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// Where it is now, or was if deleted; relative to the project, with slashes.
    pub path: String,
    /// What the difference consists in.
    pub how: ChangedHow,
    /// Where a renamed file was before; `None` too where that lies outside our directory.
    pub from: Option<String>,
}

/// A file of a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeFile {
    /// Relative to the project, with slashes.
    pub path: String,
    /// What [`super::Git::blobs`] takes to give its contents.
    pub blob: ObjectId,
}

/// One path that differs between two trees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeChange {
    /// Relative to the project, with slashes.
    pub path: String,
    /// Its contents in the first tree; `None` where it was added.
    pub before: Option<ObjectId>,
    /// Its contents in the second tree; `None` where it was deleted.
    pub after: Option<ObjectId>,
}

/// A commit with what it changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// Its id.
    pub id: ObjectId,
    /// Every path it changed inside our directory, renames as a removal and an addition.
    pub changes: Vec<TreeChange>,
}

/// The contents of a file, `None` where the repository does not hold it.
pub type Blob = Option<Vec<u8>>;

/// A branch as [`super::Git::branches`] lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Branch {
    /// Without `refs/heads/`.
    pub name: String,
    /// The commit at its tip.
    pub commit: ObjectId,
    /// When its tip was committed, to the second.
    pub committed: Timestamp,
    /// The first line of the message of its tip.
    pub subject: String,
}

type Inside<'a> = &'a dyn Fn(&[u8]) -> Option<String>;

/// Reads `git status --porcelain=v1 -z --no-renames`.
pub(super) fn statuses(said: &[u8], inside: Inside<'_>) -> Vec<Changed> {
    let entries = said.split(|byte| *byte == 0).filter(|entry| entry.len() > 3);
    entries
        .filter_map(|entry| {
            let path = inside(&entry[3..])?;
            let how = match (entry[0], entry[1]) {
                (b'?', _) => ChangedHow::Untracked,
                (_, b'D') | (b'D', b' ') => ChangedHow::Deleted,
                (b'A', _) => ChangedHow::Added,
                _ => ChangedHow::Modified,
            };
            Some(Changed { path, how, from: None })
        })
        .collect()
}

/// Reads `git diff --name-status -z -M`.
pub(super) fn names_and_statuses(
    said: &[u8],
    inside: Inside<'_>,
) -> Result<Vec<Changed>, GitError> {
    let mut fields = said.split(|byte| *byte == 0).filter(|field| !field.is_empty());
    let mut changes = Vec::new();
    while let Some(letter) = fields.next().and_then(|field| field.first().copied()) {
        let mut next = || fields.next().ok_or(GitError::Unreadable { what: "changed files" });
        let first = next()?;
        let (from, path) = match letter {
            b'R' | b'C' => (inside(first), next()?),
            _ => (None, first),
        };
        let how = match letter {
            b'A' | b'C' => ChangedHow::Added,
            b'D' => ChangedHow::Deleted,
            b'R' => ChangedHow::Renamed,
            _ => ChangedHow::Modified,
        };
        match (inside(path), from) {
            (Some(path), from) => changes.push(Changed { path, how, from }),
            // Moved out of our directory: here it is gone.
            (None, Some(path)) => {
                changes.push(Changed { path, how: ChangedHow::Deleted, from: None });
            }
            (None, None) => {}
        }
    }
    Ok(changes)
}

/// Reads `git ls-tree -r -z`.
pub(super) fn tree_files(said: &[u8], inside: Inside<'_>) -> Result<Vec<TreeFile>, GitError> {
    let mut files = Vec::new();
    for entry in said.split(|byte| *byte == 0).filter(|entry| !entry.is_empty()) {
        let unreadable = GitError::Unreadable { what: "the files of a commit" };
        let tab = entry.iter().position(|byte| *byte == b'\t').ok_or(unreadable)?;
        let facts = String::from_utf8_lossy(&entry[..tab]);
        let mut facts = facts.split(' ').skip(1);
        // Links and submodules have no text of their own.
        let (Some("blob"), Some(id)) = (facts.next(), facts.next()) else { continue };
        if let Some(path) = inside(&entry[tab + 1..]) {
            files.push(TreeFile { path, blob: ObjectId::parse(id)? });
        }
    }
    Ok(files)
}

/// The contents that `git ls-tree -z` names for one path; `None` where there is no file.
pub(super) fn blob_listed(said: &[u8]) -> Result<Option<ObjectId>, GitError> {
    let said = String::from_utf8_lossy(said);
    let mut facts = said.split(['\t', ' ']).skip(1);
    let (Some("blob"), Some(id)) = (facts.next(), facts.next()) else { return Ok(None) };
    ObjectId::parse(id).map(Some)
}

/// Reads `git diff-tree -r -z --raw --no-renames --full-index`.
pub(super) fn tree_changes(said: &[u8], inside: Inside<'_>) -> Result<Vec<TreeChange>, GitError> {
    let mut fields = said.split(|byte| *byte == 0);
    let mut changes = Vec::new();
    while let Some(facts) = fields.next().filter(|facts| facts.first() == Some(&b':')) {
        let unreadable = || GitError::Unreadable { what: "changed files" };
        let path = fields.next().ok_or_else(unreadable)?;
        let facts = String::from_utf8_lossy(facts);
        let mut ids = facts.split(' ').skip(2).map(ObjectId::parse);
        let mut id = || ids.next().ok_or_else(unreadable)?;
        let (before, after) = (id()?, id()?);
        if let Some(path) = inside(path) {
            let some = |id: ObjectId| (!id.is_nothing()).then_some(id);
            changes.push(TreeChange { path, before: some(before), after: some(after) });
        }
    }
    Ok(changes)
}

/// Reads `git log --raw -z --format=%x01%H`.
pub(super) fn history(said: &[u8], inside: Inside<'_>) -> Result<Vec<Commit>, GitError> {
    let mut commits: Vec<Commit> = Vec::new();
    let mut fields = said.split(|byte| *byte == 0).filter(|it| !it.is_empty());
    while let Some(field) = fields.next() {
        let unreadable = || GitError::Unreadable { what: "the history" };
        if let Some(id) = field.strip_prefix(b"\x01") {
            let id = ObjectId::parse(String::from_utf8_lossy(id).trim_end())?;
            commits.push(Commit { id, changes: Vec::new() });
            continue;
        }
        let facts = field.strip_prefix(b"\n").unwrap_or(field);
        let path = fields.next().ok_or_else(unreadable)?;
        let whole = [facts, b"\0", path].concat();
        let commit = commits.last_mut().ok_or_else(unreadable)?;
        commit.changes.extend(tree_changes(&whole, inside)?);
    }
    Ok(commits)
}

/// Reads `git cat-file --batch` for so many objects.
pub(super) fn blobs(said: &[u8], count: usize) -> Result<Vec<Blob>, GitError> {
    let mut rest = said;
    let mut blobs = Vec::new();
    for _ in 0..count {
        let (blob, after) =
            next_blob(rest).ok_or(GitError::Unreadable { what: "the contents of files" })?;
        blobs.push(blob);
        rest = after;
    }
    Ok(blobs)
}

/// Reads `<id> <type> <size>\n<bytes>\n` or `<id> missing\n`.
fn next_blob(from: &[u8]) -> Option<(Blob, &[u8])> {
    let end = from.iter().position(|byte| *byte == b'\n')?;
    let heading = std::str::from_utf8(&from[..end]).ok()?;
    let rest = &from[end + 1..];
    if heading.ends_with(" missing") {
        return Some((None, rest));
    }
    let size: usize = heading.rsplit(' ').next()?.parse().ok()?;
    let bytes = rest.get(..size)?;
    Some((Some(bytes.to_vec()), rest.get(size.checked_add(1)?..)?))
}

/// Reads `git for-each-ref` with the four fields that [`super::Git::branches`] asks for.
pub(super) fn branches(said: &str) -> Result<Vec<Branch>, GitError> {
    let read = |line: &str| {
        let mut fields = line.split('\0');
        let name = fields.next()?.to_owned();
        let commit = ObjectId::parse(fields.next()?).ok()?;
        let committed = Timestamp::from_second(fields.next()?.parse().ok()?).ok()?;
        Some(Branch { name, commit, committed, subject: fields.next()?.to_owned() })
    };
    said.lines().map(|line| read(line).ok_or(GitError::Unreadable { what: "branches" })).collect()
}

/// Everything above on the same bytes, for the fuzzer.
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) fn read_anything(said: &[u8]) {
    let inside: Inside<'_> = &|path| String::from_utf8(path.to_vec()).ok();
    drop(statuses(said, inside));
    drop(names_and_statuses(said, inside));
    drop(tree_files(said, inside));
    drop(blob_listed(said));
    drop(tree_changes(said, inside));
    drop(history(said, inside));
    drop(blobs(said, 3));
    drop(branches(&String::from_utf8_lossy(said)));
}
