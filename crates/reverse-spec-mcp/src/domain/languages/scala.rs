//! Scala, listed by name.

#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use tree_sitter::Node;

use super::listed::Patterns;
use super::{About, Grammar, Language, Scope};
use crate::domain::skeleton::CodeSkeleton;
use crate::domain::syntax::unit::Unit;

const TABLE: &str = include_str!("scala/table.toml");
static ABOUT: LazyLock<About> = LazyLock::new(|| About::read(TABLE));
static PATTERNS: LazyLock<Patterns> = LazyLock::new(|| {
    Patterns::new(tree_sitter_scala::LANGUAGE, TABLE, include_str!("scala/patterns.scm"))
});

pub(super) struct Scala;

impl Language for Scala {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn grammar(&self, _path: &str) -> &'static Grammar {
        &PATTERNS.grammar
    }

    fn read(&self, unit: &Unit<'_>, root: Node<'_>, _scope: Scope, skeleton: &mut CodeSkeleton) {
        PATTERNS.read(unit, root, &ABOUT, skeleton);
    }
}
