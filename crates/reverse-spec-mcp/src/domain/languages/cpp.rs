//! C++, listed by name.

#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use super::About;
use super::listed::{Listed, Patterns};

const TABLE: &str = include_str!("cpp/table.toml");
static ABOUT: LazyLock<About> = LazyLock::new(|| About::read(TABLE));
pub(super) static PATTERNS: LazyLock<Patterns> = LazyLock::new(|| {
    Patterns::new(tree_sitter_cpp::LANGUAGE, TABLE, include_str!("cpp/patterns.scm"))
});

pub(super) static CPP: Listed = Listed { about: &ABOUT, patterns: &PATTERNS };
