//! Type parameters and lifetimes by their position instead of their name.

use std::collections::HashMap;

use crate::skeleton::LanguageId;

/// Begins what stands for a name; no source has it.
pub(super) const PLACEHOLDER: char = '\u{1}';

/// Words before the name in a list of type parameters.
const BEFORE_NAME: [&str; 3] = ["const", "in", "out"];

/// The names one list of parameters declares, and which of them each is.
#[derive(Debug, Clone, Default)]
pub(super) struct Names {
    places: HashMap<String, usize>,
    count: usize,
}

impl Names {
    /// Of parameters as they are written. Counting begins at `first`.
    pub(super) fn of(parameters: &[String], language: LanguageId, first: usize) -> Self {
        let mut names = Self { places: HashMap::new(), count: first };
        for parameter in parameters {
            let declared = words(parameter).into_iter().filter(|it| !it.in_attribute);
            let mut declared = declared.filter(|it| !BEFORE_NAME.contains(&it.text));
            let Some(name) = declared.next() else { continue };
            names.add(name.text);
            // Go lets several share one constraint: `K, V any`.
            let mut end = name.end;
            while language == LanguageId::Go
                && parameter[end..].trim_start().starts_with(',')
                && let Some(next) = declared.next()
            {
                names.add(next.text);
                end = next.end;
            }
        }
        names
    }

    /// Of Rust's `impl<'a, T: Clone> …`.
    pub(super) fn of_block(head: &str, language: LanguageId) -> Self {
        let Some(list) = head.trim_start_matches("unsafe ").strip_prefix("impl<") else {
            return Self::default();
        };
        Self::of(&split_list(list), language, 0)
    }

    /// Of the type a method of Go belongs to: `func (s *Stack[T]) Push(…)`.
    pub(super) fn of_receiver(signature: &str, language: LanguageId) -> Self {
        let receiver = signature.strip_prefix("func").and_then(|it| it.split_once(')'));
        let list = receiver.and_then(|(receiver, _)| receiver.split_once('['));
        list.map(|(_, it)| Self::of(&split_list(it), language, 0)).unwrap_or_default()
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    pub(super) fn lifetimes(&self) -> impl Iterator<Item = String> {
        self.places.keys().filter(|it| it.starts_with('\'')).cloned()
    }

    fn add(&mut self, name: &str) {
        if name != "'_" {
            self.places.insert(name.to_owned(), self.count);
            self.count += 1;
        }
    }
}

/// The elements of a list up to the bracket that closes it.
pub(super) fn split_list(text: &str) -> Vec<String> {
    split(closing(text).map_or(text, |end| &text[..end]), b',')
}

/// What stands between marks that are inside of no brackets.
pub(super) fn split(text: &str, mark: u8) -> Vec<String> {
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
pub(super) fn closing(text: &str) -> Option<usize> {
    first_outside(text, |it| matches!(it, b')' | b']' | b'}' | b'>'))
}

/// The first byte inside of no brackets that is meant. Arrows are no brackets, nor are the marks of
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
pub(super) fn renamed(text: &str, names: &[&Names], language: LanguageId) -> String {
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
        let is_key =
            language != LanguageId::Rust && (after.starts_with(':') || after.starts_with("?:"));
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

pub(super) struct Word<'a> {
    pub(super) text: &'a str,
    pub(super) start: usize,
    pub(super) end: usize,
    in_attribute: bool,
}

/// Names and lifetimes, without what is quoted.
pub(super) fn words(text: &str) -> Vec<Word<'_>> {
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
