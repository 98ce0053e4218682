//! Which directories of a project are packages by the word of its workspace.

use globset::{Glob, GlobSet, GlobSetBuilder};

/// A package: where it is, and what others call it when they import it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Package {
    /// Relative to the project root.
    pub(crate) directory: String,
    pub(crate) names: Vec<String>,
}

/// Those of `directories` that the patterns of a workspace choose, but for those with a `!`.
pub(crate) fn chosen<'a>(patterns: &[String], directories: &'a [String]) -> Vec<&'a String> {
    let chosen = set(patterns.iter().filter(|it| !it.starts_with('!')).map(String::as_str));
    let left_out = set(patterns.iter().filter_map(|it| it.strip_prefix('!')));
    let is_chosen = |it: &&String| chosen.is_match(it) && !left_out.is_match(it);
    directories.iter().filter(is_chosen).collect()
}

fn set<'a>(patterns: impl Iterator<Item = &'a str>) -> GlobSet {
    let mut builder = GlobSetBuilder::new();
    for pattern in patterns {
        let pattern = pattern.trim_start_matches("./").trim_end_matches('/');
        let glob = Glob::new(pattern).or_else(|_| Glob::new(&globset::escape(pattern)));
        if let Ok(glob) = glob {
            builder.add(glob);
        }
    }
    builder.build().unwrap_or_else(|_| GlobSet::empty())
}
