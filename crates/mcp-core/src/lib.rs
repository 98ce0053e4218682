//! What every Plumbline server shares, from the ground up.
//!
//! A server is a [`server::Server`] put together from tools, a [`cli::Product`] that gives it the
//! common command line, and a `main` of one line:
//!
//! ```no_run
#![doc = include_str!("../examples/hello.rs")]
//! ```
#![warn(missing_docs)]
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests set the stage with files of their own")
)]

// Values and plain functions.
pub mod circles;
pub mod clock;
mod encoding;
pub mod entropy;
pub mod failure;
pub mod findings;
pub mod frontmatter;
pub mod markdown;
pub mod page;
pub mod schema;
pub mod text;
pub mod work;
pub mod yaml;

// Files and other programs.
pub mod git;
pub mod index;
pub mod program;
pub mod repository;
pub mod sandbox;
pub mod walk;
pub mod watch;

pub use sandbox::doors;

// The protocol: messages, what answers them, how they come and go.
mod gate;
pub mod model;
pub mod server;
pub mod transport;
mod wire;

// The command line.
pub mod cli;
mod console;
pub mod settings;
mod stray;

// For the fuzzer, and the tests that replay what it found.
#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzzing;

#[cfg(test)]
mod interleaving;
