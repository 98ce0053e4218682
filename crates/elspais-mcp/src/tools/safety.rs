//! Safety branches: listed, and written back.

use std::sync::Arc;

use mcp_core::server::{Answer, Tool};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::CORE;
use super::query::NoParams;
use crate::store::workspace::Workspace;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RestoreParams {
    /// The branch, as `list_safety_branches` or the tool that made it names it.
    branch_name: String,
    /// Only say what would happen; write nothing.
    dry_run: Option<bool>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct BranchesOutput {
    /// The newest first.
    branches: Vec<BranchOutput>,
    count: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
struct BranchOutput {
    name: String,
    created: String,
    /// What was about to be written.
    purpose: String,
}

#[derive(Debug, Serialize, JsonSchema)]
struct RestoreOutput {
    success: bool,
    dry_run: bool,
    branch_name: String,
    /// Files that have the text again that they had.
    files_restored: Vec<String>,
    /// Files edited since, whose later edits stay.
    files_merged: Vec<String>,
    /// Files the write had created, which are gone again.
    files_removed: Vec<String>,
    /// Files that were as they had been already.
    files_unchanged: Vec<String>,
    message: String,
}

pub(super) fn tools(workspace: &Arc<Workspace>) -> Vec<Tool> {
    vec![list_safety_branches(workspace.clone()), restore_from_safety_branch(workspace.clone())]
}

fn list_safety_branches(workspace: Arc<Workspace>) -> Tool {
    Tool::read_only(
        "list_safety_branches",
        "Returns the git branches that keep the files as they were before a write made with save_branch=true.",
    )
    .title("Safety branches")
    .toolset(CORE)
    .output::<BranchesOutput>()
    .run_blocking(move |call, _: NoParams| {
        let branches: Vec<BranchOutput> = workspace
            .safety_branches(call.work())?
            .into_iter()
            .map(|it| BranchOutput {
                name: it.name,
                created: it.created.to_string(),
                purpose: it.purpose,
            })
            .collect();
        let output = BranchesOutput { count: branches.len(), branches };
        Ok(Answer::data(&output)?.shorten("branches"))
    })
}

fn restore_from_safety_branch(workspace: Arc<Workspace>) -> Tool {
    Tool::writing(
        "restore_from_safety_branch",
        "Takes a write back that was made with save_branch=true: its files get the text they had, later edits elsewhere in them stay, and files it created go. A conflict touches nothing. Refused while changes are unsaved.",
    )
    .title("Restore files")
    .toolset(CORE)
    .aliases(&[("branch", "branch_name"), ("name", "branch_name")])
    .output::<RestoreOutput>()
    .run_blocking(move |call, params: RestoreParams| {
        let dry_run = params.dry_run.unwrap_or(false);
        let branch = params.branch_name.trim();
        let done = workspace.restore(call.work(), branch, dry_run)?;
        let count = done.changes.len();
        let message = match (count, dry_run) {
            (0, _) => "everything was as it had been already".to_owned(),
            (1, false) => "one file was written back".to_owned(),
            (_, false) => format!("{count} files were written back"),
            (1, true) => "one file would be written back".to_owned(),
            (_, true) => format!("{count} files would be written back"),
        };
        Ok(Answer::data(&RestoreOutput {
            success: true,
            dry_run,
            branch_name: branch.to_owned(),
            files_restored: done.restored,
            files_merged: done.merged,
            files_removed: done.removed,
            files_unchanged: done.unchanged,
            message,
        })?)
    })
}
