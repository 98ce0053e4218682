//! A decision record: what it says, how it is written, and how records of both layouts are read.

mod parse;
mod render;
#[cfg(test)]
mod tests;

use crate::architecture::{Architecture, Change};
use crate::uid::Uid;

pub(crate) use parse::{comment, parse};
pub(crate) use render::{Draft, Link, Settled, render, snapshot_lines};

pub(crate) const DIRECTORY: &str = "docs/adr";

/// What the fold needs of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Adr {
    pub(crate) uid: Uid,
    pub(crate) previous: Option<Uid>,
    pub(crate) snapshot: Architecture,
    /// `None` where the record has no list of changes, and its snapshot has to do.
    pub(crate) changes: Option<Vec<Change>>,
    /// Files it links to, relative to its own directory, each with the line.
    pub(crate) links: Vec<(String, usize)>,
}

/// Reads names of the older schema as the ones used now.
pub(crate) type Rename<'a> = &'a dyn Fn(&str, &str) -> (String, String);
