//! What can go wrong with git, in words that say what to do.

use crate::failure::DomainError;
use crate::program::ProgramError;
use crate::{sandbox, text};

#[derive(Debug, thiserror::Error)]
pub enum GitError {
    #[error(transparent)]
    Program(#[from] ProgramError),
    #[error("the project is not in a git repository with a working tree")]
    NoRepository,
    #[error("git does not trust the repository: it belongs to another user")]
    Untrusted,
    #[error("the repository's settings place its working tree elsewhere")]
    Elsewhere,
    #[error("`{name}` is not the name of a commit, branch or tag")]
    Name { name: String },
    #[error("there is no commit, branch or tag `{name}`")]
    Unknown { name: String },
    #[error("the branch `{name}` exists already")]
    BranchExists { name: String },
    #[error("git {command} failed: {reason}")]
    Failed { command: String, reason: String },
    #[error("git's answer about {what} cannot be read")]
    Unreadable { what: &'static str },
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
