//! `import` and `from … import`.

use std::sync::Arc;

use tree_sitter::Node;

use crate::domain::skeleton::{ImportReference, ImportType};
use crate::domain::syntax::field::Field;
use crate::domain::syntax::unit::{Unit, children, start_line};

/// A name that came from another module.
pub(super) struct Imported {
    pub(super) module: String,
    /// None where the module itself was imported.
    pub(super) name: Option<String>,
    pub(super) local: String,
    /// `import name as name` says that it is handed on.
    pub(super) is_marked: bool,
    /// It is imported where types are checked, and nowhere else.
    pub(super) is_checked_only: bool,
    pub(super) line: usize,
}

fn reference(unit: &Unit<'_>, node: Node<'_>, module: String) -> ImportReference {
    ImportReference {
        is_relative: module.starts_with('.'),
        module_specifier: module,
        import_type: ImportType::Static,
        line: start_line(node),
        file: unit.path.to_owned(),
        ..ImportReference::default()
    }
}

/// `import a.b, c as d`.
pub(super) fn plain(
    unit: &Unit<'_>,
    node: Node<'_>,
    imported: &mut Vec<Imported>,
    imports: &mut Vec<Arc<ImportReference>>,
) {
    for part in children(node) {
        let (module, alias) = match unit.kind(part) {
            "dotted_name" => (unit.clean(part), None),
            "aliased_import" => {
                (unit.field(part, Field::Name).unwrap_or_default(), unit.field(part, Field::Alias))
            }
            _ => continue,
        };
        // `import a.b` makes `a` known.
        let first = module.split('.').next().unwrap_or_default();
        imported.push(Imported {
            module: if alias.is_some() { module.clone() } else { first.to_owned() },
            name: None,
            local: alias.clone().unwrap_or_else(|| first.to_owned()),
            is_marked: alias.as_ref() == Some(&module),
            is_checked_only: false,
            line: start_line(part),
        });
        let mut found = reference(unit, part, module);
        found.namespace_import = alias.or_else(|| Some(found.module_specifier.clone()));
        imports.push(found.into());
    }
}

/// `from .a import b, c as d`.
pub(super) fn from(
    unit: &Unit<'_>,
    node: Node<'_>,
    imported: &mut Vec<Imported>,
    imports: &mut Vec<Arc<ImportReference>>,
) {
    let Some(module) = unit.field(node, Field::ModuleName) else { return };
    let module = module.replace(' ', "");
    let mut found = reference(unit, node, module.clone());
    let line = start_line(node);
    let mut cursor = node.walk();
    for part in node.children_by_field_name("name", &mut cursor) {
        let (name, alias) = match unit.kind(part) {
            "aliased_import" => {
                (unit.field(part, Field::Name).unwrap_or_default(), unit.field(part, Field::Alias))
            }
            _ => (unit.clean(part), None),
        };
        found.named_imports.push(name.clone());
        imported.push(Imported {
            module: module.clone(),
            local: alias.clone().unwrap_or_else(|| name.clone()),
            is_marked: alias.as_ref() == Some(&name),
            is_checked_only: false,
            name: Some(name),
            line,
        });
    }
    if unit.child_of_kind(node, "wildcard_import").is_some() {
        found.namespace_import = Some("*".to_owned());
        let star = "*".to_owned();
        let name = Some(star.clone());
        imported.push(Imported {
            module,
            name,
            local: star,
            is_marked: false,
            is_checked_only: false,
            line,
        });
    }
    imports.push(found.into());
}
