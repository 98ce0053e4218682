//! Asks before an agent builds: clarification, decision records, the current task.

mod server;

pub use server::product;
