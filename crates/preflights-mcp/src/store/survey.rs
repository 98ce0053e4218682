//! Looks at a repository: its files and the texts of its manifests. Bounded and sorted; what git
//! ignores is left out.
//!
//! Files come from git's index, which lists any number of them at once, and from a bounded walk,
//! which also finds those that were not added yet. A repository with more files than the walk
//! takes is not walked at all: which of them it would find is chance.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use mcp_core::index;
use mcp_core::sandbox::{EntryKind, RelPath, Root};
use mcp_core::walk::Walk;
use mcp_core::work::{Cancelled, Work};

use crate::domain::survey::{Hit, Survey, hit, manifests, speaks_of};
use crate::domain::{adr, projection, scope, task};

const MAX_WALKED: usize = 5_000;
const MAX_LISTED: usize = 100_000;
const MAX_DEPTH: usize = 8;
const MAX_MANIFEST_BYTES: u64 = 512 * 1024;

/// Never looked into: made by tools, or our own.
const SKIPPED: [&str; 16] = [
    ".git",
    ".preflights",
    "node_modules",
    "target",
    "dist",
    "build",
    "venv",
    ".venv",
    "__pycache__",
    ".next",
    ".cache",
    ".terraform",
    ".idea",
    ".vscode",
    "vendor",
    "coverage",
];

/// Sources that are looked through for symbols of a request.
const MAX_SOURCES: usize = 2_000;
const MAX_SOURCE_BYTES: u64 = 256 * 1024;
const MAX_READ: usize = 16 * 1024 * 1024;

/// Looks for symbols, and for words of prose, in the sources of a repository; bounded by counts, in the order of paths.
pub(crate) fn look_up(
    root: &Root,
    survey: &mut Survey,
    (symbols, words): (&[String], &[String]),
    work: &Work,
) -> Result<(), Cancelled> {
    if symbols.is_empty() && words.is_empty() {
        return Ok(());
    }
    let mut n_read = 0;
    let sources = survey.files.iter().filter(|it| scope::is_source(it)).take(MAX_SOURCES);
    for path in sources {
        work.check()?;
        let Ok(rel) = RelPath::parse(path) else { continue };
        let Ok(bytes) = root.read_up_to(&rel, MAX_SOURCE_BYTES) else { continue };
        n_read += bytes.len();
        if n_read > MAX_READ {
            break;
        }
        let text = String::from_utf8_lossy(&bytes);
        for word in words.iter().filter(|it| speaks_of(&text, it)) {
            let (path, symbol) = (path.clone(), word.clone());
            survey.hits.push(Hit { path, symbol, is_definition: false });
        }
        for symbol in symbols {
            if let Some(is_definition) = hit(&text, symbol) {
                let (path, symbol) = (path.clone(), symbol.clone());
                survey.hits.push(Hit { path, symbol, is_definition });
            }
        }
    }
    Ok(())
}

pub(crate) fn survey(root: &Root, git_dir: &Root, work: &Work) -> Result<Survey, Cancelled> {
    let mut files = index::tracked(git_dir, &is_listed);
    if files.len() < MAX_WALKED {
        let found: BTreeSet<String> = walked(root, work)?.into_iter().collect();
        let is_there = |path: &String| {
            !found.contains(path) && RelPath::parse(path).is_ok_and(|it| root.is_file(&it))
        };
        files.retain(is_there);
        files.extend(found);
    } else {
        files.extend(at_the_top(root));
    }
    files.sort();
    files.dedup();
    files.truncate(MAX_LISTED);
    let mut texts = BTreeMap::new();
    for path in manifests(&files) {
        let Ok(rel) = RelPath::parse(path) else { continue };
        let Ok(bytes) = root.read_up_to(&rel, MAX_MANIFEST_BYTES) else { continue };
        texts.insert(path.to_owned(), String::from_utf8_lossy(&bytes).into_owned());
    }
    Ok(Survey::new(files, &texts))
}

/// Whether a tracked file counts.
fn is_listed(path: &str) -> bool {
    let mut directories = path.split('/').rev().skip(1);
    let mut above = Path::new(path).ancestors().filter_map(Path::to_str);
    !directories.any(|it| SKIPPED.contains(&it)) && !above.any(is_ours)
}

/// The files beside the first manifest are the ones that are looked for before they are added.
fn at_the_top(root: &Root) -> Vec<String> {
    let entries = root.list(None).unwrap_or_default().into_iter();
    entries.filter(|it| it.kind == EntryKind::File).map(|it| it.name).collect()
}

fn walked(root: &Root, work: &Work) -> Result<Vec<String>, Cancelled> {
    let files = Mutex::new(Vec::new());
    let note = |path: &RelPath| {
        if !is_ours(path.as_str()) {
            files.lock().unwrap_or_else(PoisonError::into_inner).push(path.to_string());
        }
    };
    let enter = |directory: &RelPath| {
        !SKIPPED.contains(&directory.file_name()) && !is_ours(directory.as_str())
    };
    Walk::new(root).max_depth(MAX_DEPTH).at_most(MAX_WALKED).entering(&enter).run(work, &note)?;
    Ok(files.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// What we write is not evidence of anything else.
fn is_ours(path: &str) -> bool {
    [adr::DIRECTORY, "docs/archive", task::PATH, projection::PATH, "docs/AGENT_PROMPT.md"]
        .contains(&path)
}
