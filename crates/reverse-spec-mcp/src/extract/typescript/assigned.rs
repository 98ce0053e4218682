//! Properties that a class of JavaScript has because its constructor assigns them.

use tree_sitter::Node;

use super::is_word;
use crate::extract::field::Field;
use crate::extract::symbols::{Around, new_member};
use crate::extract::unit::Unit;
use crate::skeleton::{LanguageId, MemberInfo, MemberKind, Visibility};

/// What the constructor gives to `this`. TypeScript declares its properties, JavaScript need not.
pub(super) fn properties(unit: &Unit<'_>, constructor: Node<'_>) -> Vec<MemberInfo> {
    let is_javascript =
        crate::project::language_of(unit.path).is_some_and(|it| it == LanguageId::JavaScript);
    let Some(body) = unit.child(constructor, Field::Body).filter(|_| is_javascript) else {
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
