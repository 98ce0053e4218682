//! A project as modules in order, and the pages about all of them.

mod index;
mod modules;
mod order;
mod packages;
mod picture;

pub(crate) use index::{ARCHITECTURE, INDEX, Listed, Pages, with_kept};
pub(crate) use modules::{Module, directories, find};
pub(crate) use order::{Ordered, Uses, ordered};
pub(crate) use packages::{Package, chosen};
pub(crate) use picture::Condensed;

/// Where a batch writes, beneath the project root.
pub(crate) const DIRECTORY: &str = "specs";
