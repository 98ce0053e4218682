//! The recent history of a repository, kept for as long as nothing is committed: asking git takes
//! longer than everything else a call does.

use std::sync::{Arc, Mutex, PoisonError};

use mcp_core::sandbox::{RelPath, Stamp};
use mcp_core::work::Work;

use super::changed;
use super::repository::Repository;

/// Where git notes every move of `HEAD`.
const MOVES: &str = "logs/HEAD";

type Commits = Arc<Vec<Vec<String>>>;

/// Of the repository that was looked at last.
#[derive(Default)]
pub(crate) struct Histories(Mutex<Option<(Stamp, Commits)>>);

impl Histories {
    /// The paths that each of the last commits changed.
    pub(crate) fn recent(&self, repository: &Repository, work: &Work) -> Commits {
        let stamp = RelPath::parse(MOVES).and_then(|it| repository.git_dir.stamp(&it)).ok();
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let (Some(stamp), Some((before, commits))) = (&stamp, &*kept)
            && stamp == before
        {
            return commits.clone();
        }
        let commits = Arc::new(changed::recent_commits(&repository.tree, work));
        *kept = stamp.map(|it| (it, commits.clone()));
        commits
    }
}
