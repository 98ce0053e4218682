//! `everything`: one of each thing a server can offer, on the real transports and command line.
//!
//! The official conformance suite drives the part whose names begin with `test_`; our own wire
//! tests drive the rest. It is for tests alone: nothing of it reaches the five servers.

mod changes;
mod content;
mod elicitation;
mod notes;
mod prompts;
mod resources;
mod rounds;
mod samples;
mod unsupported;
mod work;

use std::process::ExitCode;
use std::sync::Arc;

use mcp_core::cli::{self, Product, Settings};
use mcp_core::failure::Failure;
use mcp_core::server::{Changes, Identity, Server};
use schemars::JsonSchema;
use serde::Deserialize;

use changes::Watched;

const IDENTITY: Identity = Identity {
    name: "everything",
    title: "Everything",
    version: env!("CARGO_PKG_VERSION"),
    instructions: "A server for tests: one of each thing that a server can offer.",
};

// The parameters of a tool that takes none. Not a doc comment: clients would see it.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Nothing {}

// The parameters of a tool that takes whatever it is given.
#[derive(Deserialize, JsonSchema)]
struct Anything {}

fn main() -> ExitCode {
    let about = "A server for tests: one of each thing that a server can offer";
    cli::run(&Product::new("everything", about, IDENTITY, build))
}

#[expect(clippy::unnecessary_wraps, reason = "every product is built this way")]
fn build(settings: &Settings) -> Result<Server, Failure> {
    let changes = Changes::with_changing_tools();
    let watched = Arc::new(Watched::default());
    Ok(Server::new(IDENTITY)
        .tools(content::tools())
        .tools(elicitation::tools())
        .tools(rounds::tools())
        .tools(unsupported::tools())
        .tools(changes::tools(&changes, &watched))
        .tools(work::tools(settings))
        .toolset("notes", true)
        .tool(notes::write_note(settings))
        .prompts(prompts::Prompts)
        .resources(resources::Resources::new(watched))
        .changes(changes))
}
