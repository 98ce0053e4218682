//! Ruby.

mod read;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use tree_sitter::Node;

use super::files::{directory, joined};
use super::{About, Grammar, Language, ProjectFiles, Scope};
use crate::domain::skeleton::{CodeSkeleton, ImportReference};
use crate::domain::syntax::unit::Unit;

const TABLE: &str = include_str!("ruby/table.toml");
static ABOUT: LazyLock<About> = LazyLock::new(|| About::read(TABLE));
static GRAMMAR: LazyLock<Grammar> =
    LazyLock::new(|| Grammar::new(tree_sitter_ruby::LANGUAGE, TABLE));

pub(super) struct Ruby;

impl Language for Ruby {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn grammar(&self, _path: &str) -> &'static Grammar {
        &GRAMMAR
    }

    fn read(&self, unit: &Unit<'_>, root: Node<'_>, scope: Scope, skeleton: &mut CodeSkeleton) {
        read::read(unit, root, scope, skeleton);
    }

    /// `require_relative` from the file itself, `require` from the `lib` of a directory above.
    fn resolve(
        &self,
        files: &ProjectFiles,
        from: &str,
        import: &ImportReference,
    ) -> Option<String> {
        let path = import.module_specifier.trim_end_matches(".rb");
        if import.is_relative {
            return files.first_of([format!("{}.rb", joined(directory(from), path)?)]);
        }
        let mut base = directory(from);
        loop {
            let tried = ["lib/", "app/", ""].map(|it| format!("{it}{path}.rb"));
            let found = files.first_of(tried.iter().filter_map(|it| joined(base, it)));
            if found.is_some() || base.is_empty() {
                return found;
            }
            base = directory(base);
        }
    }
}
