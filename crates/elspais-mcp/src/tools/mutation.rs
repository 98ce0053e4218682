//! Changes of the graph in memory: parameters are checked here, everything else is the graph's.

mod assertion;
mod edge;
mod requirement;

use std::sync::Arc;

use mcp_core::sandbox::RelPath;
use mcp_core::server::{Answer, Call, Halt, Tool, ToolBuilder};
use schemars::JsonSchema;
use serde::Serialize;

use super::serialize::{MutationOutput, serialize_mutation_entry};
use super::{CORE, ROOMY, patiently};
use crate::error::Error;
use crate::graph::TraceGraph;
use crate::mutate::{MutationEntry, Occasion};
use crate::parse::EdgeKind;
use crate::store::Snapshot;
use crate::workspace::Workspace;

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
    let tool = Tool::writing(name, description).additive().toolset(CORE);
    tool.budget(ROOMY).output::<MutationResult>()
}

fn change(
    workspace: &Workspace,
    call: &Call,
    tip: Option<&str>,
    work: impl for<'g> FnOnce(
        &'g mut TraceGraph,
        &Snapshot,
        &Occasion,
    ) -> Result<&'g MutationEntry, Error>,
) -> Result<Answer, Halt> {
    let result = patiently(call, |patience| {
        workspace.mutate(patience, tip, |graph, snapshot, now| {
            let mutation = serialize_mutation_entry(work(graph, snapshot, now)?);
            let (operation, target) = (&mutation.operation, &mutation.target_id);
            let message = format!("{operation} of {target}: in memory until save_mutations");
            let pending_mutations = graph.log.len();
            Ok(MutationResult { success: true, mutation, message, pending_mutations })
        })
    })?;
    Ok(Answer::data(&result)?)
}

fn confirmed(confirm: Option<bool>, what: &str) -> Result<(), Error> {
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

/// A path where requirements may be written, as the graph spells it.
pub(super) fn spec_path(
    graph: &TraceGraph,
    snapshot: &Snapshot,
    path: &str,
) -> Result<String, Error> {
    let path = RelPath::parse(path.trim())?.to_string();
    if snapshot.scan.is_spec(&path) {
        return Ok(path);
    }
    let rule = &graph.config.spec;
    let names = |list: &[String]| mcp_core::text::list_of_names(list.iter().map(String::as_str));
    Err(Error::refused(
        format!("`{path}` is not a place for requirements"),
        format!("Name a file in {} that fits {}.", names(&rule.directories), names(&rule.patterns)),
    ))
}
