//! What is known of a target, and how its parts are called.

use std::sync::Arc;

use crate::domain::languages;
use crate::domain::skeleton::{BodyFacts, CodeSkeleton, ExportSymbol, MemberInfo, Visibility};

/// What is known of a target.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Facts<'a> {
    /// Relative to the project root.
    pub(crate) target: &'a str,
    /// One per source file.
    pub(crate) skeletons: &'a [CodeSkeleton],
    /// All of them together.
    pub(crate) merged: &'a CodeSkeleton,
    /// Test files that import one of the source files.
    pub(crate) tests: &'a [CodeSkeleton],
}

impl<'a> Facts<'a> {
    /// Exports, or the top-level items where nothing is exported.
    pub(super) fn symbols(&self) -> &'a [Arc<ExportSymbol>] {
        if self.merged.exports.is_empty() { &self.merged.internals } else { &self.merged.exports }
    }

    /// Whether a file is one of the target's own, which are in order.
    pub(super) fn is_own(&self, path: &str) -> bool {
        self.skeletons.binary_search_by(|it| it.file_path.as_str().cmp(path)).is_ok()
    }

    /// The path as seen from the target, which is what its readers know.
    pub(super) fn short<'b>(&self, path: &'b str) -> &'b str {
        if self.target == "." {
            return path;
        }
        path.strip_prefix(self.target).and_then(|rest| rest.strip_prefix('/')).unwrap_or(path)
    }
}

/// The name a caller uses, namespaces included.
pub(super) fn name_of(symbol: &ExportSymbol) -> String {
    let separator = &languages::about(symbol.language).separator;
    let name = match (&symbol.local_name, symbol.is_default) {
        (Some(local), true) => format!("default ({local})"),
        _ => symbol.name.clone(),
    };
    match &symbol.namespace {
        Some(namespace) => format!("{namespace}{separator}{name}"),
        None => name,
    }
}

/// Everything with a body: symbols and their members, with a name that says whose.
pub(super) fn bodies(
    symbols: &[Arc<ExportSymbol>],
) -> impl Iterator<Item = (String, &str, usize, usize, &BodyFacts)> {
    symbols.iter().flat_map(|symbol| {
        let own = std::iter::once((
            name_of(symbol),
            symbol.file.as_str(),
            symbol.start_line,
            symbol.end_line,
            &symbol.facts,
        ));
        let members = symbol.members.iter().map(move |member| {
            let name = format!("{}.{}", name_of(symbol), member.name);
            let file = member.file.as_deref().unwrap_or(&symbol.file);
            (name, file, member.start_line, member.end_line, &member.facts)
        });
        own.chain(members)
    })
}

/// Whether a member belongs to what callers see.
pub(super) fn is_visible(member: &MemberInfo) -> bool {
    member.visibility != Some(Visibility::Private) && !member.name.starts_with('#')
}
