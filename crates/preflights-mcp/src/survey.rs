//! What the repository itself shows: its files, ecosystems and dependencies. Bounded, sorted, and
//! blind to what git ignores.

mod manifest;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use mcp_core::sandbox::{EntryKind, RelPath, Root};

use crate::bank::Question;

const MAX_FILES: usize = 5_000;
const MAX_DEPTH: usize = 8;
const MAX_MANIFESTS: usize = 60;
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

#[derive(Debug, Default)]
pub(crate) struct Survey {
    /// Paths of files, sorted.
    pub(crate) files: Vec<String>,
    /// In the order of `ECOSYSTEMS`, those of the top directory first.
    pub(crate) ecosystems: Vec<&'static str>,
    /// `npm:pg` with the file that names it.
    pub(crate) facts: BTreeMap<String, String>,
    /// There were more files than are looked at.
    pub(crate) is_cut: bool,
}

/// A value the repository shows, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shown {
    pub(crate) value: String,
    pub(crate) source: String,
}

impl Survey {
    pub(crate) fn of(root: &Root) -> Self {
        let mut survey = Self::default();
        survey.walk(root, None, &mut Vec::new(), 0);
        survey.files.sort();
        survey.read_manifests(root);
        survey
    }

    fn walk(
        &mut self,
        root: &Root,
        at: Option<&RelPath>,
        ignored: &mut Vec<Gitignore>,
        depth: usize,
    ) {
        if self.is_cut {
            return;
        }
        // A directory that cannot be listed shows nothing.
        let Ok(entries) = root.list(at) else { return };
        let rules =
            entries.iter().any(|it| it.name == ".gitignore").then(|| rules(root, at)).flatten();
        let has_rules = rules.is_some();
        ignored.extend(rules);
        for entry in entries {
            let path = match at {
                Some(at) => at.join(&entry.name),
                None => RelPath::parse(&entry.name),
            };
            let Ok(path) = path else { continue };
            let is_dir = entry.kind == EntryKind::Directory;
            if is_ignored(ignored, &path, is_dir) || is_ours(path.as_str()) {
                continue;
            }
            if is_dir {
                if depth < MAX_DEPTH && !SKIPPED.contains(&entry.name.as_str()) {
                    self.walk(root, Some(&path), ignored, depth + 1);
                }
            } else if entry.kind == EntryKind::File {
                if self.files.len() >= MAX_FILES {
                    self.is_cut = true;
                    break;
                }
                self.files.push(path.to_string());
            }
        }
        if has_rules {
            ignored.pop();
        }
    }

    fn read_manifests(&mut self, root: &Root) {
        let mut named: Vec<(usize, &String)> = self
            .files
            .iter()
            .filter(|path| manifest::reader(path).is_some())
            .map(|path| (path.matches('/').count(), path))
            .collect();
        named.sort();
        let mut facts = BTreeMap::new();
        let mut ecosystems = Vec::new();
        for (_, path) in named.into_iter().take(MAX_MANIFESTS) {
            let Some((ecosystem, read)) = manifest::reader(path) else { continue };
            if let Some(ecosystem) = ecosystem
                && !ecosystems.contains(&ecosystem)
            {
                ecosystems.push(ecosystem);
            }
            let Ok(rel) = RelPath::parse(path) else { continue };
            let Ok(bytes) = root.read_up_to(&rel, MAX_MANIFEST_BYTES) else { continue };
            for fact in read(&String::from_utf8_lossy(&bytes)) {
                facts.entry(fact).or_insert_with(|| path.clone());
            }
        }
        self.facts = facts;
        self.ecosystems = ecosystems;
    }

    /// The file or directory that shows `fact`.
    fn source_of(&self, fact: &str) -> Option<&str> {
        match fact.strip_prefix("file:") {
            None => self.facts.get(fact).map(String::as_str),
            Some(wanted) => self
                .files
                .iter()
                .find(|path| {
                    path.strip_prefix(wanted)
                        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
                })
                .map(String::as_str),
        }
    }

    /// Values of a question that the repository shows.
    pub(crate) fn shows(&self, question: &Question) -> Vec<Shown> {
        self.matching(&question.found)
    }

    /// Values that it makes likely.
    pub(crate) fn suggests(&self, question: &Question) -> Vec<Shown> {
        self.matching(&question.suggested)
    }

    fn matching(&self, table: &BTreeMap<String, Vec<String>>) -> Vec<Shown> {
        table
            .iter()
            .filter_map(|(value, facts)| {
                let source = facts.iter().find_map(|fact| self.source_of(fact))?;
                Some(Shown { value: value.clone(), source: source.to_owned() })
            })
            .collect()
    }

    /// Whether some manifest names this library.
    pub(crate) fn depends_on(&self, name: &str) -> bool {
        let ours = |fact: &String| {
            let name_there = fact.split_once(':').map_or("", |(_, name)| name);
            name_there.eq_ignore_ascii_case(name)
                || name_there.rsplit('/').next().is_some_and(|it| it.eq_ignore_ascii_case(name))
        };
        self.facts.keys().any(ours)
    }

    pub(crate) fn has_manifest(&self) -> bool {
        !self.ecosystems.is_empty()
    }
}

fn rules(root: &Root, at: Option<&RelPath>) -> Option<Gitignore> {
    let path = match at {
        Some(at) => at.join(".gitignore"),
        None => RelPath::parse(".gitignore"),
    };
    let bytes = root.read_up_to(&path.ok()?, MAX_MANIFEST_BYTES).ok()?;
    let mut builder = GitignoreBuilder::new(at.map_or("", RelPath::as_str));
    for line in String::from_utf8_lossy(&bytes).lines() {
        // A line that is no pattern ignores nothing.
        drop(builder.add_line(None, line));
    }
    builder.build().ok()
}

fn is_ignored(ignored: &[Gitignore], path: &RelPath, is_dir: bool) -> bool {
    for rules in ignored.iter().rev() {
        let matched = rules.matched(path.as_str(), is_dir);
        if !matched.is_none() {
            return matched.is_ignore();
        }
    }
    false
}

/// What we write is no evidence of anything else.
fn is_ours(path: &str) -> bool {
    ["docs/adr", "docs/archive", crate::task::PATH, crate::projection::PATH, "docs/AGENT_PROMPT.md"]
        .contains(&path)
}
