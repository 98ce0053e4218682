//! `TraceGraph`: requirements and everything that cites them, as one function of the files' texts.
//!
//! Nodes are not copied out of the files: a node is a place in a file's record, and an index by id
//! holds who is defined where and who cites whom. Whatever changes a text replaces that file's
//! records and corrects the index around it, so that the graph is always what a build from the same
//! texts would give. Counters and coverage are kept, never recounted.

mod amend;
mod coverage;
mod file;
mod index;
mod item;
mod lines;
mod link;
mod node;
pub(crate) mod search;
mod settle;
mod verdict;
pub(crate) mod walk;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jiff::Timestamp;

use crate::domain::config::Config;
use crate::domain::grammar::Grammar;
use crate::domain::parse::Form;

pub(crate) use file::{File, Role};
pub(crate) use item::{Cite, Item, ItemKind};
pub(crate) use lines::LineCount;
pub(crate) use link::FileUpdate;
pub(crate) use node::{Edge, Node, NodeKey, NodeKind};

use index::Index;
use verdict::Verdicts;

/// How many things a message names before it only counts.
const MAX_NAMED: usize = 5;

/// What is known about the graph as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Metadata {
    pub(crate) last_refresh: Timestamp,
    /// Whether files are known to differ from what the graph was built of.
    pub(crate) is_stale: bool,
}

pub(crate) struct TraceGraph {
    pub(crate) config: Arc<Config>,
    pub(crate) grammar: Arc<Grammar>,
    /// Places of files that are gone stay empty, so that numbers stay valid.
    files: Vec<Option<File>>,
    by_path: BTreeMap<Arc<str>, u32>,
    index: Index,
    totals: Totals,
    verdicts: Verdicts,
    /// Made when somebody asks, and kept up to date from then on.
    words: words::Kept,
    lines: lines::Lines,
    pub(crate) metadata: Metadata,
    /// Other repositories that the configuration names and that are not read.
    pub(crate) absent: Vec<Absent>,
}

/// Another repository that is not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Absent {
    pub(crate) name: String,
    pub(crate) namespace: Option<String>,
    /// Why not, where it was tried.
    pub(crate) problem: Option<String>,
}

/// Counters over the whole graph, kept up to date.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Totals {
    pub(crate) by_kind: BTreeMap<NodeKind, usize>,
    /// Per level: all requirements, and those that are not retired.
    pub(crate) by_level: BTreeMap<String, (usize, usize)>,
    pub(crate) roots: usize,
    pub(crate) broken: usize,
    /// Requirements whose status counts towards coverage.
    pub(crate) counted: usize,
    pub(crate) full_coverage: usize,
    pub(crate) partial_coverage: usize,
    pub(crate) covered_assertions: usize,
    pub(crate) countable_assertions: usize,
    pub(crate) tested_assertions: usize,
    pub(crate) validated_assertions: usize,
    pub(crate) failing: usize,
    pub(crate) remarks: usize,
    /// Requirements that satisfy a template, once for each; never among the requirements.
    pub(crate) instances: usize,
    /// Citations that lead somewhere, once for each assertion they name.
    pub(crate) links: usize,
}

/// A reference that leads nowhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BrokenReference {
    pub(crate) source_id: String,
    pub(crate) target_id: String,
    pub(crate) kind: crate::domain::parse::EdgeKind,
    pub(crate) path: String,
    pub(crate) line: u32,
    pub(crate) reason: BrokenReason,
}

/// Why a reference leads nowhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BrokenReason {
    UnknownRequirement,
    /// The requirement exists, the assertion does not.
    UnknownAssertion,
    /// What is cited has not the form of this project's ids.
    UnknownNamespace,
    /// What is cited begins like an id of this project but is not one.
    Malformed,
    /// What is cited lies in a repository that is not read.
    OtherRepository,
    /// A proposed change names a requirement by a title that no specification has.
    UnknownTitle,
}

impl BrokenReason {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::UnknownRequirement => "unknown_requirement",
            Self::UnknownAssertion => "unknown_assertion",
            Self::UnknownNamespace => "unknown_namespace",
            Self::Malformed => "malformed",
            Self::OtherRepository => "in_other_repository",
            Self::UnknownTitle => "unknown_title",
        }
    }
}

impl TraceGraph {
    pub(crate) fn new(
        config: Arc<Config>,
        grammar: Arc<Grammar>,
        files: Vec<File>,
        now: Timestamp,
    ) -> Self {
        let mut graph = Self {
            config,
            grammar,
            files: Vec::new(),
            by_path: BTreeMap::new(),
            index: Index::default(),
            totals: Totals {
                by_kind: NodeKind::ALL.into_iter().map(|kind| (kind, 0)).collect(),
                ..Totals::default()
            },
            verdicts: Verdicts::default(),
            words: words::Kept::default(),
            lines: lines::Lines::default(),
            metadata: Metadata { last_refresh: now, is_stale: false },
            absent: Vec::new(),
        };
        graph.relink(files.into_iter().map(FileUpdate::Put).collect());
        graph
    }

    pub(crate) fn totals(&self) -> &Totals {
        &self.totals
    }

    /// The node of that id, whatever it is.
    pub(crate) fn get_node(&self, id: &str) -> Option<Node<'_>> {
        node::find(self, id)
    }

    /// All nodes of a kind, by file and place; how many they are is known without looking.
    pub(crate) fn nodes_by_kind(&self, kind: NodeKind) -> node::Nodes<'_> {
        node::Nodes::new(self, kind, self.totals.by_kind.get(&kind).copied().unwrap_or(0))
    }

    /// Requirements without a parent that exists.
    pub(crate) fn iter_roots(&self) -> impl Iterator<Item = Node<'_>> {
        let files = self.by_path.values().filter_map(|idx| Some((*idx, self.file(*idx)?)));
        files.flat_map(move |(idx, file)| {
            let items = file.items(idx).take_while(|it| it.kind == ItemKind::Requirement);
            let roots = items.filter(|it| {
                self.sym_of(*it).is_some_and(|sym| self.index.entries[sym as usize].share.is_root)
            });
            roots.filter_map(|it| Node::of_item(self, it))
        })
    }

    pub(crate) fn root_count(&self) -> usize {
        self.totals.roots
    }

    pub(crate) fn total_nodes(&self) -> usize {
        self.totals.by_kind.values().sum()
    }

    /// Files by path.
    pub(crate) fn iter_files(&self) -> impl Iterator<Item = &File> {
        self.by_path.values().filter_map(|idx| self.file(*idx))
    }

    pub(crate) fn file(&self, idx: u32) -> Option<&File> {
        self.files.get(idx as usize)?.as_ref()
    }

    pub(crate) fn file_at(&self, path: &str) -> Option<(u32, &File)> {
        let idx = *self.by_path.get(path)?;
        Some((idx, self.file(idx)?))
    }

    /// Every reference that leads nowhere, by what it names.
    pub(crate) fn broken_references(&self) -> Vec<BrokenReference> {
        let mut found: Vec<BrokenReference> =
            self.index.broken.iter().flat_map(|sym| self.broken_at(*sym)).collect();
        found.sort_by(|left, right| {
            (&left.path, left.line, &left.target_id).cmp(&(
                &right.path,
                right.line,
                &right.target_id,
            ))
        });
        found
    }

    fn broken_at(&self, sym: u32) -> Vec<BrokenReference> {
        let entry = &self.index.entries[sym as usize];
        let mut found = Vec::new();
        for cite in &entry.citers {
            let Some((file, citation)) = self.active_citation(*cite) else { continue };
            let reference = |target_id: String, reason| BrokenReference {
                source_id: self.id_of(cite.item).to_owned(),
                target_id,
                kind: citation.kind,
                path: file.path.to_string(),
                line: citation.line,
                reason,
            };
            let (_, missing) = self.resolve(citation);
            if self.definition(sym).is_none() {
                let id = self.grammar.write_reference(&citation.target, &citation.labels, None);
                let form = self.requirement(cite.item).map(|it| it.form);
                let reason = match form {
                    Some(Form::Proposed) => BrokenReason::UnknownTitle,
                    _ => self.why_unknown(&citation.target),
                };
                found.push(reference(id, reason));
            } else {
                found.extend(missing.into_iter().map(|label| {
                    reference(
                        self.grammar.assertion_id(&citation.target, label),
                        BrokenReason::UnknownAssertion,
                    )
                }));
            }
        }
        found
    }

    /// What is wrong with an id that nobody defines.
    fn why_unknown(&self, target: &str) -> BrokenReason {
        let is_whole = |length: usize| length == target.len();
        let id = self.grammar.id(target).or_else(|| self.grammar.journey(target));
        let scoped = self.grammar.scopes().reference(target);
        if id.is_some_and(|it| is_whole(it.length)) || scoped.is_some() {
            BrokenReason::UnknownRequirement
        } else if self.repository_of(target).is_some() {
            BrokenReason::OtherRepository
        } else if self.grammar.begins_like_id(target) {
            BrokenReason::Malformed
        } else {
            BrokenReason::UnknownNamespace
        }
    }

    /// The repository that an id belongs to, of those that are not read.
    pub(crate) fn repository_of(&self, id: &str) -> Option<&str> {
        let begins = |it: &&Absent| {
            let rest = it.namespace.as_deref().and_then(|namespace| id.strip_prefix(namespace));
            rest.is_some_and(|rest| rest.starts_with(['-', '_']))
        };
        self.absent.iter().find(begins).map(|it| it.name.as_str())
    }

    /// Nodes that cite something, and nothing of it exists.
    pub(crate) fn orphans(&self) -> Vec<Node<'_>> {
        let mut seen = BTreeSet::new();
        let mut found = Vec::new();
        for sym in &self.index.broken {
            for cite in &self.index.entries[*sym as usize].citers {
                if self.active_citation(*cite).is_some()
                    && seen.insert(cite.item)
                    && !self.has_parent(cite.item)
                {
                    found.extend(Node::of_item(self, cite.item));
                }
            }
        }
        found.sort_by_key(Node::place);
        found
    }

    pub(crate) fn has_orphans(&self) -> bool {
        self.index.broken.iter().any(|sym| {
            let citers = &self.index.entries[*sym as usize].citers;
            citers
                .iter()
                .any(|cite| self.active_citation(*cite).is_some() && !self.has_parent(cite.item))
        })
    }

    /// Ids that are defined more than once, each with its places.
    pub(crate) fn duplicates(&self) -> Vec<(String, Vec<(String, u32)>)> {
        let mut found: Vec<_> = self
            .index
            .duplicated
            .iter()
            .map(|sym| {
                let entry = &self.index.entries[*sym as usize];
                let places = entry.defined.iter().filter_map(|item| {
                    let file = self.file(item.file)?;
                    Some((file.path.to_string(), file.line_of(*item)))
                });
                (entry.id.to_string(), places.collect::<Vec<_>>())
            })
            .collect();
        found.sort();
        found
    }

    /// Citing items of an id, with what each of them says.
    pub(crate) fn citations_of(
        &self,
        id: &str,
    ) -> impl Iterator<Item = (Cite, &File, &crate::domain::parse::Citation)> {
        self.citations_at(self.index.by_id.get(id).copied())
    }

    fn citations_at(
        &self,
        sym: Option<u32>,
    ) -> impl Iterator<Item = (Cite, &File, &crate::domain::parse::Citation)> {
        let citers = sym.map_or(&[][..], |sym| &self.index.entries[sym as usize].citers);
        citers.iter().filter_map(|cite| {
            let (file, citation) = self.active_citation(*cite)?;
            Some((*cite, file, citation))
        })
    }

    pub(crate) fn id_of(&self, item: Item) -> &str {
        self.file(item.file).map_or("", |file| file.id_of(item))
    }

    /// The definition that counts: the first by path and place.
    pub(crate) fn definition_of(&self, id: &str) -> Option<Item> {
        self.definition(*self.index.by_id.get(id)?)
    }

    /// Whether this is the definition of its id that counts.
    pub(crate) fn counts(&self, id: &str, item: Item) -> bool {
        self.index.duplicated.is_empty() || self.definition_of(id) == Some(item)
    }

    /// The number of what a requirement or a journey defines, where this definition counts.
    fn sym_of(&self, item: Item) -> Option<u32> {
        let sym = self.file(item.file)?.sym_of(item)?;
        (self.definition(sym) == Some(item)).then_some(sym)
    }

    pub(crate) fn node_at(&self, item: Item) -> Option<Node<'_>> {
        Node::of_item(self, item)
    }

    pub(crate) fn definitions_of(&self, id: &str) -> usize {
        let sym = self.index.by_id.get(id);
        sym.map_or(0, |sym| self.index.entries[*sym as usize].defined.len())
    }

    fn definition(&self, sym: u32) -> Option<Item> {
        self.index.entries[sym as usize].defined.first().copied()
    }
}

/// The first of many, as messages name them: what is everywhere must not make an answer endless.
pub(crate) fn some_of(names: impl ExactSizeIterator<Item = String>) -> String {
    let more = names.len().saturating_sub(MAX_NAMED);
    let named: Vec<String> = names.take(MAX_NAMED).collect();
    match more {
        0 => named.join(", "),
        more => format!("{} and {more} more", named.join(", ")),
    }
}

/// Files and lines, of which only the first are named.
pub(crate) fn some_places(places: &[(String, u32)]) -> String {
    some_of(places.iter().map(|(path, line)| format!("{path}:{line}")))
}
