//! Asks before an agent builds: clarification, decision records, the current task.
//!
//! The rooms in reading order.
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests set the stage with files of their own")
)]

/// What it is called and what it offers.
mod server;

/// The two tools, the forms and the resources: MCP in and out.
mod tools;

/// Requests, questions, decisions, records: values and rules.
mod domain;

/// Repositories, their records on disk, sessions, language models.
mod store;

/// What can go wrong, under the codes callers branch on.
mod error;

/// The golden path in the shell.
mod cli;

/// Server and shell put together.
mod product;

pub use product::product;

/// For the fuzzer, and the tests that replay what it found.
#[cfg(any(test, feature = "fuzzing"))]
pub use domain::fuzzing;

#[cfg(test)]
mod tests;
