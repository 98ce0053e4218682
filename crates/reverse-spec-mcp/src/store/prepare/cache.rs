//! Where a result that is too large for an answer is kept whole, inside the project.

use std::io::{BufWriter, Write as _};

use mcp_core::sandbox::{self, RelPath, Root};
use sha2::{Digest as _, Sha256};

use super::PrepareResult;

const DIRECTORY: &str = ".reverse-spec";
const BUFFER: usize = 256 * 1024;

/// Writes the whole result and returns its path relative to the project root. The name depends on
/// what was asked alone: asking again replaces the file, and there is never more than one a target.
pub(super) fn keep(
    root: &Root,
    target: &str,
    deep: bool,
    result: &PrepareResult,
) -> Result<RelPath, sandbox::Error> {
    let ignore = RelPath::parse(&format!("{DIRECTORY}/.gitignore"))?;
    if !root.has_entry(&ignore)? {
        root.write(&ignore, b"# Made by reverse-spec-mcp; may be deleted at any time.\n*\n")?;
    }
    let mut asked = Sha256::new();
    asked.update(target.as_bytes());
    asked.update([u8::from(deep)]);
    let name = crate::domain::hash::hex(&asked.finalize());
    let path = RelPath::parse(&format!("{DIRECTORY}/cache/prepare-{}.json", &name[..16]))?;
    // Straight to the disk: the text of a large project's result is not kept in memory as well.
    root.write_with(&path, |file| {
        let mut buffered = BufWriter::with_capacity(BUFFER, file);
        serde_json::to_writer(&mut buffered, result)?;
        buffered.flush()
    })?;
    Ok(path)
}
