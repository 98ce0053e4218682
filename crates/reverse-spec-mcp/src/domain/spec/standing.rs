//! Prose that nobody but a reader of the code can write: where it belongs, what is known for it, and
//! which code it stands on.

use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::keep::Kept;
use super::words::Words;
use crate::domain::baseline::Baseline;
use crate::domain::hash::hex;
use crate::domain::skeleton::{CodeSkeleton, EntryKind};

/// The sections that need understanding, by their place.
pub(crate) const PLACES: [usize; 3] = [0, 2, 4];
/// Bytes of a hash that are kept.
const HASH_BYTES: usize = 6;
const MARKER: &str = "<!-- stands-on:";
/// As many names say enough.
const MAX_KNOWN: usize = 12;

/// A section that somebody is to write, or to read again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ToWrite {
    pub(crate) section: String,
    /// What to edit.
    pub(crate) r#where: String,
    /// What the code says that belongs in it.
    pub(crate) known: Vec<String>,
    /// It is written, and the code it stands on has changed since.
    pub(crate) read_again: bool,
}

/// What the prose of each section stands on: what is offered and reached, what bodies do, what is
/// asked for.
pub(crate) fn hashes(skeletons: &[CodeSkeleton]) -> [String; 3] {
    let skeleton = Baseline::of(skeletons).skeleton;
    let mut parts: [Vec<String>; 3] = Default::default();
    for symbol in skeleton.exports.iter().chain(&skeleton.internals) {
        parts[0].push(symbol.name.clone());
        parts[1].extend(symbol.body_hash.clone());
        parts[2].push(symbol.signature.clone());
        for member in &symbol.members {
            parts[1].extend(member.body_hash.clone());
            parts[2].push(member.signature.clone());
        }
    }
    for entry in &skeleton.entry_points {
        match entry.kind {
            EntryKind::Statements => parts[1].extend(entry.details.iter().cloned()),
            EntryKind::Field | EntryKind::Response => {
                parts[2].push(format!("{} {}", entry.name, entry.details.join(" ")));
            }
            _ => {
                parts[0].push(entry.name.clone());
                parts[2].push(format!("{} {}", entry.name, entry.guards.join(" ")));
            }
        }
    }
    parts.map(|mut part| {
        part.sort();
        hex(&Sha256::digest(part.join("\n"))[..HASH_BYTES])
    })
}

/// The line that says what the prose of a section stands on.
pub(super) fn marker(hash: &str) -> String {
    format!("{MARKER} {hash} -->")
}

/// What the documents of a section recorded, in order of the sections.
pub(crate) fn recorded(document: &str) -> Vec<String> {
    let lines = document.lines().filter_map(|it| it.strip_prefix(MARKER));
    lines.map(|it| it.trim().trim_end_matches("-->").trim().to_owned()).collect()
}

/// What is kept in each of the sections.
pub(super) fn written(blocks: &[Kept]) -> [Vec<&Kept>; 3] {
    PLACES.map(|place| blocks.iter().filter(|it| it.is_in_section(place + 1)).collect())
}

/// Sections whose prose is missing, or stands on code that has changed.
pub(crate) fn to_write(
    document: &str,
    before: Option<&str>,
    skeletons: &[CodeSkeleton],
    path: &str,
    words: &Words,
) -> Vec<ToWrite> {
    let blocks = super::keep::blocks(document);
    let written = written(&blocks);
    let (old, now) = (before.map(recorded).unwrap_or_default(), hashes(skeletons));
    let mut found = Vec::new();
    for (at, place) in PLACES.into_iter().enumerate() {
        let is_written = written[at].iter().any(|it| it.has_text());
        let has_changed = old.get(at).is_some_and(|it| *it != now[at]);
        if is_written && !has_changed {
            continue;
        }
        found.push(ToWrite {
            section: words.sections[place].clone(),
            r#where: format!("{path}, between <!-- keep --> and <!-- /keep --> in this section"),
            known: known(skeletons, at),
            read_again: is_written,
        });
    }
    found
}

/// Whether somebody wrote prose into a document.
pub(crate) fn has_prose(document: &str) -> bool {
    let blocks = super::keep::blocks(document);
    written(&blocks).iter().flatten().any(|it| it.has_text())
}

/// Numbers of sections with prose that stands on other code than there is now.
pub(crate) fn outdated(document: &str, skeletons: &[CodeSkeleton]) -> Vec<usize> {
    let blocks = super::keep::blocks(document);
    let written = written(&blocks);
    let (old, now) = (recorded(document), hashes(skeletons));
    let is_outdated = |at: &usize| {
        let is_written = written[*at].iter().any(|it| it.has_text());
        is_written && old.get(*at).is_some_and(|it| *it != now[*at])
    };
    (0..PLACES.len()).filter(is_outdated).map(|at| PLACES[at] + 1).collect()
}

fn known(skeletons: &[CodeSkeleton], at: usize) -> Vec<String> {
    let entries = || skeletons.iter().flat_map(|it| &it.entry_points);
    let symbols = || skeletons.iter().flat_map(|it| it.exports.iter().chain(&it.internals));
    let mut known: Vec<String> = match at {
        0 => {
            let reached = entries().filter(|it| {
                matches!(
                    it.kind,
                    EntryKind::Route | EntryKind::Command | EntryKind::Main | EntryKind::Job
                )
            });
            let names = reached.map(|it| format!("{} {}", it.kind.word(), it.name));
            names.chain(symbols().map(|it| it.name.clone())).collect()
        }
        1 => {
            let calling = symbols().filter(|it| !it.facts.calls.is_empty());
            calling.map(|it| format!("{} calls {}", it.name, it.facts.calls.join(", "))).collect()
        }
        _ => {
            let guarded = entries().filter(|it| !it.guards.is_empty());
            let guarded =
                guarded.map(|it| format!("{} goes through {}", it.name, it.guards.join(", ")));
            let throws = symbols().flat_map(|it| &it.facts.throws).map(|it| it.text.clone());
            guarded.chain(throws).collect()
        }
    };
    known.truncate(MAX_KNOWN);
    known.into_iter().map(|it| mcp_core::text::cut(&it, 160).to_owned()).collect()
}
