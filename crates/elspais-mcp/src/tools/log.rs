//! The log of changes: looked at, taken back, written to files.

use std::sync::Arc;

use mcp_core::server::{Answer, Tool};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::serialize::{
    MutationOutput, first_of, serialize_mutation_brief, serialize_mutation_entry,
};
use super::{CORE, ROOMY, look, patiently};
use crate::error::Error;
use crate::workspace::{SaveRequest, Saved, Workspace};

/// What was written is said, however much it was: longer lists and differences are cut.
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
    /// The newest mutation you know of; refused when another client has changed the graph since.
    if_tip_mutation_id: Option<String>,
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
        let output = patiently(call, |patience| {
            workspace.mutate(patience, tip, |graph, _, _| {
                let mutation = serialize_mutation_entry(&graph.undo_last()?);
                let message =
                    format!("{} of {} was taken back", mutation.operation, mutation.target_id);
                let pending_mutations = graph.log.len();
                Ok(UndoOutput { success: true, mutation, message, pending_mutations })
            })
        })?;
        Ok(Answer::data(&output)?)
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
        let output = patiently(call, |patience| {
            workspace.mutate(patience, tip, |graph, _, _| {
                let undone = graph.undo_to(params.mutation_id.trim())?;
                Ok(UndoToOutput {
                    success: true,
                    mutations_undone: undone.len(),
                    message: match undone.len() {
                        1 => "one change was taken back".to_owned(),
                        count => format!("{count} changes were taken back"),
                    },
                    mutations: undone.iter().map(serialize_mutation_brief).collect(),
                    pending_mutations: graph.log.len(),
                })
            })
        })?;
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
            let log = &loaded.graph.log;
            let newest = log.entries().iter().rev().take(limit);
            let mutations: Vec<_> = newest.map(serialize_mutation_brief).collect();
            Ok(LogOutput {
                count: mutations.len(),
                mutations,
                total: log.len(),
                current_tip: log.tip().map(str::to_owned),
            })
        })?;
        Ok(answer.shorten("mutations").narrow("Lower the limit."))
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
        };
        let saved = patiently(call, |patience| workspace.save(patience, &request))?;
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
