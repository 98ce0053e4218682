//! PHP.

mod read;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use tree_sitter::Node;

use super::files::{directory, file_name, joined};
use super::manifest::{Manifest, json, no_members};
use super::{About, Grammar, Language, ProjectFiles, Scope};
use crate::domain::skeleton::{CodeSkeleton, ImportReference};
use crate::domain::syntax::unit::Unit;

const TABLE: &str = include_str!("php/table.toml");
static ABOUT: LazyLock<About> = LazyLock::new(|| About::read(TABLE));
static GRAMMAR: LazyLock<Grammar> =
    LazyLock::new(|| Grammar::new(tree_sitter_php::LANGUAGE_PHP, TABLE));

const MANIFESTS: &[Manifest] = &[Manifest {
    file: "composer.json",
    members: no_members,
    name: Some(|text| json(text)["name"].as_str().map(str::to_owned)),
    names_imports: false,
    offer: None,
}];

pub(super) struct Php;

impl Language for Php {
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
        MANIFESTS
    }

    /// A path that is included, or the file that is called as the class is: of several the one whose
    /// path has most of the namespace.
    fn resolve(
        &self,
        files: &ProjectFiles,
        from: &str,
        import: &ImportReference,
    ) -> Option<String> {
        if import.is_relative {
            let path = joined(directory(from), import.module_specifier.trim_start_matches('/'))?;
            return files.first_of([path]);
        }
        let path = format!("{}.php", import.module_specifier.replace('\\', "/"));
        let parts: Vec<&str> = path.split('/').collect();
        let common = |file: &&String| {
            let ends = file.rsplit('/').zip(parts.iter().rev());
            ends.take_while(|(one, other)| one == *other).count()
        };
        let named = files.named(file_name(&path)).iter();
        named.filter(|it| parts.len() == 1 || common(it) > 1).max_by_key(common).cloned()
    }

    fn package_of(&self, file: &str) -> Option<String> {
        Some(directory(file).to_owned())
    }
}
