//! Code into specifications, and where the code has drifted from them.
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests set the stage with files of their own")
)]

mod analysis;
mod baseline;
mod batch;
mod cli;
mod context;
mod diff;
mod doctor;
mod drift;
mod error;
mod extract;
mod generate;
mod model;
mod prepare;
mod project;
mod redact;
mod report;
mod resolve;
mod server;
mod since;
mod skeleton;
mod spec;
mod specification;
#[cfg(test)]
mod tests;
mod tokens;
mod tools;

pub use server::product;

/// How our documents name who wrote them.
fn generator() -> String {
    format!("reverse-spec-mcp {}", env!("CARGO_PKG_VERSION"))
}
