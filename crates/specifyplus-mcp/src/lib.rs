//! A folder of command files as prompts in any client.
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests set the stage with files of their own")
)]

mod builtin;
mod cli;
mod domain;
mod library;
mod prompts;
mod resources;
mod server;
mod store;
mod tools;
mod watch;

pub use server::product;

#[cfg(test)]
mod tests;
