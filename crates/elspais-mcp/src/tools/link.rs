//! What is not connected: references that lead nowhere, and nodes that hang in the air.

use std::sync::Arc;

use mcp_core::server::Tool;
use schemars::JsonSchema;
use serde::Serialize;

use super::query::NoParams;
use super::serialize::{SourceOutput, first_of, serialize_source};
use super::{CORE, look};
use crate::domain::graph::{BrokenReference, Node};
use crate::store::workspace::Workspace;

/// Cycles, and requirements of each, as far as they are listed.
const MAX_CYCLES: usize = 20;
const MAX_MEMBERS: usize = 50;

#[derive(Debug, Serialize, JsonSchema)]
struct OrphansOutput {
    orphans: Vec<OrphanOutput>,
    count: usize,
    /// Groups of requirements that lie above themselves.
    cycles: Vec<Vec<String>>,
    /// How many cycles there are, where not all are listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    cycles_total: Option<usize>,
    /// Requirements of the longest cycle, where not all of them are listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    longest_cycle: Option<usize>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct OrphanOutput {
    id: String,
    /// requirement, code, test or journey.
    kind: String,
    title: String,
    source: SourceOutput,
}

#[derive(Debug, Serialize, JsonSchema)]
struct BrokenOutput {
    broken_references: Vec<BrokenReferenceOutput>,
    count: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
struct BrokenReferenceOutput {
    source_id: String,
    target_id: String,
    edge_kind: String,
    /// `unknown_requirement`, `unknown_assertion` of one that exists, `unknown_namespace` of another project's form, or `malformed`.
    reason: String,
    path: String,
    line: u32,
}

impl From<&Node<'_>> for OrphanOutput {
    fn from(node: &Node<'_>) -> Self {
        Self {
            id: node.id(),
            kind: node.kind().as_str().to_owned(),
            title: node.title().to_owned(),
            source: serialize_source(node),
        }
    }
}

impl From<BrokenReference> for BrokenReferenceOutput {
    fn from(it: BrokenReference) -> Self {
        Self {
            source_id: it.source_id,
            target_id: it.target_id,
            edge_kind: it.kind.as_str().to_owned(),
            reason: it.reason.as_str().to_owned(),
            path: it.path,
            line: it.line,
        }
    }
}

pub(super) fn tools(workspace: &Arc<Workspace>) -> Vec<Tool> {
    vec![get_orphaned_nodes(workspace.clone()), get_broken_references(workspace.clone())]
}

fn get_orphaned_nodes(workspace: Arc<Workspace>) -> Tool {
    Tool::read_only(
        "get_orphaned_nodes",
        "Returns requirements whose cited parents are all missing, and code, tests and journeys whose references all lead nowhere; also groups of requirements that form a cycle.",
    )
    .title("Nodes without a parent")
    .toolset(CORE)
    .output::<OrphansOutput>()
    .run_blocking(move |call, _: NoParams| {
        let answer = look(&workspace, call, |loaded| {
            let orphans: Vec<OrphanOutput> =
                loaded.graph.orphans().iter().map(OrphanOutput::from).collect();
            let (cycles, cycles_total) = first_of(loaded.graph.cycles(), MAX_CYCLES);
            let longest = cycles.iter().map(Vec::len).max().filter(|it| *it > MAX_MEMBERS);
            let cycles = cycles.into_iter().map(|it| first_of(it, MAX_MEMBERS).0).collect();
            Ok(OrphansOutput {
                count: orphans.len(),
                orphans,
                cycles,
                cycles_total,
                longest_cycle: longest,
            })
        })?;
        Ok(answer.shorten("orphans").narrow("Fix these first."))
    })
}

fn get_broken_references(workspace: Arc<Workspace>) -> Tool {
    Tool::read_only(
        "get_broken_references",
        "Returns every reference that names a requirement or assertion that does not exist, with file and line. mutate_fix_broken_reference fixes one.",
    )
    .title("Broken references")
    .toolset(CORE)
    .output::<BrokenOutput>()
    .run_blocking(move |call, _: NoParams| {
        let answer = look(&workspace, call, |loaded| {
            let found = loaded.graph.broken_references();
            let found: Vec<_> = found.into_iter().map(BrokenReferenceOutput::from).collect();
            Ok(BrokenOutput { count: found.len(), broken_references: found })
        })?;
        Ok(answer.shorten("broken_references").narrow("Fix these first."))
    })
}
