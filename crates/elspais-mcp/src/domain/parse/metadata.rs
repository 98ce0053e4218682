//! The fields below a requirement's header, and the lists of references among them.

use std::collections::BTreeSet;

use super::{Citation, Contents, EdgeKind, Field, FieldName};
use crate::domain::grammar::Grammar;
use crate::domain::span::Span;

/// Words that say "nothing" in a list of references.
const NOTHING: [&str; 6] = ["-", "null", "none", "x", "n/a", "—"];

const NAMES: [(&str, FieldName); 10] = [
    ("level", FieldName::Level),
    ("status", FieldName::Status),
    ("implements", FieldName::Cites(EdgeKind::Implements)),
    ("refines", FieldName::Cites(EdgeKind::Refines)),
    ("satisfies", FieldName::Cites(EdgeKind::Satisfies)),
    ("integrates", FieldName::Cites(EdgeKind::Integrates)),
    ("validates", FieldName::Cites(EdgeKind::Validates)),
    ("verifies", FieldName::Cites(EdgeKind::Verifies)),
    ("template", FieldName::Other),
    ("addresses", FieldName::Other),
];

/// The fields of a line, none when it is not a line of metadata. Names without emphasis count only
/// where `plain` says that no prose can stand.
pub(super) fn fields(text: &str, line: Span, plain: bool) -> Vec<Field> {
    let words = line.of(text);
    let mut found = Vec::new();
    let segments = words.split('|').flat_map(|it| split_at_names(text, line, it));
    for (position, segment) in segments.enumerate() {
        match field(text, line, segment.trim(), plain || position > 0) {
            Some(field) => found.push(field),
            None if position == 0 => return Vec::new(),
            // A field of somebody's own.
            None => {}
        }
    }
    found
}

/// Fields that only blanks separate: a name set off by emphasis begins the next one.
fn split_at_names<'t>(text: &str, line: Span, segment: &'t str) -> Vec<&'t str> {
    let mut parts = Vec::new();
    let mut from = 0;
    let blanks = segment.match_indices([' ', '\t']).map(|(at, _)| at + 1);
    for at in blanks.filter(|at| segment[*at..].starts_with(['*', '_'])) {
        let is_after_something = !segment[from..at].trim().is_empty();
        if is_after_something && field(text, line, segment[at..].trim(), false).is_some() {
            parts.push(&segment[from..at]);
            from = at;
        }
    }
    parts.push(&segment[from..]);
    parts
}

fn field(text: &str, line: Span, segment: &str, plain: bool) -> Option<Field> {
    let is_mark = |it: char| matches!(it, '*' | '_');
    let unmarked = segment.trim_start_matches(is_mark);
    let emphasised = unmarked.len() < segment.len();
    let length = unmarked.bytes().take_while(u8::is_ascii_alphabetic).count();
    let label = &unmarked[..length];
    let (_, name) = NAMES.iter().find(|(name, _)| label.eq_ignore_ascii_case(name))?;
    let mut rest = &unmarked[length..];
    // The colon stands inside the emphasis or behind it.
    let mut separated = false;
    for _ in 0..2 {
        rest = rest.trim_start_matches(is_mark);
        let after = rest.trim_start();
        if !separated && let Some(after) = after.strip_prefix([':', '=']) {
            separated = true;
            rest = after;
        }
    }
    let blank_is_enough = emphasised && (rest.is_empty() || rest.starts_with(' '));
    if !(separated || blank_is_enough) || !(emphasised || plain) {
        return None;
    }
    let value = rest.trim();
    let value = if value.is_empty() { &rest[rest.len()..] } else { value };
    Some(Field {
        name: *name,
        whole: Span::within(text, segment),
        label: Span::within(text, label),
        value: Span::within(text, value),
        line,
    })
}

/// The references of a list. An item that is no id stays as it is, to be reported as broken.
pub(super) fn citations(
    grammar: &Grammar,
    text: &str,
    value: Span,
    kind: EdgeKind,
    line: u32,
    contents: &mut Contents,
) -> Vec<Citation> {
    let mut found: Vec<Citation> = Vec::new();
    let mut seen = BTreeSet::new();
    let words = value.of(text);
    if words.trim().is_empty() {
        return found;
    }
    let continued = words.trim_end().ends_with(',');
    let items: Vec<&str> = words.split(',').collect();
    let last = items.len() - 1;
    for (position, item) in items.into_iter().enumerate() {
        let item =
            item.trim().trim_matches(|it: char| matches!(it, '*' | '`') || it.is_whitespace());
        if item.is_empty() {
            if !(continued && position == last) {
                contents.remark(
                    line,
                    "empty_reference",
                    "the list of references has an empty item",
                );
            }
            continue;
        }
        if NOTHING.iter().any(|it| it.eq_ignore_ascii_case(item)) {
            continue;
        }
        if item.starts_with(['<', '[']) {
            let message = format!("`{}` is a placeholder, not a reference", shown(item));
            contents.remark(line, "placeholder_reference", message);
            continue;
        }
        let citation = match grammar.reference(item) {
            Some(reference) if !reference.goes_on(item) => {
                let rest = item[reference.length..].trim();
                if !rest.is_empty() {
                    let message = format!("`{}` behind a reference is not read", shown(rest));
                    contents.remark(line, "text_behind_reference", message);
                }
                Citation {
                    kind,
                    token: Span::within(text, &item[..reference.length]),
                    target: reference.id.canonical.into(),
                    labels: reference.labels.into(),
                    line,
                }
            }
            _ => Citation {
                kind,
                token: Span::within(text, item),
                target: item.into(),
                labels: Box::new([]),
                line,
            },
        };
        if seen.insert((citation.target.clone(), citation.labels.clone())) {
            found.push(citation);
        } else {
            let message = format!("`{}` is listed twice", shown(item));
            contents.remark(line, "repeated_reference", message);
        }
    }
    found
}

fn shown(text: &str) -> String {
    mcp_core::text::one_line(mcp_core::text::cut(text, 60))
}
