//! What this server is called and what it offers.

use mcp_core::cli::{Product, Settings};
use mcp_core::failure::Failure;
use mcp_core::server::{Identity, Server};

const IDENTITY: Identity = Identity {
    name: "elspais",
    title: "Elspais",
    version: env!("CARGO_PKG_VERSION"),
    instructions: "Elspais keeps work true to what is required: it reads the requirements of the repository as a graph that can be searched, traced to code and tests, and changed with undo.",
};

pub fn product() -> Product {
    Product::new("elspais-mcp", env!("CARGO_PKG_DESCRIPTION"), IDENTITY, build)
}

#[expect(clippy::unnecessary_wraps, reason = "every product is built this way")]
fn build(_settings: &Settings) -> Result<Server, Failure> {
    Ok(Server::new(IDENTITY))
}
