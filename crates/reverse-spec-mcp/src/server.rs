//! What this server is called and what it offers.

use mcp_core::cli::{Product, Settings};
use mcp_core::failure::Failure;
use mcp_core::server::{Identity, Server};

const IDENTITY: Identity = Identity {
    name: "reverse-spec",
    title: "Reverse Spec",
    version: env!("CARGO_PKG_VERSION"),
    instructions: "Reverse Spec keeps specifications true to what the code really is: it derives them from the source and reports where the two have drifted apart.",
};

pub fn product() -> Product {
    Product::new("reverse-spec-mcp", env!("CARGO_PKG_DESCRIPTION"), IDENTITY, build)
}

#[expect(clippy::unnecessary_wraps, reason = "every product is built this way")]
fn build(_settings: &Settings) -> Result<Server, Failure> {
    Ok(Server::new(IDENTITY))
}
