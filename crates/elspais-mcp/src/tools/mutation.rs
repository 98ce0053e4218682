//! Changes of the graph in memory: parameters are checked here, everything else is the graph's.

mod assertion;
mod edge;
mod requirement;

use std::sync::Arc;

use mcp_core::server::{Answer, Call, Halt, Tool, ToolBuilder};
use schemars::JsonSchema;
use serde::Serialize;

use super::serialize::mutation::{MutationOutput, serialize_only_mutation};
use super::{CORE, ROOMY};
use crate::domain::graph::TraceGraph;
use crate::domain::mutate::Plan;
use crate::domain::parse::EdgeKind;
use crate::error::Error;
use crate::store::snapshot::Snapshot;
use crate::store::workspace::Workspace;

#[derive(Debug, Serialize, JsonSchema)]
struct MutationResult {
    success: bool,
    mutation: MutationOutput,
    message: String,
    /// Changes that are not saved yet.
    pending_mutations: usize,
}

pub(super) fn tools(workspace: &Arc<Workspace>) -> Vec<Tool> {
    let mut tools = requirement::tools(workspace);
    tools.extend(assertion::tools(workspace));
    tools.extend(edge::tools(workspace));
    tools
}

/// In memory, and with a way back: nothing is destroyed.
fn changing(name: &'static str, description: &'static str) -> ToolBuilder {
    deleting(name, description).additive()
}

/// In memory, too, but something is gone afterwards.
fn deleting(name: &'static str, description: &'static str) -> ToolBuilder {
    Tool::writing(name, description).toolset(CORE).budget(ROOMY).output::<MutationResult>()
}

fn change(
    workspace: &Workspace,
    call: &Call,
    tip: Option<&str>,
    plan: impl FnOnce(&TraceGraph, &Snapshot) -> Result<Plan, Error>,
) -> Result<Answer, Halt> {
    let made = workspace.mutate(call.work(), tip, plan)?;
    let mutation = serialize_only_mutation(&made)?;
    let (operation, target) = (&mutation.operation, &mutation.target_id);
    let message = format!("{operation} of {target}: in memory until save_mutations");
    let pending_mutations = made.pending;
    Ok(Answer::data(&MutationResult { success: true, mutation, message, pending_mutations })?)
}

pub(super) fn confirmed(confirm: Option<bool>, what: &str) -> Result<(), Error> {
    if confirm == Some(true) { Ok(()) } else { Err(Error::Unconfirmed { what: what.to_owned() }) }
}

fn shown(id: &str) -> String {
    mcp_core::text::one_line(mcp_core::text::cut(id, 100))
}

pub(super) fn edge_kind(kind: &str) -> Result<EdgeKind, Error> {
    match kind.trim().to_ascii_lowercase().as_str() {
        "implements" => Ok(EdgeKind::Implements),
        "refines" => Ok(EdgeKind::Refines),
        _ => Err(Error::refused(
            format!("'{}' is not a kind of link between requirements", shown(kind)),
            "The kinds are IMPLEMENTS and REFINES.",
        )),
    }
}
