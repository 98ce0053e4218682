//! Names of commits and objects, checked before git sees them.

use std::fmt;

use super::GitError;

/// The full name of an object, as git wrote it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(String);

impl ObjectId {
    pub(super) fn parse(text: &str) -> Result<Self, GitError> {
        let whole = matches!(text.len(), 40 | 64) && text.bytes().all(|b| b.is_ascii_hexdigit());
        if !whole {
            return Err(GitError::Unreadable { what: "the name of an object" });
        }
        Ok(Self(text.to_owned()))
    }

    /// Gives all 40 or 64 hexadecimal digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// As people write it.
    pub fn short(&self) -> &str {
        &self.0[..12]
    }

    /// What git writes where there is no object.
    pub(super) fn is_nothing(&self) -> bool {
        self.0.bytes().all(|byte| byte == b'0')
    }

    pub(super) fn nothing_like(&self) -> Self {
        Self("0".repeat(self.0.len()))
    }
}

impl fmt::Display for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A revision a caller may name: a branch, tag, commit or a step back from one; never an option, a
/// range, a path in a tree or a search.
pub(super) fn check_revision(name: &str) -> Result<(), GitError> {
    let forbidden = |c: char| c.is_whitespace() || c.is_control() || ":?*[\\!'\"`$".contains(c);
    let wrong = name.is_empty()
        || name.len() > 250
        || name.starts_with('-')
        || name.starts_with('^')
        || name.contains("..")
        || name.contains("{/")
        || name.contains(forbidden);
    if wrong { Err(not_a_name(name)) } else { Ok(()) }
}

/// The name of a branch we make ourselves: a plain path of plain words.
pub(super) fn check_branch(name: &str) -> Result<(), GitError> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_.+-".contains(c);
    let component = |part: &str| {
        !part.is_empty()
            && part.chars().all(plain)
            && !part.starts_with(['.', '-'])
            && !part.to_ascii_lowercase().ends_with(".lock")
            && !part.ends_with('.')
            && !part.contains("..")
    };
    if name.len() <= 200 && name.split('/').all(component) { Ok(()) } else { Err(not_a_name(name)) }
}

fn not_a_name(name: &str) -> GitError {
    GitError::Name { name: crate::text::one_line(crate::text::cut(name, 100)) }
}
