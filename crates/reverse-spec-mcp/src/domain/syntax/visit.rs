//! A walk to places in a tree.

use tree_sitter::Node;

/// Goes through the tree once and hands out the smallest nodes around each of the sorted places.
pub(crate) fn visit_at<'tree>(
    root: Node<'tree>,
    places: &[usize],
    mut visit: impl FnMut(Node<'tree>, usize) -> bool,
) {
    let mut cursor = root.walk();
    let mut next = 0;
    let mut depth = 0_usize;
    loop {
        let node = cursor.node();
        while places.get(next).is_some_and(|place| *place < node.start_byte()) {
            next += 1;
        }
        let Some(place) = places.get(next).copied() else { return };
        if place < node.end_byte() {
            let taken = visit(node, place);
            if taken {
                next += 1;
            }
            if !taken && cursor.goto_first_child() {
                depth += 1;
                continue;
            }
        }
        loop {
            // A node may hold more than one place: look at it again only through its siblings.
            if cursor.goto_next_sibling() {
                break;
            }
            if depth == 0 || !cursor.goto_parent() {
                return;
            }
            depth -= 1;
        }
    }
}
