//! `export { … }`, `export * from` and `export =` inside of a module that is declared.

use tree_sitter::Node;

use super::{is_type_star, re_export, unquoted};
use crate::extract::field::Field;
use crate::extract::symbols::Around;
use crate::extract::unit::{Unit, children};
use crate::skeleton::{ExportSymbol, ReExport};

/// One name in the braces of an `export`.
pub(super) struct Specifier<'tree> {
    pub(super) node: Node<'tree>,
    pub(super) local: String,
    pub(super) exported: String,
    pub(super) type_only: bool,
}

pub(super) fn specifiers<'tree>(
    unit: &Unit<'_>,
    clause: Node<'tree>,
    type_only: bool,
) -> Vec<Specifier<'tree>> {
    let mut cursor = clause.walk();
    let read = |node: Node<'tree>| {
        let local = unquoted(unit, unit.child(node, Field::Name)?);
        let alias = unit.child(node, Field::Alias).map(|it| unquoted(unit, it));
        let exported = alias.unwrap_or_else(|| local.clone());
        let type_only = type_only || unit.has_token(node, "type");
        Some(Specifier { node, local, exported, type_only })
    };
    clause.named_children(&mut cursor).filter_map(read).collect()
}

/// What an `export` without a declaration hands on.
pub(super) fn read(unit: &Unit<'_>, node: Node<'_>, around: &Around) -> Vec<ExportSymbol> {
    let source = unit.child(node, Field::Source).map(|it| unquoted(unit, it));
    let module_specifier = source.clone().unwrap_or_default();
    let is_type_only = unit.has_token(node, "type") || is_type_star(unit.text(node));
    let mut found = Vec::new();
    if let Some(clause) = unit.child_of_kind(node, "export_clause") {
        for it in specifiers(unit, clause, is_type_only) {
            let from = ReExport {
                module_specifier: module_specifier.clone(),
                imported_name: Some(it.local),
                is_star: false,
                is_type_only: it.type_only,
            };
            found.push(re_export(unit, it.node, &it.exported, from));
        }
    } else if source.is_some() {
        let name = unit.child_of_kind(node, "namespace_export").and_then(|it| it.named_child(0));
        let name = name.map_or_else(|| "*".to_owned(), |it| unquoted(unit, it));
        let from = ReExport { module_specifier, imported_name: None, is_star: true, is_type_only };
        found.push(re_export(unit, node, &name, from));
    } else if let Some(value) = children(node).into_iter().rfind(Node::is_named) {
        // `export = value` and `export default value`.
        let imported_name = Some(unit.clean(value));
        let from = ReExport { module_specifier, imported_name, ..ReExport::default() };
        let mut symbol = re_export(unit, node, "default", from);
        symbol.signature = unit.head(node, node.start_byte(), None);
        found.push(symbol);
    }
    for symbol in &mut found {
        symbol.namespace.clone_from(&around.namespace);
        symbol.js_doc.clone_from(&around.doc);
    }
    found
}
