//! C#.

mod read;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use tree_sitter::Node;

use super::{About, Grammar, Language, Scope};
use crate::domain::languages::files::directory;
use crate::domain::skeleton::CodeSkeleton;
use crate::domain::syntax::unit::Unit;

const TABLE: &str = include_str!("c_sharp/table.toml");
static ABOUT: LazyLock<About> = LazyLock::new(|| About::read(TABLE));
static GRAMMAR: LazyLock<Grammar> =
    LazyLock::new(|| Grammar::new(tree_sitter_c_sharp::LANGUAGE, TABLE));

pub(super) struct CSharp;

impl Language for CSharp {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn grammar(&self, _path: &str) -> &'static Grammar {
        &GRAMMAR
    }

    fn read(&self, unit: &Unit<'_>, root: Node<'_>, scope: Scope, skeleton: &mut CodeSkeleton) {
        read::read(unit, root, scope, skeleton);
    }

    fn package_of(&self, file: &str) -> Option<String> {
        Some(directory(file).to_owned())
    }
}
