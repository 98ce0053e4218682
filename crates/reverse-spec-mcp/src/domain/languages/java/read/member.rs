//! Members of Java's types.

use tree_sitter::Node;

use super::{Doc, after_modifiers, annotations, modifiers, type_parameters, visibility};
use crate::domain::skeleton::{Fact, MemberInfo, MemberKind, Parameter, Visibility};
use crate::domain::syntax::field::Field;
use crate::domain::syntax::symbols::{Around, new_member};
use crate::domain::syntax::table::Role;
use crate::domain::syntax::unit::{Unit, children};

pub(super) fn members(unit: &Unit<'_>, body: Node<'_>, in_interface: bool) -> Vec<MemberInfo> {
    let mut found = Vec::new();
    let mut doc = Doc::default();
    let mut open = vec![body];
    while let Some(body) = open.pop() {
        for node in children(body) {
            if doc.take(unit, node) {
                continue;
            }
            if unit.kind(node) == "enum_body_declarations" {
                open.push(node);
                continue;
            }
            if !node.is_named() {
                continue;
            }
            let words = doc.of_next(unit);
            let decorators = annotations(unit, node);
            let around = Around { doc: words, decorators, ..Around::default() };
            match unit.table.role(node.kind_id()) {
                Role::Method => found.push(method(unit, node, &around, in_interface)),
                Role::Constructor => found.push(constructor(unit, node, &around)),
                Role::Field => found.extend(fields(unit, node, &around, in_interface)),
                Role::Constant => found.push(constant(unit, node, &around)),
                _ => {}
            }
        }
    }
    found
}

fn signature(unit: &Unit<'_>, node: Node<'_>, end: Option<Node<'_>>) -> String {
    let text = unit.head(node, after_modifiers(unit, node), end);
    let words = modifiers(unit, node);
    if words.is_empty() { text } else { format!("{} {text}", words.join(" ")) }
}

fn method(unit: &Unit<'_>, node: Node<'_>, around: &Around, in_interface: bool) -> MemberInfo {
    let name = unit.field(node, Field::Name).unwrap_or_default();
    let body = unit.child(node, Field::Body);
    let mut member = new_member(node, MemberKind::Method, &name, around);
    member.signature = signature(unit, node, body);
    member.visibility = Some(visibility(unit, node, in_interface));
    member.modifiers = modifiers(unit, node);
    member.is_static = member.modifiers.iter().any(|it| it == "static");
    // What has its body in another language can be called all the same.
    member.is_abstract = body.is_none() && !member.modifiers.iter().any(|it| it == "native");
    member.parameters = Some(parameters(unit, node));
    member.return_type = unit.field(node, Field::Type);
    member.type_parameters = type_parameters(unit, node);
    if let Some(value) = unit.child(node, Field::Value) {
        member.value = unit.short(value);
    }
    fill(unit, node, body, &mut member);
    member
}

fn constructor(unit: &Unit<'_>, node: Node<'_>, around: &Around) -> MemberInfo {
    let name = unit.field(node, Field::Name).unwrap_or_default();
    let body = unit.child(node, Field::Body);
    let mut member = new_member(node, MemberKind::Constructor, &name, around);
    member.signature = signature(unit, node, body);
    // Nobody outside can make one more of an enum's constants.
    let of_enum = node.parent().is_some_and(|it| unit.kind(it) == "enum_body_declarations");
    member.visibility =
        Some(if of_enum { Visibility::Private } else { visibility(unit, node, false) });
    // A record's short form takes what the record is made of.
    let is_short = unit.kind(node) == "compact_constructor_declaration";
    let record = if is_short { node.parent().and_then(|it| it.parent()) } else { None };
    member.parameters = Some(parameters(unit, record.unwrap_or(node)));
    member.type_parameters = type_parameters(unit, node);
    fill(unit, node, body, &mut member);
    member
}

/// The body, and what the declaration itself says is thrown.
fn fill(unit: &Unit<'_>, node: Node<'_>, body: Option<Node<'_>>, member: &mut MemberInfo) {
    if let Some(body) = body {
        unit.fill_member_body(member, &[body]);
    }
    if let Some(clause) = unit.child_of_kind(node, "throws") {
        let fact = Fact { line: clause.start_position().row + 1, text: unit.clean(clause) };
        member.facts.lists_mut().throws.insert(0, fact);
    }
}

fn fields(unit: &Unit<'_>, node: Node<'_>, around: &Around, in_interface: bool) -> Vec<MemberInfo> {
    let declared = unit.field(node, Field::Type);
    let words = modifiers(unit, node);
    let declarators =
        children(node).into_iter().filter(|it| unit.kind(*it) == "variable_declarator");
    let build = |declarator: Node<'_>| {
        let name = unit.field(declarator, Field::Name).unwrap_or_default();
        let mut member = new_member(node, MemberKind::Property, &name, around);
        member.visibility = Some(visibility(unit, node, in_interface));
        // `int a[], b` declares an array and a number.
        let dimensions = unit.field(declarator, Field::Dimensions).unwrap_or_default();
        member.value_type = declared.as_ref().map(|it| format!("{it}{dimensions}"));
        member.modifiers.clone_from(&words);
        member.is_static = in_interface || words.iter().any(|it| it == "static");
        let mut parts = words.clone();
        parts.extend(member.value_type.clone());
        parts.push(name);
        member.signature = parts.join(" ");
        if let Some(value) = unit.child(declarator, Field::Value) {
            unit.fill_member_value(&mut member, value);
        }
        member
    };
    declarators.map(build).collect()
}

fn constant(unit: &Unit<'_>, node: Node<'_>, around: &Around) -> MemberInfo {
    let name = unit.field(node, Field::Name).unwrap_or_default();
    let mut member = new_member(node, MemberKind::EnumMember, &name, around);
    let body = unit.child(node, Field::Body);
    member.signature = unit.head(node, after_modifiers(unit, node), body);
    member.visibility = Some(Visibility::Public);
    let parts = [Field::Arguments, Field::Body].into_iter().filter_map(|it| unit.child(node, it));
    let parts: Vec<Node<'_>> = parts.collect();
    member.value = unit.child(node, Field::Arguments).and_then(|it| unit.short(it));
    unit.fill_member_body(&mut member, &parts);
    member
}

/// The parts of a record, each of which is a property.
pub(super) fn components(unit: &Unit<'_>, record: Node<'_>) -> Vec<MemberInfo> {
    let list = unit.child(record, Field::Parameters).map(children).unwrap_or_default();
    let listed = list.into_iter().filter(|it| unit.kind(*it) == "formal_parameter");
    let build = |node: Node<'_>| {
        let name = unit.field(node, Field::Name).unwrap_or_default();
        let decorators = annotations(unit, node);
        let around = Around { decorators, ..Around::default() };
        let mut member = new_member(node, MemberKind::Property, &name, &around);
        member.signature = unit.clean(node);
        member.visibility = Some(Visibility::Public);
        member.value_type = unit.field(node, Field::Type);
        member
    };
    listed.map(build).collect()
}

pub(super) fn parameters(unit: &Unit<'_>, node: Node<'_>) -> Vec<Parameter> {
    let Some(list) = unit.child(node, Field::Parameters) else { return Vec::new() };
    let mut found = Vec::new();
    for child in children(list) {
        match unit.kind(child) {
            "formal_parameter" => {
                let name = unit.field(child, Field::Name).unwrap_or_default();
                let dimensions = unit.field(child, Field::Dimensions).unwrap_or_default();
                let type_text =
                    unit.field(child, Field::Type).map(|it| format!("{it}{dimensions}"));
                found.push(Parameter { name, type_text, ..Parameter::default() });
            }
            "spread_parameter" => {
                let named: Vec<Node<'_>> =
                    children(child).into_iter().filter(Node::is_named).collect();
                let name =
                    unit.child_of_kind(child, "variable_declarator").map(|it| unit.clean(it));
                let declared = named
                    .iter()
                    .rfind(|it| !matches!(unit.kind(**it), "modifiers" | "variable_declarator"));
                found.push(Parameter {
                    name: name.unwrap_or_default(),
                    type_text: declared.map(|it| unit.clean(*it)),
                    rest: true,
                    ..Parameter::default()
                });
            }
            _ => {}
        }
    }
    found
}
