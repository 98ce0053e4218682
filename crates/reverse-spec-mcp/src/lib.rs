//! Code into specifications, and where the code has drifted from them.
//!
//! The rooms, in the order to read them.
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests set the stage with files of their own")
)]

// What the server is called and what it offers.
mod server;
// Every tool: typed arguments in, an answer out.
mod tools;
// Values and rules: source text into skeletons, skeletons into specifications and drift.
mod domain;
// Projects on disk, git, and language models.
mod store;
// Everything that can go wrong, in the words of the contract.
mod error;
// The tools at a terminal.
mod cli;
// Server and shell put together.
mod product;

#[cfg(test)]
mod tests;

pub use product::product;

/// For the fuzzer, and the tests that replay what it found.
#[cfg(any(test, feature = "fuzzing"))]
pub use domain::fuzzing;
