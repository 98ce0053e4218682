//! Requirements as a graph: query, trace, mutate with undo, write back.
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests set the stage with files of their own")
)]

mod server;

pub use server::product;
