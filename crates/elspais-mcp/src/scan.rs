//! Which files are read, and as what: the configured rules, without what git ignores.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use mcp_core::sandbox::{EntryKind, RelPath, Root};

use crate::config::{Config, ScanRule};
use crate::graph::Role;
use crate::language;

/// Deeper trees are not climbed down.
const MAX_DEPTH: usize = 64;
/// A list of names to ignore is never this long.
const MAX_IGNORE_BYTES: u64 = 1024 * 1024;

pub(crate) struct Scan {
    /// In this order: the first rule that fits says what a file is.
    rules: Vec<(Role, Rule)>,
    /// Names that make a file in a directory of code a test.
    test_names: GlobSet,
    skip: Skip,
    results: GlobSet,
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
pub(crate) struct Walk {
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
            results: globs(&config.results),
            result_bases: config.results.iter().map(|it| base_of(it)).collect(),
        }
    }

    /// What a file of this path counts as; what git ignores is not looked at.
    pub(crate) fn role_of(&self, path: &str) -> Option<Role> {
        if self.results.is_match(path) {
            return Some(Role::Results);
        }
        if self.skip.skips(path) {
            return None;
        }
        let (role, _) = self.rules.iter().find(|(_, rule)| rule.selects(path))?;
        let name = path.rsplit('/').next().unwrap_or(path);
        let is_test = *role == Role::Code && self.test_names.is_match(name);
        Some(if is_test { Role::Test } else { *role })
    }

    /// Whether a path is one where requirements may be written.
    pub(crate) fn is_spec(&self, path: &str) -> bool {
        self.role_of(path) == Some(Role::Spec)
    }

    pub(crate) fn walk(&self, root: &Root) -> Walk {
        let mut walk = Walk::default();
        let mut bases: BTreeSet<String> = BTreeSet::new();
        for (_, rule) in &self.rules {
            bases.extend(rule.directories.iter().chain(&rule.path_bases).cloned());
        }
        for base in outermost(&bases) {
            let mut ignored = rules_above(root, &base);
            self.descend(root, &base, &mut ignored, true, 0, &mut walk);
        }
        for base in outermost(&self.result_bases.iter().cloned().collect()) {
            self.descend_for_results(root, &base, 0, &mut walk);
        }
        walk
    }

    fn descend(
        &self,
        root: &Root,
        at: &str,
        ignored: &mut Vec<Gitignore>,
        is_base: bool,
        depth: usize,
        walk: &mut Walk,
    ) {
        let place = RelPath::parse(at).ok();
        if depth > MAX_DEPTH || (place.is_none() && !at.is_empty()) {
            return;
        }
        let Ok(entries) = root.list(place.as_ref()) else { return };
        walk.directories.insert(at.to_owned());
        let own =
            entries.iter().any(|it| it.name == ".gitignore").then(|| rules_in(root, at)).flatten();
        let has_own = own.is_some() && !(is_base && at.is_empty());
        if has_own || (is_base && at.is_empty()) {
            ignored.extend(own);
        }
        for entry in entries {
            let path = join(at, &entry.name);
            let is_dir = entry.kind == EntryKind::Directory;
            if entry.name == ".git" || is_ignored(ignored, &path, is_dir) {
                continue;
            }
            if is_dir {
                if !self.skip.skips_directory(&path) {
                    self.descend(root, &path, ignored, false, depth + 1, walk);
                }
            } else if entry.kind == EntryKind::File
                && let Some(role) = self.role_of(&path)
            {
                walk.files.insert(path, role);
            }
        }
        if has_own {
            ignored.pop();
        }
    }

    /// Reports are mostly ignored by git, and are looked for all the same.
    fn descend_for_results(&self, root: &Root, at: &str, depth: usize, walk: &mut Walk) {
        let place = RelPath::parse(at).ok();
        if depth > 8 || (place.is_none() && !at.is_empty()) {
            return;
        }
        let Ok(entries) = root.list(place.as_ref()) else { return };
        walk.directories.insert(at.to_owned());
        for entry in entries {
            let path = join(at, &entry.name);
            if entry.kind == EntryKind::File && self.results.is_match(&path) {
                walk.files.insert(path, Role::Results);
            } else if entry.kind == EntryKind::Directory && self.leads_to_results(&path) {
                self.descend_for_results(root, &path, depth + 1, walk);
            }
        }
    }

    fn leads_to_results(&self, path: &str) -> bool {
        self.result_bases.iter().any(|base| {
            !base.is_empty() && (path.starts_with(base.as_str()) || base.starts_with(path))
        })
    }
}

impl Rule {
    fn new(rule: &ScanRule) -> Self {
        let (paths, names): (Vec<String>, Vec<String>) =
            rule.patterns.iter().cloned().partition(|it| it.contains('/'));
        Self {
            directories: rule.directories.iter().map(|it| tidy(it)).collect(),
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

fn join(at: &str, name: &str) -> String {
    if at.is_empty() { name.to_owned() } else { format!("{at}/{name}") }
}

/// The rules of the directories above `base`, outermost first.
fn rules_above(root: &Root, base: &str) -> Vec<Gitignore> {
    let mut found: Vec<Gitignore> = Vec::new();
    if !base.is_empty() {
        found.extend(rules_in(root, ""));
        found.extend(base.match_indices('/').filter_map(|(at, _)| rules_in(root, &base[..at])));
    }
    found
}

fn rules_in(root: &Root, at: &str) -> Option<Gitignore> {
    let path = RelPath::parse(&join(at, ".gitignore")).ok()?;
    let bytes = root.read_up_to(&path, MAX_IGNORE_BYTES).ok()?;
    let mut builder = GitignoreBuilder::new(at);
    for line in String::from_utf8_lossy(&bytes).lines() {
        // A line that is no pattern ignores nothing.
        drop(builder.add_line(None, line));
    }
    builder.build().ok()
}

fn is_ignored(ignored: &[Gitignore], path: &str, is_dir: bool) -> bool {
    for rules in ignored.iter().rev() {
        let matched = rules.matched(path, is_dir);
        if !matched.is_none() {
            return matched.is_ignore();
        }
    }
    false
}
