//! `export { … }`, `export * from` and `export =`: what is handed on from elsewhere.

use std::borrow::Cow;

use tree_sitter::Node;

use super::{is_word, unquoted};
use crate::domain::skeleton::{ExportSymbol, ReExport, SymbolKind};
use crate::domain::syntax::field::Field;
use crate::domain::syntax::symbols::Around;
use crate::domain::syntax::unit::{Unit, children};

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

/// What an `export` without a declaration hands on, inside a module that is declared.
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

/// `export type * from`, of which the grammar knows only the star.
pub(super) fn is_type_star(export: &str) -> bool {
    let rest = export.strip_prefix("export").unwrap_or_default().trim_start();
    rest.strip_prefix("type").is_some_and(|it| it.trim_start().starts_with('*'))
}

pub(super) fn re_export(
    unit: &Unit<'_>,
    node: Node<'_>,
    name: &str,
    from: ReExport,
) -> ExportSymbol {
    let mut symbol = unit.symbol(node, SymbolKind::ReExport, name, &Around::default());
    symbol.signature = re_export_text(name, &from);
    symbol.is_default = name == "default";
    symbol.re_export = Some(from.into());
    symbol
}

pub(super) fn re_export_text(name: &str, from: &ReExport) -> String {
    let type_only = if from.is_type_only { "type " } else { "" };
    let exported = quoted(name);
    let what = match &from.imported_name {
        Some(imported) if imported == name => format!("{{ {exported} }}"),
        Some(imported) => format!("{{ {} as {exported} }}", quoted(imported)),
        None if name == "*" => "*".to_owned(),
        None => format!("* as {exported}"),
    };
    if from.module_specifier.is_empty() {
        return format!("export {type_only}{what}");
    }
    format!("export {type_only}{what} from '{}'", from.module_specifier)
}

/// A name as it is written: one that is no word has quotes.
fn quoted(name: &str) -> Cow<'_, str> {
    if is_word(name) { name.into() } else { format!("'{name}'").into() }
}
