//! Which files are read, and as what: the configured rules, without what git ignores.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};
use mcp_core::sandbox::{RelPath, View};
use mcp_core::walk::Walk;
use mcp_core::work::{Cancelled, Work};

use crate::domain::config::{Config, ScanRule};
use crate::domain::dialect::{self, Dialect};
use crate::domain::graph::Role;
use crate::domain::language;

/// Deeper trees are not climbed down.
const MAX_DEPTH: usize = 64;
/// Reports lie near the top.
const MAX_RESULT_DEPTH: usize = 8;

pub(crate) struct Scan {
    /// In this order: the first rule that fits says what a file is.
    rules: Vec<(Role, Rule)>,
    /// Names that make a file in a directory of code a test.
    test_names: GlobSet,
    skip: Skip,
    /// Those that are read, and whether they come before what the rules say.
    dialects: Vec<(Dialect, bool)>,
    results: GlobSet,
    coverage: GlobSet,
    result_bases: Vec<String>,
}

struct Rule {
    directories: Vec<String>,
    /// For names of files beneath the directories.
    names: GlobSet,
    /// For whole paths, wherever they are.
    paths: GlobSet,
    path_bases: Vec<String>,
    skip: Skip,
}

/// Names and paths that are left out.
struct Skip {
    names: GlobSet,
    paths: GlobSet,
    directories: GlobSet,
}

/// What a walk found.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    pub(crate) files: BTreeMap<String, Role>,
    /// Directories that were looked into.
    pub(crate) directories: BTreeSet<String>,
}

impl Scan {
    pub(crate) fn new(config: &Config) -> Self {
        let mut rules =
            vec![(Role::Spec, Rule::new(&config.spec)), (Role::Spec, Rule::new(&config.journey))];
        if let Some(test) = &config.test {
            rules.push((Role::Test, Rule::new(test)));
        }
        rules.push((Role::Code, Rule::new(&config.code)));
        Self {
            rules,
            test_names: globs(if config.test.is_some() { language::test_names() } else { &[] }),
            skip: Skip::new(&config.skip, &config.skip),
            dialects: Dialect::ALL.into_iter().filter_map(|it| switched(config, it)).collect(),
            results: globs(&config.results),
            coverage: globs(&config.coverage),
            result_bases: config
                .results
                .iter()
                .chain(&config.coverage)
                .map(|it| base_of(it))
                .collect(),
        }
    }

    /// What a file of this path counts as; what git ignores is not looked at.
    pub(crate) fn role_of(&self, path: &str) -> Option<Role> {
        if let Some(role) = self.report_at(path) {
            return Some(role);
        }
        if self.skip.skips(path) {
            return None;
        }
        let dialect = dialect::place(path).map(|it| it.dialect);
        let known = self.dialects.iter().find(|(it, _)| Some(*it) == dialect);
        if let Some((dialect, true)) = known {
            return Some(Role::Dialect(*dialect));
        }
        let Some((role, _)) = self.rules.iter().find(|(_, rule)| rule.selects(path)) else {
            return known.map(|(dialect, _)| Role::Dialect(*dialect));
        };
        let name = path.rsplit('/').next().unwrap_or(path);
        let is_test = *role == Role::Code && self.test_names.is_match(name);
        Some(if is_test { Role::Test } else { *role })
    }

    /// What a run of tests left at a path.
    fn report_at(&self, path: &str) -> Option<Role> {
        if self.coverage.is_match(path) {
            return Some(Role::Coverage);
        }
        self.results.is_match(path).then_some(Role::Results)
    }

    /// Whether a path is one where requirements may be written.
    pub(crate) fn is_spec(&self, path: &str) -> bool {
        self.role_of(path) == Some(Role::Spec)
    }

    /// Whether requirements are read from a path, in whatever form.
    pub(crate) fn holds_requirements(&self, path: &str) -> bool {
        matches!(self.role_of(path), Some(Role::Spec | Role::Dialect(_)))
    }

    pub(crate) fn walk(&self, view: &View<'_>, work: &Work) -> Result<Listing, Cancelled> {
        let root = view.tree();
        let found = Mutex::new(BTreeMap::new());
        let mut directories = BTreeSet::new();
        let mut bases: BTreeSet<String> = BTreeSet::new();
        for (_, rule) in &self.rules {
            bases.extend(rule.directories.iter().chain(&rule.path_bases).cloned());
        }
        bases.extend(self.dialects.iter().map(|(it, _)| it.base().to_owned()));
        let note = |path: &RelPath, role: Role| {
            let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
            found.insert(path.to_string(), role);
        };
        for base in outermost(&bases) {
            let base = RelPath::parse(&base).ok().filter(|_| !base.is_empty());
            let enter = |path: &RelPath| !self.skip.skips_directory(path.as_str());
            let walk = Walk::new(root).beneath(base.as_ref()).max_depth(MAX_DEPTH).entering(&enter);
            let walked = walk.run(work, &|path| {
                if let Some(role) = self.role_of(path.as_str()) {
                    note(path, role);
                }
            })?;
            directories.extend(walked.directories);
        }
        // Reports are mostly ignored by git, and are looked for all the same.
        for base in outermost(&self.result_bases.iter().cloned().collect()) {
            let base = RelPath::parse(&base).ok().filter(|_| !base.is_empty());
            let enter = |path: &RelPath| self.leads_to_results(path.as_str());
            let walk = Walk::new(root).beneath(base.as_ref()).max_depth(MAX_RESULT_DEPTH);
            let walked = walk.heeding_no_rules().entering(&enter).run(work, &|path| {
                if let Some(role) = self.report_at(path.as_str()) {
                    note(path, role);
                }
            })?;
            directories.extend(walked.directories);
        }
        let mut files = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        for (path, is_there) in view.decided() {
            match self.role_of(path).filter(|_| is_there) {
                Some(role) => files.insert(path.to_owned(), role),
                None => files.remove(path),
            };
        }
        Ok(Listing { files, directories })
    }

    fn leads_to_results(&self, path: &str) -> bool {
        self.result_bases.iter().any(|base| {
            !base.is_empty() && (path.starts_with(base.as_str()) || base.starts_with(path))
        })
    }
}

/// Whether a dialect is read, and whether it was switched on by name.
fn switched(config: &Config, dialect: Dialect) -> Option<(Dialect, bool)> {
    let said = config.dialects.iter().find(|(it, _)| *it == dialect);
    match said {
        Some((_, false)) => None,
        Some((_, true)) => Some((dialect, true)),
        None => Some((dialect, false)),
    }
}

impl Rule {
    fn new(rule: &ScanRule) -> Self {
        let (mut paths, names): (Vec<String>, Vec<String>) =
            rule.patterns.iter().cloned().partition(|it| it.contains('/'));
        // A directory may be a pattern itself: `apps/**/test`.
        let (several, directories): (Vec<String>, Vec<String>) =
            rule.directories.iter().map(|it| tidy(it)).partition(|it| it.contains(['*', '?']));
        for directory in several {
            paths.extend(names.iter().map(|name| format!("{directory}/**/{name}")));
        }
        Self {
            directories,
            names: globs(&names),
            path_bases: paths.iter().map(|it| base_of(it)).collect(),
            paths: globs(&paths),
            skip: Skip::new(&rule.skip_files, &rule.skip_dirs),
        }
    }

    fn selects(&self, path: &str) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path);
        let beneath = self.directories.iter().any(|it| is_beneath(path, it));
        (self.paths.is_match(path) || (beneath && self.names.is_match(name)))
            && !self.skip.skips(path)
    }
}

impl Skip {
    fn new(files: &[String], directories: &[String]) -> Self {
        let (paths, names): (Vec<String>, Vec<String>) =
            files.iter().cloned().partition(|it| it.contains('/'));
        Self { names: globs(&names), paths: globs(&paths), directories: globs(directories) }
    }

    fn skips(&self, path: &str) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path);
        self.names.is_match(name) || self.paths.is_match(path) || self.skips_parents(path)
    }

    fn skips_parents(&self, path: &str) -> bool {
        path.match_indices('/').any(|(at, _)| self.skips_directory(&path[..at]))
    }

    /// A name alone means directories of that name anywhere.
    fn skips_directory(&self, path: &str) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path);
        self.directories.is_match(name) || self.directories.is_match(path)
    }
}

/// Patterns that cannot be understood select nothing.
fn globs(patterns: &[String]) -> GlobSet {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        let pattern = pattern.trim_start_matches("./").trim_end_matches('/');
        let glob: Option<Glob> =
            GlobBuilder::new(pattern).literal_separator(pattern.contains('/')).build().ok();
        if let Some(glob) = glob {
            set.add(glob);
        }
    }
    set.build().unwrap_or_else(|_| GlobSet::empty())
}

/// The directory a pattern's files lie beneath.
fn base_of(pattern: &str) -> String {
    let pattern = pattern.trim_start_matches("./");
    let literal = pattern.find(['*', '?', '[', '{']).map_or(pattern, |at| &pattern[..at]);
    literal.rsplit_once('/').map_or_else(String::new, |(base, _)| base.to_owned())
}

fn tidy(directory: &str) -> String {
    let directory = directory.trim_start_matches("./").trim_end_matches('/');
    if directory == "." { String::new() } else { directory.to_owned() }
}

fn is_beneath(path: &str, directory: &str) -> bool {
    directory.is_empty() || path.strip_prefix(directory).is_some_and(|rest| rest.starts_with('/'))
}

/// Without those that lie beneath another.
fn outermost(bases: &BTreeSet<String>) -> Vec<String> {
    let covers = |base: &String| bases.iter().any(|other| other != base && is_beneath(base, other));
    bases.iter().filter(|base| !covers(base)).cloned().collect()
}
