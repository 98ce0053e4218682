//! What every Plumbline server shares, in reading order.
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests set the stage with files of their own")
)]

pub mod cli;
pub mod clock;
pub mod entropy;
pub mod failure;
pub mod frontmatter;
pub mod git;
pub mod markdown;
pub mod page;
pub mod program;
pub mod sandbox;
pub mod schema;
pub mod server;
pub mod text;
pub mod transport;
pub mod yaml;

pub use rmcp;
