//! Rust.

mod project;
mod read;
mod restated;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use tree_sitter::Node;

use super::{About, Entry, Grammar, Language, Manifest, ProjectFiles, Scope};
use crate::domain::signature::Names;
use crate::domain::skeleton::{CodeSkeleton, ExportSymbol, ImportReference, MemberInfo};
use crate::domain::syntax::unit::Unit;

const TABLE: &str = include_str!("rust/table.toml");
static ABOUT: LazyLock<About> = LazyLock::new(|| About::read(TABLE));
static GRAMMAR: LazyLock<Grammar> =
    LazyLock::new(|| Grammar::new(tree_sitter_rust::LANGUAGE, TABLE));

pub(super) struct Rust;

impl Language for Rust {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn grammar(&self, _path: &str) -> &'static Grammar {
        &GRAMMAR
    }

    fn may_export(&self, text: &str) -> bool {
        let words = memchr::memmem::find_iter(text.as_bytes(), "pub");
        { words }.any(|at| !text[at + "pub".len()..].starts_with('('))
            || text.contains("macro_export")
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
        project::resolve(files, from, &import.module_specifier, false)
    }

    fn submodule(
        &self,
        files: &ProjectFiles,
        from: &str,
        specifier: &str,
        name: &str,
    ) -> Option<String> {
        project::resolve(files, from, &format!("{specifier}::{name}"), true)
    }

    fn entries(&self, files: &ProjectFiles) -> Option<Vec<Entry>> {
        Some(project::entries(files, self.about().id()))
    }

    fn home_of(&self, files: &ProjectFiles, from: &str, specifier: &str) -> Option<String> {
        project::home_of(files, from, specifier)
    }

    fn directory_of_module<'a>(&self, file: &'a str) -> Option<&'a str> {
        project::directory_of_module(file)
    }

    fn restate(&self, symbol: &mut ExportSymbol) {
        restated::restate(symbol);
    }

    fn names_around(&self, member: &MemberInfo) -> Option<Names> {
        member.block_head().map(|head| restated::names_of_block(head))
    }

    fn plain_type(&self, text: String) -> String {
        restated::without_own_paths(restated::without_anonymous(text))
    }

    fn finish_restated(&self, symbol: &mut ExportSymbol) {
        restated::list_traits(symbol);
    }
}
