//! Members of PHP's types.

use tree_sitter::Node;

use super::{attributes, modifiers, signature};
use crate::domain::skeleton::{MemberInfo, MemberKind, Parameter, Visibility};
use crate::domain::syntax::comment::Doc;
use crate::domain::syntax::field::Field;
use crate::domain::syntax::symbols::{Around, new_member};
use crate::domain::syntax::table::Role;
use crate::domain::syntax::unit::{Unit, children};

pub(super) fn members(unit: &Unit<'_>, body: Node<'_>, in_interface: bool) -> Vec<MemberInfo> {
    let mut found = Vec::new();
    let mut doc = Doc::default();
    for node in children(body).into_iter().filter(Node::is_named) {
        if doc.take(unit, node, "") {
            continue;
        }
        let words = doc.of_next(unit, node);
        let decorators = attributes(unit, node);
        let around = Around { doc: words, decorators, ..Around::default() };
        match unit.table.role(node.kind_id()) {
            Role::Method => {
                let member = method(unit, node, &around, in_interface);
                if member.kind == MemberKind::Constructor {
                    found.extend(promoted(unit, node));
                }
                found.push(member);
            }
            Role::Field => found.extend(properties(unit, node, &around)),
            Role::Const => found.extend(constants(unit, node, &around)),
            Role::Constant => found.push(case(unit, node, &around)),
            _ => {}
        }
    }
    found
}

fn visibility(unit: &Unit<'_>, node: Node<'_>) -> Visibility {
    match unit.child_of_kind(node, "visibility_modifier").map(|it| unit.text(it)) {
        Some("private") => Visibility::Private,
        Some("protected") => Visibility::Protected,
        _ => Visibility::Public,
    }
}

fn method(unit: &Unit<'_>, node: Node<'_>, around: &Around, in_interface: bool) -> MemberInfo {
    let name = unit.field(node, Field::Name).unwrap_or_default();
    let body = unit.child(node, Field::Body);
    let kind = if name == "__construct" { MemberKind::Constructor } else { MemberKind::Method };
    let mut member = new_member(node, kind, &name, around);
    member.signature = signature(unit, node, body);
    member.visibility = Some(visibility(unit, node));
    member.modifiers = modifiers(unit, node);
    let has = |word: &str| member.modifiers.iter().any(|it| it == word);
    member.is_static = has("static");
    member.is_abstract = has("abstract") || in_interface;
    member.parameters = Some(parameters(unit, node));
    member.return_type = unit.field(node, Field::ReturnType);
    unit.fill_member_body(&mut member, body.as_slice());
    member
}

fn properties(unit: &Unit<'_>, node: Node<'_>, around: &Around) -> Vec<MemberInfo> {
    let declared = unit.field(node, Field::Type);
    let words = modifiers(unit, node);
    let all = children(node).into_iter().filter(|it| unit.kind(*it) == "property_element");
    let build = |element: Node<'_>| {
        let name = unit.field(element, Field::Name).unwrap_or_default();
        let mut member =
            new_member(node, MemberKind::Property, name.trim_start_matches('$'), around);
        member.visibility = Some(visibility(unit, node));
        member.value_type.clone_from(&declared);
        member.modifiers.clone_from(&words);
        member.is_static = words.iter().any(|it| it == "static");
        let mut parts = words.clone();
        parts.extend(declared.clone());
        parts.push(name);
        member.signature = parts.join(" ");
        if let Some(value) = unit.child(element, Field::DefaultValue) {
            unit.fill_member_value(&mut member, value);
        }
        member
    };
    all.map(build).collect()
}

/// `const A = 1, B = 2;`
pub(super) fn constants(unit: &Unit<'_>, node: Node<'_>, around: &Around) -> Vec<MemberInfo> {
    let declared = unit.field(node, Field::Type);
    let all = children(node).into_iter().filter(|it| unit.kind(*it) == "const_element");
    let build = |element: Node<'_>| {
        let mut parts = children(element).into_iter().filter(Node::is_named);
        let name = parts.next().map(|it| unit.clean(it)).unwrap_or_default();
        let mut member = new_member(node, MemberKind::Property, &name, around);
        member.visibility = Some(visibility(unit, node));
        member.value_type.clone_from(&declared);
        member.is_static = true;
        member.modifiers = modifiers(unit, node);
        member.modifiers.push("const".to_owned());
        member.signature = format!("const {name}");
        if let Some(value) = parts.next() {
            unit.fill_member_value(&mut member, value);
        }
        member
    };
    all.map(build).collect()
}

fn case(unit: &Unit<'_>, node: Node<'_>, around: &Around) -> MemberInfo {
    let name = unit.field(node, Field::Name).unwrap_or_default();
    let mut member = new_member(node, MemberKind::EnumMember, &name, around);
    member.signature = signature(unit, node, None);
    member.visibility = Some(Visibility::Public);
    if let Some(value) = unit.child(node, Field::Value) {
        unit.fill_member_value(&mut member, value);
    }
    member
}

/// Parameters of a constructor that are properties as well.
fn promoted(unit: &Unit<'_>, node: Node<'_>) -> Vec<MemberInfo> {
    let list = unit.child(node, Field::Parameters).map(children).unwrap_or_default();
    let all = list.into_iter().filter(|it| unit.kind(*it) == "property_promotion_parameter");
    let build = |node: Node<'_>| {
        let name = unit.field(node, Field::Name).unwrap_or_default();
        let around = Around { decorators: attributes(unit, node), ..Around::default() };
        let mut member =
            new_member(node, MemberKind::Property, name.trim_start_matches('$'), &around);
        member.signature = signature(unit, node, None);
        member.visibility = Some(visibility(unit, node));
        member.value_type = unit.field(node, Field::Type);
        member.modifiers = modifiers(unit, node);
        member
    };
    all.map(build).collect()
}

pub(super) fn parameters(unit: &Unit<'_>, node: Node<'_>) -> Vec<Parameter> {
    let list = unit.child(node, Field::Parameters).map(children).unwrap_or_default();
    let all = list.into_iter().filter(|it| {
        matches!(
            unit.kind(*it),
            "simple_parameter" | "variadic_parameter" | "property_promotion_parameter"
        )
    });
    let build = |node: Node<'_>| {
        let default = unit.field(node, Field::DefaultValue);
        let by_reference = unit.child_of_kind(node, "reference_modifier").is_some();
        let declared = unit.field(node, Field::Type);
        Parameter {
            name: unit
                .field(node, Field::Name)
                .unwrap_or_default()
                .trim_start_matches('$')
                .to_owned(),
            type_text: match (declared, by_reference) {
                (declared, true) => Some(format!("&{}", declared.unwrap_or_default())),
                (declared, false) => declared,
            },
            optional: default.is_some(),
            default,
            rest: unit.kind(node) == "variadic_parameter",
        }
    };
    all.map(build).collect()
}
