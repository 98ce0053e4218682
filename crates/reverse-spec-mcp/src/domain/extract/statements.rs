//! What a file does when it is loaded: its statements at the top, as one body.

use sha2::{Digest as _, Sha256};
use tree_sitter::Node;

use crate::domain::hash::hex;
use crate::domain::skeleton::{EntryKind, EntryPoint};
use crate::domain::syntax::stream;
use crate::domain::syntax::table::{Role, Traits};
use crate::domain::syntax::unit::{Unit, children, start_line};

/// Bytes of the hash that are kept.
const HASH_BYTES: usize = 12;

/// One hash over all of them, whatever order they stand in; none for a file that only declares.
pub(super) fn of(unit: &Unit<'_>, root: Node<'_>) -> Option<EntryPoint> {
    let kinds = &unit.table.statements;
    if kinds.is_empty() {
        return None;
    }
    let is_statement = |node: &Node<'_>| {
        if !kinds.iter().any(|it| it == unit.kind(*node)) {
            return false;
        }
        // Assignments and documentation are told elsewhere.
        let inner = node.named_child(0).filter(|_| unit.kind(*node) == "expression_statement");
        inner.is_none_or(|inner| {
            let is_text = unit.table.traits(inner.kind_id()).has(Traits::STRING);
            let is_assigned = unit.kind(inner) == "assignment";
            let is_offered = unit.text(inner).starts_with("module.exports")
                || unit.text(inner).starts_with("exports.");
            !is_text
                && !is_assigned
                && !is_offered
                && unit.table.role(inner.kind_id()) == Role::None
        })
    };
    let found: Vec<Node<'_>> = children(root).into_iter().filter(is_statement).collect();
    let first = found.first()?;
    let mut hashes: Vec<String> = found.iter().map(|it| stream::read(unit, &[*it]).hash).collect();
    hashes.sort();
    let digest = Sha256::digest(hashes.concat());
    Some(EntryPoint {
        kind: EntryKind::Statements,
        name: unit.path.to_owned(),
        details: vec![hex(&digest[..HASH_BYTES])],
        line: start_line(*first),
        file: unit.path.to_owned(),
        ..EntryPoint::default()
    })
}
