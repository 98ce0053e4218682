//! Items of Rust that stand on their own.

use tree_sitter::Node;

use super::{member, visibility_modifier};
use crate::extract::field::Field;
use crate::extract::symbols::Around;
use crate::extract::unit::Unit;
use crate::skeleton::{ExportSymbol, SymbolKind};

pub(super) fn symbol(
    unit: &Unit<'_>,
    node: Node<'_>,
    role: &str,
    around: &Around,
) -> Option<ExportSymbol> {
    let name = unit.field(node, Field::Name)?;
    let kind = match role {
        "function" => SymbolKind::Function,
        "struct" => SymbolKind::Struct,
        "enum" => SymbolKind::Enum,
        "union" => SymbolKind::Union,
        "trait" => SymbolKind::Trait,
        "type" => SymbolKind::Type,
        "const" => SymbolKind::Const,
        "static" => SymbolKind::Variable,
        "macro" => SymbolKind::Macro,
        _ => return None,
    };
    let mut symbol = unit.symbol(node, kind, &name, around);
    let start = after_visibility(unit, node);
    let body = unit.child(node, Field::Body);
    symbol.signature = unit.head(node, start, body);
    symbol.type_parameters = type_parameters(unit, node);
    symbol.where_clause = where_clause(unit, node);
    match kind {
        SymbolKind::Function => {
            symbol.parameters = Some(parameters(unit, node));
            symbol.return_type = unit.field(node, Field::ReturnType);
            symbol.modifiers = function_modifiers(unit, node);
            if let Some(body) = body {
                unit.fill_body(&mut symbol, &[body]);
            }
        }
        SymbolKind::Struct | SymbolKind::Union => {
            if let Some(body) = body {
                symbol.members = member::fields(unit, body);
                // What a tuple struct holds stands between its name and its where clause.
                if unit.kind(body) == "ordered_field_declaration_list" {
                    symbol.signature = unit.head(node, start, None);
                }
            }
        }
        SymbolKind::Enum => {
            symbol.members = body.map(|it| member::variants(unit, it)).unwrap_or_default();
        }
        SymbolKind::Trait => {
            symbol.extends = bounds(unit, node);
            symbol.modifiers = words(unit, node, &["unsafe"]);
            symbol.members = body.map(|it| member::trait_members(unit, it)).unwrap_or_default();
        }
        SymbolKind::Type => {
            if let Some(value) = unit.child(node, Field::Type) {
                symbol.value_type = Some(unit.clean(value));
                unit.fill_body(&mut symbol, &[value]);
            }
        }
        SymbolKind::Const | SymbolKind::Variable => fill_constant(unit, node, start, &mut symbol),
        SymbolKind::Macro => {
            symbol.signature = format!("macro_rules! {name}");
            unit.fill_body(&mut symbol, &[node]);
        }
        _ => {}
    }
    Some(symbol)
}

fn fill_constant(unit: &Unit<'_>, node: Node<'_>, start: usize, symbol: &mut ExportSymbol) {
    symbol.value_type = unit.field(node, Field::Type);
    let word = if symbol.kind == SymbolKind::Const { "const" } else { "static" };
    symbol.modifiers.push(word.to_owned());
    if unit.child_of_kind(node, "mutable_specifier").is_some() {
        symbol.modifiers.push("mut".to_owned());
    }
    if let Some(value) = unit.child(node, Field::Value) {
        symbol.value = unit.short(value);
        unit.fill_body(symbol, &[value]);
        let head = unit.head(node, start, Some(value));
        head.trim_end_matches('=').trim_end().clone_into(&mut symbol.signature);
    }
}

/// Where a declaration begins after `pub`.
pub(super) fn after_visibility(unit: &Unit<'_>, node: Node<'_>) -> usize {
    visibility_modifier(unit, node).map_or_else(|| node.start_byte(), |it| it.end_byte())
}

pub(super) fn type_parameters(unit: &Unit<'_>, node: Node<'_>) -> Vec<String> {
    let Some(list) = unit.child(node, Field::TypeParameters) else { return Vec::new() };
    let mut cursor = list.walk();
    let listed =
        list.named_children(&mut cursor).filter(|it| !unit.kind(*it).ends_with("_comment"));
    listed.map(|it| unit.clean(it)).collect()
}

pub(super) fn where_clause(unit: &Unit<'_>, node: Node<'_>) -> Option<String> {
    // Few have one; only then is it worth looking through the children. It stands before the code
    // of a function, and may stand behind the fields of a tuple.
    let code = unit.child(node, Field::Body).filter(|it| unit.kind(*it) == "block");
    let end = code.map_or(node.end_byte(), |it| it.start_byte());
    if !unit.text.get(node.start_byte()..end)?.contains("where") {
        return None;
    }
    let clause = unit.child_of_kind(node, "where_clause")?;
    Some(unit.clean(clause).trim_end_matches(',').to_owned())
}

fn bounds(unit: &Unit<'_>, node: Node<'_>) -> Vec<String> {
    let Some(bounds) = unit.child(node, Field::Bounds) else { return Vec::new() };
    let mut cursor = bounds.walk();
    bounds.named_children(&mut cursor).map(|it| unit.clean(it)).collect()
}

pub(super) fn function_modifiers(unit: &Unit<'_>, node: Node<'_>) -> Vec<String> {
    let first = [node.child(0), node.child(1)].into_iter().flatten();
    let Some(modifiers) = { first }.find(|it| unit.kind(*it) == "function_modifiers") else {
        return Vec::new();
    };
    let mut cursor = modifiers.walk();
    modifiers.children(&mut cursor).map(|it| unit.clean(it)).collect()
}

fn words(unit: &Unit<'_>, node: Node<'_>, wanted: &[&str]) -> Vec<String> {
    wanted.iter().filter(|it| unit.has_token(node, it)).map(|it| (*it).to_owned()).collect()
}

pub(super) fn parameters(unit: &Unit<'_>, node: Node<'_>) -> Vec<crate::skeleton::Parameter> {
    let Some(list) = unit.child(node, Field::Parameters) else { return Vec::new() };
    let mut cursor = list.walk();
    let mut found = Vec::new();
    for child in list.named_children(&mut cursor) {
        let mut parameter = crate::skeleton::Parameter::default();
        match unit.kind(child) {
            "self_parameter" => {
                "self".clone_into(&mut parameter.name);
                parameter.type_text = Some(unit.clean(child));
            }
            "parameter" => {
                let name = unit.field(child, Field::Pattern).unwrap_or_default();
                name.trim_start_matches("mut ").clone_into(&mut parameter.name);
                parameter.type_text = unit.field(child, Field::Type);
            }
            "variadic_parameter" => {
                "...".clone_into(&mut parameter.name);
                parameter.rest = true;
            }
            "line_comment" | "block_comment" | "attribute_item" => continue,
            _ => {
                "_".clone_into(&mut parameter.name);
                parameter.type_text = Some(unit.clean(child));
            }
        }
        found.push(parameter);
    }
    found
}
