//! Pending changes onto the disk: shown as a diff, then written together or not at all.

use mcp_core::sandbox::{Change, Commit, RelPath, Root};
use similar::TextDiff;

use crate::domain::graph::TraceGraph;
use crate::domain::mutate::MutationLog;
use crate::error::Error;

/// A file that is about to be written; `None` where it does not exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileWrite {
    pub(crate) path: String,
    pub(crate) before: Option<String>,
    pub(crate) after: Option<String>,
}

/// Everything that differs from the disk, by path.
pub(crate) fn pending(graph: &TraceGraph, log: &MutationLog) -> Vec<FileWrite> {
    let writes = log.changed_files().map(|(path, before)| FileWrite {
        path: path.to_string(),
        before: before.map(ToString::to_string),
        after: graph.file_at(path).map(|(_, file)| file.text.to_string()),
    });
    writes.collect()
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
pub(crate) fn write(commit: &Commit<'_>, root: &Root, writes: &[FileWrite]) -> Result<(), Error> {
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
            "Call refresh_graph with keep_mutations=true: the changes are then made again in the files as they are.",
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
