//! Python.

mod project;
mod read;
mod restated;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use tree_sitter::Node;

use super::{About, Entry, Grammar, Language, Manifest, ProjectFiles, Scope};
use crate::domain::skeleton::{CodeSkeleton, ExportSymbol, ImportReference, SymbolKind};
use crate::domain::syntax::unit::Unit;

const TABLE: &str = include_str!("python/table.toml");
static ABOUT: LazyLock<About> = LazyLock::new(|| About::read(TABLE));
static GRAMMAR: LazyLock<Grammar> =
    LazyLock::new(|| Grammar::new(tree_sitter_python::LANGUAGE, TABLE));

pub(super) struct Python;

impl Language for Python {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn grammar(&self, _path: &str) -> &'static Grammar {
        &GRAMMAR
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

    fn submodule(
        &self,
        files: &ProjectFiles,
        from: &str,
        specifier: &str,
        name: &str,
    ) -> Option<String> {
        let dot = if specifier.ends_with('.') { "" } else { "." };
        project::resolve(files, from, &format!("{specifier}{dot}{name}"))
    }

    fn entries(&self, files: &ProjectFiles) -> Option<Vec<Entry>> {
        Some(project::entries(files))
    }

    fn restate(&self, symbol: &mut ExportSymbol) {
        restated::restate(symbol);
    }

    fn plain_type(&self, text: String) -> String {
        if text.contains(['[', '.', '"', '\'']) { restated::plain_type(&text) } else { text }
    }

    fn is_unrecorded(&self, symbol: &ExportSymbol) -> bool {
        // What a module assigns was not.
        matches!(symbol.kind, SymbolKind::Const | SymbolKind::Variable)
    }
}
