//! Command files as values: what one says, how input is put into it, and how one is found.

pub(crate) mod builtin;
mod catalog;
mod command;
mod front;
#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzzing;
mod handoff;
mod manual;
mod problem;
mod summary;
mod template;

pub(crate) use catalog::{Catalog, Entry};
pub(crate) use command::{Command, INPUT_KIND};
pub(crate) use handoff::Handoff;
pub(crate) use manual::manual;
pub(crate) use problem::{Kind, Problem};

#[cfg(test)]
mod tests;
