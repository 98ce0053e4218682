//! Kotlin.

mod read;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use tree_sitter::Node;

use super::files::{directory, file_name};
use super::{About, Grammar, Language, ProjectFiles, Scope};
use crate::domain::signature::without_packages;
use crate::domain::skeleton::{CodeSkeleton, ImportReference};
use crate::domain::syntax::unit::Unit;

const TABLE: &str = include_str!("kotlin/table.toml");
static ABOUT: LazyLock<About> = LazyLock::new(|| About::read(TABLE));
static GRAMMAR: LazyLock<Grammar> =
    LazyLock::new(|| Grammar::new(tree_sitter_kotlin_ng::LANGUAGE, TABLE));

pub(super) struct Kotlin;

impl Language for Kotlin {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn grammar(&self, _path: &str) -> &'static Grammar {
        &GRAMMAR
    }

    fn read(&self, unit: &Unit<'_>, root: Node<'_>, scope: Scope, skeleton: &mut CodeSkeleton) {
        read::read(unit, root, scope, skeleton);
    }

    /// By the name of the class, which its file mostly has too.
    fn resolve(
        &self,
        files: &ProjectFiles,
        _from: &str,
        import: &ImportReference,
    ) -> Option<String> {
        let path = import.module_specifier.trim_end_matches(".*").replace('.', "/");
        let exact = format!("{path}.kt");
        let end = format!("/{exact}");
        let named = files.named(file_name(&exact));
        named.iter().find(|it| **it == exact || it.ends_with(&end)).cloned()
    }

    fn package_of(&self, file: &str) -> Option<String> {
        Some(directory(file).replacen("src/test/kotlin", "src/main/kotlin", 1))
    }

    fn plain_type(&self, text: String) -> String {
        without_packages(&text)
    }
}
