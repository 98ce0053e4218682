//! Items of Rust that stand on their own.

use tree_sitter::Node;

use super::head::{
    after_visibility, bounds, function_modifiers, parameters, type_parameters, where_clause, words,
};
use super::member;
use crate::domain::skeleton::{ExportSymbol, SymbolKind};
use crate::domain::syntax::field::Field;
use crate::domain::syntax::symbols::Around;
use crate::domain::syntax::table::Role;
use crate::domain::syntax::unit::Unit;

pub(super) fn symbol(
    unit: &Unit<'_>,
    node: Node<'_>,
    role: Role,
    around: &Around,
) -> Option<ExportSymbol> {
    let name = unit.field(node, Field::Name)?;
    let kind = match role {
        Role::Function => SymbolKind::Function,
        Role::Struct => SymbolKind::Struct,
        Role::Enum => SymbolKind::Enum,
        Role::Union => SymbolKind::Union,
        Role::Trait => SymbolKind::Trait,
        Role::Type => SymbolKind::Type,
        Role::Const => SymbolKind::Const,
        Role::Static => SymbolKind::Variable,
        Role::Macro => SymbolKind::Macro,
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
            symbol.members = member::macro_arms(unit, node);
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
