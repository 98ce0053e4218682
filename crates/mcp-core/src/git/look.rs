//! Looking: what has changed, what a commit holds.

use super::names::check_revision;
use super::{Git, GitError, ObjectId};

/// Where the working tree stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// `None` before the first commit.
    pub commit: Option<ObjectId>,
    /// `None` where a commit is checked out instead of a branch.
    pub branch: Option<String>,
}

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
    /// What [`Git::blobs`] takes to give its contents.
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

/// The contents of a file, `None` where the repository does not hold it.
pub type Blob = Option<Vec<u8>>;

impl Git {
    /// Asks what is checked out, also before the first commit.
    pub fn head(&self) -> Result<Head, GitError> {
        let branch = self.try_run(
            self.program.clone(),
            &["symbolic-ref", "--quiet", "--short", "HEAD"],
            b"",
        )?;
        let branch = String::from_utf8_lossy(&branch.stdout).trim_end().to_owned();
        Ok(Head { commit: self.find("HEAD")?, branch: (!branch.is_empty()).then_some(branch) })
    }

    /// The commit a name stands for.
    pub fn resolve(&self, name: &str) -> Result<ObjectId, GitError> {
        let unknown = || GitError::Unknown { name: crate::text::one_line(name) };
        self.find(name)?.ok_or_else(unknown)
    }

    /// Like [`Self::resolve`], for a name that need not exist.
    pub fn find(&self, name: &str) -> Result<Option<ObjectId>, GitError> {
        check_revision(name)?;
        let wanted = format!("{name}^{{commit}}");
        let args = ["rev-parse", "--verify", "--quiet", "--end-of-options", &wanted];
        let ended = self.try_run(self.program.clone(), &args, b"")?;
        if !ended.status.success() {
            return Ok(None);
        }
        ObjectId::parse(String::from_utf8_lossy(&ended.stdout).trim_end()).map(Some)
    }

    /// The newest commit both lines of work have.
    pub fn merge_base(&self, a: &ObjectId, b: &ObjectId) -> Result<Option<ObjectId>, GitError> {
        let args = ["merge-base", a.as_str(), b.as_str()];
        let ended = self.try_run(self.program.clone(), &args, b"")?;
        let said = String::from_utf8_lossy(&ended.stdout);
        said.lines().next().map(ObjectId::parse).transpose()
    }

    /// What the working tree has that the last commit has not, untracked files included.
    pub fn uncommitted(&self) -> Result<Vec<Changed>, GitError> {
        let said = self.run(&[
            "status",
            "--porcelain=v1",
            "-z",
            "--untracked-files=all",
            "--ignore-submodules=all",
            "--no-renames",
        ])?;
        let entries = said.split(|byte| *byte == 0).filter(|entry| entry.len() > 3);
        Ok(entries
            .filter_map(|entry| {
                let path = self.inside(&entry[3..])?;
                let how = match (entry[0], entry[1]) {
                    (b'?', _) => ChangedHow::Untracked,
                    (_, b'D') | (b'D', b' ') => ChangedHow::Deleted,
                    (b'A', _) => ChangedHow::Added,
                    _ => ChangedHow::Modified,
                };
                Some(Changed { path, how, from: None })
            })
            .collect())
    }

    /// What the working tree's tracked files have that `commit` has not, renames recognised.
    pub fn changed_since(&self, commit: &ObjectId) -> Result<Vec<Changed>, GitError> {
        self.differing(&["-M", commit.as_str()])
    }

    /// What the index has that the last commit has not, renames recognised.
    pub fn staged(&self) -> Result<Vec<Changed>, GitError> {
        self.differing(&["-M", "--cached"])
    }

    fn differing(&self, which: &[&str]) -> Result<Vec<Changed>, GitError> {
        const HOW: [&str; 6] = [
            "diff",
            "--no-ext-diff",
            "--no-textconv",
            "--ignore-submodules=all",
            "--name-status",
            "-z",
        ];
        let args: Vec<&str> = HOW.iter().chain(which).copied().chain(["--"]).collect();
        let said = self.run(&args)?;
        let mut fields = said.split(|byte| *byte == 0).filter(|field| !field.is_empty());
        let mut changes = Vec::new();
        while let Some(letter) = fields.next().and_then(|field| field.first().copied()) {
            let mut next = || fields.next().ok_or(GitError::Unreadable { what: "changed files" });
            let first = next()?;
            let (from, path) = match letter {
                b'R' | b'C' => (self.inside(first), next()?),
                _ => (None, first),
            };
            let how = match letter {
                b'A' | b'C' => ChangedHow::Added,
                b'D' => ChangedHow::Deleted,
                b'R' => ChangedHow::Renamed,
                _ => ChangedHow::Modified,
            };
            match (self.inside(path), from) {
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

    /// The files of a commit.
    pub fn files_at(&self, commit: &ObjectId) -> Result<Vec<TreeFile>, GitError> {
        let said = self.run(&["ls-tree", "-r", "-z", "--full-tree", commit.as_str()])?;
        let mut files = Vec::new();
        for entry in said.split(|byte| *byte == 0).filter(|entry| !entry.is_empty()) {
            let unreadable = GitError::Unreadable { what: "the files of a commit" };
            let tab = entry.iter().position(|byte| *byte == b'\t').ok_or(unreadable)?;
            let facts = String::from_utf8_lossy(&entry[..tab]);
            let mut facts = facts.split(' ').skip(1);
            // Links and submodules have no text of their own.
            let (Some("blob"), Some(id)) = (facts.next(), facts.next()) else { continue };
            if let Some(path) = self.inside(&entry[tab + 1..]) {
                files.push(TreeFile { path, blob: ObjectId::parse(id)? });
            }
        }
        Ok(files)
    }

    /// What differs between two commits or trees.
    pub fn tree_changes(
        &self,
        before: &ObjectId,
        after: &ObjectId,
    ) -> Result<Vec<TreeChange>, GitError> {
        let (before, after) = (before.as_str(), after.as_str());
        let args =
            ["diff-tree", "-r", "-z", "--raw", "--no-renames", "--full-index", before, after];
        let said = self.run(&args)?;
        let mut fields = said.split(|byte| *byte == 0);
        let mut changes = Vec::new();
        while let Some(facts) = fields.next().filter(|facts| facts.first() == Some(&b':')) {
            let unreadable = || GitError::Unreadable { what: "changed files" };
            let path = fields.next().ok_or_else(unreadable)?;
            let facts = String::from_utf8_lossy(facts);
            let mut ids = facts.split(' ').skip(2).map(ObjectId::parse);
            let mut id = || ids.next().ok_or_else(unreadable)?;
            let (before, after) = (id()?, id()?);
            if let Some(path) = self.inside(path) {
                let some = |id: ObjectId| (!id.is_nothing()).then_some(id);
                changes.push(TreeChange { path, before: some(before), after: some(after) });
            }
        }
        Ok(changes)
    }

    /// The contents of many files by one process.
    pub fn blobs(&self, ids: &[ObjectId]) -> Result<Vec<Blob>, GitError> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let input: String = ids.iter().flat_map(|id| [id.as_str(), "\n"]).collect();
        let said = self.run_by(&self.program, &["cat-file", "--batch"], input.as_bytes())?;
        let mut rest = said.as_slice();
        let mut blobs = Vec::with_capacity(ids.len());
        for _ in ids {
            let (blob, after) =
                next_blob(rest).ok_or(GitError::Unreadable { what: "the contents of files" })?;
            blobs.push(blob);
            rest = after;
        }
        Ok(blobs)
    }

    /// One file of a commit; `None` where it has none by that path.
    pub fn file_at(&self, commit: &ObjectId, path: &str) -> Result<Blob, GitError> {
        let path = self.path_from_top(path);
        let args = ["ls-tree", "-z", "--full-tree", commit.as_str(), "--", &path];
        let said = self.run(&args)?;
        let said = String::from_utf8_lossy(&said);
        let mut facts = said.split(['\t', ' ']).skip(1);
        let (Some("blob"), Some(id)) = (facts.next(), facts.next()) else { return Ok(None) };
        Ok(self.blobs(&[ObjectId::parse(id)?])?.pop().flatten())
    }
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
    Some((Some(bytes.to_vec()), rest.get(size + 1..)?))
}
