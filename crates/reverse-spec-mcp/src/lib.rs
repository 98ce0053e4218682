//! Code into specifications, and where the code has drifted from them.
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests set the stage with files of their own")
)]

mod server;

pub use server::product;
