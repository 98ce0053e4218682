//! Members of classes, interfaces and enums, and the parameters of whatever can be called.

use std::collections::{HashMap, HashSet};

use tree_sitter::Node;

use super::parts::{
    callable_body, decorators, parameter, parameters, return_type, type_parameters, type_text,
};
use super::{assigned, unquoted};
use crate::domain::skeleton::{MemberInfo, MemberKind, Visibility};
use crate::domain::syntax::field::Field;
use crate::domain::syntax::symbols::{Around, new_member};
use crate::domain::syntax::unit::{Unit, children};

/// Everything in a class body, private members included.
pub(super) fn class_members(unit: &Unit<'_>, body: Node<'_>) -> Vec<MemberInfo> {
    let mut members: Vec<(MemberInfo, bool)> = Vec::new();
    let mut doc = None;
    let mut pending: Vec<String> = Vec::new();
    let mut assigned = Vec::new();
    let mut cursor = body.walk();
    for node in body.named_children(&mut cursor) {
        match unit.kind(node) {
            "comment" => {
                doc = unit.text(node).starts_with("/**").then_some(node);
                continue;
            }
            "decorator" => {
                pending.push(unit.clean(node));
                continue;
            }
            _ => {}
        }
        let comment = doc.take().and_then(|it: Node<'_>| unit.doc(it.start_byte(), it.end_byte()));
        let mut marked = std::mem::take(&mut pending);
        marked.extend(decorators(unit, node));
        let around = Around { doc: comment, decorators: marked, ..Around::default() };
        match unit.kind(node) {
            "method_definition" | "method_signature" | "abstract_method_signature" => {
                let has_body = unit.child(node, Field::Body).is_some();
                let member = method(unit, node, &around);
                let constructs = member.kind == MemberKind::Constructor;
                members.push((member, has_body));
                if constructs {
                    members.extend(parameter_properties(unit, node).map(|it| (it, false)));
                    assigned.extend(assigned::properties(unit, node));
                }
            }
            "public_field_definition" => members.push((field(unit, node, &around), false)),
            "index_signature" => members.push((signature(unit, node, &around), false)),
            _ => {}
        }
    }
    let mut members = without_implementations(members);
    if !assigned.is_empty() {
        let mut known: HashSet<String> = members.iter().map(|it| it.name.clone()).collect();
        members.extend(assigned.into_iter().filter(|it| known.insert(it.name.clone())));
    }
    members
}

/// Where a method has overloads, its body is not one of them.
fn without_implementations(members: Vec<(MemberInfo, bool)>) -> Vec<MemberInfo> {
    let key = |it: &MemberInfo| (it.kind, it.is_static, it.name.clone());
    let mut first: HashMap<_, Option<usize>> = members
        .iter()
        .filter(|(it, has_body)| !has_body && it.parameters.is_some() && !it.is_abstract)
        .map(|(it, _)| (key(it), None))
        .collect();
    let mut kept: Vec<MemberInfo> = Vec::with_capacity(members.len());
    for (member, has_body) in members {
        let home = if first.is_empty() { None } else { first.get_mut(&key(&member)) };
        match home {
            Some(Some(home)) if has_body => {
                kept[*home].body_hash = member.body_hash;
                kept[*home].facts = member.facts;
                continue;
            }
            // A signature that follows the body says nothing that the body does not.
            Some(None) if has_body => {}
            Some(home @ None) => *home = Some(kept.len()),
            _ => {}
        }
        kept.push(member);
    }
    kept
}

fn visibility(unit: &Unit<'_>, node: Node<'_>, name: &str) -> Visibility {
    if name.starts_with('#') {
        return Visibility::Private;
    }
    match unit.child_of_kind(node, "accessibility_modifier").map(|it| unit.text(it)) {
        Some("private") => Visibility::Private,
        Some("protected") => Visibility::Protected,
        _ => Visibility::Public,
    }
}

/// The words before a member's name that matter to a caller.
fn modifiers(unit: &Unit<'_>, node: Node<'_>) -> Vec<String> {
    let mut found = Vec::new();
    let mut cursor = node.walk();
    for child in node.children(&mut cursor) {
        match unit.kind(child) {
            word @ ("async" | "readonly" | "declare" | "accessor") => found.push(word.to_owned()),
            "override_modifier" => found.push("override".to_owned()),
            "*" => found.push("generator".to_owned()),
            "?" => found.push("optional".to_owned()),
            _ => {}
        }
    }
    found
}

fn name_of(unit: &Unit<'_>, node: Node<'_>) -> String {
    match unit.child(node, Field::Name) {
        Some(name) if unit.kind(name) == "string" => unquoted(unit, name),
        Some(name) => unit.clean(name),
        None => String::new(),
    }
}

fn head(unit: &Unit<'_>, node: Node<'_>, end: Option<Node<'_>>) -> String {
    let start =
        children(node).into_iter().find(|it| !matches!(unit.kind(*it), "decorator" | "comment"));
    let start = start.map_or_else(|| node.start_byte(), |it| it.start_byte());
    unit.head(node, start, end)
}

fn method(unit: &Unit<'_>, node: Node<'_>, around: &Around) -> MemberInfo {
    let name = name_of(unit, node);
    let is_static = unit.has_token(node, "static");
    let kind = if unit.has_token(node, "get") {
        MemberKind::Getter
    } else if unit.has_token(node, "set") {
        MemberKind::Setter
    } else if name == "constructor" && !is_static {
        MemberKind::Constructor
    } else {
        MemberKind::Method
    };
    let body = unit.child(node, Field::Body);
    let mut member = new_member(node, kind, &name, around);
    member.signature = head(unit, node, body);
    member.visibility = Some(visibility(unit, node, &name));
    member.is_static = is_static;
    member.is_abstract = unit.kind(node) == "abstract_method_signature";
    member.is_optional = unit.has_token(node, "?");
    fill_callable(unit, node, &mut member);
    if let Some(body) = body {
        unit.fill_member_body(&mut member, &[body]);
    }
    member
}

fn fill_callable(unit: &Unit<'_>, node: Node<'_>, member: &mut MemberInfo) {
    member.parameters = Some(parameters(unit, node));
    member.return_type = return_type(unit, node);
    member.type_parameters = type_parameters(unit, node);
    member.modifiers = modifiers(unit, node);
    member.modifiers.retain(|it| it != "optional");
}

fn field(unit: &Unit<'_>, node: Node<'_>, around: &Around) -> MemberInfo {
    let name = name_of(unit, node);
    let mut member = new_member(node, MemberKind::Property, &name, around);
    let value = unit.child(node, Field::Value);
    let callable =
        value.filter(|it| matches!(unit.kind(*it), "arrow_function" | "function_expression"));
    member.signature = match (callable, value) {
        (Some(function), _) => {
            let body = unit.child(function, Field::Body);
            let text = head(unit, node, body);
            text.trim_end_matches("=>").trim_end().to_owned()
        }
        (None, Some(value)) if unit.short(value).is_none() => {
            head(unit, node, Some(value)).trim_end_matches('=').trim_end().to_owned()
        }
        _ => head(unit, node, None),
    };
    member.visibility = Some(visibility(unit, node, &name));
    member.is_static = unit.has_token(node, "static");
    member.is_abstract = unit.has_token(node, "abstract");
    member.is_optional = unit.has_token(node, "?");
    member.value_type = unit.child(node, Field::Type).map(|it| type_text(unit, it));
    if let Some(function) = callable {
        fill_callable(unit, function, &mut member);
        if let Some(body) = unit.child(function, Field::Body) {
            let read = callable_body(unit, body);
            member.body_hash = Some(read.hash);
            member.facts = read.facts;
        }
    } else if let Some(value) = value {
        unit.fill_member_value(&mut member, value);
    }
    let own = modifiers(unit, node).into_iter().filter(|it| it != "optional");
    let own: Vec<String> = own.filter(|it| !member.modifiers.contains(it)).collect();
    member.modifiers.splice(0..0, own);
    member
}

/// `constructor(private readonly store: Store)` declares a property too.
fn parameter_properties<'u>(
    unit: &'u Unit<'_>,
    constructor: Node<'u>,
) -> impl Iterator<Item = MemberInfo> + 'u {
    let list = unit.child(constructor, Field::Parameters);
    let listed = list.map(children).unwrap_or_default().into_iter();
    let properties = listed.filter(|it| {
        unit.child_of_kind(*it, "accessibility_modifier").is_some()
            || unit.has_token(*it, "readonly")
    });
    properties.map(move |node| {
        let given = parameter(unit, node);
        let around = Around { decorators: decorators(unit, node), ..Around::default() };
        let mut member = new_member(node, MemberKind::Property, &given.name, &around);
        member.signature = head(unit, node, None);
        member.visibility = Some(visibility(unit, node, &given.name));
        member.is_optional = unit.kind(node) == "optional_parameter";
        member.value_type = given.type_text;
        member.value = given.default;
        if unit.has_token(node, "readonly") {
            member.modifiers.push("readonly".to_owned());
        }
        member
    })
}

/// The parts of a body, each with the documentation that stands before it.
fn documented<'t>(unit: &Unit<'_>, body: Node<'t>) -> Vec<(Node<'t>, Around)> {
    let mut parts = Vec::new();
    let mut doc = None;
    let mut cursor = body.walk();
    for node in body.named_children(&mut cursor) {
        if unit.kind(node) == "comment" {
            doc = unit.text(node).starts_with("/**").then_some(node);
            continue;
        }
        let comment = doc.take().and_then(|it: Node<'_>| unit.doc(it.start_byte(), it.end_byte()));
        parts.push((node, Around { doc: comment, ..Around::default() }));
    }
    parts
}

/// The members of an interface or an object type.
pub(super) fn type_members(unit: &Unit<'_>, body: Node<'_>) -> Vec<MemberInfo> {
    let mut members = Vec::new();
    for (node, around) in documented(unit, body) {
        match unit.kind(node) {
            "property_signature" => members.push(property(unit, node, &around)),
            "method_signature" => {
                let mut member = method(unit, node, &around);
                if !matches!(member.kind, MemberKind::Getter | MemberKind::Setter) {
                    member.visibility = None;
                    member.kind = MemberKind::Method;
                }
                members.push(member);
            }
            "call_signature" | "construct_signature" | "index_signature" => {
                members.push(signature(unit, node, &around));
            }
            _ => {}
        }
    }
    members
}

fn property(unit: &Unit<'_>, node: Node<'_>, around: &Around) -> MemberInfo {
    let mut member = new_member(node, MemberKind::Property, &name_of(unit, node), around);
    member.signature = head(unit, node, None);
    member.is_optional = unit.has_token(node, "?");
    member.value_type = unit.child(node, Field::Type).map(|it| type_text(unit, it));
    member.modifiers = modifiers(unit, node);
    member.modifiers.retain(|it| it != "optional");
    member
}

/// Members without a name: what can be called, constructed or indexed.
fn signature(unit: &Unit<'_>, node: Node<'_>, around: &Around) -> MemberInfo {
    let (kind, name) = match unit.kind(node) {
        "call_signature" => (MemberKind::CallSignature, "()".to_owned()),
        "construct_signature" => (MemberKind::ConstructSignature, "new".to_owned()),
        _ => (MemberKind::IndexSignature, index_name(unit, node)),
    };
    let mut member = new_member(node, kind, &name, around);
    member.signature = head(unit, node, None);
    if kind == MemberKind::IndexSignature {
        member.value_type = unit.child(node, Field::Type).map(|it| type_text(unit, it));
        member.modifiers = modifiers(unit, node);
    } else {
        member.parameters = Some(parameters(unit, node));
        let field =
            if kind == MemberKind::ConstructSignature { Field::Type } else { Field::ReturnType };
        member.return_type = unit.child(node, field).map(|it| type_text(unit, it));
        member.type_parameters = type_parameters(unit, node);
    }
    member
}

/// `[key: string]` by the type of its key, whatever the key is called.
fn index_name(unit: &Unit<'_>, node: Node<'_>) -> String {
    let key = unit.child(node, Field::IndexType).map(|it| unit.clean(it));
    match key {
        Some(key) => format!("[{key}]"),
        None => "[]".to_owned(),
    }
}

pub(super) fn enum_members(unit: &Unit<'_>, body: Node<'_>) -> Vec<MemberInfo> {
    let mut members = Vec::new();
    for (node, around) in documented(unit, body) {
        let name = match unit.kind(node) {
            "enum_assignment" => name_of(unit, node),
            "string" => unquoted(unit, node),
            _ => unit.clean(node),
        };
        let mut member = new_member(node, MemberKind::EnumMember, &name, &around);
        member.signature = unit.clean(node);
        if let Some(value) = unit.child(node, Field::Value) {
            unit.fill_member_value(&mut member, value);
        }
        members.push(member);
    }
    members
}
