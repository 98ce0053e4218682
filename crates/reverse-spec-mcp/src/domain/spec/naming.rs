//! What the specification of a target is called: readable, and never the same for two targets.

use sha2::{Digest as _, Sha256};

const SEPARATOR: &str = "__";
const MAX_BYTES: usize = 120;
/// No directory or file of that name gets this without a mark, because of its underscore.
const WHOLE_PROJECT: &str = "_project";

/// For a path relative to the project root, `.` for the root itself.
pub(crate) fn file_name(target: &str) -> String {
    format!("{}.spec.md", stem(target))
}

fn stem(target: &str) -> String {
    if target.is_empty() || target == "." {
        return WHOLE_PROJECT.to_owned();
    }
    let plain = |c: char| c.is_alphanumeric() || "._-+@ ".contains(c);
    let readable: Vec<String> = target
        .split('/')
        .map(|part| part.chars().map(|c| if plain(c) { c } else { '-' }).collect())
        .collect();
    let mut stem = readable.join(SEPARATOR);
    // Where joining loses something, two paths could meet in one name.
    let is_exact = target.split('/').all(|part| {
        part.chars().all(plain)
            && !part.contains(SEPARATOR)
            && !part.starts_with(['_', '.'])
            && !part.ends_with('_')
    });
    if is_exact && stem.len() <= MAX_BYTES {
        return stem;
    }
    let digest = Sha256::digest(target.as_bytes());
    let end = (0..=MAX_BYTES).rev().find(|at| stem.is_char_boundary(*at)).unwrap_or(0);
    stem.truncate(end);
    format!("{}-{}", stem.trim_start_matches('.'), &crate::domain::hash::hex(&digest)[..8])
}
