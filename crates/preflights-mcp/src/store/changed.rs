//! What a change holds, as git tells it: its files, and what of it should never change.

use mcp_core::doors::Spot;
use mcp_core::git::{Changed, ChangedHow, Git};
use mcp_core::sandbox::Root;
use mcp_core::work::Work;

use crate::domain::{adr, task};
use crate::error::Error;

/// Which change is looked at.
pub(crate) enum Since<'a> {
    /// What is not committed yet.
    LastCommit,
    /// What is in the index.
    Staged,
    /// Everything since a commit, what is not committed included.
    Commit(&'a str),
}

fn git(tree: &Root) -> Option<Git> {
    let spot = Spot::start(tree.path(), false).ok()?;
    Git::open(&spot, &Work::endless()).ok()
}

/// Records and archived tasks that differ from what was committed. Nothing where git cannot tell.
pub(crate) fn edited_records(tree: &Root) -> Vec<String> {
    let Some(changed) = git(tree).and_then(|it| it.uncommitted().ok()) else { return Vec::new() };
    let edited = changed.into_iter().filter(|it| is_edit(it) && is_fixed(&it.path));
    edited.map(|it| it.path).collect()
}

/// Whether a file never changes once it is there.
pub(crate) fn is_fixed(path: &str) -> bool {
    let below =
        |directory: &str| path.strip_prefix(directory).is_some_and(|it| it.starts_with('/'));
    below(adr::DIRECTORY) || below(task::ARCHIVE)
}

fn is_edit(changed: &Changed) -> bool {
    !matches!(changed.how, ChangedHow::Added | ChangedHow::Untracked)
}

/// A file of a change.
pub(crate) struct File {
    pub(crate) path: String,
    /// It was there before.
    pub(crate) is_edit: bool,
}

pub(crate) fn files(tree: &Root, since: &Since<'_>) -> Result<Vec<File>, Error> {
    const HINT: &str = "Run it in a git repository with at least one commit.";
    let failed =
        |reason: String| Error::refused(format!("git cannot tell what changed: {reason}"), HINT);
    let git = git(tree).ok_or_else(|| failed("no repository was found".to_owned()))?;
    let changed = match since {
        Since::Staged => git.staged(),
        Since::LastCommit | Since::Commit(_) => git.uncommitted(),
    };
    let mut changed = changed.map_err(|error| failed(error.to_string()))?;
    if let Since::Commit(name) = since {
        let commit = git.resolve(name).map_err(|error| failed(error.to_string()))?;
        let more = git.changed_since(&commit).map_err(|error| failed(error.to_string()))?;
        changed.retain(|it| !more.iter().any(|other| other.path == it.path));
        changed.extend(more);
    }
    let mut files: Vec<File> =
        changed.iter().map(|it| File { path: it.path.clone(), is_edit: is_edit(it) }).collect();
    files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(files)
}

/// The text of a file as it was.
pub(crate) fn text_before(tree: &Root, since: &Since<'_>, path: &str) -> Option<String> {
    let git = git(tree)?;
    let name = match since {
        Since::LastCommit | Since::Staged => "HEAD",
        Since::Commit(name) => name,
    };
    let commit = git.resolve(name).ok()?;
    String::from_utf8(git.file_at(&commit, path).ok()??).ok()
}
