//! Safety branches: the working tree before and after a write, and the way back.
//!
//! A branch holds two commits, made before anything is written. Restoring applies the difference
//! between them in reverse, so work done since then stays.

mod restore;
#[cfg(test)]
mod tests;

use jiff::Timestamp;
use mcp_core::failure::DomainError;
use mcp_core::git::{Author, FileAs, Git, GitError, ObjectId};
use mcp_core::sandbox;

use super::save::FileWrite;

pub(crate) use restore::{Restoration, plan_restore};

/// Where our branches lie, beneath `refs/heads/`.
pub(crate) const DIRECTORY: &str = "safety";

const AUTHOR: Author<'_> = Author { name: "elspais-mcp", email: "elspais-mcp@localhost" };
const BEFORE: &str = "elspais: before ";
const AFTER: &str = "elspais: after ";
/// Calls of one second that all want the same name.
const MOST_OF_A_NAME: u32 = 1_000;

#[derive(Debug, thiserror::Error)]
pub(crate) enum SafetyError {
    #[error(transparent)]
    Git(#[from] GitError),
    #[error(transparent)]
    File(#[from] sandbox::Error),
    #[error("there is no safety branch `{name}`")]
    Unknown { name: String, known: Vec<String> },
    #[error("`{name}` was not made as a safety branch: it does not end in the two commits of one")]
    NotOurs { name: String },
    #[error("nothing was restored: {} changed since in the same places", files.join(", "))]
    Conflict { files: Vec<String> },
}

impl DomainError for SafetyError {
    fn code(&self) -> &'static str {
        match self {
            Self::Git(error) => error.code(),
            Self::File(error) => error.code(),
            Self::Unknown { .. } | Self::NotOurs { .. } => "unknown_safety_branch",
            Self::Conflict { .. } => "restore_conflict",
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Git(error) => error.hint(),
            Self::File(error) => error.hint(),
            Self::Unknown { known, .. } if known.is_empty() => Some(
                "There is none yet: pass save_branch=true to a tool that writes files.".to_owned(),
            ),
            Self::Unknown { known, .. } => {
                let newest = known.iter().take(5).map(String::as_str).collect::<Vec<_>>();
                Some(format!("list_safety_branches has them all; the newest: {}.", newest.join(", ")))
            }
            Self::NotOurs { .. } => {
                Some("list_safety_branches names the branches that can be restored.".to_owned())
            }
            Self::Conflict { .. } => Some(
                "Undo the later edits in these files by hand, or take what you need with `git show <branch>~1:<file>`."
                    .to_owned(),
            ),
        }
    }
}

/// What is about to be written.
#[derive(Debug)]
pub(crate) struct Writing<'a> {
    /// Becomes part of the branch's name: the id of a requirement, or the name of a tool.
    pub(crate) subject: &'a str,
    pub(crate) purpose: &'a str,
    pub(crate) files: &'a [FileWrite],
    pub(crate) now: Timestamp,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SafetyBranch {
    pub(crate) name: String,
    pub(crate) commit: ObjectId,
    pub(crate) created: Timestamp,
    /// What was about to be done.
    pub(crate) purpose: String,
}

/// Keeps the working tree as it is now and as it will be, on a new branch; returns its name.
pub(crate) fn keep(git: &Git, writing: &Writing<'_>) -> Result<String, SafetyError> {
    let Writing { subject, purpose, files, now } = *writing;

    let before: Vec<_> = files
        .iter()
        .map(|it| FileAs { path: &it.path, bytes: it.before.as_deref().map(str::as_bytes) })
        .collect();
    let after: Vec<_> = files
        .iter()
        .map(|it| FileAs { path: &it.path, bytes: it.after.as_deref().map(str::as_bytes) })
        .collect();
    let tree = git.snapshot(&before)?;
    let head = git.head()?.commit;
    let parents: Vec<&ObjectId> = head.iter().collect();
    let first = git.commit(&tree, &parents, &format!("{BEFORE}{purpose}\n"), AUTHOR, now)?;
    let tree = git.tree_with(&tree, &after)?;
    let second = git.commit(&tree, &[&first], &format!("{AFTER}{purpose}\n"), AUTHOR, now)?;
    let name = format!("{DIRECTORY}/{}-{}", plain(subject), now.strftime("%Y%m%d-%H%M%S"));
    for attempt in 1..MOST_OF_A_NAME {
        let name = if attempt == 1 { name.clone() } else { format!("{name}-{attempt}") };
        match git.create_branch(&name, &second) {
            Ok(()) => return Ok(name),
            Err(GitError::BranchExists { .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(GitError::BranchExists { name }.into())
}

/// The safety branches, the newest first. Other people's branches of that name are left out.
pub(crate) fn list(git: &Git) -> Result<Vec<SafetyBranch>, SafetyError> {
    let branches = git.branches(DIRECTORY)?;
    Ok(branches
        .into_iter()
        .filter_map(|branch| {
            let purpose = branch.subject.strip_prefix(AFTER)?.to_owned();
            let (name, commit, created) = (branch.name, branch.commit, branch.committed);
            Some(SafetyBranch { name, commit, created, purpose })
        })
        .collect())
}

/// As a part of a branch's name.
fn plain(subject: &str) -> String {
    let kept = |c: char| if c.is_ascii_alphanumeric() || "_-".contains(c) { c } else { '-' };
    let name: String = subject.chars().take(80).map(kept).collect();
    let name = name.trim_matches('-');
    if name.is_empty() { "write".to_owned() } else { name.to_owned() }
}
