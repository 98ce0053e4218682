//! What git says has changed, down to single requirements.

use std::collections::{BTreeMap, BTreeSet};

use mcp_core::git::{Changed, ChangedHow, Git, ObjectId};
use mcp_core::work::Work;

use super::{Loaded, Workspace};
use crate::domain::graph::{File, NodeKind, Role};
use crate::domain::review::change::{ChangedRequirement, differences};
use crate::error::Error;

/// Names under which the main line of work is looked for.
const MAIN_LINES: [&str; 4] = ["main", "master", "origin/main", "origin/master"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ChangeCounts {
    pub(crate) uncommitted: usize,
    pub(crate) branch_changed: usize,
}

impl Workspace {
    pub(crate) fn count_changes(
        &self,
        loaded: &Loaded,
        work: &Work,
    ) -> Result<ChangeCounts, Error> {
        loaded.count_changes(&self.git(work)?)
    }

    /// What differs from a commit, branch or tag, by id.
    pub(crate) fn changed_since(
        &self,
        loaded: &Loaded,
        work: &Work,
        base: &str,
    ) -> Result<Vec<ChangedRequirement>, Error> {
        let git = self.git(work)?;
        let base = git.resolve(base)?;
        loaded.compare(&git, &base)
    }

    /// What differs from where the branch began, with the name of that; `None` before the first
    /// commit.
    pub(crate) fn changed_on_branch(
        &self,
        loaded: &Loaded,
        work: &Work,
    ) -> Result<Option<(String, Vec<ChangedRequirement>)>, Error> {
        let git = self.git(work)?;
        let Some(head) = git.head()?.commit else { return Ok(None) };
        let began = branch_began(&git, &head)?.filter(|(_, base)| *base != head);
        let (name, base) = began.unwrap_or_else(|| ("the last commit".to_owned(), head));
        Ok(Some((name, loaded.compare(&git, &base)?)))
    }
}

/// Where the branch left the main line, and what that line is called.
fn branch_began(git: &Git, head: &ObjectId) -> Result<Option<(String, ObjectId)>, Error> {
    for name in MAIN_LINES {
        if let Some(main) = git.find(name)? {
            let base = git.merge_base(head, &main)?;
            return Ok(base.map(|base| (name.to_owned(), base)));
        }
    }
    Ok(None)
}

impl Loaded {
    /// How many requirements differ from the last commit, and from where the branch began.
    fn count_changes(&self, git: &Git) -> Result<ChangeCounts, Error> {
        let Some(head) = git.head()?.commit else {
            // Before the first commit everything is new.
            let all = self.graph.nodes_by_kind(NodeKind::Requirement).len();
            return Ok(ChangeCounts { uncommitted: all, branch_changed: all });
        };
        let uncommitted = self.compare(git, &head)?.len();
        let branch_changed = match branch_began(git, &head)? {
            Some((_, base)) if base != head => self.compare(git, &base)?.len(),
            _ => uncommitted,
        };
        Ok(ChangeCounts { uncommitted, branch_changed })
    }

    fn compare(&self, git: &Git, base: &ObjectId) -> Result<Vec<ChangedRequirement>, Error> {
        let mut now: BTreeSet<String> = BTreeSet::new();
        let mut then: BTreeSet<String> = BTreeSet::new();
        let changed = git.changed_since(base)?;
        // Files git does not know, and what is changed in memory alone.
        let unknown = git.uncommitted()?.into_iter().filter(|it| it.how == ChangedHow::Untracked);
        let pending = self.log.changed_files().map(|(path, _)| Changed {
            path: path.to_string(),
            how: ChangedHow::Modified,
            from: None,
        });
        for change in changed.into_iter().chain(unknown).chain(pending) {
            let before = change.from.unwrap_or_else(|| change.path.clone());
            if self.snapshot.scan.holds_requirements(&before) {
                then.insert(before);
            }
            now.insert(change.path);
        }
        let mut old: BTreeMap<String, File> = BTreeMap::new();
        for path in &then {
            let bytes = git.file_at(base, path)?;
            if let Some(text) = bytes.and_then(|bytes| String::from_utf8(bytes).ok()) {
                let role = self.snapshot.scan.role_of(path).unwrap_or(Role::Spec);
                old.insert(path.clone(), File::parse(&self.graph.grammar, path, role, text));
            }
        }
        Ok(differences(&self.graph, &now, &old))
    }
}
