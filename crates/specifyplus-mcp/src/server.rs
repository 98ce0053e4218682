//! What this server is called and what it offers.

use mcp_core::cli::{Product, Settings};
use mcp_core::failure::Failure;
use mcp_core::server::{Identity, Server};

const IDENTITY: Identity = Identity {
    name: "specifyplus",
    title: "SpecifyPlus",
    version: env!("CARGO_PKG_VERSION"),
    instructions: "SpecifyPlus keeps the way work is asked for the same everywhere: it offers the command files of the repository as prompts.",
};

pub fn product() -> Product {
    Product::new("specifyplus-mcp", env!("CARGO_PKG_DESCRIPTION"), IDENTITY, build)
}

#[expect(clippy::unnecessary_wraps, reason = "every product is built this way")]
fn build(_settings: &Settings) -> Result<Server, Failure> {
    Ok(Server::new(IDENTITY))
}
