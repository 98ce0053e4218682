//! Classes of Python and their members.

use tree_sitter::Node;

use super::overload::without_implementations;
use super::{
    body_doc, branches, parameters, statements, targets, type_parameters, undecorated, visibility,
};
use crate::domain::skeleton::{ExportSymbol, MemberInfo, MemberKind, SymbolKind, Visibility};
use crate::domain::syntax::field::Field;
use crate::domain::syntax::symbols::{Around, new_member};
use crate::domain::syntax::table::Role;
use crate::domain::syntax::unit::{Unit, children};

/// A class, and the classes inside it that others may use.
pub(super) fn read<'tree>(
    unit: &Unit<'_>,
    node: Node<'tree>,
    around: &Around,
) -> (ExportSymbol, Vec<Node<'tree>>) {
    let name = unit.field(node, Field::Name).unwrap_or_default();
    let extends: Vec<String> = unit
        .child(node, Field::Superclasses)
        .map(children)
        .unwrap_or_default()
        .into_iter()
        .filter(|it| it.is_named() && !matches!(unit.kind(*it), "keyword_argument" | "comment"))
        .map(|it| unit.clean(it))
        .collect();
    let is_enum = extends.iter().any(|it| it.ends_with("Enum") || it.ends_with("Flag"));
    let kind = if is_enum { SymbolKind::Enum } else { SymbolKind::Class };
    let mut symbol = unit.symbol(node, kind, &name, around);
    let body = unit.child(node, Field::Body);
    symbol.signature = unit.head(node, node.start_byte(), body);
    symbol.extends = extends;
    symbol.type_parameters = type_parameters(unit, node);
    symbol.visibility = Some(visibility(&name));
    let mut nested = Vec::new();
    if let Some(body) = body {
        symbol.members = members(unit, body, is_enum, &mut nested);
    }
    (symbol, nested)
}

fn members<'tree>(
    unit: &Unit<'_>,
    body: Node<'tree>,
    is_enum: bool,
    classes: &mut Vec<Node<'tree>>,
) -> Vec<MemberInfo> {
    let mut found = Vec::new();
    for node in branches(unit, body) {
        match unit.table.role(node.kind_id()) {
            Role::Function | Role::Decorated | Role::Class => {
                let (inner, decorators) = undecorated(unit, node);
                let around = Around { decorators, doc: body_doc(unit, inner), ..Around::default() };
                if unit.kind(inner) == "class_definition" {
                    let name = unit.field(inner, Field::Name).unwrap_or_default();
                    if visibility(&name) == Visibility::Public {
                        classes.push(node);
                    } else {
                        found.push(nested(unit, inner, &around));
                    }
                    continue;
                }
                let member = method(unit, inner, &around);
                let constructs = member.kind == MemberKind::Constructor;
                found.push(member);
                if constructs {
                    found.extend(attributes(unit, inner));
                }
            }
            Role::Type => found.extend(alias(unit, node)),
            Role::Statement => {
                if let Some(inner) = node.named_child(0).filter(|it| unit.kind(*it) == "assignment")
                {
                    found.extend(properties(unit, inner, is_enum));
                }
            }
            _ => {}
        }
    }
    drop_repeated(without_implementations(found))
}

/// `type Name = …` inside a class.
fn alias(unit: &Unit<'_>, node: Node<'_>) -> Option<MemberInfo> {
    let left = unit.field(node, Field::Left)?;
    let right = unit.child(node, Field::Right)?;
    let name = left.split('[').next().unwrap_or_default();
    let mut member = new_member(node, MemberKind::AssociatedItem, name, &Around::default());
    member.signature = unit.clean(node);
    member.visibility = Some(visibility(name));
    member.is_static = true;
    member.value_type = Some(unit.clean(right));
    Some(member)
}

/// An attribute that a class names twice is one attribute, and what is a method in another branch is
/// a method.
fn drop_repeated(members: Vec<MemberInfo>) -> Vec<MemberInfo> {
    let is_method = |it: &&MemberInfo| it.kind == MemberKind::Method;
    let mut seen: std::collections::HashSet<String> =
        members.iter().filter(is_method).map(|it| it.name.clone()).collect();
    let keep = |it: &MemberInfo| it.kind != MemberKind::Property || seen.insert(it.name.clone());
    members.into_iter().filter(keep).collect()
}

fn nested(unit: &Unit<'_>, node: Node<'_>, around: &Around) -> MemberInfo {
    let name = unit.field(node, Field::Name).unwrap_or_default();
    let body = unit.child(node, Field::Body);
    let mut member = new_member(node, MemberKind::Nested, &name, around);
    member.signature = unit.head(node, node.start_byte(), body);
    member.visibility = Some(visibility(&name));
    if let Some(body) = body {
        unit.fill_member_body(&mut member, &statements(unit, body));
    }
    member
}

/// Whether a decorator makes a property of a method, whoever wrote it: `@cached_property`.
fn is_property(decorators: &[String]) -> bool {
    decorators.iter().any(|it| {
        let name = it.trim_start_matches('@').split('(').next().unwrap_or_default();
        name.rsplit('.').next().is_some_and(|it| it.ends_with("property"))
    })
}

fn method(unit: &Unit<'_>, node: Node<'_>, around: &Around) -> MemberInfo {
    let name = unit.field(node, Field::Name).unwrap_or_default();
    let marked = |word: &str| {
        around.decorators.iter().any(|it| {
            let it = it.trim_start_matches('@');
            it == word || it.ends_with(&format!(".{word}"))
        })
    };
    let kind = if name == "__init__" {
        MemberKind::Constructor
    } else if marked("setter") {
        MemberKind::Setter
    } else if is_property(&around.decorators) {
        MemberKind::Getter
    } else if marked("classmethod") {
        MemberKind::Classmethod
    } else if marked("staticmethod") {
        MemberKind::Staticmethod
    } else {
        MemberKind::Method
    };
    let body = unit.child(node, Field::Body);
    let mut member = new_member(node, kind, &name, around);
    member.signature = unit.head(node, node.start_byte(), body);
    member.visibility = Some(visibility(&name));
    member.is_static = matches!(kind, MemberKind::Classmethod | MemberKind::Staticmethod);
    member.is_abstract = marked("abstractmethod") || marked("abstractproperty");
    let mut given = parameters(unit, node);
    // The first one is not given by a caller.
    if kind != MemberKind::Staticmethod && !given.is_empty() {
        given.remove(0);
    }
    member.parameters = Some(given);
    member.return_type = unit.field(node, Field::ReturnType);
    member.type_parameters = type_parameters(unit, node);
    if unit.has_token(node, "async") {
        member.modifiers.push("async".to_owned());
    }
    if let Some(body) = body {
        unit.fill_member_body(&mut member, &statements(unit, body));
    }
    member
}

fn properties(unit: &Unit<'_>, assignment: Node<'_>, is_enum: bool) -> Vec<MemberInfo> {
    let (names, value) = targets(unit, assignment);
    names.iter().map(|name| property(unit, assignment, name, value, is_enum)).collect()
}

fn property(
    unit: &Unit<'_>,
    assignment: Node<'_>,
    name: &str,
    value: Option<Node<'_>>,
    is_enum: bool,
) -> MemberInfo {
    let shown = visibility(name);
    let constant = is_enum && shown == Visibility::Public && !name.starts_with('_');
    let kind = if constant { MemberKind::EnumMember } else { MemberKind::Property };
    let mut member = new_member(assignment, kind, name, &Around::default());
    member.visibility = Some(shown);
    member.value_type = unit.field(assignment, Field::Type);
    member.signature = match &member.value_type {
        Some(declared) => format!("{name}: {declared}"),
        None => name.to_owned(),
    };
    if let Some(value) = value {
        unit.fill_member_value(&mut member, value);
        if let Some(value) = &member.value {
            member.signature = format!("{} = {value}", member.signature);
        }
    }
    member
}

/// What the constructor gives to `self`, on whichever way through it.
fn attributes(unit: &Unit<'_>, constructor: Node<'_>) -> Vec<MemberInfo> {
    let Some(body) = unit.child(constructor, Field::Body) else { return Vec::new() };
    let mut found = Vec::new();
    for statement in branches(unit, body) {
        let mut next = statement.named_child(0);
        // `self.a = self.b = …` is one inside the other.
        while let Some(inner) = next.filter(|it| unit.kind(*it) == "assignment") {
            next = unit.child(inner, Field::Right);
            let Some(left) = unit.child(inner, Field::Left) else { continue };
            let several = matches!(unit.kind(left), "pattern_list" | "tuple_pattern");
            for target in if several { children(left) } else { vec![left] } {
                let Some(name) = unit.text(target).strip_prefix("self.") else { continue };
                if !name.contains(['.', '[', '(']) {
                    // How it comes by its value is the constructor's body.
                    found.push(property(unit, inner, name, None, false));
                }
            }
        }
    }
    found
}
