//! What this server is called and what it offers.

use std::sync::Arc;

use mcp_core::server::{Answer, Identity, Server};

use crate::error;
use crate::store::service::Service;
use crate::tools;
use crate::tools::resources::Resources;

pub(crate) const IDENTITY: Identity = Identity {
    name: "preflights",
    title: "Preflights",
    version: env!("CARGO_PKG_VERSION"),
    instructions: "Preflights keeps work true to what was decided. Before you plan or write code, call read_architecture and keep to what it says. When a request is ambiguous or changes the structure of the project, call require_clarification with the user's words; put the questions it returns to the user, never answer them yourself, and call it again with session_id and answers until its status is completed. Then work from docs/CURRENT_TASK.md: stay within its allowlist and meet its acceptance criteria. Never edit docs/adr, docs/archive or docs/ARCHITECTURE_STATE.md by hand.",
};

pub(crate) fn assemble(service: Service, elicits: bool) -> Server {
    let service = Arc::new(service);
    Server::new(IDENTITY)
        .tools(tools::all(&service, elicits))
        .resources(Resources::new(service))
        .render_failure(|_, failure| {
            let envelope = error::envelope(failure);
            let text = envelope.to_string();
            match Answer::data(&envelope) {
                Ok(answer) => answer.failed(),
                Err(_) => Answer::text(text).failed(),
            }
        })
}
