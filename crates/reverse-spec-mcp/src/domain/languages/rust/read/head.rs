//! The heads of items: what stands before a body.

use tree_sitter::Node;

use super::visibility_modifier;
use crate::domain::syntax::field::Field;
use crate::domain::syntax::unit::Unit;

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

pub(super) fn bounds(unit: &Unit<'_>, node: Node<'_>) -> Vec<String> {
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

pub(super) fn words(unit: &Unit<'_>, node: Node<'_>, wanted: &[&str]) -> Vec<String> {
    wanted.iter().filter(|it| unit.has_token(node, it)).map(|it| (*it).to_owned()).collect()
}

pub(super) fn parameters(
    unit: &Unit<'_>,
    node: Node<'_>,
) -> Vec<crate::domain::skeleton::Parameter> {
    let Some(list) = unit.child(node, Field::Parameters) else { return Vec::new() };
    let mut cursor = list.walk();
    let mut found = Vec::new();
    for child in list.named_children(&mut cursor) {
        let mut parameter = crate::domain::skeleton::Parameter::default();
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
