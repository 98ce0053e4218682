//! Looking: what has changed, what a commit holds.

use super::names::check_revision;
use super::output::{self, Blob, Changed, Commit, TreeChange, TreeFile};
use super::{Git, GitError, ObjectId};

/// Where the working tree stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// `None` before the first commit.
    pub commit: Option<ObjectId>,
    /// `None` where a commit is checked out instead of a branch.
    pub branch: Option<String>,
}

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

    /// Name and address that commits would be made under; `None` where either is not set.
    pub fn user(&self) -> Result<Option<(String, String)>, GitError> {
        let setting = |name: &str| -> Result<Option<String>, GitError> {
            let ended = self.try_run(self.program.clone(), &["config", "--get", name], b"")?;
            let value = crate::text::one_line(String::from_utf8_lossy(&ended.stdout).trim());
            Ok(Some(value).filter(|it| ended.status.success() && !it.is_empty()))
        };
        Ok(setting("user.name")?.zip(setting("user.email")?))
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
        Ok(output::statuses(&said, &|path| self.inside(path)))
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
        output::names_and_statuses(&said, &|path| self.inside(path))
    }

    /// The files of a commit.
    pub fn files_at(&self, commit: &ObjectId) -> Result<Vec<TreeFile>, GitError> {
        let said = self.run(&["ls-tree", "-r", "-z", "--full-tree", commit.as_str()])?;
        output::tree_files(&said, &|path| self.inside(path))
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
        output::tree_changes(&said, &|path| self.inside(path))
    }

    /// The last commits that are no merges, newest first, and what each changed; with directories
    /// named, only those that changed something there. None before the first commit.
    pub fn history(&self, commits: usize, beneath: &[&str]) -> Result<Vec<Commit>, GitError> {
        if self.find("HEAD")?.is_none() {
            return Ok(Vec::new());
        }
        let count = commits.to_string();
        let mut args = vec!["log", "-n", &count, "--no-merges", "--no-renames", "--no-ext-diff"];
        args.extend(["--no-textconv", "--no-show-signature", "--ignore-submodules=all"]);
        args.extend(["--raw", "--no-abbrev", "-z", "--format=%x01%H", "HEAD", "--"]);
        let paths: Vec<String> = beneath.iter().map(|it| self.path_from_top(it)).collect();
        args.extend(paths.iter().map(String::as_str));
        let said = self.run(&args)?;
        output::history(&said, &|path| self.inside(path))
    }

    /// The contents of many files by one process.
    pub fn blobs(&self, ids: &[ObjectId]) -> Result<Vec<Blob>, GitError> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let input: String = ids.iter().flat_map(|id| [id.as_str(), "\n"]).collect();
        let said = self.run_by(&self.program, &["cat-file", "--batch"], input.as_bytes())?;
        output::blobs(&said, ids.len())
    }

    /// One file of a commit; `None` where it has none by that path.
    pub fn file_at(&self, commit: &ObjectId, path: &str) -> Result<Blob, GitError> {
        let path = self.path_from_top(path);
        let args = ["ls-tree", "-z", "--full-tree", commit.as_str(), "--", &path];
        let said = self.run(&args)?;
        match output::blob_listed(&said)? {
            Some(id) => Ok(self.blobs(&[id])?.pop().flatten()),
            None => Ok(None),
        }
    }
}
