//! The specification of one target: what the code says, laid out for people, with the baseline
//! that later comparisons need.

mod diagram;
mod doc;
mod document;
mod facts;
mod fence;
mod front_matter;
mod imports;
pub(crate) mod keep;
mod markdown;
mod naming;
mod sections;
#[cfg(test)]
mod tests;
mod words;

pub(crate) use diagram::modules;
pub(crate) use document::{Confidence, Document, Narrative};
pub(crate) use facts::Facts;
pub(crate) use fence::Fence;
pub(crate) use front_matter::read_value;
pub(crate) use markdown::{cell, code, code_cell, pieces};
pub(crate) use naming::file_name;
pub(crate) use sections::entries::{reached, surroundings};
pub(crate) use sections::{SECTIONS, own_names, untested};
pub(crate) use words::{Words, fill};

/// How our documents name who wrote them.
pub(crate) fn generator() -> String {
    format!("reverse-spec-mcp {}", env!("CARGO_PKG_VERSION"))
}
