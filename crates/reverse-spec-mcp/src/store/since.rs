//! Which files changed since a commit, for checks that are about one branch alone.

use std::collections::BTreeSet;

use mcp_core::work::Work;

use super::project::Target;
use crate::error::Error;

/// Paths relative to the project, those of now and, where a file was renamed, those of before. A
/// branch counts from where this line of work left it.
pub(crate) fn changed_files(
    target: &Target,
    reference: &str,
    work: &Work,
) -> Result<BTreeSet<String>, Error> {
    let git = target.git(work)?;
    let named = git.resolve(reference)?;
    let start = match git.head()?.commit {
        Some(head) => git.merge_base(&named, &head)?.unwrap_or(named),
        None => named,
    };
    let mut files = BTreeSet::new();
    for changed in git.changed_since(&start)?.into_iter().chain(git.uncommitted()?) {
        files.extend(changed.from);
        files.insert(changed.path);
    }
    Ok(files)
}
