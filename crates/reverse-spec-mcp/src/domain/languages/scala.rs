//! Scala, listed by name.

#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use super::About;
use super::listed::{Listed, Patterns};

const TABLE: &str = include_str!("scala/table.toml");
static ABOUT: LazyLock<About> = LazyLock::new(|| About::read(TABLE));
static PATTERNS: LazyLock<Patterns> = LazyLock::new(|| {
    Patterns::new(tree_sitter_scala::LANGUAGE, TABLE, include_str!("scala/patterns.scm"))
});

pub(super) static SCALA: Listed = Listed { about: &ABOUT, patterns: &PATTERNS };
