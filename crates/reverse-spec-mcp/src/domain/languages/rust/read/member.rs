//! Members of Rust's types and traits: fields, variants, methods and implemented traits.

use tree_sitter::Node;

use super::head::{
    after_visibility, function_modifiers, parameters, type_parameters, where_clause,
};
use super::homes::Place;
use super::{is_doc, is_test_only, kept_attributes, visibility};
use crate::domain::skeleton::{ExportSymbol, MemberInfo, MemberKind, SymbolKind, Visibility};
use crate::domain::syntax::field::Field;
use crate::domain::syntax::symbols::{Around, new_member};
use crate::domain::syntax::table::Role;
use crate::domain::syntax::unit::{Unit, children};

/// Each named child with the documentation and attributes before it; tests left out.
fn each<'tree>(unit: &Unit<'_>, body: Node<'tree>, mut take: impl FnMut(Node<'tree>, &Around)) {
    let mut doc: Option<(usize, usize)> = None;
    let mut attributes = Vec::new();
    let mut cursor = body.walk();
    for node in body.named_children(&mut cursor) {
        match unit.kind(node) {
            "line_comment" | "block_comment" => {
                if is_doc(unit.text(node)) {
                    let start = doc.map_or_else(|| node.start_byte(), |it| it.0);
                    doc = Some((start, node.end_byte()));
                }
            }
            "attribute_item" => attributes.push(node),
            _ => {
                let marked = std::mem::take(&mut attributes);
                let words = doc.take().and_then(|(start, end)| unit.doc(start, end));
                if !is_test_only(unit, &marked) {
                    let decorators = kept_attributes(unit, unit.table, &marked);
                    take(node, &Around { doc: words, decorators, ..Around::default() });
                }
            }
        }
    }
}

pub(super) fn fields(unit: &Unit<'_>, body: Node<'_>) -> Vec<MemberInfo> {
    let mut members = Vec::new();
    if unit.kind(body) == "ordered_field_declaration_list" {
        let mut visible = Visibility::Private;
        each(unit, body, |node, around| {
            if unit.kind(node) == "visibility_modifier" {
                visible = match unit.text(node) {
                    "pub" => Visibility::Public,
                    _ => Visibility::Package,
                };
                return;
            }
            let name = members.len().to_string();
            let mut member = new_member(node, MemberKind::Property, &name, around);
            member.signature = format!("{name}: {}", unit.clean(node));
            member.value_type = Some(unit.clean(node));
            member.visibility = Some(std::mem::replace(&mut visible, Visibility::Private));
            members.push(member);
        });
        return members;
    }
    each(unit, body, |node, around| {
        if unit.kind(node) != "field_declaration" {
            return;
        }
        let name = unit.field(node, Field::Name).unwrap_or_default();
        let mut member = new_member(node, MemberKind::Property, &name, around);
        member.signature = unit.head(node, node.start_byte(), None);
        member.value_type = unit.field(node, Field::Type);
        member.visibility = Some(visibility(unit, node));
        members.push(member);
    });
    members
}

pub(super) fn variants(unit: &Unit<'_>, body: Node<'_>) -> Vec<MemberInfo> {
    let mut members = Vec::new();
    each(unit, body, |node, around| {
        if unit.kind(node) != "enum_variant" {
            return;
        }
        let name = unit.field(node, Field::Name).unwrap_or_default();
        let mut member = new_member(node, MemberKind::EnumMember, &name, around);
        member.signature = unit.clean(node);
        member.value_type = unit.field(node, Field::Body);
        if let Some(value) = unit.child(node, Field::Value) {
            unit.fill_member_value(&mut member, value);
        }
        members.push(member);
    });
    members
}

pub(super) fn trait_members(unit: &Unit<'_>, body: Node<'_>) -> Vec<MemberInfo> {
    let mut members = Vec::new();
    each(unit, body, |node, around| {
        if let Some(mut member) = associated(unit, node, around) {
            member.visibility = Some(Visibility::Public);
            member.is_abstract = member.body_hash.is_none() && member.value.is_none();
            members.push(member);
        }
    });
    members
}

/// The ways in which a macro may be called.
pub(super) fn macro_arms(unit: &Unit<'_>, node: Node<'_>) -> Vec<MemberInfo> {
    let rules = children(node).into_iter().filter(|it| unit.kind(*it) == "macro_rule");
    let arms = rules.filter_map(|rule| {
        let pattern = unit.clean(unit.child(rule, Field::Left)?);
        // What a macro calls itself with is its own business.
        if pattern.trim_start_matches(['(', '[', '{']).trim_start().starts_with('@') {
            return None;
        }
        let mut arm = new_member(rule, MemberKind::CallSignature, &pattern, &Around::default());
        arm.signature = pattern;
        Some(arm)
    });
    arms.collect()
}

fn is_associated(unit: &Unit<'_>, node: Node<'_>) -> bool {
    matches!(
        unit.table.role(node.kind_id()),
        Role::Function | Role::Const | Role::Type | Role::AssociatedType
    )
}

/// A function, constant or type inside a trait or an `impl`.
fn associated(unit: &Unit<'_>, node: Node<'_>, around: &Around) -> Option<MemberInfo> {
    let role = unit.table.role(node.kind_id());
    let name = unit.field(node, Field::Name)?;
    let body = unit.child(node, Field::Body);
    let mut member = match role {
        Role::Function => {
            let given = parameters(unit, node);
            let has_self = given.first().is_some_and(|it| it.name == "self");
            let kind = if has_self { MemberKind::Method } else { MemberKind::AssociatedFunction };
            let mut member = new_member(node, kind, &name, around);
            member.is_static = !has_self;
            member.parameters = Some(given);
            member.return_type = unit.field(node, Field::ReturnType);
            member.modifiers = function_modifiers(unit, node);
            member
        }
        Role::Const | Role::Type | Role::AssociatedType => {
            let mut member = new_member(node, MemberKind::AssociatedItem, &name, around);
            member.is_static = true;
            member.value_type = unit.field(node, Field::Type);
            if let Some(value) = unit.child(node, Field::Value) {
                unit.fill_member_value(&mut member, value);
            }
            member
        }
        _ => return None,
    };
    member.signature = unit.head(node, after_visibility(unit, node), body);
    member.type_parameters = type_parameters(unit, node);
    member.where_clause = where_clause(unit, node);
    if let Some(body) = body {
        unit.fill_member_body(&mut member, &[body]);
    }
    Some(member)
}

/// One `impl` block. What it holds is read when it is known that somebody keeps it: a file whose
/// types are all hidden would be read twice otherwise.
pub(super) struct Implementation<'tree> {
    /// The module it stands in, and the type it is for, without generics.
    pub(super) place: Place,
    node: Node<'tree>,
    around: Around,
    /// The trait, unless the members are the type's own.
    implements: Option<String>,
    /// It says by which way its type is found, so that another one of that name here is not meant.
    pub(super) is_elsewhere: bool,
}

impl<'tree> Implementation<'tree> {
    pub(super) fn new(unit: &Unit<'_>, node: Node<'tree>, around: Around) -> Self {
        let target = unit.child(node, Field::Type);
        // `impl !Send` says that it is not.
        let not = if unit.has_token(node, "!") { "!" } else { "" };
        Self {
            place: (
                around.namespace.clone(),
                target.map(|it| base_name(unit, it)).unwrap_or_default(),
            ),
            is_elsewhere: target.is_some_and(|it| {
                ["crate::", "super::"].iter().any(|start| unit.text(it).starts_with(start))
            }),
            node,
            around,
            implements: unit.field(node, Field::Trait).map(|it| format!("{not}{it}")),
        }
    }

    /// Whether anybody outside could use what it gives.
    pub(super) fn says_something(&self, unit: &Unit<'_>) -> bool {
        let mut has_public = false;
        if let Some(body) = self.body(unit).filter(|_| self.implements.is_none()) {
            each(unit, body, |item, _| {
                let is_public = visibility(unit, item) == Visibility::Public;
                has_public |= is_public && is_associated(unit, item);
            });
        }
        has_public || self.implements.is_some()
    }

    pub(super) fn give_to(self, unit: &Unit<'_>, home: &mut ExportSymbol) {
        home.members.extend(self.members(unit));
        home.implements.extend(self.implements.filter(|it| !home.implements.contains(it)));
    }

    pub(super) fn into_symbol(self, unit: &Unit<'_>) -> ExportSymbol {
        let around = Around { namespace: self.place.0.clone(), ..Around::default() };
        let mut symbol = unit.symbol(self.node, SymbolKind::Impl, &self.place.1, &around);
        symbol.signature = self.head(unit);
        self.give_to(unit, &mut symbol);
        symbol
    }

    fn body(&self, unit: &Unit<'_>) -> Option<Node<'tree>> {
        unit.child(self.node, Field::Body)
    }

    fn head(&self, unit: &Unit<'_>) -> String {
        unit.head(self.node, self.node.start_byte(), self.body(unit))
    }

    fn members(&self, unit: &Unit<'_>) -> Vec<MemberInfo> {
        let body = self.body(unit);
        let head = self.head(unit);
        let mut members = Vec::new();
        if let Some(of) = &self.implements {
            // What a trait demands is in the trait: here only that it is implemented counts.
            let name = format!("impl {of}");
            let mut member = new_member(self.node, MemberKind::Nested, &name, &self.around);
            member.signature = head;
            member.visibility = Some(Visibility::Public);
            if let Some(body) = body {
                unit.fill_member_body(&mut member, &[body]);
            }
            members.push(member);
        } else if let Some(body) = body {
            let given_by = Some(head).filter(|it| it.contains('<') || it.contains(" where "));
            each(unit, body, |item, own| {
                if let Some(mut member) = associated(unit, item, own) {
                    member.visibility = Some(visibility(unit, item));
                    member.given_by.clone_from(&given_by);
                    member.decorators.extend(self.around.decorators.iter().cloned());
                    members.push(member);
                }
            });
        }
        members
    }
}

fn base_name(unit: &Unit<'_>, node: Node<'_>) -> String {
    let name = match unit.kind(node) {
        "generic_type" => unit.field(node, Field::Type).unwrap_or_default(),
        "scoped_type_identifier" => unit.clean(node),
        _ => return without_lifetimes(&unit.clean(node)),
    };
    // One of its own crate has its name wherever it is.
    match name.split_once("::") {
        Some(("crate" | "self" | "super", rest)) => {
            rest.rsplit("::").next().unwrap_or(rest).to_owned()
        }
        _ => name,
    }
}

/// `&List<T>` of `&'a List<T>`: how long it lives may be written or not.
fn without_lifetimes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("&'") {
        out.push_str(before);
        out.push('&');
        let end = after.find(|it: char| !(it.is_alphanumeric() || it == '_'));
        rest = end.map_or("", |end| after[end..].trim_start());
    }
    out.push_str(rest);
    out
}
