//! The whole project, module by module: read, written, resumed where it was left.

mod checkpoint;
mod overview;
mod pages;
mod plan;
mod run;
#[cfg(test)]
mod tests;

pub(crate) use plan::Plan;
pub(crate) use run::{Batch, BatchResult, Wishes};
