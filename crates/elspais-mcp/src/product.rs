//! Server and shell put together into what the executable runs.

use std::sync::Arc;
use std::time::Duration;

use mcp_core::cli::Product;
use mcp_core::failure::Failure;
use mcp_core::server::Server;
use mcp_core::settings::Settings;
use mcp_core::work::Work;

use crate::cli;
use crate::server::{IDENTITY, assemble};
use crate::store::rewriter::Rewriter;
use crate::store::workspace::Workspace;

pub fn product() -> Product {
    Product {
        flags: cli::flags,
        landmarks: &[".elspais.toml"],
        icon: Some(include_str!("../assets/icon.svg")),
        tries: &["check", "report --html report.html", "call search query=login"],
        commands: cli::COMMANDS,
        doctor: cli::doctor,
        keys: |settings| {
            Rewriter::key_variable(&|name| settings.variable(name)).into_iter().collect()
        },
        // A language model may take its time.
        call_timeout: Duration::from_mins(3),
        ..Product::new("elspais-mcp", env!("CARGO_PKG_DESCRIPTION"), IDENTITY, build)
    }
}

#[expect(clippy::unnecessary_wraps, reason = "every product is built this way")]
fn build(settings: &Settings) -> Result<Server, Failure> {
    let workspace = Arc::new(cli::workspace(settings));
    let rewriter =
        Rewriter::from_variables(&|name| settings.variable(name), settings.call_timeout());
    let server = assemble(&workspace, &rewriter);
    Ok(server.prepared_by(move || build_ahead(&workspace)))
}

/// Clients are answered at once; the graph is read meanwhile, and the first call finds it there.
fn build_ahead(workspace: &Workspace) {
    match workspace.ensure(&Work::endless()) {
        Ok(()) => workspace.warm_up(),
        Err(error) => tracing::warn!("the graph could not be built: {error}"),
    }
}
