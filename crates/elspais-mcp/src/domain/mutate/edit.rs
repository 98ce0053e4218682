//! Edits of texts and their inverses.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::domain::span::Span;
use crate::domain::text::Text;

/// Bytes of a text replaced by others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Edit {
    pub(crate) at: Span,
    pub(crate) with: String,
}

impl Edit {
    pub(crate) fn replace(at: Span, with: impl Into<String>) -> Self {
        Self { at, with: with.into() }
    }

    pub(crate) fn insert(at: usize, text: impl Into<String>) -> Self {
        Self { at: Span::new(at, at), with: text.into() }
    }

    pub(crate) fn remove(from: usize, to: usize) -> Self {
        Self { at: Span::new(from, to), with: String::new() }
    }
}

/// Edits of several files that belong together.
#[derive(Debug, Clone, Default)]
pub(super) struct Layer {
    pub(super) files: BTreeMap<Arc<str>, Vec<Edit>>,
    pub(super) created: Vec<(Arc<str>, Text)>,
    pub(super) removed: Vec<Arc<str>>,
}

/// What lies between the first and the last of some edits; `None` without any.
pub(super) fn around(edits: &[Edit]) -> Option<Span> {
    Some(Span {
        start: edits.iter().map(|edit| edit.at.start).min()?,
        end: edits.iter().map(|edit| edit.at.end).max()?,
    })
}

/// The new text, and the edits that make the old one of it. Edits must not overlap.
pub(crate) fn apply(text: &str, mut edits: Vec<Edit>) -> (String, Vec<Edit>) {
    edits.sort_by_key(|edit| (edit.at.start, edit.at.end));
    let grows: usize = edits.iter().map(|edit| edit.with.len()).sum();
    let mut new = String::with_capacity(text.len() + grows);
    let mut inverse = Vec::with_capacity(edits.len());
    let mut from = 0;
    for edit in edits {
        new.push_str(&text[from..edit.at.from().max(from)]);
        let start = new.len();
        new.push_str(&edit.with);
        inverse.push(Edit::replace(Span::new(start, new.len()), edit.at.of(text)));
        from = edit.at.to().max(from);
    }
    new.push_str(&text[from..]);
    (new, inverse)
}
