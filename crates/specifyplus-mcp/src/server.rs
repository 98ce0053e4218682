//! What this server is called and what it offers.

use std::sync::Arc;

use mcp_core::server::{Announced, Changes, Identity, Server};

use crate::store::library::Library;
use crate::store::watch;
use crate::tools;
use crate::tools::prompts::Prompts;
use crate::tools::resources::Resources;
use crate::tools::skills::Skills;

pub(crate) const IDENTITY: Identity = Identity {
    name: "specifyplus",
    title: "SpecifyPlus",
    version: env!("CARGO_PKG_VERSION"),
    instructions: "SpecifyPlus offers the command files and skills of this project (.claude/commands and the folders of other agents) as prompts. \
        A command is a set of instructions with the user's input put into it. \
        When the user runs a command, such as `/sp.plan`, and you have the tools: get_command returns its instructions, \
        to be followed as if the user had written them; list_commands shows what there is. \
        Pass on the whole input, word for word. \
        When a command is done, suggest the commands it hands off to; \
        specifyplus://commands has them all, specifyplus://commands/{name} documents one. \
        Files may change at any time; the next request sees the change.",
};

pub(crate) fn announce_changes(library: &Arc<Library>, changes: &Changes) {
    let changes = changes.clone();
    watch::start(library, move || {
        changes.send(Announced::PromptList);
        changes.send(Announced::ResourceList);
    });
}

pub(crate) fn assemble(library: Arc<Library>, changes: Changes, with_tools: bool) -> Server {
    let server = Server::new(IDENTITY).changes(changes);
    let server = if with_tools { server.tools(tools::tools(&library)) } else { server };
    server
        .prompts(Prompts::new(library.clone()))
        .resources(Resources::new(library.clone()))
        .skills(Skills::new(library))
}
