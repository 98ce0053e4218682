//! Assertions that are deliberately not implemented, noted with the reason.

use std::sync::Arc;

use mcp_core::server::{Answer, Tool};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::COVERAGE;
use crate::domain::review::suspect::REVIEWS_FILE;
use crate::error::Error;
use crate::store::workspace::Workspace;

/// A reason is a sentence, not a document.
const MAX_REASON: usize = 500;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ExceptionParams {
    /// The assertion's id, e.g. `REQ-d00001-A`, or an item such as `001-login/FR-003`.
    assertion_id: String,
    /// Why it is not implemented, in one sentence. Needed unless undo=true.
    reason: Option<String>,
    /// Take the exception back: the assertion is to be implemented after all.
    undo: Option<bool>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ExceptionOutput {
    success: bool,
    assertion_id: String,
    /// As it stands now; null where there is no exception any more.
    reason: Option<String>,
    /// As it stood before; pass it again to bring it back.
    previous_reason: Option<String>,
    /// The file it is kept in: commit it.
    file: String,
}

pub(super) fn tools(workspace: &Arc<Workspace>) -> Vec<Tool> {
    vec![mark_not_implemented(workspace.clone())]
}

fn mark_not_implemented(workspace: Arc<Workspace>) -> Tool {
    Tool::writing(
        "mark_not_implemented",
        "Notes that an assertion is deliberately not implemented, with the reason, in a small file that belongs into git; undo=true takes it back. It is then no longer listed as uncovered, and never counted as covered.",
    )
    .title("Note an exception")
    .toolset(COVERAGE)
    .additive()
    .idempotent()
    .aliases(&[("id", "assertion_id"), ("node_id", "assertion_id")])
    .output::<ExceptionOutput>()
    .run_blocking(move |call, params: ExceptionParams| {
        let undo = params.undo == Some(true);
        let reason = params.reason.as_deref().map(mcp_core::text::one_line);
        let reason = reason.map(|it| it.replace('\t', " ")).filter(|it| !it.trim().is_empty());
        match (&reason, undo) {
            (None, false) => {
                let hint = "Say in one sentence why, or pass undo=true to take an exception back.";
                return Err(Error::refused("an exception needs a reason", hint).into());
            }
            (Some(reason), false) if reason.len() > MAX_REASON => {
                let hint = "One sentence is enough; the rest belongs into the requirement.";
                return Err(Error::refused(format!("the reason is longer than {MAX_REASON} bytes"), hint).into());
            }
            _ => {}
        }
        let reason = reason.filter(|_| !undo).map(|it| it.trim().to_owned());
        let id = params.assertion_id.trim();
        let (id, was) = workspace.except(call.work(), id, reason.as_deref())?;
        Ok(Answer::data(&ExceptionOutput {
            success: true,
            assertion_id: id,
            reason,
            previous_reason: was,
            file: REVIEWS_FILE.to_owned(),
        })?)
    })
}
