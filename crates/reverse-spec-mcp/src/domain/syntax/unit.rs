//! One file while it is read: its text, and text of its nodes in a form that layout cannot change.

use std::borrow::Cow;
use std::cell::RefCell;

use sha2::{Digest as _, Sha256};
use tree_sitter::Node;

use super::field::Field;
use super::scratch::Scratch;
use super::table::{Table, Traits};
use crate::domain::hash::hex;

/// Longer documentation is cut.
const MAX_DOC_CHARS: usize = 6_000;
/// Longer signatures, types and values are cut; their hash still covers all of it.
const MAX_TEXT_CHARS: usize = 4_000;

pub(crate) struct Unit<'a> {
    pub(crate) text: &'a str,
    /// Relative to the project root.
    pub(crate) path: &'a str,
    pub(crate) table: &'a Table,
    pub(crate) scratch: RefCell<Scratch>,
}

impl<'a> Unit<'a> {
    pub(crate) fn text(&self, node: Node<'_>) -> &'a str {
        self.text.get(node.start_byte()..node.end_byte()).unwrap_or_default()
    }

    /// The text of a node on one line, without comments.
    pub(crate) fn clean(&self, node: Node<'_>) -> String {
        self.clean_between(node, node.start_byte(), node.end_byte())
    }

    /// Like `clean`, for the part of a node from one byte to another.
    pub(crate) fn clean_between(&self, node: Node<'_>, start: usize, end: usize) -> String {
        let raw = self.text.get(start..end).unwrap_or_default().trim();
        if is_plain(raw) {
            return marked(raw.into());
        }
        marked(self.tokens_between(node, start, end).into())
    }

    fn tokens_between(&self, node: Node<'_>, start: usize, end: usize) -> String {
        let mut out = String::new();
        let mut last_end = start;
        let mut cursor = node.walk();
        let mut depth = 0_usize;
        loop {
            let at = cursor.node();
            let outside = at.end_byte() <= start || at.start_byte() >= end;
            let traits = self.table.traits(at.kind_id());
            if !outside && traits.has(Traits::COMMENT) {
                // A comment counts as the space it takes.
                self.gap(&mut out, last_end, at.start_byte(), None);
                last_end = at.end_byte();
            } else if !outside {
                let before = out.trim_end();
                if traits.has(Traits::SEPARATED)
                    && !before.is_empty()
                    && !before.ends_with(['{', ';', ',', '|'])
                {
                    out.truncate(before.len());
                    out.push(';');
                }
                let atomic = at.child_count() == 0 || traits.has(Traits::STRING);
                if !atomic && cursor.goto_first_child() {
                    depth += 1;
                    continue;
                }
                let token = self.text(at);
                if !token.is_empty() {
                    self.gap(&mut out, last_end, at.start_byte(), Some(token));
                    out.push_str(token.trim_end_matches(['\n', '\r']));
                    last_end = at.end_byte();
                }
            }
            loop {
                if depth == 0 {
                    return out.trim().to_owned();
                }
                if cursor.goto_next_sibling() {
                    break;
                }
                cursor.goto_parent();
                depth -= 1;
            }
        }
    }

    /// Puts between two tokens what stands between them in the source, on one line.
    fn gap(&self, out: &mut String, from: usize, to: usize, next: Option<&str>) {
        let gap = self.text.get(from..to).unwrap_or_default();
        let closes = matches!(next, Some(")" | "]" | ">"));
        if gap.trim().is_empty() {
            if closes && !gap.is_empty() && out.trim_end().ends_with(',') {
                let kept = out.trim_end().len() - 1;
                out.truncate(kept);
            }
            let broken = gap.contains('\n');
            let dotted = matches!(next, Some("." | "?." | "::"));
            let tight = broken && (closes || dotted || out.ends_with(['(', '[', '<']));
            if !gap.is_empty() && (!tight || next.is_none()) && !out.ends_with(' ') {
                out.push(' ');
            }
        } else {
            // Text that the grammar has no node for, such as that of a template string.
            out.push_str(gap);
        }
    }

    /// A comment as it is written, without the indentation of its place.
    pub(crate) fn doc(&self, start: usize, end: usize) -> Option<String> {
        let raw = self.text.get(start..end)?.trim_end();
        let mut lines = raw.lines();
        let mut doc = lines.next()?.trim_end().to_owned();
        for line in lines {
            let line = line.trim();
            doc.push_str(if line.starts_with('*') { "\n " } else { "\n" });
            doc.push_str(line);
        }
        Some(bounded(doc.into(), MAX_DOC_CHARS))
    }

    /// What the grammar calls a node.
    pub(crate) fn kind(&self, node: Node<'_>) -> &'a str {
        self.table.name(node.kind_id())
    }

    pub(crate) fn child<'tree>(&self, node: Node<'tree>, field: Field) -> Option<Node<'tree>> {
        self.table.fields.child(node, field)
    }

    pub(crate) fn field(&self, node: Node<'_>, field: Field) -> Option<String> {
        self.child(node, field).map(|it| self.clean(it))
    }

    pub(crate) fn has_token(&self, node: Node<'_>, token: &str) -> bool {
        let mut cursor = node.walk();

        node.children(&mut cursor).any(|it| !it.is_named() && self.kind(it) == token)
    }

    pub(crate) fn child_of_kind<'tree>(
        &self,
        node: Node<'tree>,
        kind: &str,
    ) -> Option<Node<'tree>> {
        let mut cursor = node.walk();

        node.children(&mut cursor).find(|it| self.kind(*it) == kind)
    }
}

/// Whether a text is on one line already, without comments and with one blank at a time.
fn is_plain(text: &str) -> bool {
    let mut last = 0;
    text.bytes().all(|byte| {
        let is_second_blank = byte == b' ' && last == b' ';
        last = byte;
        !is_second_blank && !matches!(byte, b'\n' | b'\t' | b'#' | b'/')
    })
}

/// Before the mark of a text that was cut.
pub(crate) const CUT: &str = "… #";
/// Bytes of its hash that the mark shows.
const MARK_BYTES: usize = 6;

/// A text that is not too long, or its beginning with a mark that tells it from others. What layout
/// tools decide is not in the mark.
fn marked(text: Cow<'_, str>) -> String {
    if text.len() <= MAX_TEXT_CHARS {
        return text.into_owned();
    }
    let counts = |it: &char| !it.is_whitespace() && !"'\"`|,;()".contains(*it);
    let plain: String = text.chars().filter(counts).collect();
    let mark = hex(&Sha256::digest(plain)[..MARK_BYTES]);
    let shown = bounded(text, MAX_TEXT_CHARS);
    format!("{}{CUT}{mark}", shown.trim_end_matches('…'))
}

fn bounded(text: Cow<'_, str>, characters: usize) -> String {
    // Few are so long that their characters must be counted.
    let is_long = text.len() > characters;
    match is_long.then(|| text.char_indices().nth(characters)).flatten() {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text.into_owned(),
    }
}

pub(crate) fn start_line(node: Node<'_>) -> usize {
    node.start_position().row + 1
}

pub(crate) fn end_line(node: Node<'_>) -> usize {
    let end = node.end_position();
    // Some nodes end with the newline after them.
    if end.column == 0 && end.row > node.start_position().row { end.row } else { end.row + 1 }
}

pub(crate) fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.children(&mut cursor).collect()
}

/// What a string literal holds, whichever quotes are around it. Begins with its prefix and `"`.
pub(crate) fn string_content(literal: &str) -> Cow<'_, str> {
    let prefix = literal.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (prefix, rest) = literal.split_at(prefix);
    let quotes = ["\"\"\"", "'''", "\"", "'"];
    let inner =
        quotes.iter().find_map(|it| rest.strip_prefix(it).and_then(|rest| rest.strip_suffix(it)));
    match inner {
        Some(inner) => {
            let plain = inner.replace("\\'", "'").replace("\\\"", "\"");
            Cow::Owned(format!("{}\"{plain}", prefix.to_ascii_lowercase()))
        }
        None => Cow::Borrowed(literal),
    }
}

/// A number as layout tools write it: small letters, no zeros that say nothing.
pub(crate) fn plain_number(literal: &str) -> String {
    let mut number = literal.to_ascii_lowercase();
    let decimal = number.contains('.') && !number.contains(['x', 'e', '_']);
    if decimal && number.bytes().all(|it| it.is_ascii_digit() || it == b'.') {
        let kept = number.trim_end_matches('0').trim_end_matches('.').len();
        number.truncate(kept);
    }
    number
}
