//! Variables and other values of TypeScript and JavaScript, functions and classes among them.

use tree_sitter::Node;

use super::class::{callable, class, fill_class};
use super::parts::type_text;
use crate::domain::skeleton::{ExportSymbol, SymbolKind};
use crate::domain::syntax::field::Field;
use crate::domain::syntax::symbols::Around;
use crate::domain::syntax::unit::{Unit, children};

const FUNCTIONS: [&str; 4] =
    ["arrow_function", "function_expression", "generator_function", "method_definition"];

pub(super) fn declarators<'tree>(unit: &Unit<'_>, node: Node<'tree>) -> Vec<Node<'tree>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|it| unit.kind(*it) == "variable_declarator").collect()
}

pub(super) fn variables(unit: &Unit<'_>, node: Node<'_>, around: &Around) -> Vec<ExportSymbol> {
    let keyword = node.child(0).map(|it| unit.text(it)).unwrap_or_default();
    let kind = if keyword == "const" { SymbolKind::Const } else { SymbolKind::Variable };
    let mut found = Vec::new();
    for declarator in declarators(unit, node) {
        let Some(name) = unit.child(declarator, Field::Name) else { continue };
        let value = unit.child(declarator, Field::Value).map(|it| ungrouped(unit, it));
        let declared_type = unit.child(declarator, Field::Type).map(|it| type_text(unit, it));
        if unit.kind(name) != "identifier" {
            // Destructuring: one symbol per name it binds.
            let mut names = Vec::new();
            bindings(unit, name, &mut names);
            for bound in names {
                let mut symbol = unit.symbol(node, kind, &bound, around);
                symbol.signature = format!("{keyword} {bound}");
                symbol.modifiers.push(keyword.to_owned());
                unit.fill_body(&mut symbol, &[declarator]);
                found.push(symbol);
            }
            continue;
        }
        let mut symbol = unit.symbol(node, kind, unit.text(name), around);
        fill_value(unit, value, &mut symbol);
        symbol.modifiers.insert(0, keyword.to_owned());
        symbol.value_type = declared_type;
        symbol.signature = value_signature(unit, keyword, &symbol, value);
        found.push(symbol);
    }
    found
}

/// A symbol for a value that has no declaration: `export default { … }`.
pub(super) fn value_symbol(
    unit: &Unit<'_>,
    node: Node<'_>,
    value: Node<'_>,
    name: &str,
    around: &Around,
) -> ExportSymbol {
    let value = ungrouped(unit, value);
    if unit.kind(value) == "class" {
        let mut symbol = class(unit, node, value, around);
        let own = std::mem::replace(&mut symbol.name, name.to_owned());
        symbol.local_name = Some(own).filter(|it| it != "default");
        return symbol;
    }
    let mut symbol = unit.symbol(node, SymbolKind::Const, name, around);
    fill_value(unit, Some(value), &mut symbol);
    if let Some(own) = unit.child(value, Field::Name) {
        symbol.local_name = Some(unit.text(own).to_owned());
    }
    if symbol.parameters.is_some() {
        symbol.kind = SymbolKind::Function;
    }
    symbol.signature = value_signature(unit, "", &symbol, Some(value));
    symbol
}

/// A function or a class without the brackets around it; other values keep theirs.
fn ungrouped<'tree>(unit: &Unit<'_>, value: Node<'tree>) -> Node<'tree> {
    let mut inner = value;
    while unit.kind(inner) == "parenthesized_expression"
        && let Some(next) = inner.named_child(0)
    {
        inner = next;
    }
    if FUNCTIONS.contains(&unit.kind(inner)) || unit.kind(inner) == "class" { inner } else { value }
}

fn fill_value(unit: &Unit<'_>, value: Option<Node<'_>>, symbol: &mut ExportSymbol) {
    let Some(value) = value else { return };
    if FUNCTIONS.contains(&unit.kind(value)) {
        callable(unit, value, symbol);
    } else if unit.kind(value) == "class" {
        fill_class(unit, value, symbol);
    } else {
        symbol.value = unit.short(value);
        unit.fill_body(symbol, &[value]);
    }
}

fn value_signature(
    unit: &Unit<'_>,
    keyword: &str,
    symbol: &ExportSymbol,
    value: Option<Node<'_>>,
) -> String {
    let mut text =
        if keyword.is_empty() { symbol.name.clone() } else { format!("{keyword} {}", symbol.name) };
    if let Some(declared) = &symbol.value_type {
        text.push_str(": ");
        text.push_str(declared);
    }
    match value {
        Some(value) if FUNCTIONS.contains(&unit.kind(value)) => {
            let head = unit.head(value, value.start_byte(), unit.child(value, Field::Body));
            text.push_str(" = ");
            text.push_str(head.trim_end_matches("=>").trim_end());
        }
        Some(value) if unit.kind(value) == "class" => {
            let head = unit.head(value, value.start_byte(), unit.child(value, Field::Body));
            text.push_str(" = ");
            text.push_str(&head);
        }
        _ => {
            if let Some(value) = symbol.value.as_ref().filter(|_| symbol.value_type.is_none()) {
                text.push_str(" = ");
                text.push_str(value);
            }
        }
    }
    text
}

/// The names a pattern binds.
pub(super) fn bindings(unit: &Unit<'_>, pattern: Node<'_>, found: &mut Vec<String>) {
    let mut open = vec![pattern];
    while let Some(node) = open.pop() {
        match unit.kind(node) {
            "identifier" | "shorthand_property_identifier_pattern" => {
                found.push(unit.text(node).to_owned());
            }
            "pair_pattern" => open.extend(unit.child(node, Field::Value)),
            "assignment_pattern" | "object_assignment_pattern" => {
                open.extend(unit.child(node, Field::Left));
            }
            _ => open.extend(children(node).into_iter().filter(Node::is_named).rev()),
        }
    }
}
