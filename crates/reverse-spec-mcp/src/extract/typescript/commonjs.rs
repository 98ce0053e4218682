//! `module.exports = …` and `exports.name = …`.

use tree_sitter::Node;

use super::unquoted;
use super::value::value_symbol;
use crate::extract::symbols::Around;
use crate::extract::unit::{Unit, children};
use crate::skeleton::ExportSymbol;

pub(super) enum Export {
    Whole(Box<ExportSymbol>),
    /// Declared elsewhere in the file.
    Local {
        local: String,
        exported: String,
    },
}

/// What a statement exports, if it does.
pub(super) fn read(unit: &Unit<'_>, expression: Node<'_>, around: &Around) -> Vec<Export> {
    let mut found = Vec::new();
    let mut at = expression;
    // `exports.a = exports.b = value` gives both names the value.
    let mut names = Vec::new();
    while at.kind() == "assignment_expression" {
        let (Some(left), Some(right)) =
            (at.child_by_field_name("left"), at.child_by_field_name("right"))
        else {
            return found;
        };
        if let Some(name) = exported_name(unit, left) {
            names.push(name);
        }
        at = right;
    }
    for name in names {
        if name == "default" && at.kind() == "object" {
            found.extend(object(unit, at, around));
        } else {
            found.push(export(unit, expression, at, &name, around));
        }
    }
    found
}

fn export(unit: &Unit<'_>, node: Node<'_>, value: Node<'_>, name: &str, around: &Around) -> Export {
    if value.kind() == "identifier" {
        return Export::Local { local: unit.text(value).to_owned(), exported: name.to_owned() };
    }
    let mut symbol = value_symbol(unit, node, value, name, around);
    symbol.is_default = name == "default";
    Export::Whole(Box::new(symbol))
}

/// The properties of `module.exports = { … }`.
fn object(unit: &Unit<'_>, object: Node<'_>, around: &Around) -> Vec<Export> {
    let mut found = Vec::new();
    for property in children(object).into_iter().filter(Node::is_named) {
        match property.kind() {
            "shorthand_property_identifier" => {
                let name = unit.text(property).to_owned();
                found.push(Export::Local { local: name.clone(), exported: name });
            }
            "pair" => {
                let key = property.child_by_field_name("key");
                let value = property.child_by_field_name("value");
                if let (Some(key), Some(value)) = (key, value) {
                    found.push(export(unit, property, value, &unquoted(unit, key), around));
                }
            }
            "method_definition" => {
                if let Some(name) = property.child_by_field_name("name") {
                    let name = unquoted(unit, name);
                    let symbol = value_symbol(unit, property, property, &name, around);
                    found.push(Export::Whole(Box::new(symbol)));
                }
            }
            _ => {}
        }
    }
    found
}

/// `module.exports` is `default`, `exports.name` and `module.exports.name` are the name.
fn exported_name(unit: &Unit<'_>, left: Node<'_>) -> Option<String> {
    let text = unit.text(left);
    if text == "module.exports" {
        return Some("default".to_owned());
    }
    let name = text.strip_prefix("module.exports.").or_else(|| text.strip_prefix("exports."))?;
    let plain = name.chars().all(|it| it.is_alphanumeric() || it == '_' || it == '$');
    (plain && name != "__esModule").then(|| name.to_owned())
}
