//! The text of a file, held once by all who need it.

use std::ops::Deref;
use std::sync::{Arc, Weak};

use crate::domain::span::Span;

/// Bytes that are compared at once.
const CHUNK: usize = 4096;

/// Copies are the same bytes: nothing of a text is ever moved, however large it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Text(Arc<String>);

impl Text {
    /// Whether both are one and the same, without a look at what they say.
    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// What tells it from every other text, and keeps nothing of it.
    pub(crate) fn identity(&self) -> Identity {
        Identity(Arc::downgrade(&self.0))
    }
}

/// Which text something was made of.
#[derive(Debug)]
pub(crate) struct Identity(Weak<String>);

impl Identity {
    pub(crate) fn is_of(&self, text: &Text) -> bool {
        std::ptr::eq(self.0.as_ptr(), Arc::as_ptr(&text.0))
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self(Arc::new(text))
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self::from(text.to_owned())
    }
}

/// Where a text differs from another: what lies before is the same in both, and so is what lies
/// behind, counted from the end.
pub(crate) fn differing(text: &str, other: &str) -> Span {
    let (bytes, others) = (text.as_bytes(), other.as_bytes());
    let start = same_at_front(bytes, others);
    let (rest, other_rest) = (&bytes[start..], &others[start..]);
    let behind = same_at_back(rest, other_rest);
    // Not in the midst of a letter.
    let start = (0..=start).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let end = bytes.len() - behind;
    let end = (end..=bytes.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(bytes.len());
    Span::new(start, end)
}

fn same_at_front(one: &[u8], other: &[u8]) -> usize {
    let chunks = one.chunks_exact(CHUNK).zip(other.chunks_exact(CHUNK));
    let at = chunks.take_while(|(one, other)| one == other).count() * CHUNK;
    at + one[at..].iter().zip(&other[at..]).take_while(|(one, other)| one == other).count()
}

fn same_at_back(one: &[u8], other: &[u8]) -> usize {
    let chunks = one.rchunks_exact(CHUNK).zip(other.rchunks_exact(CHUNK));
    let at = chunks.take_while(|(one, other)| one == other).count() * CHUNK;
    let (one, other) = (&one[..one.len() - at], &other[..other.len() - at]);
    at + one.iter().rev().zip(other.iter().rev()).take_while(|(one, other)| one == other).count()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_differs_lies_between_what_is_the_same_at_both_ends() {
        let place = |text: &str, other: &str| {
            let at = differing(text, other);
            (at.start, at.end)
        };
        assert_eq!(place("one two", "one three"), (5, 7));
        assert_eq!(place("aaa", "aa"), (2, 3), "a repetition has no place of its own");
        assert_eq!(place("aa", "aaa"), (2, 2));
        assert_eq!(place("same", "same"), (4, 4));
        assert_eq!(place("kü", "kö"), (1, 3), "letters are whole");
        let long = "x".repeat(CHUNK * 3);
        assert_eq!(place(&format!("{long}y{long}"), &format!("{long}{long}")), (12288, 12289));
    }

    proptest! {
        #[test]
        fn outside_of_what_differs_both_texts_are_the_same(
            (front, one, other, back) in ("[aü\n]{0,6}", "[abü]{0,4}", "[abü]{0,4}", "[aü]{0,6}")
        ) {
            let (one, other) = (format!("{front}{one}{back}"), format!("{front}{other}{back}"));
            let at = differing(&one, &other);
            let behind = one.len() - at.to();
            prop_assert_eq!(&one[..at.from()], &other[..at.from()]);
            prop_assert_eq!(&one[at.to()..], &other[other.len() - behind..]);
        }
    }
}
