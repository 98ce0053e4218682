//! Everything by which one file of TypeScript or JavaScript reaches another.

use std::collections::HashMap;
use std::sync::Arc;

use tree_sitter::Node;

use super::unquoted;
use crate::domain::skeleton::{CodeSkeleton, ImportReference, ImportType};
use crate::domain::syntax::field::Field;
use crate::domain::syntax::table::Role;
use crate::domain::syntax::unit::{Unit, children, start_line};
use crate::domain::syntax::visit_at;

type Imported = HashMap<String, (String, Option<String>, bool)>;

fn reference(unit: &Unit<'_>, node: Node<'_>, module: String) -> ImportReference {
    ImportReference {
        is_relative: module.starts_with(['.', '/']),
        module_specifier: module,
        line: start_line(node),
        file: unit.path.to_owned(),
        ..ImportReference::default()
    }
}

/// An `import` statement of any form.
pub(super) fn read(
    unit: &Unit<'_>,
    node: Node<'_>,
    imported: &mut Imported,
    imports: &mut Vec<Arc<ImportReference>>,
) {
    if let Some(clause) = unit.child_of_kind(node, "import_require_clause") {
        // `import name = require("module")`
        let source = unit.child(clause, Field::Source).map(|it| unquoted(unit, it));
        let mut found = reference(unit, node, source.unwrap_or_default());
        found.import_type = ImportType::CommonjsRequire;
        if let Some(name) = unit.child_of_kind(clause, "identifier") {
            let name = unit.text(name).to_owned();
            imported.insert(name.clone(), (found.module_specifier.clone(), None, false));
            found.namespace_import = Some(name);
        }
        imports.push(found.into());
        return;
    }
    let Some(source) = unit.child(node, Field::Source) else { return };
    let mut found = reference(unit, node, unquoted(unit, source));
    found.is_type_only = unit.has_token(node, "type");
    found.import_type = match unit.child_of_kind(node, "import_clause") {
        Some(clause) => {
            names(unit, clause, &mut found, imported);
            if found.is_type_only { ImportType::TypeOnly } else { ImportType::Static }
        }
        None => ImportType::SideEffect,
    };
    imports.push(found.into());
}

fn names(unit: &Unit<'_>, clause: Node<'_>, found: &mut ImportReference, imported: &mut Imported) {
    let module = found.module_specifier.clone();
    let all_types = found.is_type_only;
    let mut note = |local: &str, name: Option<&str>, type_only: bool| {
        let there = (module.clone(), name.map(str::to_owned), type_only);
        imported.insert(local.to_owned(), there);
    };
    for part in children(clause) {
        match unit.kind(part) {
            "identifier" => {
                let name = unit.text(part);
                note(name, Some("default"), all_types);
                found.default_import = Some(name.to_owned());
            }
            "namespace_import" => {
                if let Some(name) = unit.child_of_kind(part, "identifier") {
                    note(unit.text(name), None, all_types);
                    found.namespace_import = Some(unit.text(name).to_owned());
                }
            }
            "named_imports" => {
                for specifier in
                    children(part).into_iter().filter(|it| unit.kind(*it) == "import_specifier")
                {
                    let Some(name) = unit.child(specifier, Field::Name) else { continue };
                    let name = unquoted(unit, name);
                    let alias = unit.child(specifier, Field::Alias);
                    let local = alias.map_or_else(|| name.clone(), |it| unit.text(it).to_owned());
                    let type_only = all_types || unit.has_token(specifier, "type");
                    note(&local, Some(&name), type_only);
                    if type_only && !all_types {
                        found.type_only_names.push(name.clone());
                    }
                    found.named_imports.push(name);
                }
            }
            _ => {}
        }
    }
}

pub(super) fn of_re_export(
    unit: &Unit<'_>,
    node: Node<'_>,
    module: String,
    type_only: bool,
) -> ImportReference {
    let mut found = reference(unit, node, module);
    found.is_type_only = type_only;
    found.import_type = if type_only { ImportType::TypeOnly } else { ImportType::Static };
    if let Some(clause) = unit.child_of_kind(node, "export_clause") {
        let names = children(clause).into_iter().filter_map(|it| unit.child(it, Field::Name));
        found.named_imports = names.map(|it| unquoted(unit, it)).collect();
    }
    found
}

/// `const { a, b: c } = require("module")`.
pub(super) fn requires(
    unit: &Unit<'_>,
    declaration: Node<'_>,
    imported: &mut Imported,
    imports: &mut Vec<Arc<ImportReference>>,
) {
    if unit.table.role(declaration.kind_id()) != Role::Variables {
        return;
    }
    for declarator in children(declaration) {
        let Some(value) = unit.child(declarator, Field::Value) else { continue };
        let Some(name) = unit.child(declarator, Field::Name) else { continue };
        let Some(module) = required_module(unit, value) else { continue };
        let mut found = reference(unit, declarator, module);
        found.import_type = ImportType::CommonjsRequire;
        let module = found.module_specifier.clone();
        if unit.kind(name) == "identifier" {
            let local = unit.text(name).to_owned();
            imported.insert(local.clone(), (module, None, false));
            found.namespace_import = Some(local);
        } else {
            for part in children(name) {
                let (there, here) = match unit.kind(part) {
                    "shorthand_property_identifier_pattern" => (Some(part), Some(part)),
                    "pair_pattern" => {
                        (unit.child(part, Field::Key), unit.child(part, Field::Value))
                    }
                    _ => (None, None),
                };
                if let (Some(there), Some(here)) = (there, here) {
                    let there = unquoted(unit, there);
                    let entry = (module.clone(), Some(there.clone()), false);
                    imported.insert(unit.text(here).to_owned(), entry);
                    found.named_imports.push(there);
                }
            }
        }
        imports.push(found.into());
    }
}

/// A bare `require("module")` as a statement of its own.
pub(super) fn side_effect(
    unit: &Unit<'_>,
    expression: Node<'_>,
    imports: &mut Vec<Arc<ImportReference>>,
) {
    if let Some(module) = required_module(unit, expression) {
        let mut found = reference(unit, expression, module);
        found.import_type = ImportType::CommonjsRequire;
        imports.push(found.into());
    }
}

fn required_module(unit: &Unit<'_>, node: Node<'_>) -> Option<String> {
    // `require("x").part` reaches the same module.
    let mut call = node;
    while unit.kind(call) == "member_expression" {
        call = unit.child(call, Field::Object)?;
    }
    called_with(unit, call, "require")
}

/// The module in `name("module")`.
fn called_with(unit: &Unit<'_>, call: Node<'_>, name: &str) -> Option<String> {
    if unit.kind(call) != "call_expression" {
        return None;
    }
    let function = unit.child(call, Field::Function)?;
    if unit.text(function) != name {
        return None;
    }
    let argument = unit.child(call, Field::Arguments)?.named_child(0)?;
    (unit.kind(argument) == "string").then(|| unquoted(unit, argument))
}

/// `import("module")` anywhere, and `require("module")` inside functions.
pub(super) fn find_calls(unit: &Unit<'_>, root: Node<'_>, skeleton: &mut CodeSkeleton) {
    let mut places: Vec<usize> = unit.text.match_indices("import(").map(|it| it.0).collect();
    places.extend(unit.text.match_indices("require(").map(|it| it.0));
    if places.is_empty() {
        return;
    }
    places.sort_unstable();
    let known: Vec<(usize, String)> =
        skeleton.imports.iter().map(|it| (it.line, it.module_specifier.clone())).collect();
    visit_at(root, &places, |node, place| {
        if node.start_byte() != place || unit.kind(node) != "call_expression" {
            return false;
        }
        let dynamic = called_with(unit, node, "import");
        let kind =
            if dynamic.is_some() { ImportType::Dynamic } else { ImportType::CommonjsRequire };
        let Some(module) = dynamic.or_else(|| called_with(unit, node, "require")) else {
            return false;
        };
        let mut found = reference(unit, node, module);
        found.import_type = kind;
        if !known.contains(&(found.line, found.module_specifier.clone())) {
            skeleton.imports.push(found.into());
        }
        true
    });
    skeleton.imports.sort_by_key(|it| it.line);
}

/// Calls of the functions by which every test runner's cases are written.
pub(super) fn count_tests(unit: &Unit<'_>, root: Node<'_>) -> usize {
    let mut places: Vec<usize> = Vec::new();
    for word in ["it(", "test(", "it.each", "test.each"] {
        places.extend(unit.text.match_indices(word).map(|it| it.0));
    }
    if places.is_empty() || !crate::domain::languages::is_test(unit.path) {
        return 0;
    }
    places.sort_unstable();
    places.dedup();
    let mut count = 0;
    visit_at(root, &places, |node, place| {
        let named = node.start_byte() == place
            && unit.kind(node) == "identifier"
            && matches!(unit.text(node), "it" | "test");
        count += usize::from(named);
        named
    });
    count
}
