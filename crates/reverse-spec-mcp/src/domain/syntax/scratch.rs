//! What is kept from one body to the next while a file is read.

use tree_sitter::Node;

use super::table::Traits;

/// What reading a body needs for as long as it lasts, kept from one to the next: to ask for memory
/// of that size anew costs more than to read a short body.
#[derive(Default)]
pub(crate) struct Scratch {
    /// The tokens so far.
    pub(super) bytes: Vec<u8>,
    pub(super) frames: Vec<Frame>,
}

/// Where a node stands.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) line: usize,
}

impl Place {
    pub(super) fn of(node: Node<'_>) -> Self {
        Self { start: node.start_byte(), end: node.end_byte(), line: node.start_position().row + 1 }
    }
}

/// One node that is open during the walk.
pub(super) struct Frame {
    pub(super) traits: Traits,
    pub(super) kind: u16,
    pub(super) end: usize,
    /// Children that are still to come: to ask the tree whether there is another costs as much as
    /// to go there.
    pub(super) remaining: u32,
    /// Its brackets are left out.
    pub(super) bare: bool,
    /// What was added at its beginning to be closed at its end.
    pub(super) closing: &'static [u8],
    /// An element came before: a comma after it only separates.
    pub(super) after_element: bool,
    /// What came before needs no semicolon.
    pub(super) after_ender: bool,
    pub(super) condition: Option<Place>,
}
