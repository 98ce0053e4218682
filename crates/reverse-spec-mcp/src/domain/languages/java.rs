//! Java.

mod project;
mod read;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use tree_sitter::Node;

use super::{About, Grammar, Language, ProjectFiles, Scope};
use crate::domain::signature::without_packages;
use crate::domain::skeleton::{CodeSkeleton, ImportReference};
use crate::domain::syntax::unit::Unit;

const TABLE: &str = include_str!("java/table.toml");
static ABOUT: LazyLock<About> = LazyLock::new(|| About::read(TABLE));
static GRAMMAR: LazyLock<Grammar> =
    LazyLock::new(|| Grammar::new(tree_sitter_java::LANGUAGE, TABLE));

pub(super) struct Java;

impl Language for Java {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn grammar(&self, _path: &str) -> &'static Grammar {
        &GRAMMAR
    }

    fn read(&self, unit: &Unit<'_>, root: Node<'_>, scope: Scope, skeleton: &mut CodeSkeleton) {
        read::read(unit, root, scope, skeleton);
    }

    fn resolve(
        &self,
        files: &ProjectFiles,
        _from: &str,
        import: &ImportReference,
    ) -> Option<String> {
        project::resolve(files, &import.module_specifier)
    }

    fn package_of(&self, file: &str) -> Option<String> {
        Some(project::package_of(file))
    }

    fn leads_to_packages(&self, folder: &str, files: &[&str]) -> bool {
        project::leads_to_packages(folder, files)
    }

    fn plain_type(&self, text: String) -> String {
        without_packages(&text)
    }
}
