//! The nine sections as the code alone can fill them.

mod data;
mod dependencies;
mod interface;
mod limits;
mod purpose;
mod tests_seen;

use std::collections::HashSet;
use std::sync::Arc;

pub(super) use dependencies::Imports;
pub(crate) use tests_seen::{own_names, untested};

use super::markdown::code_cell;
use super::words::{Words, fill};
use crate::skeleton::{CodeSkeleton, ExportSymbol, MemberInfo};

/// Keys of the sections in order, as a model is asked for them too.
pub(crate) const SECTIONS: [&str; 9] = [
    "intent",
    "interfaceDefinition",
    "businessLogic",
    "dataStructures",
    "constraints",
    "edgeCases",
    "technicalDebt",
    "testCoverage",
    "dependencies",
];

/// A cell with more names than this is not read.
const MAX_NAMES: usize = 40;

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
    /// The sections' bodies, in order.
    pub(super) fn sections(&self, words: &Words) -> [String; 9] {
        [
            purpose::intent(self, words),
            interface::interface(self, words),
            purpose::behaviour(self, words),
            data::structures(self, words),
            limits::constraints(self, words),
            limits::edge_cases(self, words),
            limits::debt(self, words),
            tests_seen::coverage(self, words),
            dependencies::dependencies(self, words),
        ]
    }

    /// Exports, or the top-level items where nothing is exported.
    pub(super) fn symbols(&self) -> &'a [Arc<ExportSymbol>] {
        if self.merged.exports.is_empty() { &self.merged.internals } else { &self.merged.exports }
    }

    /// Whether a file is one of the target's own, which are in order.
    pub(super) fn is_own(&self, path: &str) -> bool {
        self.skeletons.binary_search_by(|it| it.file_path.as_str().cmp(path)).is_ok()
    }

    /// The path as seen from the target, which is what its readers know.
    fn short<'b>(&self, path: &'b str) -> &'b str {
        if self.target == "." {
            return path;
        }
        path.strip_prefix(self.target).and_then(|rest| rest.strip_prefix('/')).unwrap_or(path)
    }
}

/// Names in one cell, each once; more than anyone reads are counted.
pub(super) fn names_cell(names: impl Iterator<Item = impl AsRef<str>>, words: &Words) -> String {
    let mut seen = HashSet::new();
    let mut shown: Vec<String> = Vec::new();
    for name in names {
        let name = code_cell(name.as_ref());
        if seen.insert(name.clone()) && shown.len() < MAX_NAMES {
            shown.push(name);
        }
    }
    let more = seen.len() - shown.len();
    if more > 0 {
        shown.push(fill(&words.and_more, &[("n", &more.to_string())]));
    }
    shown.join(", ")
}

/// The name a caller uses, namespaces included.
pub(super) fn name_of(symbol: &ExportSymbol) -> String {
    let is_rust = symbol.file.rsplit_once('.').is_some_and(|(_, extension)| extension == "rs");
    let separator = if is_rust { "::" } else { "." };
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
fn bodies(
    symbols: &[Arc<ExportSymbol>],
) -> impl Iterator<Item = (String, &str, usize, usize, &crate::skeleton::BodyFacts)> {
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
    use crate::skeleton::Visibility::Private;
    member.visibility != Some(Private) && !member.name.starts_with('#')
}

/// What a type promises by an `impl` block, which is listed with its members.
fn promise(member: &MemberInfo) -> Option<&str> {
    let is_block = member.kind == crate::skeleton::MemberKind::Nested;
    member.name.strip_prefix("impl ").filter(|_| is_block)
}

/// A snake-case word of the format, for people.
fn kind_word(kind: impl serde::Serialize) -> String {
    let word = serde_json::to_value(kind).ok().and_then(|it| it.as_str().map(str::to_owned));
    word.unwrap_or_default().replace("re_export", "re-export").replace('_', " ")
}
