//! Go.

mod project;
mod read;
mod restated;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use tree_sitter::Node;

use super::{About, Grammar, Language, Manifest, ProjectFiles, Scope};
use crate::domain::signature::Names;
use crate::domain::skeleton::{CodeSkeleton, ImportReference, MemberInfo, MemberKind};
use crate::domain::syntax::unit::Unit;

const TABLE: &str = include_str!("go/table.toml");
static ABOUT: LazyLock<About> = LazyLock::new(|| About::read(TABLE));
static GRAMMAR: LazyLock<Grammar> = LazyLock::new(|| Grammar::new(tree_sitter_go::LANGUAGE, TABLE));

pub(super) struct Go;

impl Language for Go {
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
        _from: &str,
        import: &ImportReference,
    ) -> Option<String> {
        project::resolve(files, &import.module_specifier)
    }

    fn package_of(&self, file: &str) -> Option<String> {
        Some(super::files::directory(file).to_owned())
    }

    fn names_around(&self, member: &MemberInfo) -> Option<Names> {
        (member.kind == MemberKind::Method).then(|| restated::names_of_receiver(&member.signature))
    }

    fn plain_type(&self, text: String) -> String {
        let text = text.replace("interface {}", "interface{}").replace("interface{}", "any");
        restated::without_parameter_names(text)
    }
}
