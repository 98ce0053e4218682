//! A folder of command files as prompts in any client.
//!
//! The rooms in reading order.
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests set the stage with files of their own")
)]

/// What it is called and what it offers.
mod server;

/// The commands as prompts, as resources and through two tools: MCP in and out.
mod tools;

/// Command files as values: what one says, and how input is put into it.
mod domain;

/// Folders of command files, looked at again for every request.
mod store;

/// What can go wrong for somebody who asks for a command.
mod error;

/// Flags, `init`, `lint`, and what `doctor` looks at.
mod cli;

/// Server and shell put together.
mod product;

pub use product::product;

/// For the fuzzer, and the tests that replay what it found.
#[cfg(any(test, feature = "fuzzing"))]
pub use domain::fuzzing;

#[cfg(test)]
mod tests;
