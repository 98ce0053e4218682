//! Items inside macros that hand them on as they are, mostly under a condition: `cfg_if! { … }`.

use std::collections::HashMap;

use tree_sitter::{Node, Parser, Range, Tree};

use crate::domain::languages::rust::GRAMMAR;
use crate::domain::syntax::field::Field;
use crate::domain::syntax::table::Role;
use crate::domain::syntax::unit::{Unit, children};

/// Macros inside macros are looked into so many times.
const MAX_DEPTH: usize = 4;

/// The items of every macro of a file that holds nothing else.
#[derive(Default)]
pub(super) struct Wrapped {
    trees: Vec<(String, Tree)>,
    /// By where the macro begins.
    places: HashMap<usize, Vec<usize>>,
}

/// What may be items: its place, and what they are wrapped in.
struct Candidate {
    macro_start: usize,
    label: String,
    range: Range,
}

impl Wrapped {
    pub(super) fn find(unit: &Unit<'_>, root: Node<'_>) -> Self {
        let mut wrapped = Self::default();
        if !unit.text.contains("! {") && !unit.text.contains("!{") {
            return wrapped;
        }
        let mut parser = Parser::new();
        if parser.set_language(&GRAMMAR.language).is_err() {
            return wrapped;
        }
        let mut candidates = candidates(unit, root);
        for _ in 0..MAX_DEPTH {
            let mut inner = Vec::new();
            for Candidate { macro_start, label, range } in std::mem::take(&mut candidates) {
                let tree = parser
                    .set_included_ranges(&[range])
                    .ok()
                    .and_then(|()| parser.parse(unit.text.as_bytes(), None));
                let Some(tree) = tree.filter(|it| holds_items(unit, it.root_node())) else {
                    continue;
                };
                inner.extend(self::candidates(unit, tree.root_node()));
                wrapped.places.entry(macro_start).or_default().push(wrapped.trees.len());
                wrapped.trees.push((label, tree));
            }
            candidates = inner;
        }
        wrapped
    }

    /// The items in a macro, with what they are wrapped in.
    pub(super) fn of(&self, node: Node<'_>) -> impl Iterator<Item = (&str, Node<'_>)> {
        let places = self.places.get(&node.start_byte()).into_iter().flatten();
        places.map(|index| (self.trees[*index].0.as_str(), self.trees[*index].1.root_node()))
    }
}

/// The macros with braces among the items of a block and of the modules in it.
fn candidates(unit: &Unit<'_>, root: Node<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    let mut open = vec![root];
    while let Some(block) = open.pop() {
        let mut cursor = block.walk();
        for node in block.named_children(&mut cursor) {
            match unit.kind(node) {
                "mod_item" => open.extend(unit.child(node, Field::Body)),
                "macro_invocation" => found.extend(in_macro(unit, node)),
                "expression_statement" => {
                    let call =
                        node.named_child(0).filter(|it| unit.kind(*it) == "macro_invocation");
                    found.extend(call.map(|it| in_macro(unit, it)).unwrap_or_default());
                }
                _ => {}
            }
        }
    }
    found
}

fn in_macro(unit: &Unit<'_>, call: Node<'_>) -> Vec<Candidate> {
    let Some(tokens) = unit.child_of_kind(call, "token_tree") else { return Vec::new() };
    if !unit.text(tokens).starts_with('{') {
        return Vec::new();
    }
    let name = unit.field(call, Field::Macro).unwrap_or_default();
    let candidate = |tokens: Node<'_>, label: String| {
        let mut range = tokens.range();
        // Without the braces.
        range.start_byte += 1;
        range.start_point.column += 1;
        range.end_byte = range.end_byte.saturating_sub(1).max(range.start_byte);
        range.end_point.column = range.end_point.column.saturating_sub(1);
        Candidate { macro_start: call.start_byte(), label, range }
    };
    if !name.ends_with("cfg_if") {
        return vec![candidate(tokens, format!("{name}!"))];
    }
    // `if #[cfg(…)] { … } else { … }`: each of the braces holds items.
    let mut found = Vec::new();
    let mut condition = String::new();
    for part in children(tokens) {
        match unit.text(part) {
            "else" => "else".clone_into(&mut condition),
            _ if unit.kind(part) != "token_tree" => {}
            text if text.starts_with('[') => condition = format!("#{}", unit.clean(part)),
            text if text.starts_with('{') => {
                found.push(candidate(part, format!("{name}! {condition}")));
            }
            _ => {}
        }
    }
    found
}

/// Whether it reads as items and nothing else; what macros understand by other rules does not.
fn holds_items(unit: &Unit<'_>, root: Node<'_>) -> bool {
    if root.has_error() {
        return false;
    }
    let mut has_item = false;
    let mut cursor = root.walk();
    let only_items = root.named_children(&mut cursor).all(|it| match unit.kind(it) {
        "attribute_item"
        | "inner_attribute_item"
        | "line_comment"
        | "block_comment"
        | "macro_invocation"
        | "empty_statement" => true,
        "expression_statement" => {
            it.named_child(0).is_some_and(|it| unit.kind(it) == "macro_invocation")
        }
        _ => {
            let is_item = unit.table.role(it.kind_id()) != Role::None;
            has_item |= is_item;
            is_item
        }
    });
    only_items && (has_item || root.named_child_count() > 0)
}
