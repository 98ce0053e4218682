//! Files that a killed run had staged and never put into their place.

use mcp_core::sandbox::EntryKind;

use crate::error::Error;
use crate::store::generate::{MAX_SPEC_BYTES, Output};

/// Staging takes less than this; a younger file may belong to a run that is under way.
const AGE: jiff::SignedDuration = jiff::SignedDuration::from_mins(1);
/// How everything that a batch writes begins.
const OPENINGS: [&[u8]; 4] =
    [b"---\ntype: module-spec\n", b"---\ntype: project-index\n", b"# ", b"{"];

/// Removes them. What cannot be removed stays: it does no harm.
pub(super) fn sweep(output: &Output, now: jiff::Timestamp) -> Result<(), Error> {
    let Some(directory) = output.directory().filter(|it| output.root.is_dir(it)) else {
        return Ok(());
    };
    for entry in output.root.list(Some(directory))? {
        if entry.kind != EntryKind::File || !is_staged_name(&entry.name) {
            continue;
        }
        let path = output.file(&entry.name)?;
        let modified = output.root.modified(&path).ok().and_then(|it| it.try_into().ok());
        let is_old = modified.is_some_and(|it: jiff::Timestamp| now.duration_since(it) > AGE);
        let is_ours = || {
            let bytes = output.root.read_up_to(&path, MAX_SPEC_BYTES).unwrap_or_default();
            OPENINGS.iter().any(|it| bytes.starts_with(it))
        };
        if is_old
            && is_ours()
            && let Err(error) = output.root.remove(&path)
        {
            tracing::warn!(%error, "a file that a killed run left cannot be removed");
        }
    }
    Ok(())
}

/// Files are staged under a random UUID, which nobody gives a file by hand.
fn is_staged_name(name: &str) -> bool {
    let groups: Vec<&str> = name.split('-').collect();
    let lengths: Vec<usize> = groups.iter().map(|it| it.len()).collect();
    lengths == [8, 4, 4, 4, 12] && groups.concat().bytes().all(|it| it.is_ascii_hexdigit())
}
