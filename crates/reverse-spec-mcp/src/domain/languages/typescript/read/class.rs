//! Classes and functions, declared or held by a value.

use tree_sitter::Node;

use super::member;
use super::parts::{callable_body, decorators, name_of, parameters, return_type, type_parameters};
use crate::domain::skeleton::{ExportSymbol, SymbolKind};
use crate::domain::syntax::field::Field;
use crate::domain::syntax::symbols::Around;
use crate::domain::syntax::unit::{Unit, children};

/// Parameters, result, modifiers and body of anything that can be called.
pub(super) fn callable(unit: &Unit<'_>, node: Node<'_>, symbol: &mut ExportSymbol) {
    symbol.parameters = Some(parameters(unit, node));
    symbol.return_type = return_type(unit, node);
    symbol.type_parameters = type_parameters(unit, node);
    if unit.has_token(node, "async") {
        symbol.modifiers.push("async".to_owned());
    }
    if unit.has_token(node, "*") {
        symbol.modifiers.push("generator".to_owned());
    }
    if let Some(body) = unit.child(node, Field::Body) {
        fill_callable_body(unit, body, symbol);
    }
}

fn fill_callable_body(unit: &Unit<'_>, body: Node<'_>, symbol: &mut ExportSymbol) {
    let read = callable_body(unit, body);
    symbol.body_hash = Some(read.hash);
    symbol.facts = read.facts;
}

/// `node` is what is declared, `class` the class itself: they differ for a class in a constant.
pub(super) fn class(
    unit: &Unit<'_>,
    node: Node<'_>,
    class: Node<'_>,
    around: &Around,
) -> ExportSymbol {
    let body = unit.child(class, Field::Body);
    let mut symbol = unit.symbol(node, SymbolKind::Class, &name_of(unit, class), around);
    let own = decorators(unit, class);
    symbol.decorators.extend(own);
    let start = children(class).into_iter().find(|it| unit.kind(*it) != "decorator");
    let start = start.map_or_else(|| class.start_byte(), |it| it.start_byte());
    symbol.signature = unit.head(class, start, body);
    fill_class(unit, class, &mut symbol);
    symbol
}

pub(super) fn fill_class(unit: &Unit<'_>, class: Node<'_>, symbol: &mut ExportSymbol) {
    symbol.type_parameters = type_parameters(unit, class);
    if unit.has_token(class, "abstract") {
        symbol.modifiers.push("abstract".to_owned());
    }
    if let Some(heritage) = unit.child_of_kind(class, "class_heritage") {
        for clause in children(heritage) {
            match unit.kind(clause) {
                "extends_clause" => symbol.extends = list_after_keyword(unit, clause),
                "implements_clause" => symbol.implements = list_after_keyword(unit, clause),
                // In plain JavaScript the heritage is the expression itself.
                _ if clause.is_named() => symbol.extends = vec![unit.clean(clause)],
                _ => {}
            }
        }
    }
    if let Some(body) = unit.child(class, Field::Body) {
        symbol.members = member::class_members(unit, body);
    }
}

/// `extends A<B>, C` without its keyword, type arguments kept with their type.
pub(super) fn list_after_keyword(unit: &Unit<'_>, clause: Node<'_>) -> Vec<String> {
    let mut listed: Vec<String> = Vec::new();
    for child in children(clause).into_iter().filter(Node::is_named) {
        match (unit.kind(child), listed.last_mut()) {
            ("comment", _) => {}
            ("type_arguments", Some(last)) => last.push_str(&unit.clean(child)),
            _ => listed.push(unit.clean(child)),
        }
    }
    listed
}
