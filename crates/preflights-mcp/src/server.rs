//! What this server is called and what it offers.

use mcp_core::cli::{Product, Settings};
use mcp_core::failure::Failure;
use mcp_core::server::{Identity, Server};

const IDENTITY: Identity = Identity {
    name: "preflights",
    title: "Preflights",
    version: env!("CARGO_PKG_VERSION"),
    instructions: "Preflights keeps work true to what was decided: it asks the open questions before code is written, and keeps the decisions, the current task and the architecture so far in the repository.",
};

pub fn product() -> Product {
    Product::new("preflights-mcp", env!("CARGO_PKG_DESCRIPTION"), IDENTITY, build)
}

#[expect(clippy::unnecessary_wraps, reason = "every product is built this way")]
fn build(_settings: &Settings) -> Result<Server, Failure> {
    Ok(Server::new(IDENTITY))
}
