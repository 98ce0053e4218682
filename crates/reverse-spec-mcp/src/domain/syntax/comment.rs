//! The comment that documents what follows it.

use tree_sitter::Node;

use super::table::Traits;
use super::unit::Unit;

/// The last documentation comment: a block, or lines that follow each other.
#[derive(Default)]
pub(crate) struct Doc {
    range: Option<(usize, usize)>,
    /// The row of the last of such lines.
    row: Option<usize>,
}

impl Doc {
    /// Whether a node is a comment, which is then remembered where it documents something. `line` is
    /// what a line begins with that does.
    pub(crate) fn take(&mut self, unit: &Unit<'_>, node: Node<'_>, line: &str) -> bool {
        if !unit.table.traits(node.kind_id()).has(Traits::COMMENT) {
            return false;
        }
        let text = unit.text(node);
        let row = node.start_position().row;
        if text.starts_with("/**") {
            self.range = Some((node.start_byte(), node.end_byte()));
            self.row = None;
        } else if !line.is_empty() && text.starts_with(line) {
            let goes_on = self.row.is_some_and(|it| it + 1 == row);
            let start = self.range.filter(|_| goes_on).map_or(node.start_byte(), |it| it.0);
            self.range = Some((start, node.end_byte()));
            self.row = Some(row);
        }
        true
    }

    /// The documentation of a node that comes next; lines must end right above it.
    pub(crate) fn of_next(&mut self, unit: &Unit<'_>, node: Node<'_>) -> Option<String> {
        let row = node.start_position().row;
        let is_near = self.row.take().is_none_or(|it| it + 1 >= row);
        let range = self.range.take().filter(|_| is_near);
        range.and_then(|(start, end)| unit.doc(start, end))
    }
}
