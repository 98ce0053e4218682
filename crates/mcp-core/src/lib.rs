//! What every Plumbline server shares, in reading order.

pub mod failure;
pub mod clock;
pub mod text;
pub mod frontmatter;
pub mod markdown;
pub mod yaml;
pub mod schema;
pub mod sandbox;
pub mod server;
pub mod transport;
pub mod cli;

pub use rmcp;
