//! What something is written in.

use serde::Serialize;

/// What something is written in, by the word that the table of the language has for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub(crate) struct LanguageId(&'static str);

impl LanguageId {
    pub(crate) fn new(word: &'static str) -> Self {
        Self(word)
    }

    pub(crate) fn as_str(self) -> &'static str {
        self.0
    }
}

/// A language that is not read here, in a baseline that another generator wrote.
impl Default for LanguageId {
    fn default() -> Self {
        Self("other")
    }
}
