//! A folder of command files as prompts in any client.

mod server;

pub use server::product;
