//! The whole project, module by module: found, put in order, written, resumed where it was left.

mod checkpoint;
mod index;
mod leftovers;
mod manifests;
mod modules;
mod order;
mod overview;
mod picture;
mod plan;
mod run;
#[cfg(test)]
mod tests;

pub(crate) use modules::Module;
pub(crate) use plan::Plan;
pub(crate) use run::{Batch, BatchResult, Wishes};

/// Where a batch writes, beneath the project root.
pub(crate) const DIRECTORY: &str = "specs";
