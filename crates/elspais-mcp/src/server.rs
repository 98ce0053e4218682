//! What this server is called and what it offers.

use std::sync::Arc;
use std::time::Duration;

use mcp_core::cli::{Product, Settings};
use mcp_core::clock::Clock;
use mcp_core::failure::Failure;
use mcp_core::server::{Identity, Server};

use crate::cli;
use crate::resources::Shelf;
use crate::safety::GitNet;
use crate::tools;
use crate::tools::transform::Llm;
use crate::workspace::{Patience, Workspace, locate};
use mcp_core::entropy::Entropy;

const IDENTITY: Identity = Identity {
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

/// How long a client gets to introduce itself before the graph is read.
const HANDSHAKE: Duration = Duration::from_millis(300);

pub fn product() -> Product {
    Product {
        commands: cli::COMMANDS,
        doctor: cli::doctor,
        // A language model may take its time.
        call_timeout: Duration::from_mins(3),
        ..Product::new("elspais-mcp", env!("CARGO_PKG_DESCRIPTION"), IDENTITY, build)
    }
}

#[expect(clippy::unnecessary_wraps, reason = "every product is built this way")]
fn build(settings: &Settings) -> Result<Server, Failure> {
    let workspace = Arc::new(workspace(settings));
    if settings.is_serving() {
        build_ahead(&workspace);
    }
    let llm = Llm::from_variables(&|name| settings.variable(name), settings.call_timeout());
    Ok(assemble(&workspace, &llm))
}

pub(crate) fn workspace(settings: &Settings) -> Workspace {
    // Over the network nothing above the root is looked at.
    let place =
        if settings.is_confined() { settings.root().to_owned() } else { locate(settings.root()) };
    let workspace =
        Workspace::new(place, Clock::system(), Entropy::system()).with_safety_net(GitNet);
    if settings.is_serving() { workspace.watching() } else { workspace }
}

/// Clients are answered at once; the graph is read meanwhile.
fn build_ahead(workspace: &Arc<Workspace>) {
    let workspace = workspace.clone();
    let thread = std::thread::Builder::new().name("graph".to_owned());
    let spawned = thread.spawn(move || {
        // The handshake has the processor to itself; a call that comes sooner builds at once.
        std::thread::sleep(HANDSHAKE);
        if let Err(error) = workspace.ensure(&Patience::ENDLESS) {
            tracing::warn!("the graph could not be built: {error}");
        }
    });
    if let Err(error) = spawned {
        tracing::warn!("the graph is built with the first call: {error}");
    }
}

pub(crate) fn assemble(workspace: &Arc<Workspace>, llm: &Llm) -> Server {
    Server::new(IDENTITY)
        .toolset(tools::CORE, true)
        .toolset(tools::COVERAGE, false)
        .toolset(tools::REVIEW, false)
        .tools(tools::all(workspace, llm))
        .resources(Shelf::new(workspace.clone()))
        .render_failure(tools::render_failure)
}
