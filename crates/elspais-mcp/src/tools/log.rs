//! The log of changes: looked at, taken back, written to files.

use std::sync::Arc;

use mcp_core::server::{Answer, Tool};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::mutation::confirmed;
use super::serialize::first_of;
use super::serialize::mutation::{
    MutationOutput, serialize_mutation_brief, serialize_only_mutation,
};
use super::{CORE, ROOMY, look};
use crate::domain::mutate::PutAside;
use crate::error::Error;
use crate::store::workspace::{SaveRequest, Saved, Workspace};

/// The answer always says what was written; long lists and differences are cut.
const MAX_FILES: usize = 1_000;
const MAX_DIFF_CHARS: usize = 100_000;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct UndoParams {
    /// The newest mutation you know of; refused when another client has changed the graph since.
    if_tip_mutation_id: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct UndoToParams {
    /// The mutation to take back, with everything after it.
    mutation_id: String,
    /// The newest mutation you know of; refused when another client has changed the graph since.
    if_tip_mutation_id: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct LogParams {
    /// At most this many, 1 to 500. Default: 50.
    limit: Option<i64>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SaveParams {
    /// Only show the difference; write nothing.
    dry_run: Option<bool>,
    /// Keep the files as they are on a git branch first; `restore_from_safety_branch` brings them back.
    save_branch: Option<bool>,
    /// Why requirements were changed, in one sentence; needed where the project keeps changelogs and an active requirement changed.
    message: Option<String>,
    /// The newest mutation you know of; refused when another client has changed the graph since.
    if_tip_mutation_id: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct DiscardParams {
    /// Must be true.
    confirm: Option<bool>,
    /// The newest mutation you know of; refused when another client has changed the graph since.
    if_tip_mutation_id: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct DiscardOutput {
    success: bool,
    /// Changes that are lost.
    discarded_mutations: usize,
    message: String,
}

/// A change that no longer applies to the files as they are.
#[derive(Debug, Serialize, JsonSchema)]
struct UnappliedOutput {
    mutation: MutationOutput,
    reason: String,
}

#[derive(Debug, Serialize, JsonSchema)]
struct UndoOutput {
    success: bool,
    /// What was taken back.
    mutation: MutationOutput,
    message: String,
    pending_mutations: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
struct UndoToOutput {
    success: bool,
    mutations_undone: usize,
    /// What was taken back, the newest first.
    mutations: Vec<MutationOutput>,
    message: String,
    pending_mutations: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
struct LogOutput {
    /// The newest first.
    mutations: Vec<MutationOutput>,
    count: usize,
    total: usize,
    current_tip: Option<String>,
    /// Changes that could not be made again after files had changed; `discard_mutations` forgets them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unapplied: Vec<UnappliedOutput>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct SaveOutput {
    success: bool,
    dry_run: bool,
    mutations: usize,
    /// Files that were written, or would be.
    files: Vec<String>,
    /// How many they are, where not all are listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    files_total: Option<usize>,
    /// The difference, as a unified diff.
    diff: String,
    /// The difference goes on: `git diff` shows all of it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    diff_truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    safety_branch: Option<String>,
    message: String,
}

impl SaveOutput {
    pub(super) fn new(saved: Saved, dry_run: bool, message: String) -> Self {
        let files = saved.files.into_iter().map(|file| file.path).collect();
        let (files, files_total) = first_of(files, MAX_FILES);
        let shown = mcp_core::text::cut(&saved.diff, MAX_DIFF_CHARS);
        Self {
            success: true,
            dry_run,
            mutations: saved.mutations,
            files,
            files_total,
            diff: shown.to_owned(),
            diff_truncated: shown.len() < saved.diff.len(),
            safety_branch: saved.safety_branch,
            message,
        }
    }
}

pub(super) fn tools(workspace: &Arc<Workspace>) -> Vec<Tool> {
    vec![
        undo_last_mutation(workspace.clone()),
        undo_to_mutation(workspace.clone()),
        get_mutation_log(workspace.clone()),
        discard_mutations(workspace.clone()),
        save_mutations(workspace.clone()),
    ]
}

fn undo_last_mutation(workspace: Arc<Workspace>) -> Tool {
    Tool::writing(
        "undo_last_mutation",
        "Takes the last unsaved change back; the graph is then exactly as it was before it.",
    )
    .title("Undo the last change")
    .toolset(CORE)
    .additive()
    .budget(ROOMY)
    .output::<UndoOutput>()
    .run_blocking(move |call, params: UndoParams| {
        let tip = params.if_tip_mutation_id.as_deref();
        let undone = workspace.undo_last(call.work(), tip)?;
        let mutation = serialize_only_mutation(&undone)?;
        let message = format!("{} of {} was taken back", mutation.operation, mutation.target_id);
        let pending_mutations = undone.pending;
        Ok(Answer::data(&UndoOutput { success: true, mutation, message, pending_mutations })?)
    })
}

fn undo_to_mutation(workspace: Arc<Workspace>) -> Tool {
    Tool::writing(
        "undo_to_mutation",
        "Takes back every unsaved change from the newest down to the named one, that one included.",
    )
    .title("Undo several changes")
    .toolset(CORE)
    .additive()
    .aliases(&[("id", "mutation_id")])
    .output::<UndoToOutput>()
    .run_blocking(move |call, params: UndoToParams| {
        let tip = params.if_tip_mutation_id.as_deref();
        let id = params.mutation_id.trim();
        let undone = workspace.undo_to(call.work(), tip, id)?;
        let output = UndoToOutput {
            success: true,
            mutations_undone: undone.entries.len(),
            message: match undone.entries.len() {
                1 => "one change was taken back".to_owned(),
                count => format!("{count} changes were taken back"),
            },
            mutations: undone.entries.iter().map(|it| serialize_mutation_brief(it)).collect(),
            pending_mutations: undone.pending,
        };
        Ok(Answer::data(&output)?.shorten("mutations"))
    })
}

fn get_mutation_log(workspace: Arc<Workspace>) -> Tool {
    Tool::read_only(
        "get_mutation_log",
        "Returns the changes that are not saved yet, the newest first, with the ids undo_to_mutation takes.",
    )
    .title("Unsaved changes")
    .toolset(CORE)
    .output::<LogOutput>()
    .run_blocking(move |call, params: LogParams| {
        let limit = params.limit.unwrap_or(50);
        let limit = usize::try_from(limit).ok().filter(|it| (1..=500).contains(it));
        let limit = limit.ok_or_else(|| {
            let message = format!("limit is {}", params.limit.unwrap_or_default());
            Error::search(message, "Give a number from 1 to 500.")
        })?;
        let answer = look(&workspace, call, |loaded| {
            let log = &loaded.log;
            let newest = log.entries().rev().take(limit);
            let mutations: Vec<_> = newest.map(|it| serialize_mutation_brief(it)).collect();
            Ok(LogOutput {
                count: mutations.len(),
                mutations,
                total: log.len(),
                current_tip: log.tip().map(str::to_owned),
                unapplied: log.put_aside_entries().iter().take(limit).map(unapplied).collect(),
            })
        })?;
        Ok(answer.shorten("mutations").narrow("Lower the limit."))
    })
}

fn unapplied(it: &PutAside) -> UnappliedOutput {
    UnappliedOutput { mutation: serialize_mutation_brief(&it.entry), reason: it.reason.clone() }
}

fn discard_mutations(workspace: Arc<Workspace>) -> Tool {
    Tool::writing(
        "discard_mutations",
        "Loses every unsaved change: the graph is then what the files were when they were read. Needs confirm=true. undo_last_mutation and undo_to_mutation take single changes back instead.",
    )
    .title("Lose the changes")
    .toolset(CORE)
    .output::<DiscardOutput>()
    .run_blocking(move |call, params: DiscardParams| {
        confirmed(params.confirm, "This loses every unsaved change.")?;
        let tip = params.if_tip_mutation_id.as_deref();
        let discarded_mutations = workspace.discard(call.work(), tip)?;
        let message = match discarded_mutations {
            0 => "There was nothing to lose".to_owned(),
            1 => "one change was discarded".to_owned(),
            count => format!("{count} changes were discarded"),
        };
        Ok(Answer::data(&DiscardOutput { success: true, discarded_mutations, message })?)
    })
}

fn save_mutations(workspace: Arc<Workspace>) -> Tool {
    Tool::writing(
        "save_mutations",
        "Writes the unsaved changes to the files they belong to: only the bytes of what was changed, all files together or none. dry_run=true returns the difference and writes nothing. References in code and tests that follow a rename are written too.",
    )
    .title("Write the changes")
    .toolset(CORE)
    .budget(ROOMY)
    .output::<SaveOutput>()
    .run_blocking(move |call, params: SaveParams| {
        let dry_run = params.dry_run.unwrap_or(false);
        let request = SaveRequest {
            dry_run,
            save_branch: params.save_branch.unwrap_or(false),
            tip: params.if_tip_mutation_id.as_deref(),
            message: params.message.as_deref(),
        };
        let saved = workspace.save(call.work(), &request)?;
        let message = match (saved.files.len(), dry_run) {
            (0, _) => "There is nothing to write".to_owned(),
            (1, true) => "one file would be written".to_owned(),
            (count, true) => format!("{count} files would be written"),
            (1, false) => "one file was written".to_owned(),
            (count, false) => format!("{count} files were written"),
        };
        Ok(Answer::data(&SaveOutput::new(saved, dry_run, message))?)
    })
}
