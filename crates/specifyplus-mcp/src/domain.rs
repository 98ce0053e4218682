//! Command files as values: what one says, how input is put into it, and how one is found.

pub(crate) mod builtin;
mod catalog;
mod command;
mod dialect;
mod format;
mod front;
#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzzing;
mod handoff;
mod integration;
mod manual;
mod parts;
mod problem;
mod remark;
mod source;
mod summary;
mod template;
mod words;

pub(crate) use catalog::{Catalog, Entry, sounds};
pub(crate) use command::{Command, INPUT_KIND};
pub(crate) use format::{Format, pointed_agent, skill_fields};
pub(crate) use handoff::Handoff;
pub(crate) use integration::Integration;
pub(crate) use manual::manual;
pub(crate) use problem::{Kind, Problem};
pub(crate) use source::{Form, Source, Sources};
pub(crate) use template::Input;

#[cfg(test)]
mod tests;
