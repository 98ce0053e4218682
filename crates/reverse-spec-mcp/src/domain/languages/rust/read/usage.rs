//! `use`: what a file takes from other modules, and what it hands on.

use tree_sitter::Node;

use super::Around;
use crate::domain::skeleton::{ExportSymbol, ImportReference, ImportType, ReExport, SymbolKind};
use crate::domain::syntax::field::Field;
use crate::domain::syntax::unit::{Unit, children, start_line};

/// One name in a `use`, written out in full.
struct Used {
    /// The path before the name.
    module: String,
    /// None for `*`.
    name: Option<String>,
    alias: Option<String>,
}

/// Writes `a::{b, c::{d as e, *}}` out.
fn flatten(unit: &Unit<'_>, argument: Node<'_>) -> Vec<Used> {
    let mut found = Vec::new();
    let mut open = vec![(argument, String::new())];
    while let Some((node, before)) = open.pop() {
        let text = |node: Node<'_>| unit.clean(node).replace(' ', "");
        let joined = |further: &str| match (before.is_empty(), further.is_empty()) {
            (true, _) => further.to_owned(),
            (_, true) => before.clone(),
            _ => format!("{before}::{further}"),
        };
        match unit.kind(node) {
            "use_list" => {
                let listed = children(node).into_iter().filter(Node::is_named).rev();
                let listed = listed.filter(|it| !unit.kind(*it).ends_with("_comment"));
                open.extend(listed.map(|it| (it, before.clone())));
            }
            "scoped_use_list" => {
                let path = unit.child(node, Field::Path).map(text).unwrap_or_default();
                if let Some(list) = unit.child(node, Field::List) {
                    open.push((list, joined(&path)));
                }
            }
            "use_wildcard" => {
                let path = node.named_child(0).map(text).unwrap_or_default();
                found.push(Used { module: joined(&path), name: None, alias: None });
            }
            "use_as_clause" => {
                let path = unit.child(node, Field::Path).map(text).unwrap_or_default();
                let alias = unit.child(node, Field::Alias).map(text);
                found.push(named(&joined(&path), alias));
            }
            // `a::{self}` names the module itself.
            "self" if !before.is_empty() => found.push(named(&before, None)),
            _ => found.push(named(&joined(&text(node)), None)),
        }
    }
    found
}

fn named(path: &str, alias: Option<String>) -> Used {
    match path.rsplit_once("::") {
        Some((module, name)) => {
            Used { module: module.to_owned(), name: Some(name.to_owned()), alias }
        }
        None => Used { module: path.to_owned(), name: Some(path.to_owned()), alias },
    }
}

pub(super) fn re_exports(unit: &Unit<'_>, node: Node<'_>, around: &Around) -> Vec<ExportSymbol> {
    let Some(argument) = unit.child(node, Field::Argument) else { return Vec::new() };
    flatten(unit, argument).into_iter().map(|it| re_export(unit, node, it, around)).collect()
}

/// `pub extern crate a as b`, which hands on as much as a `pub use` does.
pub(super) fn re_exported_crate(
    unit: &Unit<'_>,
    node: Node<'_>,
    around: &Around,
) -> Option<ExportSymbol> {
    let used = named(&unit.field(node, Field::Name)?, unit.field(node, Field::Alias));
    let mut symbol = re_export(unit, node, used, around);
    symbol.signature = unit.head(node, node.start_byte(), None);
    Some(symbol)
}

fn re_export(unit: &Unit<'_>, node: Node<'_>, used: Used, around: &Around) -> ExportSymbol {
    let Used { module, name, alias } = used;
    let shown = alias.as_ref().or(name.as_ref()).map_or("*", String::as_str);
    let mut symbol = unit.symbol(node, SymbolKind::ReExport, shown, around);
    let path = match &name {
        None => format!("{module}::*"),
        Some(inner) if *inner == module => inner.clone(),
        Some(inner) => format!("{module}::{inner}"),
    };
    symbol.signature = match &alias {
        Some(alias) => format!("use {path} as {alias}"),
        None => format!("use {path}"),
    };
    symbol.re_export = Some(Box::new(ReExport {
        module_specifier: module,
        is_star: name.is_none(),
        imported_name: name,
        is_type_only: false,
    }));
    symbol
}

/// One reference per module, its names together.
pub(super) fn imports(unit: &Unit<'_>, node: Node<'_>) -> Vec<ImportReference> {
    let Some(argument) = unit.child(node, Field::Argument) else { return Vec::new() };
    let mut found: Vec<ImportReference> = Vec::new();
    for used in flatten(unit, argument) {
        let index = found.iter().position(|it| it.module_specifier == used.module);
        let index = index.unwrap_or_else(|| {
            found.push(reference(unit, node, &used.module));
            found.len() - 1
        });
        match used.name {
            Some(name) if name != used.module => found[index].named_imports.push(name),
            Some(_) => {}
            None => found[index].namespace_import = Some("*".to_owned()),
        }
    }
    found
}

pub(super) fn extern_crate(unit: &Unit<'_>, node: Node<'_>) -> Option<ImportReference> {
    Some(reference(unit, node, &unit.field(node, Field::Name)?))
}

fn reference(unit: &Unit<'_>, node: Node<'_>, module: &str) -> ImportReference {
    let first = module.split("::").next().unwrap_or_default();
    ImportReference {
        module_specifier: module.to_owned(),
        is_relative: matches!(first, "crate" | "self" | "super"),
        import_type: ImportType::Static,
        line: start_line(node),
        file: unit.path.to_owned(),
        ..ImportReference::default()
    }
}
