//! Members of C#'s types.

use tree_sitter::Node;

use super::{DOC, attributes, constraints, modifiers, signature, type_parameters, visibility};
use crate::domain::skeleton::{MemberInfo, MemberKind, Parameter, Visibility};
use crate::domain::syntax::comment::Doc;
use crate::domain::syntax::field::Field;
use crate::domain::syntax::symbols::{Around, new_member};
use crate::domain::syntax::table::Role;
use crate::domain::syntax::unit::{Unit, children};

pub(super) fn members(unit: &Unit<'_>, body: Node<'_>, in_interface: bool) -> Vec<MemberInfo> {
    let usual = if in_interface { Visibility::Public } else { Visibility::Private };
    let mut found = Vec::new();
    let mut doc = Doc::default();
    for node in children(body) {
        if !node.is_named() || doc.take(unit, node, DOC) {
            continue;
        }
        let words = doc.of_next(unit, node);
        let decorators = attributes(unit, node);
        let around = Around { doc: words, decorators, ..Around::default() };
        match unit.table.role(node.kind_id()) {
            Role::Method => {
                let name = unit.field(node, Field::Name).unwrap_or_default();
                let member = new_member(node, MemberKind::Method, &name, &around);
                found.push(callable(unit, node, member, usual));
            }
            Role::Constructor => {
                let name = unit.field(node, Field::Name).unwrap_or_default();
                let member = new_member(node, MemberKind::Constructor, &name, &around);
                let member = callable(unit, node, member, usual);
                // What runs before the first use is called by nobody.
                if !member.is_static {
                    found.push(member);
                }
            }
            Role::Function => {
                let is_sign = |it: &Node<'_>| {
                    !it.is_named() && !matches!(unit.text(*it), "operator" | ";" | "checked")
                };
                let name = if unit.kind(node) == "conversion_operator_declaration" {
                    unit.field(node, Field::Type)
                } else {
                    children(node).into_iter().find(is_sign).map(|it| unit.text(it).to_owned())
                };
                let name = format!("operator {}", name.unwrap_or_default());
                let member = new_member(node, MemberKind::Method, &name, &around);
                found.push(callable(unit, node, member, usual));
            }
            Role::Branch => {
                let member = new_member(node, MemberKind::IndexSignature, "this", &around);
                let mut member = property(unit, node, member, usual);
                member.parameters = Some(parameters(unit, node));
                found.push(member);
            }
            Role::Const => {
                let name = unit.field(node, Field::Name).unwrap_or_default();
                let member = new_member(node, MemberKind::Property, &name, &around);
                found.push(property(unit, node, member, usual));
            }
            Role::Field => found.extend(fields(unit, node, &around, usual)),
            Role::Constant => found.push(constant(unit, node, &around)),
            _ => {}
        }
    }
    found
}

fn callable(
    unit: &Unit<'_>,
    node: Node<'_>,
    mut member: MemberInfo,
    usual: Visibility,
) -> MemberInfo {
    let body = unit.child(node, Field::Body);
    let end = unit.child_of_kind(node, "constructor_initializer").or(body);
    member.signature = signature(unit, node, end);
    // What is implemented for one interface alone is called through that.
    let is_explicit = unit.child_of_kind(node, "explicit_interface_specifier").is_some();
    let usual = if is_explicit { Visibility::Private } else { usual };
    member.visibility = Some(visibility(unit, node, usual));
    member.modifiers = modifiers(unit, node);
    let has = |word: &str| member.modifiers.iter().any(|it| it == word);
    member.is_static = has("static");
    member.is_abstract = has("abstract") || body.is_none() && usual == Visibility::Public;
    // Callers wait for what is returned, whatever the body does.
    member.modifiers.retain(|it| it != "async" && it != "override");
    member.parameters = Some(parameters(unit, node));
    member.return_type = unit.field(node, Field::Returns).or_else(|| unit.field(node, Field::Type));
    member.type_parameters = type_parameters(unit, node);
    member.where_clause = constraints(unit, node);
    if let Some(body) = body {
        unit.fill_member_body(&mut member, &[body]);
    }
    member
}

/// Whoever cannot set it sees it as one that is read only.
fn property(
    unit: &Unit<'_>,
    node: Node<'_>,
    mut member: MemberInfo,
    usual: Visibility,
) -> MemberInfo {
    let accessors = unit.child(node, Field::Accessors);
    let value = unit.child(node, Field::Value);
    let head = signature(unit, node, accessors.or(value));
    head.trim_end_matches('=').trim_end().clone_into(&mut member.signature);
    member.visibility = Some(visibility(unit, node, usual));
    member.modifiers = modifiers(unit, node);
    member.is_static = member.modifiers.iter().any(|it| it == "static");
    member.value_type = unit.field(node, Field::Type);
    let listed: Vec<Node<'_>> = accessors.map(children).unwrap_or_default();
    let listed: Vec<Node<'_>> =
        listed.into_iter().filter(|it| unit.kind(*it) == "accessor_declaration").collect();
    let own = member.visibility.unwrap_or_default();
    let shown: Vec<String> = listed
        .iter()
        .filter(|it| visibility(unit, **it, own) <= own)
        .filter_map(|it| unit.field(*it, Field::Name))
        .collect();
    if !shown.is_empty() {
        member.signature = format!("{} {{ {}; }}", member.signature, shown.join("; "));
    }
    let is_event = unit.kind(node) == "event_declaration";
    let is_set = shown.iter().any(|it| it == "set" || it == "init") || is_event;
    if !is_set && !member.modifiers.iter().any(|it| it == "readonly") {
        member.modifiers.push("readonly".to_owned());
    }
    let bodies: Vec<Node<'_>> =
        listed.iter().filter_map(|it| unit.child(*it, Field::Body)).chain(value).collect();
    let has_word = |word: &str| member.modifiers.iter().any(|it| it == word);
    member.is_abstract = has_word("abstract") || usual == Visibility::Public && bodies.is_empty();
    if unit.kind(node) == "property_declaration" {
        member.value = value
            .filter(|it| unit.kind(*it) != "arrow_expression_clause")
            .and_then(|it| unit.short(it));
    }
    unit.fill_member_body(&mut member, &bodies);
    member
}

fn fields(unit: &Unit<'_>, node: Node<'_>, around: &Around, usual: Visibility) -> Vec<MemberInfo> {
    let Some(declaration) = unit.child_of_kind(node, "variable_declaration") else {
        return Vec::new();
    };
    let declared = unit.field(declaration, Field::Type);
    let words = modifiers(unit, node);
    let all =
        children(declaration).into_iter().filter(|it| unit.kind(*it) == "variable_declarator");
    let build = |declarator: Node<'_>| {
        let name = unit.field(declarator, Field::Name).unwrap_or_default();
        let mut member = new_member(node, MemberKind::Property, &name, around);
        member.visibility = Some(visibility(unit, node, usual));
        member.value_type.clone_from(&declared);
        member.modifiers.clone_from(&words);
        member.is_static = words.iter().any(|it| it == "static" || it == "const");
        let mut parts = words.clone();
        parts.extend(declared.clone());
        parts.push(name);
        member.signature = parts.join(" ");
        let named = unit.child(declarator, Field::Name);
        let mut value =
            children(declarator).into_iter().filter(|it| it.is_named() && Some(*it) != named);
        if let Some(value) = value.next_back() {
            unit.fill_member_value(&mut member, value);
        }
        member
    };
    all.map(build).collect()
}

fn constant(unit: &Unit<'_>, node: Node<'_>, around: &Around) -> MemberInfo {
    let name = unit.field(node, Field::Name).unwrap_or_default();
    let mut member = new_member(node, MemberKind::EnumMember, &name, around);
    member.signature = signature(unit, node, None);
    member.visibility = Some(Visibility::Public);
    if let Some(value) = unit.child(node, Field::Value) {
        unit.fill_member_value(&mut member, value);
    }
    member
}

/// The parts of a record, each of which is a property.
pub(super) fn components(unit: &Unit<'_>, list: Node<'_>) -> Vec<MemberInfo> {
    let listed = children(list).into_iter().filter(|it| unit.kind(*it) == "parameter");
    let build = |node: Node<'_>| {
        let name = unit.field(node, Field::Name).unwrap_or_default();
        let around = Around { decorators: attributes(unit, node), ..Around::default() };
        let mut member = new_member(node, MemberKind::Property, &name, &around);
        member.signature = signature(unit, node, None);
        member.visibility = Some(Visibility::Public);
        member.value_type = unit.field(node, Field::Type);
        member
    };
    listed.map(build).collect()
}

pub(super) fn parameters(unit: &Unit<'_>, node: Node<'_>) -> Vec<Parameter> {
    unit.child(node, Field::Parameters).map(|it| listed(unit, it)).unwrap_or_default()
}

pub(super) fn listed(unit: &Unit<'_>, list: Node<'_>) -> Vec<Parameter> {
    let mut found = Vec::new();
    for node in children(list).into_iter().filter(|it| unit.kind(*it) == "parameter") {
        let name = unit.field(node, Field::Name).unwrap_or_default();
        let words: Vec<String> = children(node)
            .into_iter()
            .filter(|it| unit.kind(*it) == "modifier")
            .map(|it| unit.text(it).to_owned())
            .collect();
        let declared = unit.field(node, Field::Type);
        let how = words.iter().filter(|it| matches!(it.as_str(), "ref" | "out" | "in"));
        let how: Vec<&str> = how.map(String::as_str).collect();
        let type_text = declared.map(|it| [how.as_slice(), &[it.as_str()]].concat().join(" "));
        let default =
            unit.has_token(node, "=").then(|| children(node).into_iter().rfind(Node::is_named));
        let default = default.flatten().map(|it| unit.clean(it));
        let rest = words.iter().any(|it| it == "params");
        found.push(Parameter { name, type_text, optional: default.is_some(), default, rest });
    }
    // What takes all the rest has no node of its own.
    if let (Some(declared), Some(name)) =
        (unit.field(list, Field::Type), unit.field(list, Field::Name))
    {
        found.push(Parameter {
            name,
            type_text: Some(declared),
            rest: true,
            ..Parameter::default()
        });
    }
    found
}
