//! Requirements as a graph: query, trace, mutate with undo, write back.

mod server;

pub use server::product;
