//! JavaScript: read as TypeScript without types.

use std::sync::LazyLock;

use tree_sitter::Node;

use super::typescript::TypeScript;
use super::{About, Entry, Grammar, Language, Manifest, ProjectFiles, Scope};
use crate::domain::skeleton::{CodeSkeleton, ExportSymbol, ImportReference};
use crate::domain::syntax::unit::Unit;

static ABOUT: LazyLock<About> =
    LazyLock::new(|| About::read(include_str!("javascript/table.toml")));

pub(super) struct JavaScript;

impl Language for JavaScript {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn grammar(&self, path: &str) -> &'static Grammar {
        TypeScript.grammar(path)
    }

    fn read(&self, unit: &Unit<'_>, root: Node<'_>, scope: Scope, skeleton: &mut CodeSkeleton) {
        TypeScript.read(unit, root, scope, skeleton);
    }

    fn manifests(&self) -> &'static [Manifest] {
        TypeScript.manifests()
    }

    fn resolve(
        &self,
        files: &ProjectFiles,
        from: &str,
        import: &ImportReference,
    ) -> Option<String> {
        TypeScript.resolve(files, from, import)
    }

    fn entries(&self, files: &ProjectFiles) -> Option<Vec<Entry>> {
        super::typescript::entries(files, self.about().id())
    }

    fn is_unrecorded(&self, symbol: &ExportSymbol) -> bool {
        // Of `CommonJS` nothing was.
        symbol.file.rsplit('.').next() == Some("cjs")
    }
}
