//! The product: the server with its shell.

use std::time::Duration;

use mcp_core::cli::Product;
use mcp_core::failure::Failure;
use mcp_core::server::Server;
use mcp_core::settings::Settings;

use crate::cli;
use crate::domain;
use crate::server::{self, IDENTITY};
use crate::store::service::Service;

const AFTER_THE_HANDSHAKE: Duration = Duration::from_millis(10);

pub fn product() -> Product {
    Product {
        commands: cli::COMMANDS,
        icon: Some(include_str!("../assets/icon.svg")),
        tries: &["call read_architecture", "check"],
        // A language model may be asked twice in one call, three times each.
        call_timeout: Duration::from_mins(2),
        doctor: cli::doctor,
        ..Product::new("preflights-mcp", env!("CARGO_PKG_DESCRIPTION"), IDENTITY, build)
    }
}

#[expect(clippy::unnecessary_wraps, reason = "every product is built this way")]
fn build(settings: &Settings) -> Result<Server, Failure> {
    let elicits =
        settings.variable("PREFLIGHTS_ELICIT").is_none_or(|it| !it.eq_ignore_ascii_case("off"));
    // Between the handshake, which it must not slow down, and the first call, which would wait.
    let prepare = || {
        std::thread::sleep(AFTER_THE_HANDSHAKE);
        domain::prepare();
    };
    drop(std::thread::Builder::new().name("facts".to_owned()).spawn(prepare));
    Ok(server::assemble(Service::from_settings(settings), elicits))
}
