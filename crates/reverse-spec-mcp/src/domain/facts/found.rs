//! What is found, put together.

use super::code::Code;
use crate::domain::skeleton::{EntryKind, EntryPoint};

/// A file with more of it is generated, or a list of something else.
pub(super) const MAX_ENTRIES: usize = 600;
/// Longer texts are no names.
pub(super) const MAX_TEXT: usize = 120;
/// Names of variables whose values are nobody's business.
const SECRET_WORDS: [&str; 9] =
    ["SECRET", "TOKEN", "PASSWORD", "PASSWD", "KEY", "CREDENTIAL", "DSN", "PRIVATE", "SALT"];
/// What stands for such a value.
pub(super) const NOT_SHOWN: &str = "(not shown)";

/// Facts of one file as they are found.
pub(super) struct Found<'a> {
    pub(super) path: &'a str,
    pub(super) all: Vec<EntryPoint>,
}

impl Found<'_> {
    pub(super) fn entry(&self, kind: EntryKind, name: String, line: usize) -> EntryPoint {
        EntryPoint { kind, name, line, file: self.path.to_owned(), ..EntryPoint::default() }
    }

    pub(super) fn push(&mut self, entry: EntryPoint) {
        if self.all.len() < MAX_ENTRIES && !entry.name.trim().is_empty() {
            self.all.push(entry);
        }
    }

    /// Nothing more is taken.
    pub(super) fn is_full(&self) -> bool {
        self.all.len() >= MAX_ENTRIES
    }

    pub(super) fn has(&self, kind: EntryKind, name: &str) -> bool {
        self.all.iter().any(|it| it.kind == kind && it.name == name)
    }
}

/// Whether what has this name is nobody's business.
pub(super) fn is_secret(name: &str) -> bool {
    let capitals = name.to_ascii_uppercase();
    SECRET_WORDS.iter().any(|it| capitals.contains(it))
}

/// What is shown of a value that is taken instead.
pub(super) fn fallback(name: &str, value: &str) -> Option<String> {
    let value = value.trim();
    if value.is_empty() || matches!(value, "None" | "null" | "undefined" | "nil" | "...") {
        None
    } else if is_secret(name) && !is_empty_text(value) {
        // That there is one is worth knowing; what it is stays where it is.
        Some(NOT_SHOWN.to_owned())
    } else {
        Some(mcp_core::text::cut(value, MAX_TEXT).to_owned())
    }
}

fn is_empty_text(value: &str) -> bool {
    matches!(value, "''" | "\"\"" | "true" | "false" | "True" | "False")
}

/// Addresses put together with one slash between them.
pub(super) fn joined(prefix: &str, address: &str) -> String {
    if prefix.is_empty() {
        return if address.starts_with(['/', '^', '*', '<', '(']) || address.contains("://") {
            address.to_owned()
        } else {
            format!("/{address}")
        };
    }
    let address = address.trim_start_matches('^').trim_start_matches('/');
    let prefix = prefix.trim_end_matches('/');
    let prefix = if prefix.starts_with('/') { prefix.to_owned() } else { format!("/{prefix}") };
    if address.is_empty() { prefix } else { format!("{}/{address}", prefix.trim_end_matches('/')) }
}

/// The value of an argument by one of its names.
pub(super) fn by_name<'b>(
    code: &Code<'_>,
    arguments: &'b [super::code::Argument<'_>],
    names: &[String],
) -> Option<&'b std::ops::Range<usize>> {
    let _ = code;
    let named = |it: &&super::code::Argument<'_>| {
        it.name.is_some_and(|name| names.iter().any(|it| it == name))
    };
    arguments.iter().find(named).map(|it| &it.value)
}
