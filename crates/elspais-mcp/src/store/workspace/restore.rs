//! The way back: what a safety branch kept, put in the place of what was written.

use mcp_core::failure::Failure;
use mcp_core::work::Work;

use super::{Workspace, gone};
use crate::error::Error;
use crate::store::safety::{self, Restoration, SafetyBranch, SafetyError};

impl Workspace {
    pub(crate) fn safety_branches(&self, work: &Work) -> Result<Vec<SafetyBranch>, SafetyError> {
        safety::list(&self.git(work)?)
    }

    /// Takes a write back. Nothing may be pending; the graph is read anew afterwards.
    pub(crate) fn restore(
        &self,
        work: &Work,
        branch: &str,
        dry_run: bool,
    ) -> Result<Restoration, Failure> {
        self.ensure(work)?;
        let mut guard = self.writing();
        let loaded = guard.as_mut().ok_or_else(gone)?;
        loaded.log.check_empty()?;
        let git = self.git(work).map_err(SafetyError::from)?;
        if dry_run {
            return Ok(safety::plan_restore(&git, &self.root()?, branch)?);
        }
        let restoration = self.locked(work, |commit, root| {
            let restoration = safety::plan_restore(&git, root, branch)?;
            commit.apply(&restoration.changes).map_err(Error::from)?;
            Ok::<_, Failure>(restoration)
        })?;
        self.catch_up(loaded);
        Ok(restoration)
    }
}
