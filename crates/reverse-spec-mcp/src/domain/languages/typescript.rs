//! TypeScript, in both of its dialects.

mod embedded;
mod project;
mod read;
mod restated;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use tree_sitter::Node;

use super::{About, Entry, Grammar, Language, Manifest, ProjectFiles, Scope};
use crate::domain::skeleton::{CodeSkeleton, ImportReference};
use crate::domain::syntax::unit::Unit;

pub(super) use project::entries;

const TABLE: &str = include_str!("typescript/table.toml");
static ABOUT: LazyLock<About> = LazyLock::new(|| About::read(TABLE));
static PLAIN: LazyLock<Grammar> =
    LazyLock::new(|| Grammar::new(tree_sitter_typescript::LANGUAGE_TYPESCRIPT, TABLE));
static WITH_ELEMENTS: LazyLock<Grammar> =
    LazyLock::new(|| Grammar::new(tree_sitter_typescript::LANGUAGE_TSX, TABLE));

pub(super) struct TypeScript;

impl Language for TypeScript {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn grammar(&self, path: &str) -> &'static Grammar {
        // `<T>value` is a cast in one dialect and an element in the other.
        let plain = [".ts", ".mts", ".cts"].iter().any(|it| path.ends_with(it));
        if plain || embedded::is_component(path) { &PLAIN } else { &WITH_ELEMENTS }
    }

    fn own_part(&self, path: &str, text: &str) -> Option<String> {
        embedded::scripts(path, text)
    }

    fn is_declaration_file(&self, path: &str) -> bool {
        read::is_declaration_file(path)
    }

    fn read(&self, unit: &Unit<'_>, root: Node<'_>, scope: Scope, skeleton: &mut CodeSkeleton) {
        read::read(unit, root, scope, skeleton);
    }

    fn manifests(&self) -> &'static [Manifest] {
        project::MANIFESTS
    }

    fn resolve(
        &self,
        files: &ProjectFiles,
        from: &str,
        import: &ImportReference,
    ) -> Option<String> {
        project::resolve(files, from, &import.module_specifier)
    }

    fn entries(&self, files: &ProjectFiles) -> Option<Vec<Entry>> {
        entries(files, self.about().id())
    }

    fn plain_type(&self, text: String) -> String {
        restated::plain_type(text)
    }
}
