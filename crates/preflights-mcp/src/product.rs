//! The product: the server with its shell.

use std::time::Duration;

use mcp_core::cli::Product;
use mcp_core::failure::Failure;
use mcp_core::server::Server;
use mcp_core::settings::Settings;

use crate::cli;
use crate::domain;
use crate::server::{self, IDENTITY};
use crate::store::model;
use crate::store::service::Service;

pub fn product() -> Product {
    Product {
        commands: cli::COMMANDS,
        icon: Some(include_str!("../assets/icon.svg")),
        tries: &["call read_architecture", "check"],
        // A language model may be asked twice in one call, three times each.
        call_timeout: Duration::from_mins(2),
        doctor: cli::doctor,
        keys: |settings| model::Setting::key_variable(settings).into_iter().collect(),
        ..Product::new("preflights-mcp", env!("CARGO_PKG_DESCRIPTION"), IDENTITY, build)
    }
}

#[expect(clippy::unnecessary_wraps, reason = "every product is built this way")]
fn build(settings: &Settings) -> Result<Server, Failure> {
    let elicits =
        settings.variable("PREFLIGHTS_ELICIT").is_none_or(|it| !it.eq_ignore_ascii_case("off"));
    let server = server::assemble(Service::from_settings(settings), elicits);
    Ok(server.prepared_by(domain::prepare))
}
