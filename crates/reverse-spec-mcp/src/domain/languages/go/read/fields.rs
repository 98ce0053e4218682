//! Types of Go and what they hold.

use tree_sitter::Node;

use super::{documented, parameters, result, type_parameters, visibility};
use crate::domain::skeleton::{ExportSymbol, MemberInfo, MemberKind, SymbolKind};
use crate::domain::syntax::field::Field;
use crate::domain::syntax::symbols::{Around, new_member};
use crate::domain::syntax::unit::{Unit, children};

pub(super) fn type_symbol(
    unit: &Unit<'_>,
    spec: Node<'_>,
    around: &Around,
) -> Option<ExportSymbol> {
    let name = unit.field(spec, Field::Name)?;
    let body = unit.child(spec, Field::Type)?;
    let kind = match unit.kind(body) {
        "struct_type" => SymbolKind::Struct,
        "interface_type" => SymbolKind::Interface,
        _ => SymbolKind::Type,
    };
    let mut symbol = unit.symbol(spec, kind, &name, around);
    symbol.type_parameters = type_parameters(unit, spec);
    match kind {
        SymbolKind::Struct => {
            symbol.signature =
                format!("type {} struct", unit.head(spec, spec.start_byte(), Some(body)));
            let (members, embedded) = struct_fields(unit, body);
            symbol.members = members;
            symbol.extends = embedded;
        }
        SymbolKind::Interface => {
            symbol.signature =
                format!("type {} interface", unit.head(spec, spec.start_byte(), Some(body)));
            let (members, embedded) = interface_methods(unit, body);
            symbol.members = members;
            symbol.extends = embedded;
        }
        _ => {
            symbol.signature = format!("type {}", unit.clean(spec));
            symbol.value_type = Some(unit.clean(body));
            unit.fill_body(&mut symbol, &[body]);
        }
    }
    if unit.kind(spec) == "type_alias" {
        symbol.modifiers.push("alias".to_owned());
    }
    Some(symbol)
}

fn struct_fields(unit: &Unit<'_>, body: Node<'_>) -> (Vec<MemberInfo>, Vec<String>) {
    let (mut members, mut embedded) = (Vec::new(), Vec::new());
    let list = children(body).into_iter().find(|it| unit.kind(*it) == "field_declaration_list");
    let listed = list.map(|it| documented(unit, it, &["field_declaration"]));
    for (field, doc) in listed.unwrap_or_default() {
        let around = Around { doc, ..Around::default() };
        let declared = unit.field(field, Field::Type).unwrap_or_default();
        let tag = unit.field(field, Field::Tag);
        let mut cursor = field.walk();
        let names: Vec<String> = field
            .children_by_field_name("name", &mut cursor)
            .map(|it| unit.text(it).to_owned())
            .collect();
        if names.is_empty() {
            embedded.push(unit.head(field, field.start_byte(), unit.child(field, Field::Tag)));
            continue;
        }
        for name in names {
            let mut member = new_member(field, MemberKind::Property, &name, &around);
            member.signature = format!("{name} {declared}");
            member.visibility = Some(visibility(&name));
            member.value_type = Some(declared.clone());
            member.decorators.extend(tag.clone());
            members.push(member);
        }
    }
    (members, embedded)
}

fn interface_methods(unit: &Unit<'_>, body: Node<'_>) -> (Vec<MemberInfo>, Vec<String>) {
    let (mut members, mut embedded) = (Vec::new(), Vec::new());
    for (element, doc) in documented(unit, body, &["method_elem", "type_elem"]) {
        let around = Around { doc, ..Around::default() };
        match unit.kind(element) {
            "method_elem" => {
                let name = unit.field(element, Field::Name).unwrap_or_default();
                let mut member = new_member(element, MemberKind::Method, &name, &around);
                member.signature = unit.clean(element);
                member.visibility = Some(visibility(&name));
                member.is_abstract = true;
                let given = unit.child(element, Field::Parameters);
                member.parameters = Some(parameters(unit, given));
                member.return_type = result(unit, element);
                members.push(member);
            }
            "type_elem" => embedded.push(unit.clean(element)),
            _ => {}
        }
    }
    (members, embedded)
}
