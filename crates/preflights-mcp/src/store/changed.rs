//! What a change holds, as git tells it: its files, and what of it should never change.

use std::collections::BTreeMap;

use mcp_core::doors::Spot;
use mcp_core::git::{Changed, ChangedHow, Commit, Git, ObjectId, TreeChange};
use mcp_core::sandbox::Root;
use mcp_core::work::Work;

use crate::domain::lint::Edited;
use crate::domain::uid::Uid;
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

/// How far back the history is looked through.
const MAX_COMMITS: usize = 300;

/// The paths that each of the last commits changed. Nothing where git cannot tell.
pub(crate) fn recent_commits(tree: &Root, work: &Work) -> Vec<Vec<String>> {
    // Nothing above the tree is looked at, whoever calls.
    let spot = Spot::start(tree.path(), true).ok();
    let git = spot.and_then(|it| Git::open(&it, work).ok());
    let Some(commits) = git.and_then(|it| it.history(MAX_COMMITS, &[]).ok()) else {
        return Vec::new();
    };
    let paths = |it: Commit| it.changes.into_iter().map(|it| it.path).collect();
    commits.into_iter().map(paths).collect()
}

/// How many commits that touch records are looked through.
const MAX_RECORD_COMMITS: usize = 5_000;

/// Records and archived tasks that differ from what was committed first, now or since a commit.
/// Nothing where git cannot tell.
pub(crate) fn edited_records(tree: &Root) -> Vec<Edited> {
    let Some(git) = git(tree) else { return Vec::new() };
    let changed = git.uncommitted().unwrap_or_default();
    let edited = changed.into_iter().filter(|it| is_edit(it) && is_fixed(&it.path));
    let mut edited: Vec<Edited> = edited.map(|it| Edited { path: it.path, commit: None }).collect();
    for earlier in edited_in_history(&git) {
        if edited.iter().all(|it| it.path != earlier.path) {
            edited.push(earlier);
        }
    }
    edited
}

/// Those that the last commit holds otherwise than the one that brought them.
fn edited_in_history(git: &Git) -> Vec<Edited> {
    struct Life {
        now: Option<ObjectId>,
        changed_in: Option<ObjectId>,
        first: Option<ObjectId>,
    }
    let commits =
        git.history(MAX_RECORD_COMMITS, &[adr::DIRECTORY, task::ARCHIVE]).unwrap_or_default();
    let mut lives: BTreeMap<String, Life> = BTreeMap::new();
    for commit in commits {
        for change in commit.changes {
            let name = change.path.rsplit('/').next().unwrap_or_default();
            if !is_fixed(&change.path) || Uid::of_file(name).is_none() {
                continue;
            }
            let TreeChange { path, before, after } = change;
            let born = Life { now: after.clone(), changed_in: None, first: None };
            let life = lives.entry(path).or_insert(born);
            if before.is_some() && after.is_some() {
                life.changed_in.get_or_insert_with(|| commit.id.clone());
            }
            // The oldest comes last. One that was removed and brought back begins anew there.
            if life.first.is_none() && before.is_none() {
                life.first = after;
            }
        }
    }
    let edited = lives.into_iter().filter_map(|(path, life)| {
        let is_other = life.now.is_some() && life.first.is_some() && life.now != life.first;
        let commit = life.changed_in.filter(|_| is_other)?;
        Some(Edited { path, commit: Some(commit.short().to_owned()) })
    });
    edited.collect()
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
