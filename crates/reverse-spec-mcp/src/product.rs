//! The server and the shell put together.

use std::time::Duration;

use mcp_core::cli::Product;

use crate::store::model::Llm;
use crate::{cli, server};

/// What the executable is made of.
pub fn product() -> Product {
    Product {
        call_timeout: Duration::from_mins(10),
        serve_alias: Some("mcp-server"),
        icon: Some(include_str!("../assets/icon.svg")),
        tries: &["batch", "diff specs"],
        flags: server::flags,
        commands: cli::COMMANDS,
        doctor: cli::doctor,
        keys: |settings| Llm::key_variable(&|name| settings.variable(name)).into_iter().collect(),
        ..Product::new(
            "reverse-spec-mcp",
            env!("CARGO_PKG_DESCRIPTION"),
            server::IDENTITY,
            server::build,
        )
    }
}
