//! `module-info.java`: what a module shows to others and what it needs.

use std::sync::Arc;

use tree_sitter::Node;

use super::annotations;
use crate::domain::skeleton::{
    CodeSkeleton, ImportReference, ImportType, MemberKind, SymbolKind, Visibility,
};
use crate::domain::syntax::field::Field;
use crate::domain::syntax::symbols::{Around, new_member};
use crate::domain::syntax::unit::{Unit, children, start_line};

pub(super) fn read(
    unit: &Unit<'_>,
    node: Node<'_>,
    doc: Option<String>,
    skeleton: &mut CodeSkeleton,
) {
    let name = unit.field(node, Field::Name).unwrap_or_default();
    let body = unit.child(node, Field::Body);
    let around = Around { doc, decorators: annotations(unit, node), ..Around::default() };
    let mut symbol = unit.symbol(node, SymbolKind::Module, &name, &around);
    let open = if unit.has_token(node, "open") { "open " } else { "" };
    symbol.signature = format!("{open}module {name}");
    symbol.visibility = Some(Visibility::Public);
    for directive in body.map(children).unwrap_or_default() {
        if !unit.kind(directive).ends_with("_module_directive") {
            continue;
        }
        let text = unit.clean(directive).trim_end_matches(';').trim_end().to_owned();
        if unit.kind(directive) == "requires_module_directive" {
            let needed = text.rsplit(' ').next().unwrap_or_default();
            skeleton.imports.push(Arc::new(ImportReference {
                module_specifier: needed.to_owned(),
                import_type: ImportType::Static,
                line: start_line(directive),
                file: unit.path.to_owned(),
                ..ImportReference::default()
            }));
            // What it needs for itself is nobody else's business.
            if !text.contains(" transitive ") {
                continue;
            }
        }
        // To whom it is shown may change; what is shown is what it is known by.
        let words: Vec<&str> = text.split(' ').collect();
        let known_by = words.iter().take_while(|it| !matches!(**it, "to" | "with"));
        let known_by = known_by.copied().collect::<Vec<&str>>().join(" ");
        let mut member = new_member(directive, MemberKind::Nested, &known_by, &Around::default());
        member.signature = text;
        member.visibility = Some(Visibility::Public);
        symbol.members.push(member);
    }
    skeleton.exports.push(Arc::new(symbol));
}
