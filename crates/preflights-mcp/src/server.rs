//! What this server is called and what it offers.

use std::sync::Arc;
use std::time::Duration;

use mcp_core::cli::{Product, Settings};
use mcp_core::clock::Clock;
use mcp_core::failure::Failure;
use mcp_core::server::{Answer, Identity, Server};
use mcp_llm::{Client, Config};

use crate::cli;
use crate::error;
use crate::model::{NAMES, Setting};
use crate::repository::Places;
use crate::resources::Shelf;
use crate::service::Service;
use crate::tools;
use mcp_core::entropy::Entropy;

const IDENTITY: Identity = Identity {
    name: "preflights",
    title: "Preflights",
    version: env!("CARGO_PKG_VERSION"),
    instructions: "Preflights keeps work true to what was decided. Before you plan or write code, call read_architecture and keep to what it says. When a request is ambiguous or changes the structure of the project, call require_clarification with the user's words; put the questions it returns to the user, never answer them yourself, and call it again with session_id and answers until its status is completed. Then work from docs/CURRENT_TASK.md: stay within its allowlist and meet its acceptance criteria. Never edit docs/adr, docs/archive or docs/ARCHITECTURE_STATE.md by hand.",
};

pub fn product() -> Product {
    Product {
        commands: cli::COMMANDS,
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
    Ok(assemble(service(settings), elicits))
}

pub(crate) fn service(settings: &Settings) -> Service {
    let places = Places {
        start: settings.root().to_owned(),
        confined_to: settings.is_confined().then(|| settings.roots().to_vec()),
    };
    let clock = Clock::system();
    Service::new(places, clock.clone(), Entropy::system(), model(settings, clock))
}

/// A setting that does not work keeps nobody from working: the answers say so.
fn model(settings: &Settings, clock: Clock) -> Setting {
    let config = match Config::read(&NAMES, &|name| settings.variable(name)) {
        Ok(None) => return Setting::Off,
        Ok(Some(config)) => Client::new(config, clock),
        Err(error) => Err(error),
    };
    config.map_or_else(Setting::Unusable, |client| Setting::ready(client, settings.call_timeout()))
}

pub(crate) fn assemble(service: Service, elicits: bool) -> Server {
    let service = Arc::new(service);
    Server::new(IDENTITY)
        .tools(tools::all(&service, elicits))
        .resources(Shelf::new(service))
        .render_failure(|_, failure| {
            let envelope = error::envelope(failure);
            let text = envelope.to_string();
            match Answer::data(&envelope) {
                Ok(answer) => answer.failed(),
                Err(_) => Answer::text(text).failed(),
            }
        })
}
