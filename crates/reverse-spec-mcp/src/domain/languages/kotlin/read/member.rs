//! Members of Kotlin's types.

use tree_sitter::Node;

use super::{annotations, modifiers, signature, type_parameters, visibility};
use crate::domain::skeleton::{MemberInfo, MemberKind, Parameter, Visibility};
use crate::domain::syntax::comment::Doc;
use crate::domain::syntax::field::Field;
use crate::domain::syntax::symbols::{Around, new_member};
use crate::domain::syntax::table::Role;
use crate::domain::syntax::unit::{Unit, children};

pub(super) fn members(unit: &Unit<'_>, body: Node<'_>, in_interface: bool) -> Vec<MemberInfo> {
    let mut found = Vec::new();
    let mut open = vec![(body, false)];
    while let Some((body, is_static)) = open.pop() {
        let mut doc = Doc::default();
        let first = found.len();
        for node in children(body) {
            if !node.is_named() || doc.take(unit, node, "") {
                continue;
            }
            let words = doc.of_next(unit, node);
            let decorators = annotations(unit, node);
            let around = Around { doc: words, decorators, ..Around::default() };
            match unit.table.role(node.kind_id()) {
                Role::Function => found.push(method(unit, node, &around, in_interface)),
                Role::Constructor => found.push(constructor(unit, node, &around)),
                Role::Field => found.extend(properties(unit, node, &around)),
                Role::Constant => found.push(constant(unit, node, &around)),
                // What a companion holds is called by the name of the class.
                Role::Static if !is_static => {
                    open.extend(unit.child_of_kind(node, "class_body").map(|it| (it, true)));
                }
                _ => {}
            }
        }
        found[first..].iter_mut().for_each(|it| it.is_static |= is_static);
    }
    found
}

fn method(unit: &Unit<'_>, node: Node<'_>, around: &Around, in_interface: bool) -> MemberInfo {
    let name = unit.field(node, Field::Name).unwrap_or_default();
    let body = unit.child_of_kind(node, "function_body");
    let mut member = new_member(node, MemberKind::Method, &name, around);
    member.signature = signature(unit, node, body);
    member.visibility = Some(visibility(unit, node));
    member.modifiers = modifiers(unit, node);
    member.is_abstract =
        member.modifiers.iter().any(|it| it == "abstract") || in_interface && body.is_none();
    member.parameters = Some(parameters(unit, node));
    member.return_type = returned(unit, node);
    member.type_parameters = type_parameters(unit, node);
    member.where_clause = unit.child_of_kind(node, "type_constraints").map(|it| unit.clean(it));
    unit.fill_member_body(&mut member, body.as_slice());
    member
}

fn constructor(unit: &Unit<'_>, node: Node<'_>, around: &Around) -> MemberInfo {
    let mut member = new_member(node, MemberKind::Constructor, "constructor", around);
    let call = unit.child_of_kind(node, "constructor_delegation_call");
    let body = unit.child_of_kind(node, "block");
    member.signature = signature(unit, node, call.or(body));
    member.visibility = Some(visibility(unit, node));
    member.parameters = Some(parameters(unit, node));
    let parts: Vec<Node<'_>> = call.into_iter().chain(body).collect();
    unit.fill_member_body(&mut member, &parts);
    member
}

/// `val` or `var`, and what it is made from; whoever cannot set it sees a `val`.
pub(super) fn properties(unit: &Unit<'_>, node: Node<'_>, around: &Around) -> Vec<MemberInfo> {
    let word = if unit.has_token(node, "var") { "var" } else { "val" };
    let setter = unit.child_of_kind(node, "setter");
    let own = visibility(unit, node);
    let is_set = setter.is_none_or(|it| visibility(unit, it) <= own);
    let declared = match unit.child_of_kind(node, "multi_variable_declaration") {
        Some(several) => children(several),
        None => children(node),
    };
    let declared = declared.into_iter().filter(|it| unit.kind(*it) == "variable_declaration");
    let is_part = |it: &Node<'_>| {
        it.is_named()
            && !matches!(
                unit.kind(*it),
                "modifiers"
                    | "variable_declaration"
                    | "multi_variable_declaration"
                    | "type_parameters"
                    | "type_constraints"
                    | "user_type"
                    | "nullable_type"
                    | "type_modifiers"
            )
    };
    let parts: Vec<Node<'_>> = children(node).into_iter().filter(is_part).collect();
    let is_accessor =
        |it: &Node<'_>| matches!(unit.kind(*it), "getter" | "setter" | "property_delegate");
    let value = parts.iter().find(|it| !is_accessor(it)).copied();
    let build = |declaration: Node<'_>| {
        let name = declaration.named_child(0).map(|it| unit.clean(it)).unwrap_or_default();
        let mut member = new_member(node, MemberKind::Property, &name, around);
        member.visibility = Some(own);
        member.modifiers = modifiers(unit, node);
        let bound = if word == "var" && is_set { "var" } else { "val" };
        member.modifiers.push(bound.to_owned());
        if bound == "val" {
            member.modifiers.push("readonly".to_owned());
        }
        member.is_abstract = member.modifiers.iter().any(|it| it == "abstract");
        member.value_type = declared_type(unit, declaration);
        member.signature = signature(unit, node, parts.first().copied());
        if let Some(value) = value {
            member.value = unit.short(value);
        }
        unit.fill_member_body(&mut member, &parts);
        member
    };
    declared.map(build).collect()
}

fn declared_type(unit: &Unit<'_>, node: Node<'_>) -> Option<String> {
    let named = children(node).into_iter().filter(Node::is_named).skip(1);
    { named }.find(|it| unit.kind(*it).ends_with("_type")).map(|it| unit.clean(it))
}

fn constant(unit: &Unit<'_>, node: Node<'_>, around: &Around) -> MemberInfo {
    let name = unit.child_of_kind(node, "identifier").map(|it| unit.clean(it)).unwrap_or_default();
    let mut member = new_member(node, MemberKind::EnumMember, &name, around);
    let given = unit.child_of_kind(node, "value_arguments");
    let body = unit.child_of_kind(node, "class_body");
    member.signature = signature(unit, node, body);
    member.visibility = Some(Visibility::Public);
    member.value = given.and_then(|it| unit.short(it));
    let parts: Vec<Node<'_>> = given.into_iter().chain(body).collect();
    unit.fill_member_body(&mut member, &parts);
    member
}

/// The type behind the parameters.
pub(super) fn returned(unit: &Unit<'_>, node: Node<'_>) -> Option<String> {
    let all = children(node);
    let list = all.iter().position(|it| unit.kind(*it) == "function_value_parameters")?;
    let found = all[list..].iter().find(|it| it.is_named() && unit.kind(**it).ends_with("_type"));
    found.map(|it| unit.clean(*it))
}

/// A default stands behind its parameter in the list, and words about it before.
pub(super) fn parameters(unit: &Unit<'_>, node: Node<'_>) -> Vec<Parameter> {
    let Some(list) = unit.child_of_kind(node, "function_value_parameters") else {
        return Vec::new();
    };
    let mut found: Vec<Parameter> = Vec::new();
    let mut is_rest = false;
    let mut has_default = false;
    for child in children(list) {
        match unit.kind(child) {
            "parameter_modifiers" => is_rest = unit.text(child).contains("vararg"),
            "parameter" => {
                let name = child.named_child(0).map(|it| unit.clean(it)).unwrap_or_default();
                let type_text = declared_type(unit, child);
                found.push(Parameter { name, type_text, rest: is_rest, ..Parameter::default() });
                is_rest = false;
            }
            "=" => has_default = true,
            _ if child.is_named() && has_default => {
                if let Some(last) = found.last_mut() {
                    last.optional = true;
                    last.default = Some(unit.clean(child));
                }
                has_default = false;
            }
            _ => {}
        }
    }
    found
}

/// What a class is made from, and which of it is kept.
pub(super) struct OfConstructor {
    pub(super) parameters: Vec<Parameter>,
    pub(super) properties: Vec<MemberInfo>,
}

pub(super) fn of_constructor(unit: &Unit<'_>, constructor: Node<'_>) -> OfConstructor {
    let mut found = OfConstructor { parameters: Vec::new(), properties: Vec::new() };
    let Some(list) = unit.child_of_kind(constructor, "class_parameters") else { return found };
    for node in children(list).into_iter().filter(|it| unit.kind(*it) == "class_parameter") {
        let name =
            unit.child_of_kind(node, "identifier").map(|it| unit.clean(it)).unwrap_or_default();
        let declared = children(node)
            .into_iter()
            .find(|it| it.is_named() && unit.kind(*it).ends_with("_type"));
        let declared = declared.map(|it| unit.clean(it));
        let has_default = unit.has_token(node, "=");
        let default =
            has_default.then(|| children(node).into_iter().rfind(Node::is_named)).flatten();
        let default = default.map(|it| unit.clean(it));
        let words = modifiers(unit, node);
        let is_var = unit.has_token(node, "var");
        if is_var || unit.has_token(node, "val") {
            let around = Around { decorators: annotations(unit, node), ..Around::default() };
            let mut member = new_member(node, MemberKind::Property, &name, &around);
            member.signature = signature(unit, node, None);
            member.visibility = Some(visibility(unit, node));
            member.value_type.clone_from(&declared);
            member.modifiers = vec![if is_var { "var" } else { "val" }.to_owned()];
            if !is_var {
                member.modifiers.push("readonly".to_owned());
            }
            found.properties.push(member);
        }
        found.parameters.push(Parameter {
            name,
            type_text: declared,
            optional: has_default,
            default,
            rest: words.iter().any(|it| it == "vararg"),
        });
    }
    found
}
