//! Requirements as a graph: query, trace, mutate with undo, write back.
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests set the stage with files of their own")
)]

mod annotate;
mod check;
mod cli;
mod config;
mod error;
mod grammar;
mod graph;
mod hash;
mod keyword;
mod language;
mod mutate;
mod parse;
mod report;
mod resources;
mod review;
mod safety;
mod save;
mod scan;
mod server;
mod span;
mod store;
mod tools;
mod transform;
mod workspace;

pub use server::product;

#[cfg(test)]
mod tests;
