//! Code into specifications, and where the code has drifted from them.
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests set the stage with files of their own")
)]

mod analysis;
mod baseline;
mod cli;
mod context;
mod diff;
mod doctor;
mod drift;
mod error;
mod extract;
mod prepare;
mod project;
mod redact;
mod resolve;
mod server;
mod since;
mod skeleton;
mod specification;
#[cfg(test)]
mod tests;
mod tokens;
mod tools;

pub use server::product;
