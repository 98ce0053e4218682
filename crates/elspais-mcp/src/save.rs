//! Pending changes onto the disk: shown as a diff, then written together or not at all.

use std::path::Path;

use jiff::Timestamp;
use mcp_core::failure::Failure;
use mcp_core::sandbox::{Change, Commit, EntryKind, Journal, RelPath, Root};
use similar::TextDiff;

use crate::error::Error;
use crate::graph::TraceGraph;
use crate::mutate::UNPLACED;

/// Where lock and journal lie in a project without git.
const OURS: &str = ".elspais";
/// The same inside of a git directory.
const OURS_IN_GIT: &str = "elspais";

/// A file that is about to be written; `None`: there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileWrite {
    pub(crate) path: String,
    pub(crate) before: Option<String>,
    pub(crate) after: Option<String>,
}

/// What is about to happen, for whoever keeps a way back.
pub(crate) struct Writing<'a> {
    /// The project.
    pub(crate) directory: &'a Path,
    /// A requirement, or the tool that writes.
    pub(crate) subject: &'a str,
    pub(crate) purpose: &'a str,
    pub(crate) files: &'a [FileWrite],
    pub(crate) now: Timestamp,
}

/// Keeps the files as they are and as they will be, and says under what name.
pub(crate) trait SafetyNet: Send + Sync {
    fn keep(&self, writing: &Writing<'_>) -> Result<String, Failure>;
}

/// Everything that differs from the disk, by path.
pub(crate) fn pending(graph: &TraceGraph) -> Result<Vec<FileWrite>, Error> {
    let mut writes = Vec::new();
    for (path, before) in graph.log.changed_files() {
        let after = graph.file_at(path).map(|(_, file)| file.text.to_string());
        if &**path == UNPLACED {
            let ids: Vec<String> = graph
                .file_at(path)
                .map(|(_, file)| {
                    file.contents.requirements.iter().map(|it| it.id.to_string()).collect()
                })
                .unwrap_or_default();
            return Err(Error::refused(
                format!("there is no file yet for {}", ids.join(", ")),
                "Delete it with mutate_delete_requirement, or undo its addition, and add it again with target_file or parent_id.",
            ));
        }
        writes.push(FileWrite {
            path: path.to_string(),
            before: before.map(ToString::to_string),
            after,
        });
    }
    Ok(writes)
}

/// The difference as people read it.
pub(crate) fn diff(writes: &[FileWrite]) -> String {
    let mut text = String::new();
    for write in writes {
        let (before, after) = (write.before.as_deref(), write.after.as_deref());
        let name = |side: &str, text: Option<&str>| match text {
            Some(_) => format!("{side}/{}", write.path),
            None => "/dev/null".to_owned(),
        };
        let difference =
            TextDiff::from_lines(before.unwrap_or_default(), after.unwrap_or_default());
        let unified = difference
            .unified_diff()
            .context_radius(3)
            .header(&name("a", before), &name("b", after))
            .to_string();
        text.push_str(&unified);
    }
    text
}

/// Writes all files or none. Files that are not as they were read are left alone, and so are all
/// others then.
pub(crate) fn write(root: &Root, writes: &[FileWrite]) -> Result<(), Error> {
    let journal = journal(root)?;
    let commit = journal.lock(root)?;
    let mut others = Vec::new();
    for write in writes {
        let path = RelPath::parse(&write.path)?;
        let now = match root.read_up_to(&path, u64::MAX - 1) {
            Ok(bytes) => Some(bytes),
            Err(error) if error.is_missing() => None,
            Err(error) => return Err(error.into()),
        };
        if now.as_deref() != write.before.as_deref().map(str::as_bytes) {
            others.push(write.path.clone());
        }
    }
    if !others.is_empty() {
        return Err(Error::refused(
            format!(
                "{} changed on disk since the graph was read; nothing was written",
                others.join(", ")
            ),
            "Call refresh_graph with discard_mutations=true to see the files as they are, then make the changes again.",
        ));
    }
    let mut changes = Vec::new();
    for write in writes {
        let path = RelPath::parse(&write.path)?;
        changes.push(match (&write.before, &write.after) {
            (Some(_), Some(after)) => Change::Put { path, bytes: after.clone().into_bytes() },
            (None, Some(after)) => Change::Create { path, bytes: after.clone().into_bytes() },
            (Some(_), None) => Change::Remove { path },
            (None, None) => continue,
        });
    }
    commit.apply(&changes)?;
    Ok(())
}

/// Does something while nobody else writes files of the project.
pub(crate) fn locked<T, E: From<Error>>(
    root: &Root,
    work: impl FnOnce(&Commit<'_>) -> Result<T, E>,
) -> Result<T, E> {
    let journal = journal(root)?;
    let commit = journal.lock(root).map_err(Error::from)?;
    work(&commit)
}

/// Where commits are recorded: the git directory, else a directory of ours.
fn journal(root: &Root) -> Result<Journal, Error> {
    if let Some(git) = git_directory(root)? {
        let ours = RelPath::parse(OURS_IN_GIT)?;
        git.create_dir_all(&ours)?;
        return Ok(Journal::open(git.below(&ours)?));
    }
    let ours = RelPath::parse(OURS)?;
    if !root.is_dir(&ours) {
        root.create_dir_all(&ours)?;
        // The project may be a part of a repository all the same.
        root.write(&RelPath::parse(&format!("{OURS}/.gitignore"))?, b"*\n")?;
    }
    Ok(Journal::open(root.below(&ours)?))
}

fn git_directory(root: &Root) -> Result<Option<Root>, Error> {
    let git = RelPath::parse(".git")?;
    Ok(match root.kind(&git)? {
        Some(EntryKind::Directory) => Some(root.below(&git)?),
        // A worktree or a submodule: the file says where its git directory is.
        Some(EntryKind::File) => {
            let text = root.read_text(&git)?;
            let target = text.strip_prefix("gitdir:").map(|it| root.path().join(it.trim()));
            target.and_then(|it| Root::open(it).ok())
        }
        _ => None,
    })
}

/// Brings a write that was interrupted to its end; where none was ever begun, nothing is created.
pub(crate) fn recover(root: &Root) -> Result<(), Error> {
    let git = git_directory(root)?;
    let places = [git.as_ref().map(|git| (git, OURS_IN_GIT)), Some((root, OURS))];
    for (home, name) in places.into_iter().flatten() {
        let ours = RelPath::parse(name)?;
        if home.is_dir(&ours) {
            drop(Journal::open(home.below(&ours)?).lock(root)?);
        }
    }
    Ok(())
}
