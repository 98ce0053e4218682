//! What can go wrong with git, in words that say what to do.

use crate::failure::DomainError;
use crate::program::ProgramError;
use crate::{sandbox, text};

/// Why git could not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// The program is missing, cannot be started, or was stopped before its end.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// No directory from the project upwards has a `.git` that can be used.
    #[error("the project is not in a git repository with a working tree")]
    NoRepository,
    /// Git refuses the repository because of its owner, and `safe.directory` does not list it.
    #[error("git does not trust the repository: it belongs to another user")]
    Untrusted,
    /// Git means another working tree or git directory than those found, as by `core.worktree`.
    #[error("the repository's settings place its working tree elsewhere")]
    Elsewhere,
    /// Something was to be written, and the git directory may belong to another tree.
    #[error(
        "nothing in the git directory that `.git` points to leads back to this working tree, so nothing is written there"
    )]
    Unconfirmed,
    /// A name has a form that is never passed on to git, such as an option or a range.
    #[error("`{name}` is not the name of a commit, branch or tag")]
    Name {
        /// The name as given, cut to 100 characters.
        name: String,
    },
    /// A name is well formed and stands for no commit.
    #[error("there is no commit, branch or tag `{name}`")]
    Unknown {
        /// The name as given, on one line.
        name: String,
    },
    /// A branch was to be made under a name that is taken.
    #[error("the branch `{name}` exists already")]
    BranchExists {
        /// Without `refs/heads/`.
        name: String,
    },
    /// Git ran and ended with an error that has no variant of its own.
    #[error("git {command} failed: {reason}")]
    Failed {
        /// The subcommand, such as `commit-tree`.
        command: String,
        /// The last line git wrote about it, at most 300 characters.
        reason: String,
    },
    /// Git succeeded and wrote something that does not have the expected form.
    #[error("git's answer about {what} cannot be read")]
    Unreadable {
        /// What was asked for, in words that complete the message.
        what: &'static str,
    },
    /// A file of the repository, or a scratch directory, cannot be read or written.
    #[error(transparent)]
    File(#[from] sandbox::Error),
}

impl GitError {
    pub(super) fn no_repository(stderr: &str) -> Self {
        if stderr.contains("dubious ownership") { Self::Untrusted } else { Self::NoRepository }
    }

    pub(super) fn failed(args: &[&str], stderr: &str) -> Self {
        let command = args.first().copied().unwrap_or_default().to_owned();
        let told = |line: &&str| !line.trim().is_empty() && !line.starts_with("hint:");
        // The last word is the reason; warnings come before it.
        let line = stderr.lines().rfind(told).unwrap_or("no reason");
        let line =
            line.strip_prefix("fatal: ").or_else(|| line.strip_prefix("error: ")).unwrap_or(line);
        Self::Failed { command, reason: text::cut(&text::one_line(line), 300).to_owned() }
    }
}

impl DomainError for GitError {
    fn code(&self) -> &'static str {
        match self {
            Self::Program(ProgramError::NotFound { .. }) => "git_missing",
            Self::Program(ProgramError::Cancelled { .. }) => crate::failure::Failure::CANCELLED,
            Self::NoRepository | Self::Elsewhere => "not_a_git_repository",
            Self::Untrusted => "git_untrusted",
            Self::Unconfirmed => "git_unconfirmed",
            Self::Name { .. } | Self::Unknown { .. } => "unknown_git_ref",
            Self::BranchExists { .. } => "branch_exists",
            Self::Program(_) | Self::Failed { .. } | Self::Unreadable { .. } => "git_failed",
            Self::File(error) => error.code(),
        }
    }

    fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Program(ProgramError::NotFound { .. }) => {
                "Install git and make sure it is on the PATH."
            }
            Self::NoRepository => "Run `git init` in the project, or start the server in one.",
            Self::Unconfirmed => {
                "Run `git config core.worktree <this directory>` if the repository was made with --separate-git-dir, or clone it anew."
            }
            Self::Elsewhere => "Unset `core.worktree` in the repository's configuration.",
            Self::Untrusted => {
                "Run `git config --global --add safe.directory <project>` if you trust it."
            }
            Self::Name { .. } | Self::Unknown { .. } => {
                "`git branch --all` and `git tag` list what there is; `HEAD~1` and commit ids work too."
            }
            Self::BranchExists { .. } => "Try again: a new name is made for each call.",
            Self::File(error) => return error.hint(),
            Self::Program(_) | Self::Failed { .. } | Self::Unreadable { .. } => return None,
        };
        Some(hint.to_owned())
    }
}
