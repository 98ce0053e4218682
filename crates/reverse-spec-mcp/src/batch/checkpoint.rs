//! How far a batch came, so that the next one goes on from there, whatever ended it.

use mcp_core::sandbox::RelPath;
use serde::{Deserialize, Serialize};

use super::run::FailedModule;
use crate::error::Error;
use crate::generate::Output;

const FILE: &str = ".reverse-spec-checkpoint.json";

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Checkpoint {
    pub(super) batch_id: String,
    pub(super) started_at: String,
    pub(super) last_updated_at: String,
    pub(super) total_modules: usize,
    pub(super) processing_order: Vec<String>,
    pub(super) completed_modules: Vec<Completed>,
    pub(super) failed_modules: Vec<FailedModule>,
    pub(super) force_regenerate: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_field_names, reason = "the names of the public format")]
pub(super) struct Completed {
    pub(super) path: String,
    pub(super) spec_path: String,
    pub(super) completed_at: String,
    #[serde(default)]
    pub(super) token_usage: u64,
}

impl Checkpoint {
    /// The one that was left, if it is about the same modules.
    pub(super) fn read(output: &Output, order: &[String]) -> Option<Self> {
        let path = output.file(FILE).ok()?;
        let text = output.root.read_text_if_any(&path).ok()??;
        let left: Self = match serde_json::from_str(&text) {
            Ok(left) => left,
            Err(error) => {
                tracing::warn!(%error, "the checkpoint cannot be read; starting over");
                return None;
            }
        };
        (left.processing_order == order).then_some(left)
    }

    pub(super) fn write(&self, output: &Output) -> Result<(), Error> {
        let text = serde_json::to_string_pretty(self).unwrap_or_default();
        Ok(output.root.write(&path(output)?, text.as_bytes())?)
    }

    pub(super) fn is_done(&self, module: &str) -> bool {
        self.completed_modules.iter().any(|done| done.path == module)
    }
}

/// Nothing is left to resume.
pub(super) fn remove(output: &Output) -> Result<(), Error> {
    let path = path(output)?;
    if output.root.has_entry(&path) {
        output.root.remove(&path)?;
    }
    Ok(())
}

fn path(output: &Output) -> Result<RelPath, Error> {
    output.file(FILE)
}
