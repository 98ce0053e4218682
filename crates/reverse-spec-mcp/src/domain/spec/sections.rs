//! The nine sections as the code alone can fill them.

mod data;
mod dependencies;
pub(crate) mod entries;
mod interface;
mod limits;
mod purpose;
mod tests_seen;

use std::collections::HashSet;

pub(crate) use tests_seen::{own_names, untested};

use super::facts::Facts;
use super::markdown::code_cell;
use super::words::{Words, fill};
use crate::domain::skeleton::MemberInfo;

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

/// The bodies of the sections, in order.
pub(super) fn sections(facts: &Facts<'_>, words: &Words) -> [String; 9] {
    [
        purpose::intent(facts, words),
        interface::interface(facts, words),
        purpose::behaviour(facts, words),
        data::structures(facts, words),
        limits::constraints(facts, words),
        limits::edge_cases(facts, words),
        limits::debt(facts, words),
        tests_seen::coverage(facts, words),
        dependencies::dependencies(facts, words),
    ]
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

/// What a type promises by an `impl` block, which is listed with its members.
fn promise(member: &MemberInfo) -> Option<&str> {
    let is_block = member.kind == crate::domain::skeleton::MemberKind::Nested;
    member.name.strip_prefix("impl ").filter(|_| is_block)
}

/// A snake-case word of the format, for people.
fn kind_word(kind: impl serde::Serialize) -> String {
    let word = serde_json::to_value(kind).ok().and_then(|it| it.as_str().map(str::to_owned));
    word.unwrap_or_default().replace("re_export", "re-export").replace('_', " ")
}
