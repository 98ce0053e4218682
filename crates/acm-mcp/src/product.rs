//! The product: the server with its shell.

use mcp_core::cli::Product;
use mcp_core::failure::Failure;
use mcp_core::server::Server;
use mcp_core::settings::Settings;

use crate::cli::{check, doctor, init};
use crate::server::{self, IDENTITY};
use crate::store::surroundings::Surroundings;

/// Everything but the checks: the process is the same wherever one asks for it.
const PROJECTLESS: &[&str] = &[
    "get_stage",
    "get_review_prompt",
    "get_transition_prompt",
    "get_artifact_spec",
    "get_artifact_stub",
    "get_project_type_guidance",
    "get_rules_spec",
    "get_context_spec",
    "query_capabilities",
    "get_capability_detail",
    "query_knowledge",
];

pub fn product() -> Product {
    Product {
        commands: &[init::COMMAND, check::COMMAND],
        landmarks: &["docs/intent.md"],
        projectless: PROJECTLESS,
        icon: Some(include_str!("../assets/icon.svg")),
        tries: &["check", "call get_stage stage=discover"],
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
