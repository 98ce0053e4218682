//! The harness: raw JSON-RPC and HTTP clients, fixture projects, and the built executables.
//!
//! Nothing here knows rmcp or mcp-core, so that a mistake in either cannot hide in the tests.
//! A harness fails its test by panicking, with what it waited for and what the server logged.

#![expect(clippy::expect_used, reason = "a harness fails the test by panicking")]
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the harness looks at the servers from outside their sandbox"
)]

pub mod bins;
mod client;
mod corpora;
mod fixture;
pub mod http;
pub mod model;
mod modern;
mod normalise;
mod process;
mod reply;

pub use client::Client;
pub use corpora::replay_corpora;
pub use fixture::Fixture;
pub use modern::{MODERN_VERSION, modern_params};
pub use normalise::normalise;
pub use process::Process;
pub use reply::Reply;
