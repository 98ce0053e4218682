//! `docs/ARCHITECTURE_STATE.md`: the snapshot alone, generated, never a source.

use crate::adr::snapshot_lines;
use crate::architecture::Architecture;
use crate::uid::Uid;

pub(crate) const PATH: &str = "docs/ARCHITECTURE_STATE.md";

pub(crate) fn render(newest: &Uid, architecture: &Architecture) -> String {
    format!(
        "<!-- UID: {newest} -->\n<!-- Schema: v1 -->\n\n# Architecture State\n\nGenerated from the records in docs/adr; edits are lost.\n\n## Categories\n{}",
        snapshot_lines(architecture, "###")
    )
}
