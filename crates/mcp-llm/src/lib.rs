//! The language model client of the servers that use one, and the removal of secrets from text.
//!
//! Reading order: `config` says whether and whom to ask, `request` what is asked and answered,
//! `shape` what a structured answer must look like, `client` how often and how long we try.
//! `redact` stands alone: it needs neither a provider nor the network.
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests set the stage with files of their own")
)]

mod client;
mod command;
mod config;
mod error;
mod http;
pub mod redact;
mod request;
mod secret;
mod shape;
mod wire;

pub use client::Client;
pub use config::{Config, Names};
pub use error::Error;
pub use request::{Reply, Request, Stop, Structured, Usage};
pub use secret::Secret;
pub use shape::Shape;

/// For the fuzzer, and the tests that replay what it found.
#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzzing;

#[cfg(test)]
mod tests;
