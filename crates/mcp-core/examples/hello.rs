//! A complete server: one tool, every transport, the common command line.
use std::process::ExitCode;

use mcp_core::cli::Product;
use mcp_core::server::{Answer, Identity, Server, Tool};
use schemars::JsonSchema;
use serde::Deserialize;

const IDENTITY: Identity = Identity {
    name: "hello",
    title: "Hello",
    version: env!("CARGO_PKG_VERSION"),
    instructions: "Greets people. Call greet with a name.",
};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Greet {
    /// Who is greeted, e.g. `Ada`.
    name: String,
}

fn greet() -> Tool {
    Tool::read_only("greet", "Returns a greeting for one person.")
        .title("Greeting")
        .run_sync(|_, Greet { name }| Ok(Answer::text(format!("Hello, {name}!"))))
}

fn main() -> ExitCode {
    let build = |_: &_| Ok(Server::new(IDENTITY).tool(greet()));
    mcp_core::cli::run(&Product::new("hello", "Greets people", IDENTITY, build))
}
