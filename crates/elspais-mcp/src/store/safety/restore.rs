//! The way back from a write: what it did, in reverse, merged with what happened since.

use mcp_core::git::{Git, TreeChange};
use mcp_core::sandbox::{Change, RelPath, Root};

use super::{DIRECTORY, SafetyError, list};

/// What restoring would do; nothing has been written yet.
#[derive(Debug, Default)]
pub(crate) struct Restoration {
    pub(crate) changes: Vec<Change>,
    /// Files that get back the text they had.
    pub(crate) restored: Vec<String>,
    /// Files edited since, whose later edits stay.
    pub(crate) merged: Vec<String>,
    /// Files the write had created, and that go again.
    pub(crate) removed: Vec<String>,
    /// Files that are as they were already.
    pub(crate) unchanged: Vec<String>,
}

pub(crate) fn plan_restore(
    git: &Git,
    root: &Root,
    branch: &str,
) -> Result<Restoration, SafetyError> {
    let name = branch.strip_prefix("refs/heads/").unwrap_or(branch);
    let all = list(git)?;
    let Some(found) = all.iter().find(|known| known.name == name) else {
        let there_is_one = name.starts_with(&format!("{DIRECTORY}/"))
            && git.branches(DIRECTORY)?.iter().any(|other| other.name == name);
        let shown = mcp_core::text::one_line(mcp_core::text::cut(name, 200));
        return Err(if there_is_one {
            SafetyError::NotOurs { name: shown }
        } else {
            let known = all.into_iter().map(|branch| branch.name).collect();
            SafetyError::Unknown { name: shown, known }
        });
    };
    let not_ours = || SafetyError::NotOurs { name: name.to_owned() };
    let before = git.parent_of(&found.commit)?.ok_or_else(not_ours)?;
    let mut restoration = Restoration::default();
    let mut conflicts = Vec::new();
    for change in git.tree_changes(&before, &found.commit)? {
        match Step::back(git, root, &change)? {
            Step::Nothing => restoration.unchanged.push(change.path),
            Step::Conflict => conflicts.push(change.path),
            Step::Remove => {
                restoration.changes.push(Change::Remove { path: RelPath::parse(&change.path)? });
                restoration.removed.push(change.path);
            }
            Step::Write { bytes, merged } => {
                let path = RelPath::parse(&change.path)?;
                restoration.changes.push(Change::Put { path, bytes });
                let told = if merged { &mut restoration.merged } else { &mut restoration.restored };
                told.push(change.path);
            }
        }
    }
    if conflicts.is_empty() {
        Ok(restoration)
    } else {
        Err(SafetyError::Conflict { files: conflicts })
    }
}

/// What has to happen to one file.
enum Step {
    Nothing,
    Conflict,
    Remove,
    Write { bytes: Vec<u8>, merged: bool },
}

impl Step {
    fn back(git: &Git, root: &Root, change: &TreeChange) -> Result<Self, SafetyError> {
        let path = RelPath::parse(&change.path)?;
        let now = if root.has_entry(&path)? { Some(root.read(&path)?) } else { None };
        let ids: Vec<_> = [&change.before, &change.after].into_iter().flatten().cloned().collect();
        let mut blobs = git.blobs(&ids)?.into_iter();
        let mut text = |side: &Option<_>| side.as_ref().and_then(|_| blobs.next().flatten());
        let (before, after) = (text(&change.before), text(&change.after));
        if now == before {
            return Ok(Self::Nothing);
        }
        if now == after {
            return Ok(match before {
                Some(bytes) => Self::Write { bytes, merged: false },
                None => Self::Remove,
            });
        }
        let (Some(now), Some(before), Some(after)) = (now, before, after) else {
            return Ok(Self::Conflict);
        };
        Ok(match git.merge_texts(&now, &after, &before)? {
            Some(bytes) => Self::Write { bytes, merged: true },
            None => Self::Conflict,
        })
    }
}
