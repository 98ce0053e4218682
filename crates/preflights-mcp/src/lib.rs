//! Asks before an agent builds: clarification, decision records, the current task.
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests set the stage with files of their own")
)]

mod server;

pub use server::product;
