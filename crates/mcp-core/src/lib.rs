//! What every Plumbline server shares, in reading order.

pub mod clock;
pub mod failure;
pub mod frontmatter;
pub mod markdown;
pub mod sandbox;
pub mod schema;
pub mod text;
pub mod yaml;
