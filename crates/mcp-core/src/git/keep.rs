//! Keeping: commits of the working tree on branches of their own, with HEAD, the index and the
//! working tree left as they are.

use jiff::Timestamp;

use super::names::check_branch;
use super::output::{self, Branch};
use super::{Git, GitError, ObjectId};
use crate::doors::{self, Scratch};
use crate::program::Program;
use crate::sandbox::RelPath;

/// An index of a large repository has tens of megabytes.
const MAX_INDEX_BYTES: u64 = 1024 * 1024 * 1024;

/// A file as a snapshot shall hold it, whatever the working tree says.
#[derive(Debug, Clone)]
pub struct FileAs<'a> {
    /// Relative to the project, with slashes.
    pub path: &'a str,
    /// `None`: there is no such file.
    pub bytes: Option<&'a [u8]>,
}

/// Who a commit is by; a user who never told git a name still gets one.
#[derive(Debug, Clone, Copy)]
pub struct Author<'a> {
    /// Stands for author and committer alike.
    pub name: &'a str,
    /// Need not exist; git only asks that there be one.
    pub email: &'a str,
}

impl Git {
    /// A tree of everything in the working tree that git does not ignore, with `exact` files
    /// byte for byte as given, ignored or not. Built in an index of its own.
    pub fn snapshot(&self, exact: &[FileAs<'_>]) -> Result<ObjectId, GitError> {
        let index = ScratchIndex::copied_from(self)?;
        self.run_by(&index.program, &["add", "--all", "--", "."], b"")?;
        let input = self.entries_of(&index.program, exact)?;
        self.run_by(&index.program, &["update-index", "-z", "--index-info"], &input)?;
        self.tree_of(&index.program)
    }

    /// Another tree that differs from this one in the given files only.
    pub fn tree_with(&self, tree: &ObjectId, exact: &[FileAs<'_>]) -> Result<ObjectId, GitError> {
        let index = ScratchIndex::empty(self)?;
        self.run_by(&index.program, &["read-tree", tree.as_str()], b"")?;
        let input = self.entries_of(&index.program, exact)?;
        self.run_by(&index.program, &["update-index", "-z", "--index-info"], &input)?;
        self.tree_of(&index.program)
    }

    /// Makes a commit that no branch points to yet, unsigned and dated `when` in UTC.
    pub fn commit(
        &self,
        tree: &ObjectId,
        parents: &[&ObjectId],
        message: &str,
        author: Author<'_>,
        when: Timestamp,
    ) -> Result<ObjectId, GitError> {
        self.check_may_write()?;
        let date = format!("@{} +0000", when.as_second());
        let mut program = self.program.clone();
        for (name, value) in [
            ("GIT_AUTHOR_NAME", author.name),
            ("GIT_AUTHOR_EMAIL", author.email),
            ("GIT_AUTHOR_DATE", &date),
            ("GIT_COMMITTER_NAME", author.name),
            ("GIT_COMMITTER_EMAIL", author.email),
            ("GIT_COMMITTER_DATE", &date),
        ] {
            program = program.variable(name, value);
        }
        let mut args = vec!["commit-tree", "--no-gpg-sign", tree.as_str()];
        for parent in parents {
            args.extend(["-p", parent.as_str()]);
        }
        args.extend(["-F", "-"]);
        self.object(&program, &args, message.as_bytes())
    }

    /// Makes a branch that must not exist yet.
    pub fn create_branch(&self, name: &str, commit: &ObjectId) -> Result<(), GitError> {
        self.check_may_write()?;
        check_branch(name)?;
        let reference = format!("refs/heads/{name}");
        let nothing = commit.nothing_like();
        let args = ["update-ref", "--", &reference, commit.as_str(), nothing.as_str()];
        match self.run(&args) {
            Ok(_) => Ok(()),
            Err(GitError::Failed { .. }) if self.find(&reference)?.is_some() => {
                Err(GitError::BranchExists { name: name.to_owned() })
            }
            Err(error) => Err(error),
        }
    }

    /// The branches beneath `directory`, the newest first.
    pub fn branches(&self, directory: &str) -> Result<Vec<Branch>, GitError> {
        check_branch(directory)?;
        let beneath = format!("refs/heads/{directory}/");
        let format =
            "--format=%(refname:lstrip=2)%00%(objectname)%00%(committerdate:unix)%00%(subject)";
        let said = self.line(&["for-each-ref", "--sort=-committerdate", format, &beneath])?;
        output::branches(&said)
    }

    /// The commit before this one, on its own line of work.
    pub fn parent_of(&self, commit: &ObjectId) -> Result<Option<ObjectId>, GitError> {
        self.find(&format!("{commit}~1"))
    }

    /// What `update-index --index-info` takes, the blobs written and executable bits kept.
    fn entries_of(&self, index: &Program, exact: &[FileAs<'_>]) -> Result<Vec<u8>, GitError> {
        let mut input = Vec::new();
        for file in exact {
            let path = self.path_from_top(file.path);
            let entry = match file.bytes {
                None => format!("0 {}\t{path}\0", "0".repeat(self.empty_tree.len())),
                Some(bytes) => {
                    let args = ["hash-object", "-w", "--stdin", "--no-filters"];
                    let blob = self.object(&self.program, &args, bytes)?;
                    let listed = self.run_by(index, &["ls-files", "-s", "-z", "--", &path], b"")?;
                    let executable = listed.starts_with(b"100755 ");
                    let mode = if executable { "100755" } else { "100644" };
                    format!("{mode} {blob}\t{path}\0")
                }
            };
            input.extend_from_slice(entry.as_bytes());
        }
        Ok(input)
    }

    fn tree_of(&self, index: &Program) -> Result<ObjectId, GitError> {
        self.object(index, &["write-tree"], b"")
    }

    /// For commands that answer with the name of an object.
    fn object(&self, program: &Program, args: &[&str], input: &[u8]) -> Result<ObjectId, GitError> {
        let said = self.run_by(program, args, input)?;
        ObjectId::parse(String::from_utf8_lossy(&said).trim_end())
    }
}

/// An index of our own, in a directory that is gone with it: nothing of ours lies below `.git`.
struct ScratchIndex {
    directory: Scratch,
    program: Program,
}

impl ScratchIndex {
    fn empty(git: &Git) -> Result<Self, GitError> {
        git.check_may_write()?;
        let directory = Scratch::new()?;
        let program = git.program.clone().variable("GIT_INDEX_FILE", directory.path().join(INDEX));
        Ok(Self { directory, program })
    }

    /// With what the real one knows of unchanged files, so that only changed ones are read.
    fn copied_from(git: &Git) -> Result<Self, GitError> {
        let scratch = Self::empty(git)?;
        let (own, index) = (doors::git_directory(&git.own_dir)?, RelPath::parse(INDEX)?);
        if own.is_file(&index) {
            let stamp = own.stamp(&index)?;
            let bytes = own.read_up_to(&index, MAX_INDEX_BYTES)?;
            let copy = &scratch.directory.root;
            copy.write(&index, &bytes)?;
            // A file changed in the same tick as the index is looked at again only while the index
            // is as old as it was.
            if let Some(modified) = stamp.modified {
                copy.set_modified(&index, modified)?;
            }
        }
        Ok(scratch)
    }
}

const INDEX: &str = "index";
