//! C, listed by name.

#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use tree_sitter::Node;

use super::listed::Patterns;
use super::{About, Grammar, Language, Scope};
use crate::domain::skeleton::CodeSkeleton;
use crate::domain::syntax::unit::Unit;

const TABLE: &str = include_str!("c/table.toml");
static ABOUT: LazyLock<About> = LazyLock::new(|| About::read(TABLE));
static PATTERNS: LazyLock<Patterns> =
    LazyLock::new(|| Patterns::new(tree_sitter_c::LANGUAGE, TABLE, include_str!("c/patterns.scm")));

pub(super) struct C;

impl Language for C {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn grammar(&self, path: &str) -> &'static Grammar {
        &patterns(path).grammar
    }

    fn read(&self, unit: &Unit<'_>, root: Node<'_>, _scope: Scope, skeleton: &mut CodeSkeleton) {
        patterns(unit.path).read(unit, root, &ABOUT, skeleton);
    }
}

/// A header may be of either of two languages, and the grammar of one reads both.
fn patterns(path: &str) -> &'static Patterns {
    #[cfg(feature = "cpp")]
    if path.rsplit('.').next() == Some("h") {
        return &super::cpp::PATTERNS;
    }
    let _: &str = path;
    &PATTERNS
}
