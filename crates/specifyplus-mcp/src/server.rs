//! What this server is called and what it offers.

use std::sync::Arc;

use mcp_core::cli::{Product, Settings};
use mcp_core::failure::Failure;
use mcp_core::server::{Change, Changes, Identity, Server};

use crate::library::Library;
use crate::prompts::Prompts;
use crate::resources::Resources;
use crate::{cli, tools, watch};

const IDENTITY: Identity = Identity {
    name: "specifyplus",
    title: "SpecifyPlus",
    version: env!("CARGO_PKG_VERSION"),
    instructions: "SpecifyPlus offers the command files of this project (.claude/commands) as prompts. \
        A command is a set of instructions with the user's input put into it. \
        When the user runs a command, such as `/sp.plan`, and you have the tools: get_command returns its instructions, \
        to be followed as if the user had written them; list_commands shows what there is. \
        Pass on the whole input, word for word. \
        When a command is done, suggest the commands it hands off to; \
        specifyplus://commands has them all, specifyplus://commands/{name} documents one. \
        Files may change at any time; the next request sees the change.",
};

pub fn product() -> Product {
    Product {
        flags: cli::flags,
        commands: cli::COMMANDS,
        doctor: cli::doctor,
        client_args: cli::client_args,
        ..Product::new("specifyplus-mcp", env!("CARGO_PKG_DESCRIPTION"), IDENTITY, build)
    }
}

fn build(settings: &Settings) -> Result<Server, Failure> {
    let library = Arc::new(cli::library(settings));
    cli::require_folder(settings, &library)?;
    let changes = Changes::default();
    if settings.is_serving() {
        announce_changes(&library, changes.clone());
    }
    // In the shell the tools are there whether or not clients are to see them.
    let with_tools = settings.flag(cli::WITH_TOOLS) || !settings.is_serving();
    Ok(assemble(library, changes, with_tools))
}

pub(crate) fn announce_changes(library: &Arc<Library>, changes: Changes) {
    watch::start(library, move || {
        changes.send(Change::PromptList);
        changes.send(Change::ResourceList);
    });
}

pub(crate) fn assemble(library: Arc<Library>, changes: Changes, with_tools: bool) -> Server {
    let server = Server::new(IDENTITY).changes(changes);
    let server = if with_tools { server.tools(tools::tools(&library)) } else { server };
    server.prompts(Prompts::new(library.clone())).resources(Resources::new(library))
}
