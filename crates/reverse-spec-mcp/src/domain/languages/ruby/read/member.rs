//! Methods of Ruby.

use tree_sitter::Node;

use crate::domain::skeleton::{MemberInfo, MemberKind, Parameter, Visibility};
use crate::domain::syntax::field::Field;
use crate::domain::syntax::symbols::{Around, new_member};
use crate::domain::syntax::unit::{Unit, children};

pub(super) fn method(unit: &Unit<'_>, node: Node<'_>, around: &Around) -> MemberInfo {
    let name = unit.field(node, Field::Name).unwrap_or_default();
    let is_made = name == "initialize" && unit.kind(node) == "method";
    let kind = if is_made { MemberKind::Constructor } else { MemberKind::Method };
    let mut member = new_member(node, kind, &name, around);
    let list = unit.child(node, Field::Parameters);
    let body = unit.child(node, Field::Body);
    let named = unit.child(node, Field::Name);
    let end = list.or(named).map_or(node.end_byte(), |it| it.end_byte());
    member.signature = unit.clean_between(node, node.start_byte(), end);
    member.visibility = Some(Visibility::Public);
    member.parameters = Some(list.map(|it| parameters(unit, it)).unwrap_or_default());
    if let Some(body) = body {
        unit.fill_member_body(&mut member, &[body]);
    }
    member
}

/// `:name` behind `attr_reader`, or a field of a struct.
pub(super) fn property(
    unit: &Unit<'_>,
    node: Node<'_>,
    around: &Around,
    made_by: &str,
) -> MemberInfo {
    let name = unit.text(node).trim_start_matches(':').lines().next().unwrap_or_default();
    let mut member = new_member(node, MemberKind::Property, name, around);
    let word = if made_by.is_empty() { "attr" } else { made_by };
    member.signature = format!("{word} :{name}");
    member.visibility = Some(Visibility::Public);
    if word == "attr_reader" {
        member.modifiers.push("readonly".to_owned());
    }
    member
}

/// Those that are given by their name are told so: `key:`.
fn parameters(unit: &Unit<'_>, list: Node<'_>) -> Vec<Parameter> {
    let mut found = Vec::new();
    for node in children(list).into_iter().filter(Node::is_named) {
        let named = unit.field(node, Field::Name).unwrap_or_default();
        let default = unit.field(node, Field::Value);
        let (name, optional, rest) = match unit.kind(node) {
            "identifier" | "destructured_parameter" => (unit.clean(node), false, false),
            "optional_parameter" => (named, true, false),
            "keyword_parameter" => (format!("{named}:"), default.is_some(), false),
            "splat_parameter" => (named, false, true),
            "hash_splat_parameter" => (format!("**{named}"), false, true),
            "block_parameter" => (format!("&{named}"), true, false),
            "forward_parameter" => ("...".to_owned(), false, true),
            _ => continue,
        };
        found.push(Parameter { name, type_text: None, optional, default, rest });
    }
    found
}
