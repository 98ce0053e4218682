//! Signatures and types as text: their words, their lists, and type parameters by their position
//! instead of their name.

use std::collections::HashMap;

use super::skeleton::{ExportSymbol, MemberInfo, Parameter};

/// Where ends what a text begins with: before the first comma or bracket that is not its own.
pub(crate) fn end_outside(text: &str) -> usize {
    first_outside(text, |it| matches!(it, b',' | b')' | b']' | b'}' | b'>')).unwrap_or(text.len())
}

/// Begins what stands for a name; no source has it.
pub(crate) const PLACEHOLDER: char = '\u{1}';

/// Words before the name in a list of type parameters.
const BEFORE_NAME: [&str; 3] = ["const", "in", "out"];

/// The names one list of parameters declares, and which of them each is.
#[derive(Debug, Clone, Default)]
pub(crate) struct Names {
    places: HashMap<String, usize>,
    count: usize,
}

impl Names {
    /// Of parameters as they are written. Counting begins at `first`.
    pub(crate) fn of(parameters: &[String], first: usize) -> Self {
        Self::listed(parameters, first, false)
    }

    /// Of parameters of which several may share one bound: `K, V any`.
    pub(crate) fn sharing_bounds(parameters: &[String], first: usize) -> Self {
        Self::listed(parameters, first, true)
    }

    fn listed(parameters: &[String], first: usize, may_share: bool) -> Self {
        let mut names = Self { places: HashMap::new(), count: first };
        for parameter in parameters {
            let declared = words(parameter).into_iter().filter(|it| !it.in_attribute);
            let mut declared = declared.filter(|it| !BEFORE_NAME.contains(&it.text));
            let Some(name) = declared.next() else { continue };
            names.add(name.text);
            let mut end = name.end;
            while may_share
                && parameter[end..].trim_start().starts_with(',')
                && let Some(next) = declared.next()
            {
                names.add(next.text);
                end = next.end;
            }
        }
        names
    }

    pub(crate) fn count(&self) -> usize {
        self.count
    }

    pub(crate) fn lifetimes(&self) -> impl Iterator<Item = String> {
        self.places.keys().filter(|it| it.starts_with('\'')).cloned()
    }

    fn add(&mut self, name: &str) {
        if name != "'_" {
            self.places.insert(name.to_owned(), self.count);
            self.count += 1;
        }
    }
}

/// Types without the packages before them, whose names begin small: `List` of `java.util.List`.
pub(crate) fn without_packages(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    let mut start = None;
    for word in words(text) {
        let is_package = text[word.end..].starts_with('.')
            && word.text.starts_with(|it: char| it.is_ascii_lowercase());
        if is_package {
            start = start.or(Some(word.start));
        } else if let Some(from) = start.take()
            && from >= done
            && text[..word.start].ends_with('.')
        {
            out.push_str(&text[done..from]);
            done = word.start;
        }
    }
    out.push_str(&text[done..]);
    out
}

/// The elements of a list up to the bracket that closes it.
pub(crate) fn split_list(text: &str) -> Vec<String> {
    split(closing(text).map_or(text, |end| &text[..end]), b',')
}

/// What stands between marks that are inside no brackets.
pub(crate) fn split(text: &str, mark: u8) -> Vec<String> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(end) = first_outside(rest, |it| it == mark) {
        parts.push(rest[..end].trim().to_owned());
        rest = &rest[end + 1..];
    }
    parts.push(rest.trim().to_owned());
    parts.retain(|it| !it.is_empty());
    parts
}

/// Where the bracket that was opened before is closed.
pub(crate) fn closing(text: &str) -> Option<usize> {
    first_outside(text, |it| matches!(it, b')' | b']' | b'}' | b'>'))
}

/// The first byte inside no brackets that is meant. Arrows are no brackets, nor are the marks of
/// Go's channels.
fn first_outside(text: &str, is_meant: impl Fn(u8) -> bool) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'>' if text[..at].ends_with(['-', '=']) => {}
            b'<' if text[at..].starts_with("<-chan") || text[..at].ends_with("chan") => {}
            it if depth == 0 && is_meant(it) => return Some(at),
            b'(' | b'[' | b'{' | b'<' => depth += 1,
            b')' | b']' | b'}' | b'>' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}

/// A text with every declared name replaced by its place; the innermost list of names comes first.
/// With `has_keys` a name before a colon is what something is called, not a type.
pub(crate) fn renamed(text: &str, names: &[&Names], has_keys: bool) -> String {
    if names.iter().all(|it| it.places.is_empty()) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for word in words(text) {
        let Some(place) = names.iter().find_map(|it| it.places.get(word.text)) else { continue };
        let (before, after) = (&text[..word.start], &text[word.end..]);
        // What a module or an object holds under that name is something else.
        let is_part = before.ends_with("::") || before.ends_with('.') && !before.ends_with("...");
        let is_key = has_keys && (after.starts_with(':') || after.starts_with("?:"));
        if is_part || is_key {
            continue;
        }
        let mark = if word.text.starts_with('\'') { "'" } else { "" };
        out.push_str(&text[done..word.start]);
        out.push_str(mark);
        out.push(PLACEHOLDER);
        out.push_str(&place.to_string());
        done = word.end;
    }
    out.push_str(&text[done..]);
    out
}

pub(crate) struct Word<'a> {
    pub(crate) text: &'a str,
    pub(crate) start: usize,
    pub(crate) end: usize,
    in_attribute: bool,
}

/// Names and lifetimes, without what is quoted.
pub(crate) fn words(text: &str) -> Vec<Word<'_>> {
    let is_name = |it: char| it.is_alphanumeric() || matches!(it, '_' | '$' | PLACEHOLDER);
    let mut found = Vec::new();
    let mut at = 0;
    let mut attribute = 0_usize;
    while let Some(first) = text[at..].chars().next() {
        let next = at + first.len_utf8();
        let named = |from: usize| {
            text[from..].find(|it| !is_name(it)).map_or(text.len(), |length| from + length)
        };
        if is_name(first) {
            let end = named(at);
            let in_attribute = attribute > 0 || text[..at].ends_with('@');
            found.push(Word { text: &text[at..end], start: at, end, in_attribute });
            at = end;
        } else if first == '\'' && named(next) > next && !text[named(next)..].starts_with('\'') {
            let end = named(next);
            found.push(Word { text: &text[at..end], start: at, end, in_attribute: attribute > 0 });
            at = end;
        } else if matches!(first, '"' | '\'' | '`') {
            at = text[next..].find(first).map_or(text.len(), |length| next + length + 1);
        } else {
            match first {
                '[' if text[..at].ends_with('#') || attribute > 0 => attribute += 1,
                ']' => attribute = attribute.saturating_sub(1),
                _ => {}
            }
            at = next;
        }
    }
    found
}

/// Replaces each `opening…` with its closing bracket by what `instead` makes of the list inside.
pub(crate) fn replaced(
    mut text: String,
    opening: &str,
    instead: impl Fn(&[String]) -> Option<String>,
) -> String {
    let is_part = |it: char| it.is_alphanumeric() || matches!(it, '_' | '$' | '.');
    let starts: Vec<usize> = text.match_indices(opening).map(|(at, _)| at).collect();
    // From the last to the first, so that inner ones are done when an outer one is looked at.
    for start in starts.into_iter().rev() {
        if text[..start].ends_with(is_part) {
            continue;
        }
        let inside = start + opening.len();
        let Some(length) = closing(&text[inside..]) else { continue };
        let of = split_list(&text[inside..=inside + length]);
        if let Some(plain) = instead(&of) {
            text.replace_range(start..=inside + length, &plain);
        }
    }
    text
}

/// Every text of a symbol itself that may name a type.
pub(crate) fn texts_of_symbol(symbol: &mut ExportSymbol) -> impl Iterator<Item = &mut String> {
    let single = [&mut symbol.return_type, &mut symbol.value_type, &mut symbol.where_clause];
    std::iter::once(&mut symbol.signature)
        .chain(single.into_iter().flatten())
        .chain(&mut symbol.type_parameters)
        .chain(&mut symbol.extends)
        .chain(&mut symbol.implements)
        .chain(texts_of_types(symbol.parameters.as_mut()))
}

/// Every text of a member that may name a type.
pub(crate) fn texts_of_member(member: &mut MemberInfo) -> impl Iterator<Item = &mut String> {
    let single = [
        &mut member.return_type,
        &mut member.value_type,
        &mut member.where_clause,
        &mut member.given_by,
    ];
    std::iter::once(&mut member.signature)
        .chain(single.into_iter().flatten())
        .chain(&mut member.type_parameters)
        .chain(texts_of_types(member.parameters.as_mut()))
}

/// The types of parameters.
pub(crate) fn texts_of_types(
    parameters: Option<&mut Vec<Parameter>>,
) -> impl Iterator<Item = &mut String> {
    parameters.into_iter().flatten().filter_map(|it| it.type_text.as_mut())
}
