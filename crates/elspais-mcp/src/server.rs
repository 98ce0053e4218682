//! What this server is called and what it offers.

use std::sync::Arc;

use mcp_core::server::{Identity, Server};

use crate::store::rewriter::Rewriter;
use crate::store::workspace::Workspace;
use crate::tools;
use crate::tools::resources::report;

pub(crate) const IDENTITY: Identity = Identity {
    name: "elspais",
    title: "Elspais",
    version: env!("CARGO_PKG_VERSION"),
    instructions: "Elspais keeps work true to what is required: it reads the requirements of this project, and the code, tests and journeys that cite them, as one graph. \
        Find requirements with search, read one with get_requirement, look around it with get_hierarchy; get_project_summary says how the project stands, get_broken_references and get_orphaned_nodes what is wrong. \
        Change requirements with the mutate_ tools: they work in memory, each can be taken back with undo_last_mutation or undo_to_mutation, and get_mutation_log lists them. \
        Nothing reaches a file until save_mutations; show its dry_run to the user first. \
        change_reference_type and move_requirement write files at once. \
        Cite what you implement in a comment such as `# Implements: REQ-d00001-A`, and in tests `# Verifies: REQ-d00001-A`. \
        When an answer says is_stale, call refresh_graph.",
};

pub(crate) fn assemble(workspace: &Arc<Workspace>, rewriter: &Rewriter) -> Server {
    Server::new(IDENTITY)
        .toolset(tools::CORE, true)
        .toolset(tools::COVERAGE, false)
        .toolset(tools::REVIEW, false)
        .tools(tools::all(workspace, rewriter))
        .resources(report(workspace.clone()))
        .render_failure(tools::render_failure)
}
