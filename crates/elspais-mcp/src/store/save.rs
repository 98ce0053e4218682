//! Pending changes onto the disk: shown as a diff, then written together or not at all.

use std::fmt::Write as _;

use mcp_core::sandbox::{Change, Commit, RelPath, Root};
use similar::udiff::UnifiedHunkHeader;
use similar::{DiffOp, TextDiff};

use crate::domain::graph::TraceGraph;
use crate::domain::mutate::MutationLog;
use crate::domain::text::{self, Text};
use crate::error::Error;

/// Lines around a change that a diff shows.
const CONTEXT: usize = 3;

/// A file that is about to be written; `None` where it does not exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileWrite {
    pub(crate) path: String,
    pub(crate) before: Option<Text>,
    pub(crate) after: Option<Text>,
}

/// Everything that differs from the disk, by path.
pub(crate) fn pending(graph: &TraceGraph, log: &MutationLog) -> Vec<FileWrite> {
    let writes = log.changed_files().map(|(path, before)| FileWrite {
        path: path.to_string(),
        before: before.cloned(),
        after: graph.file_at(path).map(|(_, file)| file.text.clone()),
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
        let hunks = hunks(before.unwrap_or_default(), after.unwrap_or_default());
        if !hunks.is_empty() {
            let _ = write!(text, "--- {}\n+++ {}\n{hunks}", name("a", before), name("b", after));
        }
    }
    text
}

/// The changes with the lines around them. What is the same at both ends of two large files is
/// not looked through line by line.
fn hunks(before: &str, after: &str) -> String {
    let at = text::differing(before, after);
    let behind = before.len() - at.to();
    let from = memchr::memrchr_iter(b'\n', &before.as_bytes()[..at.from()]).nth(CONTEXT);
    let from = from.map_or(0, |at| at + 1);
    let kept = memchr::memchr_iter(b'\n', &before.as_bytes()[at.to()..]).nth(CONTEXT);
    let kept = kept.map_or(behind, |at| at + 1);
    let (old, new) = (&before[from..at.to() + kept], &after[from..after.len() - behind + kept]);
    let above = memchr::memchr_iter(b'\n', &before.as_bytes()[..from]).count();
    let difference = TextDiff::from_lines(old, new);
    let mut shown = String::new();
    for hunk in difference.unified_diff().context_radius(CONTEXT).iter_hunks() {
        let ops: Vec<DiffOp> = hunk.ops().iter().map(|it| moved(*it, above)).collect();
        let hunk = hunk.to_string();
        let lines = hunk.split_once('\n').map_or("", |(_, lines)| lines);
        let _ = write!(shown, "{}\n{lines}", UnifiedHunkHeader::new(&ops));
    }
    shown
}

/// The same operation, so many lines further down in both texts.
fn moved(op: DiffOp, by: usize) -> DiffOp {
    match op {
        DiffOp::Equal { old_index, new_index, len } => {
            DiffOp::Equal { old_index: old_index + by, new_index: new_index + by, len }
        }
        DiffOp::Delete { old_index, old_len, new_index } => {
            DiffOp::Delete { old_index: old_index + by, old_len, new_index: new_index + by }
        }
        DiffOp::Insert { old_index, new_index, new_len } => {
            DiffOp::Insert { old_index: old_index + by, new_index: new_index + by, new_len }
        }
        DiffOp::Replace { old_index, old_len, new_index, new_len } => DiffOp::Replace {
            old_index: old_index + by,
            old_len,
            new_index: new_index + by,
            new_len,
        },
    }
}

/// Writes all files or none. Files that are not as they were read are left alone, and so are all
/// others then.
pub(crate) fn write(commit: &Commit<'_>, root: &Root, writes: &[FileWrite]) -> Result<(), Error> {
    let mut others = Vec::new();
    // What was read goes on to be written: a large text is not laid out in memory twice.
    let mut buffers = Vec::with_capacity(writes.len());
    for write in writes {
        let path = RelPath::parse(&write.path)?;
        let now = match root.read_up_to(&path, u64::MAX - 1) {
            Ok(bytes) => Some(bytes),
            Err(error) if error.is_missing() => None,
            Err(error) => return Err(error.into()),
        };
        if now.as_deref() != write.before.as_ref().map(|it| it.as_bytes()) {
            others.push(write.path.clone());
        }
        buffers.push(now.unwrap_or_default());
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
    for (write, mut bytes) in writes.iter().zip(buffers) {
        let path = RelPath::parse(&write.path)?;
        bytes.clear();
        if let Some(after) = &write.after {
            bytes.extend_from_slice(after.as_bytes());
        }
        changes.push(match (&write.before, &write.after) {
            (Some(_), Some(_)) => Change::Put { path, bytes },
            (None, Some(_)) => Change::Create { path, bytes },
            (Some(_), None) => Change::Remove { path },
            (None, None) => continue,
        });
    }
    commit.apply(&changes)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_diff_of_the_part_that_differs_is_the_diff_of_the_files(
            before in "([ab]\n){0,12}[ab]?",
            (at, gone, fresh) in (0_usize..12, 0_usize..4, "([abc]\n){0,3}"),
        ) {
            let mut lines: Vec<&str> = before.split_inclusive('\n').collect();
            let at = at.min(lines.len());
            let gone = gone.min(lines.len() - at);
            lines.splice(at..at + gone, fresh.split_inclusive('\n'));
            let after = lines.concat();
            let whole = TextDiff::from_lines(before.as_str(), after.as_str());
            let signs = |text: &str| {
                let count = |sign| text.lines().filter(|it| it.starts_with(sign)).count();
                (count('+'), count('-'))
            };
            let shown = hunks(&before, &after);
            prop_assert_eq!(signs(&shown), signs(&whole.unified_diff().to_string()));
            for header in shown.lines().filter(|it| it.starts_with("@@")) {
                let from = header[4..].split([',', ' ']).next().unwrap();
                let from: usize = from.parse().unwrap();
                prop_assert!(from <= before.lines().count());
            }
        }
    }

    #[test]
    fn lines_far_from_a_change_are_counted_and_not_shown() {
        let lines: Vec<String> = (1..=20).map(|n| n.to_string()).collect();
        let before = format!("{}\n", lines.join("\n"));
        let after = before.replace("10\n", "ten\n");
        assert_eq!(
            hunks(&before, &after),
            "@@ -7,7 +7,7 @@\n 7\n 8\n 9\n-10\n+ten\n 11\n 12\n 13\n"
        );
        assert_eq!(hunks(&before, &before), "");
        assert_eq!(hunks("", "one"), "@@ -0,0 +1 @@\n+one\n\\ No newline at end of file\n");
    }
}
