//! Properties that a class of JavaScript has because its constructor assigns them.

use tree_sitter::Node;

use super::is_word;
use crate::domain::languages;
use crate::domain::skeleton::{MemberInfo, MemberKind, Visibility};
use crate::domain::syntax::field::Field;
use crate::domain::syntax::symbols::{Around, new_member};
use crate::domain::syntax::unit::Unit;

/// What the constructor gives to `this`. TypeScript declares its properties, JavaScript need not.
pub(super) fn properties(unit: &Unit<'_>, constructor: Node<'_>) -> Vec<MemberInfo> {
    let language = languages::of_path(unit.path);
    let declares = language.is_some_and(|it| it.about().constructors_declare);
    let Some(body) = unit.child(constructor, Field::Body).filter(|_| declares) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let mut doc = None;
    let mut cursor = body.walk();
    for statement in body.named_children(&mut cursor) {
        if unit.kind(statement) == "comment" {
            doc = unit.text(statement).starts_with("/**").then_some(statement);
            continue;
        }
        let words = doc.take().and_then(|it: Node<'_>| unit.doc(it.start_byte(), it.end_byte()));
        let around = Around { doc: words, ..Around::default() };
        let mut at = Some(statement)
            .filter(|it| unit.kind(*it) == "expression_statement")
            .and_then(|it| it.named_child(0));
        // `this.a = this.b = value` assigns both.
        while let Some(assignment) = at.filter(|it| unit.kind(*it) == "assignment_expression") {
            let left = unit.child(assignment, Field::Left).map(|it| unit.text(it));
            let name = left.and_then(|it| it.strip_prefix("this.")).filter(|it| is_word(it));
            if let Some(name) = name {
                let mut member = new_member(statement, MemberKind::Property, name, &around);
                name.clone_into(&mut member.signature);
                member.visibility = Some(Visibility::Public);
                found.push(member);
            }
            at = unit.child(assignment, Field::Right);
        }
    }
    found
}
