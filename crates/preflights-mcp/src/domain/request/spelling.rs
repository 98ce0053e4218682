//! Names as users spell them: which letters tell one, and which everyday words are none.

use super::grammar::grammar;

/// A name, as the user spells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Name {
    pub(super) spelled: String,
    /// Token indices.
    pub(super) start: usize,
    pub(super) end: usize,
}

/// An everyday word is no name, even where something is used instead of another.
pub(super) fn is_common(spelled: &str) -> bool {
    let word = spelled.to_lowercase();
    let plural = word.ends_with('s')
        && !word.contains(['-', '/'])
        && !["ss", "js", "us", "is", "os"].iter().any(|it| word.ends_with(it));
    let commands = super::command::is_command(&word);
    let ending = ["ing", "ion", "ment", "ness", "ity"].iter().any(|it| word.ends_with(it));
    let known = |it: &str| grammar().common.contains(it) || grammar().closed.contains(it);
    plural
        || commands
        || ending
        || word.len() < 2
        || known(&word)
        || word.starts_with(|it: char| it.is_ascii_digit())
}

pub(super) fn is_plain_word(spelled: &str) -> bool {
    spelled.len() < 3
}

/// A capital or a digit within the word.
pub(super) fn is_name(spelled: &str) -> bool {
    spelled.chars().any(|it| it.is_uppercase() || it.is_ascii_digit()) && spelled.len() > 1
}

/// What begins small and goes on with a capital, as `localStorage` does, is a place in code.
pub(super) fn is_code(spelled: &str) -> bool {
    spelled.chars().next().is_some_and(char::is_lowercase)
        && spelled.as_bytes().windows(3).any(|it| {
            it[0].is_ascii_lowercase() && it[1].is_ascii_uppercase() && it[2].is_ascii_lowercase()
        })
}

/// The name of a library that is known, however it is written.
pub(super) fn is_library_name(spelled: &str) -> bool {
    grammar().libraries.contains(spelled.to_lowercase().as_str())
}

/// Whether letters or a list tell that this is a name, and not an everyday word.
pub(super) fn is_telling(spelled: &str) -> bool {
    is_name(spelled) || is_library_name(spelled)
}
