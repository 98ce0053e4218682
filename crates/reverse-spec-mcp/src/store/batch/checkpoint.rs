//! How far a batch came, so that the next one goes on from there, whatever ended it: what is to be
//! done, and a line for each module that was. Lines are added and never written again, so that many
//! modules cost no more each than few.

use std::collections::HashMap;

use mcp_core::sandbox::RelPath;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::store::generate::{MAX_SPEC_BYTES, Output};

const FILE: &str = ".reverse-spec-checkpoint.jsonl";

/// The first line.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Begun {
    pub(super) batch_id: String,
    pub(super) started_at: String,
    pub(super) processing_order: Vec<String>,
    pub(super) force_regenerate: bool,
}

/// Any other line: what became of a module. Where there are several, the last one counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Step {
    Completed(Completed),
    Failed(FailedModule),
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

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FailedModule {
    pub(crate) path: String,
    pub(crate) error: String,
    pub(crate) failed_at: String,
    pub(crate) retry_count: u32,
    pub(crate) degraded_to_ast_only: bool,
}

#[derive(Debug)]
pub(super) struct Checkpoint {
    begun: Begun,
    /// By the path of the module.
    steps: HashMap<String, Step>,
    /// There is a file that says the same.
    is_kept: bool,
}

impl Step {
    fn module(&self) -> &str {
        match self {
            Self::Completed(completed) => &completed.path,
            Self::Failed(failed) => &failed.path,
        }
    }
}

impl Checkpoint {
    /// One for which there is no file until a first step was taken.
    pub(super) fn new(begun: Begun) -> Self {
        Self { begun, steps: HashMap::new(), is_kept: false }
    }

    /// The one that was left, if it is about the same modules.
    pub(super) fn read(output: &Output, order: &[String]) -> Option<Self> {
        let bytes = output.root.read_up_to(&path(output).ok()?, MAX_SPEC_BYTES).ok()?;
        let text = String::from_utf8_lossy(&bytes);
        let mut lines = text.lines();
        let begun: Begun = match serde_json::from_str(lines.next().unwrap_or_default()) {
            Ok(begun) => begun,
            Err(error) => {
                tracing::warn!(%error, "the checkpoint cannot be read; starting over");
                return None;
            }
        };
        // The last line may have been cut off, and what it told is done once more.
        let steps = lines.filter_map(|line| serde_json::from_str::<Step>(line).ok());
        let steps = steps.map(|step| (step.module().to_owned(), step)).collect();
        let is_kept = text.ends_with('\n');
        (begun.processing_order == order).then_some(Self { begun, steps, is_kept })
    }

    pub(super) fn is_forced(&self, module: &str) -> bool {
        self.begun.force_regenerate && !matches!(self.steps.get(module), Some(Step::Completed(_)))
    }

    /// Keeps what became of a module.
    pub(super) fn take(&mut self, output: &Output, step: Step) -> Result<(), Error> {
        let line = line(&step);
        self.steps.insert(step.module().to_owned(), step);
        if self.is_kept {
            return Ok(output.root.append(&path(output)?, line.as_bytes())?);
        }
        self.keep(output)
    }

    /// Makes sure that there is a file, also where no step was taken: that all is to be done again
    /// is worth knowing.
    pub(super) fn keep(&mut self, output: &Output) -> Result<(), Error> {
        if self.is_kept {
            return Ok(());
        }
        let mut text = line(&self.begun);
        let steps = self.begun.processing_order.iter().filter_map(|it| self.steps.get(it));
        text.extend(steps.map(line));
        output.root.write(&path(output)?, text.as_bytes())?;
        self.is_kept = true;
        Ok(())
    }
}

fn line(value: &impl Serialize) -> String {
    let mut line = serde_json::to_string(value).unwrap_or_default();
    line.push('\n');
    line
}

/// Nothing is left to resume.
pub(super) fn remove(output: &Output) -> Result<(), Error> {
    let path = path(output)?;
    if output.root.has_entry(&path)? {
        output.root.remove(&path)?;
    }
    Ok(())
}

fn path(output: &Output) -> Result<RelPath, Error> {
    output.file(FILE)
}
