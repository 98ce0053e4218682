//! Looks at a repository: its files and the texts of its manifests. Bounded and sorted; what git
//! ignores is left out.
//!
//! Files come from git's index, which lists any number of them at once, and from a bounded walk,
//! which also finds those that were not added yet. A repository with more files than the walk
//! takes is not walked at all: which of them it would find is chance.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZero;
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
/// Between two looks at whether the call was given up.
const BATCH: usize = 500;
const MAX_THREADS: usize = 4;
/// For fewer files a further thread costs more than it saves.
const LEAST_SHARE: usize = 32;

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
    let sources: Vec<&String> =
        survey.files.iter().filter(|it| scope::is_source(it)).take(MAX_SOURCES).collect();
    let mut n_read = 0;
    let mut found = Vec::new();
    for batch in sources.chunks(BATCH) {
        work.check()?;
        for (bytes, hits) in read_side_by_side(root, batch, symbols, words) {
            n_read += bytes;
            if n_read > MAX_READ {
                break;
            }
            found.extend(hits);
        }
        if n_read > MAX_READ {
            break;
        }
    }
    survey.hits.extend(found);
    Ok(())
}

/// What each of these files holds, in their order: opening them takes longer than looking at them,
/// so every core opens some.
fn read_side_by_side(
    root: &Root,
    paths: &[&String],
    symbols: &[String],
    words: &[String],
) -> Vec<(usize, Vec<Hit>)> {
    let n_threads = std::thread::available_parallelism().map_or(1, NonZero::get).min(MAX_THREADS);
    let share = paths.len().div_ceil(n_threads).max(LEAST_SHARE);
    let read = |share: &[&String]| -> Vec<(usize, Vec<Hit>)> {
        share.iter().map(|it| read_one(root, it, symbols, words)).collect()
    };
    let mut shares = paths.chunks(share);
    let first = shares.next().unwrap_or_default();
    std::thread::scope(|scope| {
        let others: Vec<_> = shares.map(|it| scope.spawn(move || read(it))).collect();
        let mut found = read(first);
        found.extend(others.into_iter().flat_map(|it| it.join().unwrap_or_default()));
        found
    })
}

fn read_one(root: &Root, path: &str, symbols: &[String], words: &[String]) -> (usize, Vec<Hit>) {
    let rel = RelPath::parse(path);
    let Some(bytes) = rel.ok().and_then(|it| root.read_up_to(&it, MAX_SOURCE_BYTES).ok()) else {
        return (0, Vec::new());
    };
    let text = String::from_utf8_lossy(&bytes);
    let hit_of = |symbol: &String, is_definition| Hit {
        path: path.to_owned(),
        symbol: symbol.clone(),
        is_definition,
    };
    let spoken = words.iter().filter(|it| speaks_of(&text, it)).map(|it| hit_of(it, false));
    let named = symbols.iter().filter_map(|it| hit(&text, it).map(|defines| hit_of(it, defines)));
    (bytes.len(), spoken.chain(named).collect())
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
    let Some((directories, _)) = path.rsplit_once('/') else { return !is_ours(path) };
    let skipped = directories.split('/').any(|it| SKIPPED.contains(&it));
    let mut above = path.match_indices('/').map(|(at, _)| &path[..at]);
    let ours = path.starts_with("docs/") && (is_ours(path) || above.any(is_ours));
    !skipped && !ours
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
