//! Code into specifications, and where the code has drifted from them.

mod server;

pub use server::product;
