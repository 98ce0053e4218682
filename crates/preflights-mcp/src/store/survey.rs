//! Looks at a repository: its files and the texts of its manifests. Bounded and sorted; what git
//! ignores is left out.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use mcp_core::sandbox::{RelPath, Root};
use mcp_core::walk::Walk;
use mcp_core::work::{Cancelled, Work};

use crate::domain::survey::{Hit, Survey, hit, manifests, speaks_of};
use crate::domain::{adr, projection, scope, task};

const MAX_FILES: usize = 5_000;
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

pub(crate) fn survey(root: &Root, work: &Work) -> Result<Survey, Cancelled> {
    let files = Mutex::new(Vec::new());
    let note = |path: &RelPath| {
        if !is_ours(path.as_str()) {
            files.lock().unwrap_or_else(PoisonError::into_inner).push(path.to_string());
        }
    };
    let enter = |directory: &RelPath| {
        !SKIPPED.contains(&directory.file_name()) && !is_ours(directory.as_str())
    };
    Walk::new(root).max_depth(MAX_DEPTH).at_most(MAX_FILES).entering(&enter).run(work, &note)?;
    let mut files = files.into_inner().unwrap_or_else(PoisonError::into_inner);
    files.sort();
    let mut texts = BTreeMap::new();
    for path in manifests(&files) {
        let Ok(rel) = RelPath::parse(path) else { continue };
        let Ok(bytes) = root.read_up_to(&rel, MAX_MANIFEST_BYTES) else { continue };
        texts.insert(path.to_owned(), String::from_utf8_lossy(&bytes).into_owned());
    }
    Ok(Survey::new(files, &texts))
}

/// What we write is not evidence of anything else.
fn is_ours(path: &str) -> bool {
    [adr::DIRECTORY, "docs/archive", task::PATH, projection::PATH, "docs/AGENT_PROMPT.md"]
        .contains(&path)
}
