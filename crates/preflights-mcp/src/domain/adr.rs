//! A decision record: what it says, how it is written, and how records of both layouts are read.

mod parse;
mod render;
#[cfg(test)]
mod tests;

use crate::domain::architecture::{Architecture, Change};
use crate::domain::uid::Uid;

pub(crate) use parse::{comment, parse};
pub(crate) use render::{Draft, Link, Settled, render, snapshot_lines};

pub(crate) const DIRECTORY: &str = "docs/adr";

/// What the fold needs of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Adr {
    pub(crate) uid: Uid,
    pub(crate) previous: Option<Uid>,
    /// `None` where it was not asked for and the changes say enough.
    pub(crate) snapshot: Option<Architecture>,
    /// `None` where the record has no list of changes, and its snapshot has to do.
    pub(crate) changes: Option<Vec<Change>>,
    /// Files it links to, relative to its own directory, each with the line.
    pub(crate) links: Vec<(String, usize)>,
}

/// How much of a record is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detail {
    Everything,
    /// What the fold needs: thousands of snapshots would be thousands of copies of one another.
    Changes,
}

impl Adr {
    /// Whether it does the same to the architecture as another.
    pub(crate) fn folds_like(&self, other: &Self) -> bool {
        match (&self.changes, &other.changes) {
            (None, None) => self.snapshot == other.snapshot,
            (ours, theirs) => ours == theirs,
        }
    }
}

/// Reads names of the older schema as the ones used now.
pub(crate) type Rename<'a> = &'a dyn Fn(&str, &str) -> (String, String);
