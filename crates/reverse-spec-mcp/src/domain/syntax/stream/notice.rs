//! What a caller must know of a body: where it throws, panics or takes a value for granted, and what
//! it calls.

use tree_sitter::Node;

use super::Reader;
use crate::domain::skeleton::Fact;
use crate::domain::syntax::field::Field;
use crate::domain::syntax::scratch::Place;
use crate::domain::syntax::table::{Note, Traits, last_name};

/// More facts of one kind are not listed.
const MAX_FACTS: usize = 20;
const MAX_CALLS: usize = 40;
const MAX_FACT_CHARS: usize = 160;
/// What is called, under whichever name the grammar has for it.
const CALLEES: [Field; 5] =
    [Field::Function, Field::Constructor, Field::Method, Field::Name, Field::Type];

impl Reader<'_> {
    /// Keeps what a caller must know.
    pub(super) fn notice(&mut self, node: Node<'_>, traits: Traits) {
        let any = Traits::THROW.or(Traits::UNWRAP).or(Traits::ASSERT).or(Traits::CALL);
        if !traits.has(any) {
            return;
        }
        if traits.has(Traits::THROW) {
            self.notice_throw(node);
        }
        if traits.has(Traits::UNWRAP) {
            let fact = self.fact(node);
            push(&mut self.facts.unwraps, fact);
        }
        if traits.has(Traits::ASSERT) {
            let fact = self.fact(node);
            push(&mut self.facts.panics, fact);
        }
        if traits.has(Traits::CALL) {
            self.notice_call(node);
        }
    }

    fn notice_throw(&mut self, node: Node<'_>) {
        let fact = self.fact(node);
        push(&mut self.facts.throws, fact);
        // Directly inside an `if`, with or without a block.
        let condition = self.frames.iter().rev().take(4).find_map(|it| it.condition);
        if let Some(condition) = condition {
            let fact = self.fact_at(condition);
            push(&mut self.facts.validates, fact);
        }
    }

    fn notice_call(&mut self, node: Node<'_>) {
        let expanded = self.unit.child(node, Field::Macro);
        let named = || CALLEES.iter().find_map(|field| self.unit.child(node, *field));
        let first = || node.named_child(0);
        let Some(callee) = expanded.or_else(named).or_else(first) else { return };
        let is_macro = expanded.is_some();
        let text = self.unit.text(callee);
        let is_part_of_chain = |it: u8| matches!(it, b'\n' | b'(' | b'{' | b'"' | b'\'');
        if text.len() > 80 || text.bytes().any(is_part_of_chain) {
            // A chain: what counts is the last name in it.
            let last = last_name(text);
            if last.len() <= 40 && last.chars().all(|it| it.is_alphanumeric() || it == '_') {
                self.classify(node, last);
            }
            return;
        }
        let mark = if is_macro { "!" } else { "" };
        if is_macro {
            self.classify(node, &format!("{text}!"));
        } else {
            self.classify(node, text);
        }
        let calls = &mut self.facts.calls;
        // The length alone tells most names apart.
        let length = text.len() + mark.len();
        let is_known =
            |it: &String| it.len() == length && it.starts_with(text) && it.ends_with(mark);
        if calls.len() < MAX_CALLS && !calls.iter().any(is_known) {
            calls.push([text, mark].concat());
        }
    }

    fn classify(&mut self, node: Node<'_>, name: &str) {
        match self.table.note(name) {
            Some(Note::Unwrap) => {
                let fact = self.fact(node);
                push(&mut self.facts.unwraps, fact);
            }
            Some(Note::Panic) => {
                let fact = self.fact(node);
                push(&mut self.facts.panics, fact);
            }
            Some(Note::Throw) => self.notice_throw(node),
            None => {}
        }
    }

    fn fact(&self, node: Node<'_>) -> Fact {
        self.fact_at(Place::of(node))
    }

    fn fact_at(&self, place: Place) -> Fact {
        let text = self.unit.text.get(place.start..place.end).unwrap_or_default();
        let text = mcp_core::text::one_line(mcp_core::text::cut(text, MAX_FACT_CHARS * 2));
        let shown = mcp_core::text::cut(&text, MAX_FACT_CHARS);
        let cut = if shown.len() < text.len() { "…" } else { "" };
        let text = [shown.trim_end_matches(';'), cut].concat();
        Fact { line: place.line, text }
    }
}

fn push(facts: &mut Vec<Fact>, fact: Fact) {
    if facts.len() < MAX_FACTS {
        facts.push(fact);
    }
}
