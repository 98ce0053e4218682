//! Files that git's history shows together with those the work is certainly about.

use std::collections::{BTreeMap, BTreeSet};

use super::{MAX_PATHS, Scope, covers, is_never};

const MAX_COMPANY: usize = 3;
/// Fewer commits may be chance.
const LEAST_TOGETHER: usize = 3;
/// A commit of more files says nothing about any two of them.
const MANY: usize = 20;

impl Scope {
    /// Whether there is a file to look for the company of.
    pub(crate) fn may_have_company(&self) -> bool {
        !self.certain.is_empty() && self.paths.len() < MAX_PATHS
    }

    /// Adds the files that changed in at least two of five commits of a file that is certain, and in
    /// three at the least. `commits` hold the paths each of them changed.
    pub(crate) fn add_company(&mut self, commits: &[Vec<String>], files: &[String]) {
        let here: BTreeSet<&str> = files.iter().map(String::as_str).collect();
        let mut found: Vec<(usize, String, String)> = Vec::new();
        for anchor in &self.certain {
            let of_anchor: Vec<&Vec<String>> =
                commits.iter().filter(|it| it.len() <= MANY && it.contains(anchor)).collect();
            let mut together: BTreeMap<&str, usize> = BTreeMap::new();
            for path in of_anchor.iter().flat_map(|it| it.iter()) {
                *together.entry(path.as_str()).or_default() += 1;
            }
            for (path, count) in together {
                let often = count >= LEAST_TOGETHER && count * 5 >= of_anchor.len() * 2;
                if often && path != anchor && here.contains(path) && !is_never(path) {
                    let reason = format!(
                        "changed together with `{anchor}` in {count} of its last {} commits",
                        of_anchor.len()
                    );
                    found.push((count, path.to_owned(), reason));
                }
            }
        }
        found.sort_by(|one, other| other.0.cmp(&one.0).then(one.1.cmp(&other.1)));
        let mut added = 0;
        for (_, path, reason) in found {
            let is_known = self.paths.iter().any(|(it, _)| covers(it, &path));
            if added < MAX_COMPANY && self.paths.len() < MAX_PATHS && !is_known {
                self.paths.push((path, reason));
                added += 1;
            }
        }
    }
}
