//! `use`: what a file takes from other modules, and what it hands on.

use tree_sitter::Node;

use super::Around;
use crate::extract::unit::{Unit, children, start_line};
use crate::skeleton::{ExportSymbol, ImportReference, ImportType, ReExport, SymbolKind};

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
        match node.kind() {
            "use_list" => {
                let listed = children(node).into_iter().filter(Node::is_named).rev();
                let listed = listed.filter(|it| !it.kind().ends_with("_comment"));
                open.extend(listed.map(|it| (it, before.clone())));
            }
            "scoped_use_list" => {
                let path = node.child_by_field_name("path").map(text).unwrap_or_default();
                if let Some(list) = node.child_by_field_name("list") {
                    open.push((list, joined(&path)));
                }
            }
            "use_wildcard" => {
                let path = node.named_child(0).map(text).unwrap_or_default();
                found.push(Used { module: joined(&path), name: None, alias: None });
            }
            "use_as_clause" => {
                let path = node.child_by_field_name("path").map(text).unwrap_or_default();
                let alias = node.child_by_field_name("alias").map(text);
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
    let Some(argument) = node.child_by_field_name("argument") else { return Vec::new() };
    let used = flatten(unit, argument).into_iter();
    used.map(|it| {
        let name = it.alias.clone().or_else(|| it.name.clone()).unwrap_or_else(|| "*".to_owned());
        let mut symbol = unit.symbol(node, SymbolKind::ReExport, &name, around);
        symbol.signature = match (&it.name, &it.alias) {
            (None, _) => format!("use {}::*", it.module),
            (Some(inner), _) if *inner == it.module => format!("use {inner}"),
            (Some(inner), None) => format!("use {}::{inner}", it.module),
            (Some(inner), Some(alias)) => format!("use {}::{inner} as {alias}", it.module),
        };
        symbol.re_export = Some(ReExport {
            module_specifier: it.module,
            is_star: it.name.is_none(),
            imported_name: it.name,
            is_type_only: false,
        });
        symbol
    })
    .collect()
}

/// One reference per module, its names together.
pub(super) fn imports(unit: &Unit<'_>, node: Node<'_>) -> Vec<ImportReference> {
    let Some(argument) = node.child_by_field_name("argument") else { return Vec::new() };
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
    Some(reference(unit, node, &unit.field(node, "name")?))
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
