//! Parts of declarations and of members alike: parameters, types, decorators.

use tree_sitter::Node;

use super::unquoted;
use crate::domain::skeleton::Parameter;
use crate::domain::syntax::field::Field;
use crate::domain::syntax::stream::{self, Body};
use crate::domain::syntax::unit::{Unit, children};

pub(super) fn type_parameters(unit: &Unit<'_>, node: Node<'_>) -> Vec<String> {
    let Some(list) = unit.child(node, Field::TypeParameters) else { return Vec::new() };
    let mut start = list.start_byte();
    let mut found = Vec::new();
    for child in children(list) {
        if unit.kind(child) == "type_parameter" {
            // From the separator on: the grammar leaves `in` and `out` outside.
            found.push(unit.clean_between(list, start, child.end_byte()));
        }
        start = child.end_byte();
    }
    found
}

/// The decorators of a declaration, as they are written.
pub(super) fn decorators(unit: &Unit<'_>, node: Node<'_>) -> Vec<String> {
    let mut cursor = node.walk();
    let decorators = node.children(&mut cursor).filter(|it| unit.kind(*it) == "decorator");
    decorators.map(|it| unit.clean(it)).collect()
}

/// A type without the colon before it.
pub(super) fn type_text(unit: &Unit<'_>, annotation: Node<'_>) -> String {
    unit.clean(annotation).trim_start_matches(':').trim_start().to_owned()
}

pub(super) fn return_type(unit: &Unit<'_>, node: Node<'_>) -> Option<String> {
    unit.child(node, Field::ReturnType).map(|it| type_text(unit, it))
}

pub(super) fn callable_body(unit: &Unit<'_>, body: Node<'_>) -> Body {
    if unit.kind(body) == "statement_block" {
        stream::read(unit, &[body])
    } else {
        stream::read_returned(unit, body)
    }
}

/// The parameters of a function, method or lambda.
pub(super) fn parameters(unit: &Unit<'_>, node: Node<'_>) -> Vec<Parameter> {
    if let Some(lone) = unit.child(node, Field::Parameter) {
        return vec![Parameter { name: unit.text(lone).to_owned(), ..Parameter::default() }];
    }
    let Some(list) = unit.child(node, Field::Parameters) else { return Vec::new() };
    let mut cursor = list.walk();
    let listed = list.named_children(&mut cursor).filter(|it| unit.kind(*it) != "comment");
    listed.filter(|it| !it.is_error()).map(|it| parameter(unit, it)).collect()
}

pub(super) fn parameter(unit: &Unit<'_>, node: Node<'_>) -> Parameter {
    let pattern = unit.child(node, Field::Pattern);
    let default = unit.child(node, Field::Value);
    let pattern_node = pattern.unwrap_or(node);
    let rest = unit.kind(pattern_node) == "rest_pattern";
    let name = if rest {
        unit.clean(pattern_node).trim_start_matches("...").to_owned()
    } else {
        unit.clean(pattern_node)
    };
    Parameter {
        name,
        type_text: unit.child(node, Field::Type).map(|it| type_text(unit, it)),
        optional: unit.kind(node) == "optional_parameter" || default.is_some(),
        default: default.map(|it| unit.clean(it)),
        rest,
    }
}

/// What is declared without a name is the default.
pub(super) fn name_of(unit: &Unit<'_>, node: Node<'_>) -> String {
    unit.child(node, Field::Name).map_or_else(|| "default".to_owned(), |it| unquoted(unit, it))
}
