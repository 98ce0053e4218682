//! Requirements as a graph: query, trace, mutate with undo, write back.
//!
//! The rooms, in the order to read them.
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests set the stage with files of their own")
)]

/// What this server is called and what it offers.
mod server;

/// MCP in and out: parameters, one call, an answer.
mod tools;

/// Values and rules: text in, text out.
mod domain;

/// Files, git, watching and language models; the graph that is kept between calls.
mod store;

/// Everything that can go wrong, for all rooms.
mod error;

/// The shell: `check`, `report` and what `doctor` looks at.
mod cli;

/// Server and shell put together.
mod product;

pub use product::product;

/// For the fuzzer, and the tests that replay what it found.
#[cfg(any(test, feature = "fuzzing"))]
pub use domain::fuzzing;

#[cfg(test)]
mod tests;
