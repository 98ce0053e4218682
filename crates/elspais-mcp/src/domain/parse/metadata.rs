//! The fields below a requirement's header, and the lists of references among them.

use super::{Citation, Contents, EdgeKind, Field, FieldName, Seen, Sym};
use crate::domain::grammar::Grammar;
use crate::domain::span::{Labels, Span};

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
    // Every line below a header is asked about, and most are prose.
    if name(words.trim_start()).is_none() {
        return found;
    }
    let mut is_first = true;
    for segment in words.split('|') {
        let mut from = 0;
        while from < segment.len() || is_first {
            let end = next_name(text, line, segment, from);
            match field(text, line, segment[from..end].trim(), plain || !is_first) {
                Some(field) => found.push(field),
                None if is_first => return Vec::new(),
                // A field of somebody's own.
                None => {}
            }
            is_first = false;
            from = end;
        }
    }
    found
}

/// Where the next of several fields begins that only blanks separate: a name set off by emphasis.
fn next_name(text: &str, line: Span, segment: &str, from: usize) -> usize {
    let bytes = segment.as_bytes();
    let blanks = memchr::memchr2_iter(b' ', b'\t', &bytes[from..]).map(|at| from + at + 1);
    let begins = |at: &usize| {
        matches!(bytes.get(*at), Some(b'*' | b'_'))
            && !segment[from..*at].trim().is_empty()
            && field(text, line, segment[*at..].trim(), false).is_some()
    };
    let mut blanks = blanks;
    blanks.find(begins).unwrap_or(segment.len())
}

/// The name that a field begins with, and what is behind it.
fn name(segment: &str) -> Option<(FieldName, &str, &str)> {
    let unmarked = segment.trim_start_matches(is_mark);
    let length = unmarked.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (label, rest) = unmarked.split_at(length);
    let (_, name) = NAMES.iter().find(|(name, _)| label.eq_ignore_ascii_case(name))?;
    Some((*name, label, rest))
}

fn is_mark(it: char) -> bool {
    matches!(it, '*' | '_')
}

fn field(text: &str, line: Span, segment: &str, plain: bool) -> Option<Field> {
    let emphasised = segment.starts_with(is_mark);
    let (name, label, mut rest) = name(segment)?;
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
        name,
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
    let mut seen = Seen::default();
    let words = value.of(text);
    if words.trim().is_empty() {
        return found;
    }
    let continued = words.trim_end().ends_with(',');
    let mut items = words.split(',').peekable();
    while let Some(item) = items.next() {
        let item =
            item.trim().trim_matches(|it: char| matches!(it, '*' | '`') || it.is_whitespace());
        if item.is_empty() {
            if !(continued && items.peek().is_none()) {
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
                    sym: Sym::default(),
                }
            }
            _ => Citation {
                kind,
                token: Span::within(text, item),
                target: item.into(),
                labels: Labels::default(),
                line,
                sym: Sym::default(),
            },
        };
        if seen.is_new(&citation, &found) {
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
