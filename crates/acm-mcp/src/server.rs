//! What this server is called and what it offers.

use mcp_core::cli::{Product, Settings};
use mcp_core::failure::Failure;
use mcp_core::server::{Identity, Server};

const IDENTITY: Identity = Identity {
    name: "acm",
    title: "ACM",
    version: env!("CARGO_PKG_VERSION"),
    instructions: "ACM keeps work true to the way we work: it serves the stages, artifacts and prompts of the process, and checks a project against them.",
};

pub fn product() -> Product {
    Product::new("acm-mcp", env!("CARGO_PKG_DESCRIPTION"), IDENTITY, build)
}

#[expect(clippy::unnecessary_wraps, reason = "every product is built this way")]
fn build(_settings: &Settings) -> Result<Server, Failure> {
    Ok(Server::new(IDENTITY))
}
