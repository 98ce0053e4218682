//! Changes in the files themselves.

use std::sync::Arc;

use mcp_core::server::{Answer, Tool};
use schemars::JsonSchema;
use serde::Deserialize;

use super::log::SaveOutput;
use super::mutation::edge_kind;
use super::{CORE, REQUIREMENT_ID, ROOMY};
use crate::store::workspace::{SaveRequest, Workspace};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ReferenceTypeParams {
    /// The requirement whose reference is changed, e.g. `REQ-d00001`.
    req_id: String,
    /// What it cites, with labels where there are several links, e.g. `REQ-o00001-A`.
    target_id: String,
    /// `implements` or `refines`.
    new_type: String,
    /// Keep the files as they are on a git branch first.
    save_branch: Option<bool>,
    /// Only show the difference; write nothing.
    dry_run: Option<bool>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct MoveParams {
    /// The requirement to move, e.g. `REQ-d00001`.
    req_id: String,
    /// The spec file to move it to, e.g. `spec/login.md`.
    target_file: String,
    /// Make the file where there is none.
    create: Option<bool>,
    /// Keep the files as they are on a git branch first.
    save_branch: Option<bool>,
    /// Only show the difference; write nothing.
    dry_run: Option<bool>,
}

pub(super) fn tools(workspace: &Arc<Workspace>) -> Vec<Tool> {
    vec![change_reference_type(workspace.clone()), move_requirement(workspace.clone())]
}

fn request(dry_run: Option<bool>, save_branch: Option<bool>) -> SaveRequest<'static> {
    SaveRequest {
        dry_run: dry_run.unwrap_or(false),
        save_branch: save_branch.unwrap_or(false),
        ..SaveRequest::default()
    }
}

fn change_reference_type(workspace: Arc<Workspace>) -> Tool {
    Tool::writing(
        "change_reference_type",
        "Turns one reference of a requirement from Implements to Refines or back, in its file: that reference alone, nothing else in the file. The graph is refreshed afterwards. Refused while changes are unsaved.",
    )
    .title("Change a reference in its file")
    .toolset(CORE)
    .aliases(REQUIREMENT_ID)
    .budget(ROOMY)
    .output::<SaveOutput>()
    .run_blocking(move |call, params: ReferenceTypeParams| {
        let kind = edge_kind(&params.new_type)?;
        let request = request(params.dry_run, params.save_branch);
        let (source, target) = (params.req_id.trim(), params.target_id.trim());
        let purpose = format!("change_reference_type {source} {target}");
        let saved = workspace.edit_files(call.work(), source, &purpose, &request, |editor, _, now| {
                let plan = editor.graph.plan_change_edge_kind(source, target, kind)?;
                editor.carry_out(now, plan).map(drop)
            })?;
        let message = if request.dry_run { format!("the reference of {source} to {target} would be: {}", kind.as_str()) } else { format!("{source} now {} {target}", kind.as_str()) };
        Ok(Answer::data(&SaveOutput::new(saved, request.dry_run, message))?)
    })
}

fn move_requirement(workspace: Arc<Workspace>) -> Tool {
    Tool::writing(
        "move_requirement",
        "Moves a requirement with everything in it to the end of another spec file, in the files. The graph is refreshed afterwards. Refused while changes are unsaved.",
    )
    .title("Move a requirement")
    .toolset(CORE)
    .aliases(REQUIREMENT_ID)
    .budget(ROOMY)
    .output::<SaveOutput>()
    .run_blocking(move |call, params: MoveParams| {
        let request = request(params.dry_run, params.save_branch);
        let (source, target) = (params.req_id.trim(), params.target_file.trim());
        let purpose = format!("move_requirement {source}");
        let saved = workspace.edit_files(call.work(), source, &purpose, &request, |editor, snapshot, now| {
                let path = snapshot.spec_path(&editor.graph.config, target)?;
                let create = params.create.unwrap_or(false);
                let plan = editor.graph.plan_move_requirement(source, &path, create)?;
                editor.carry_out(now, plan).map(drop)
            })?;
        let is = if request.dry_run { "would be" } else { "is now" };
        let message = format!("{source} {is} in {target}");
        Ok(Answer::data(&SaveOutput::new(saved, request.dry_run, message))?)
    })
}
