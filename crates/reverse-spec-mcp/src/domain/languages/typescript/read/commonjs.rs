//! `module.exports = …` and `exports.name = …`.

use tree_sitter::Node;

use super::unquoted;
use super::value::value_symbol;
use crate::domain::skeleton::ExportSymbol;
use crate::domain::syntax::field::Field;
use crate::domain::syntax::symbols::Around;
use crate::domain::syntax::unit::{Unit, children};

pub(super) enum Export {
    Whole(Box<ExportSymbol>),
    /// Declared elsewhere in the file.
    Local {
        local: String,
        exported: String,
    },
    /// A part of something that was imported: what compilers make of `export { a } from 'x'`.
    Part {
        object: String,
        part: String,
        exported: String,
    },
    /// Everything of another module: what they make of `export * from 'x'`.
    Everything(String),
}

/// What a statement exports, if it does.
pub(super) fn read(unit: &Unit<'_>, expression: Node<'_>, around: &Around) -> Vec<Export> {
    if unit.kind(expression) == "call_expression" {
        return called(unit, expression, around).into_iter().collect();
    }
    let mut found = Vec::new();
    let mut at = expression;
    // `exports.a = exports.b = value` gives both names the value.
    let mut names = Vec::new();
    while unit.kind(at) == "assignment_expression" {
        let (Some(left), Some(right)) = (unit.child(at, Field::Left), unit.child(at, Field::Right))
        else {
            return found;
        };
        if let Some(name) = exported_name(unit, left) {
            names.push(name);
        }
        at = right;
    }
    for name in names {
        if name == "default" && unit.kind(at) == "object" {
            found.extend(object(unit, at, around));
        } else {
            found.push(export(unit, expression, at, &name, around));
        }
    }
    found
}

fn export(unit: &Unit<'_>, node: Node<'_>, value: Node<'_>, name: &str, around: &Around) -> Export {
    if unit.kind(value) == "identifier" {
        return Export::Local { local: unit.text(value).to_owned(), exported: name.to_owned() };
    }
    let mut symbol = value_symbol(unit, node, value, name, around);
    symbol.is_default = name == "default";
    Export::Whole(Box::new(symbol))
}

/// `Object.defineProperty(exports, 'name', { get: … })` and `__exportStar(require('x'), exports)`.
fn called(unit: &Unit<'_>, call: Node<'_>, around: &Around) -> Option<Export> {
    let function = unit.text(unit.child(call, Field::Function)?);
    let given = unit.child(call, Field::Arguments)?;
    let given: Vec<Node<'_>> = children(given).into_iter().filter(Node::is_named).collect();
    let first = *given.first()?;
    if function.ends_with("__exportStar") || function.ends_with("__export") {
        let is_require = unit.text(first).starts_with("require");
        let module = unit.child(first, Field::Arguments).filter(|_| is_require)?.named_child(0)?;
        return Some(Export::Everything(unquoted(unit, module)));
    }
    let is_definition = function == "Object.defineProperty"
        && matches!(unit.text(first), "exports" | "module.exports");
    let name = given.get(1).filter(|it| is_definition && unit.kind(**it) == "string")?;
    let exported = Some(unquoted(unit, *name)).filter(|it| it != "__esModule")?;
    let value = given.get(2).and_then(|it| described(unit, *it))?;
    if unit.kind(value) != "member_expression" {
        return Some(export(unit, call, value, &exported, around));
    }
    let object = unit.field(value, Field::Object)?;
    let part = unit.text(value).rsplit('.').next().unwrap_or_default().to_owned();
    Some(Export::Part { object, part, exported })
}

/// What a property's description gives: its `value`, or what its `get` returns.
fn described<'tree>(unit: &Unit<'_>, description: Node<'tree>) -> Option<Node<'tree>> {
    let own = children(description).into_iter().find_map(|property| {
        let key = unit.child(property, Field::Key).or_else(|| unit.child(property, Field::Name))?;
        matches!(unit.text(key), "get" | "value").then_some(property)
    })?;
    let value = unit.child(own, Field::Value).unwrap_or(own);
    let Some(body) = unit.child(value, Field::Body) else { return Some(value) };
    if unit.kind(body) != "statement_block" {
        return Some(body);
    }
    let returned = children(body).into_iter().find(|it| unit.kind(*it) == "return_statement")?;
    returned.named_child(0)
}

/// The properties of `module.exports = { … }`.
fn object(unit: &Unit<'_>, object: Node<'_>, around: &Around) -> Vec<Export> {
    let mut found = Vec::new();
    for property in children(object).into_iter().filter(Node::is_named) {
        match unit.kind(property) {
            "shorthand_property_identifier" => {
                let name = unit.text(property).to_owned();
                found.push(Export::Local { local: name.clone(), exported: name });
            }
            "pair" => {
                let key = unit.child(property, Field::Key);
                let value = unit.child(property, Field::Value);
                if let (Some(key), Some(value)) = (key, value) {
                    found.push(export(unit, property, value, &unquoted(unit, key), around));
                }
            }
            "method_definition" => {
                if let Some(name) = unit.child(property, Field::Name) {
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
