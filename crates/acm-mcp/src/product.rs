//! The product: the server with its shell.

use mcp_core::cli::Product;
use mcp_core::failure::Failure;
use mcp_core::server::Server;
use mcp_core::settings::Settings;

use crate::cli::{check, doctor, init};
use crate::server::{self, IDENTITY};
use crate::store::surroundings::Surroundings;

pub fn product() -> Product {
    Product {
        commands: &[init::COMMAND, check::COMMAND],
        doctor: |settings| doctor::look(&Surroundings::from_settings(settings)),
        ..Product::new("acm-mcp", env!("CARGO_PKG_DESCRIPTION"), IDENTITY, build)
    }
}

#[expect(clippy::unnecessary_wraps, reason = "every product is built this way")]
fn build(settings: &Settings) -> Result<Server, Failure> {
    let surroundings = Surroundings::from_settings(settings);
    if settings.is_serving() {
        tracing::info!("{}", doctor::sources(&surroundings));
    }
    Ok(server::assemble(surroundings))
}
