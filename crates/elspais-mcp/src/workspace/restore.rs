//! The way back: what a safety branch kept, put in the place of what was written.

use mcp_core::failure::Failure;
use mcp_core::git::Git;

use super::{Patience, Workspace, gone};
use crate::error::Error;
use crate::safety::{self, Restoration, SafetyBranch, SafetyError};
use crate::save;

impl Workspace {
    pub(crate) fn safety_branches(&self) -> Result<Vec<SafetyBranch>, SafetyError> {
        safety::list(&Git::open(self.place())?)
    }

    /// Takes a write back. Nothing may be pending; the graph is read anew afterwards.
    pub(crate) fn restore(
        &self,
        patience: &Patience<'_>,
        branch: &str,
        dry_run: bool,
    ) -> Result<Restoration, Failure> {
        self.ensure(patience)?;
        let root = self.root()?;
        let mut guard = self.writing();
        let loaded = guard.as_mut().ok_or_else(gone)?;
        loaded.graph.log.check_empty()?;
        let git = Git::open(self.place()).map_err(SafetyError::from)?;
        if dry_run {
            return Ok(safety::plan_restore(&git, &root, branch)?);
        }
        let restoration = save::locked(&root, |commit| {
            let restoration = safety::plan_restore(&git, &root, branch)?;
            commit.apply(&restoration.changes).map_err(Error::from)?;
            Ok::<_, Failure>(restoration)
        })?;
        self.catch_up(&root, loaded);
        Ok(restoration)
    }
}
