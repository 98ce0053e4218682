//! The tools, for clients that have no prompts or pass on only a part of what the user typed.

mod command;
pub(crate) mod prompts;
pub(crate) mod resources;
pub(crate) mod skills;

use std::sync::Arc;

use mcp_core::server::Tool;

use crate::store::library::Library;

pub(crate) fn tools(library: &Arc<Library>) -> [Tool; 2] {
    [command::list_commands(library.clone()), command::get_command(library.clone())]
}
