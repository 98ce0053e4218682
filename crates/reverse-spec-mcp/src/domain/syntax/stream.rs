//! A body as the sequence of its tokens: hashed so that layout does not count, and searched for
//! what a caller must know of. One walk for both, without recursion.

mod notice;
pub(crate) mod shortcut;

use sha2::{Digest as _, Sha256};
use tree_sitter::Node;

use super::field::Field;
use super::scratch::{Frame, Place, Scratch};
use super::table::{Table, Traits};
use super::unit::{self, Unit};
use crate::domain::hash::hex;
use crate::domain::skeleton::{BodyFacts, FactLists};

/// Characters of the hash that are kept: enough that two bodies of one project never meet.
const HASH_CHARS: usize = 24;

const ENTER: u8 = 1;
const LEAVE: u8 = 2;
const END_OF_TOKEN: u8 = 0;
const OPEN_RETURN: &[u8] = b"\x01statement_block\0{\0return\0";
const CLOSE_RETURN: &[u8] = b"}\0\x02";

pub(crate) struct Body {
    pub(crate) hash: String,
    pub(crate) facts: BodyFacts,
}

/// Reads one body. With several nodes, one after the other.
pub(crate) fn read(unit: &Unit<'_>, nodes: &[Node<'_>]) -> Body {
    read_between(unit, b"", nodes, b"")
}

/// Reads the body of a lambda that is an expression: the same as a block that returns it.
pub(crate) fn read_returned(unit: &Unit<'_>, node: Node<'_>) -> Body {
    read_between(unit, OPEN_RETURN, &[node], CLOSE_RETURN)
}

fn read_between(unit: &Unit<'_>, before: &[u8], nodes: &[Node<'_>], after: &[u8]) -> Body {
    let Scratch { mut bytes, mut frames } = unit.scratch.take();
    bytes.clear();
    frames.clear();
    let facts = FactLists::default();
    let mut reader = Reader { unit, table: unit.table, bytes, facts, frames };
    reader.bytes.extend_from_slice(before);
    for node in nodes {
        reader.walk(*node);
    }
    reader.bytes.extend_from_slice(after);
    let digest = Sha256::digest(&reader.bytes);
    let hash = hex(&digest[..HASH_CHARS / 2]);
    unit.scratch.replace(Scratch { bytes: reader.bytes, frames: reader.frames });
    Body { hash, facts: reader.facts.into() }
}

struct Reader<'a> {
    unit: &'a Unit<'a>,
    table: &'a Table,
    bytes: Vec<u8>,
    facts: FactLists,
    frames: Vec<Frame>,
}

impl Reader<'_> {
    fn walk(&mut self, start: Node<'_>) {
        let mut cursor = start.walk();
        let depth = self.frames.len();
        loop {
            let node = cursor.node();
            let field = if self.frames.last().is_some_and(|it| it.traits.has(Traits::LAMBDA)) {
                cursor.field_name()
            } else {
                None
            };
            if self.enter(node, field) && cursor.goto_first_child() {
                continue;
            }
            loop {
                // The start has no siblings here.
                if self.frames.len() == depth {
                    return;
                }
                if self.goes_on() && !self.ends_plainly(&cursor) && cursor.goto_next_sibling() {
                    break;
                }
                cursor.goto_parent();
                self.leave();
            }
        }
    }

    /// Counts a child of the innermost open node as done; true when there are more.
    fn goes_on(&mut self) -> bool {
        self.frames.last_mut().is_some_and(|frame| {
            frame.remaining = frame.remaining.saturating_sub(1);
            frame.remaining > 0
        })
    }

    /// Takes a node in; true when its children are to follow.
    fn enter(&mut self, node: Node<'_>, field: Option<&str>) -> bool {
        let kind = node.kind_id();
        let traits = self.table.traits(kind);
        let children = node.child_count();
        if traits.has(Traits::COMMENT) || (children == 0 && node.is_missing()) {
            return false;
        }
        let expression_body = field == Some("body") && self.unit.kind(node) != "statement_block";
        let lone_parameter = field == Some("parameter");
        if expression_body {
            self.bytes.extend_from_slice(OPEN_RETURN);
        } else if lone_parameter {
            self.bytes.extend_from_slice(b"\x01formal_parameters\0(\0");
        }
        let closing: &'static [u8] = match (expression_body, lone_parameter) {
            (true, _) => CLOSE_RETURN,
            (_, true) => b")\0\x02",
            _ => b"",
        };
        let is_whole = Traits::STRING.or(Traits::LOOSE_TEXT).or(Traits::ATOM);
        if children == 0 || traits.has(is_whole) {
            self.token(node, traits);
            self.bytes.extend_from_slice(closing);
            return false;
        }
        self.notice(node, traits);
        let parent = self.frames.last_mut();
        let (parent_kind, parent_traits) =
            parent.as_ref().map_or((u16::MAX, Traits::default()), |it| (it.kind, it.traits));
        if let Some(parent) = parent {
            parent.after_element = true;
            parent.after_ender = traits.has(Traits::ENDER);
        }
        if traits.has(Traits::DOTTED) && self.push_dotted(node) {
            self.bytes.extend_from_slice(closing);
            return false;
        }
        let chained =
            traits.has(Traits::CHAIN) && (parent_kind == kind || node.named_child_count() == 1);
        let single = traits.has(Traits::BLOCK)
            && parent_traits.has(Traits::SINGLE_BLOCK_INSIDE)
            && self.holds_one_expression(node);
        // Two brackets and what is between them: with a comma it would be a list.
        let lone = traits.has(Traits::LONE_GROUP) && node.child_count() == 3;
        let nested = traits.has(Traits::NEST) && !chained && !single && !lone;
        let bare = traits.has(Traits::GROUP) || single || lone;
        if nested {
            self.bytes.push(ENTER);
            self.bytes.extend_from_slice(self.table.meaning(kind).as_bytes());
            self.bytes.push(END_OF_TOKEN);
        }
        if nested && !bare && self.push_list_of_names(node) {
            self.bytes.push(LEAVE);
            self.bytes.extend_from_slice(closing);
            return false;
        }
        self.frames.push(Frame {
            traits: if nested { traits } else { without_nest(traits) },
            kind,
            end: node.end_byte(),
            remaining: children,
            bare,
            closing,
            after_element: false,
            after_ender: false,
            condition: traits
                .has(Traits::CONDITION)
                .then(|| self.unit.child(node, Field::Condition).map(Place::of))
                .flatten(),
        });
        true
    }

    fn leave(&mut self) {
        if let Some(frame) = self.frames.pop() {
            if frame.traits.has(Traits::NEST) {
                self.bytes.push(LEAVE);
            }
            self.bytes.extend_from_slice(frame.closing);
        }
    }

    fn token(&mut self, node: Node<'_>, traits: Traits) {
        let text = self.unit.text(node);
        let frame = self.frames.last_mut();
        let after_element = frame.as_ref().is_some_and(|it| it.after_element);
        let bare = frame.as_ref().is_some_and(|it| it.bare);
        let ends = frame.as_ref().is_some_and(|it| it.after_ender);
        let chain = frame.as_ref().is_some_and(|it| it.traits.has(Traits::CHAIN));
        let keyed = frame.as_ref().is_some_and(|it| it.traits.has(Traits::KEYED));
        let names = keyed && !after_element;
        let goes_on =
            after_element && frame.as_ref().is_some_and(|it| it.traits.has(Traits::JOINED));
        if let Some(frame) = frame {
            // A comma after these two says that something is left out: `[, b]`. A name may have words
            // before it, as in `async "name"() {}`, and ends with its colon.
            frame.after_element = if keyed { text == ":" } else { !matches!(text, "[" | ",") };
            frame.after_ender = false;
        }
        // Nearly every token begins with what is no space, and to look for one takes long.
        let is_blank = || text.trim_start().is_empty();
        let may_be_blank = text.bytes().next().is_none_or(|it| it <= b' ' || !it.is_ascii());
        if traits.has(Traits::DROPPED) || may_be_blank && is_blank() {
            return;
        }
        let skipped = match text {
            "," => after_element,
            "(" | ")" | "{" | "}" => bare,
            ";" => ends,
            "|" | "&" => chain && !after_element,
            _ => false,
        };
        if skipped {
            return;
        }
        if traits.has(Traits::STRING) {
            let content = unit::string_content(text);
            let name = content.strip_prefix('"').filter(|it| names && is_name(it));
            if goes_on && let Some(more) = content.strip_prefix('"') {
                // In the place of the mark that ended the text before.
                self.bytes.pop();
                self.bytes.extend_from_slice(more.as_bytes());
                self.bytes.push(END_OF_TOKEN);
                return;
            }
            self.bytes.extend_from_slice(name.unwrap_or(&content).as_bytes());
        } else if traits.has(Traits::NUMBER) {
            self.bytes.extend_from_slice(unit::plain_number(text).as_bytes());
        } else if traits.has(Traits::LOOSE_TEXT) {
            self.bytes.extend_from_slice(mcp_core::text::one_line(text).as_bytes());
        } else {
            self.bytes.extend_from_slice(text.as_bytes());
        }
        self.bytes.push(END_OF_TOKEN);
    }

    /// Whether a block is only there because of a layout tool: `=> { value }`.
    fn holds_one_expression(&self, block: Node<'_>) -> bool {
        let mut cursor = block.walk();
        let mut inside = block
            .named_children(&mut cursor)
            .filter(|it| !self.table.traits(it.kind_id()).has(Traits::COMMENT));
        match (inside.next(), inside.next()) {
            (Some(only), None) => {
                let kind = self.unit.kind(only);
                let text = self.unit.text(only);
                let leaves = |it: Node<'_>| self.table.traits(it.kind_id()).has(Traits::ENDER);
                let is_statement = kind == "expression_statement"
                    && text.ends_with(';')
                    && !only.named_child(0).is_some_and(leaves);
                !is_statement && !kind.ends_with("_declaration") && !kind.ends_with("_item")
            }
            _ => false,
        }
    }
}

fn without_nest(traits: Traits) -> Traits {
    traits.without(Traits::NEST)
}

/// Whether a key needs no quotes.
fn is_name(key: &str) -> bool {
    let is_letter = |it: char| it.is_ascii_alphabetic() || it == '_' || it == '$';
    key.starts_with(is_letter) && key.chars().all(|it| is_letter(it) || it.is_ascii_digit())
}
