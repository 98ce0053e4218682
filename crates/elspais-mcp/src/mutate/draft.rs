//! A change in the making: what is edited, and what should be there afterwards.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value;

use super::edit::{Edit, Layer};
use super::outline::{self, Block};
use super::{MutationEntry, Occasion};
use crate::config::HashMode;
use crate::error::Error;
use crate::graph::{File, Item, NodeKind, TraceGraph, some_places};
use crate::hash;
use crate::parse::Requirement;

/// Where requirements lie that have no file yet.
pub(crate) const UNPLACED: &str = "(unplaced)";

/// A change that is planned.
pub(super) struct Draft {
    pub(super) operation: &'static str,
    pub(super) target_id: String,
    pub(super) before_state: Value,
    pub(super) edits: BTreeMap<Arc<str>, Vec<Edit>>,
    pub(super) created: Option<(Arc<str>, String)>,
    pub(super) removed: Vec<Arc<str>>,
    /// The requirement whose hash says whether the change affects hashes, before and after.
    pub(super) subject: (String, String),
}

impl Draft {
    pub(super) fn new(operation: &'static str, target_id: &str, before_state: Value) -> Self {
        Self {
            operation,
            target_id: target_id.to_owned(),
            before_state,
            edits: BTreeMap::new(),
            created: None,
            removed: Vec::new(),
            subject: (target_id.to_owned(), target_id.to_owned()),
        }
    }

    pub(super) fn edit(&mut self, file: &File, edit: Edit) {
        self.edits.entry(file.path.clone()).or_default().push(edit);
    }
}

impl TraceGraph {
    /// Makes a planned change, unless the texts then say something else than `expect` makes of what
    /// they said. `after` describes the outcome.
    pub(super) fn carry_out(
        &mut self,
        occasion: &Occasion,
        draft: Draft,
        expect: impl Fn(&str, &mut Vec<Block>),
        after: impl FnOnce(&Self) -> Value,
    ) -> Result<&MutationEntry, Error> {
        let (before, _) = self.hash_in_use(&draft.subject.0);
        let had_cycle = self.cycle_through(&draft.subject.0).is_some();
        let mut expected: BTreeMap<Arc<str>, Vec<Block>> = BTreeMap::new();
        for path in draft.edits.keys().chain(&draft.removed) {
            let mut blocks =
                self.file_at(path).map(|(_, file)| outline::of(file)).unwrap_or_default();
            expect(path, &mut blocks);
            expected.insert(path.clone(), blocks);
        }
        if let Some((path, _)) = &draft.created {
            let mut blocks = Vec::new();
            expect(path, &mut blocks);
            expected.insert(path.clone(), blocks);
        }
        let hashes = self.hashes_to_keep(&draft.edits);
        let created =
            draft.created.into_iter().map(|(path, text)| (path, Arc::from(text))).collect();
        let mut undo =
            vec![self.apply_layer(Layer { files: draft.edits, created, removed: draft.removed })];
        if let Err(error) = self.check(&expected, &draft.subject.1, had_cycle) {
            self.take_back(undo);
            return Err(error);
        }
        let stale = self.hash_edits(&hashes, &draft.subject);
        if !stale.is_empty() {
            undo.insert(0, self.apply_layer(Layer { files: stale, ..Layer::default() }));
        }
        let (now, _) = self.hash_in_use(&draft.subject.1);
        let entry = MutationEntry {
            id: occasion.id.clone(),
            timestamp: occasion.now,
            operation: draft.operation,
            target_id: draft.target_id,
            before_state: draft.before_state,
            after_state: after(self),
            affects_hash: before != now,
            undo,
        };
        self.log.entries.push(entry);
        let at = self.log.entries.len() - 1;
        Ok(&self.log.entries[at])
    }

    fn take_back(&mut self, undo: Vec<Layer>) {
        for layer in undo {
            self.apply_layer(layer);
        }
    }

    fn check(
        &self,
        expected: &BTreeMap<Arc<str>, Vec<Block>>,
        subject: &str,
        had_cycle: bool,
    ) -> Result<(), Error> {
        for (path, blocks) in expected {
            let found = self.file_at(path).map(|(_, file)| outline::of(file)).unwrap_or_default();
            if found != *blocks {
                return Err(misread(path, blocks, &found));
            }
        }
        if !had_cycle && let Some(path) = self.cycle_through(subject) {
            return Err(Error::refused(
                format!("this would make a cycle: {}", way(&path)),
                "A requirement cannot lie above itself; link it to another one, or remove one of these links first.",
            ));
        }
        Ok(())
    }

    /// The hash of a requirement by the rule in use for it, and that rule.
    fn hash_in_use(&self, id: &str) -> (Option<String>, HashMode) {
        let found = self.definition_of(id).and_then(|item| Some((item, self.requirement(item)?)));
        let Some((item, requirement)) = found else { return (None, HashMode::Assertions) };
        let Some(file) = self.file(item.file) else { return (None, HashMode::Assertions) };
        let mode = self.hash_mode(file, requirement);
        (Some(hash::hash(requirement, &file.text, mode, self.config.hash)), mode)
    }

    /// What is configured, else what the hash there follows, else what others in the file do.
    pub(crate) fn hash_mode(&self, file: &File, requirement: &Requirement) -> HashMode {
        if let Some(mode) = self.config.hash.mode {
            return mode;
        }
        let rule = |requirement: &Requirement| {
            let stored = hash::stored(requirement, &file.text)?;
            hash::rule_of(requirement, &file.text, stored, self.config.hash)
        };
        rule(requirement)
            .or_else(|| file.contents.requirements.iter().find_map(rule))
            .unwrap_or(HashMode::Assertions)
    }

    /// Requirements that are about to be edited and carry a hash, each with its rule and value.
    fn hashes_to_keep(
        &self,
        edits: &BTreeMap<Arc<str>, Vec<Edit>>,
    ) -> Vec<(String, HashMode, String)> {
        let mut kept = Vec::new();
        for (path, edits) in edits {
            let Some((_, file)) = self.file_at(path) else { continue };
            for requirement in &file.contents.requirements {
                let is_touched = edits.iter().any(|edit| {
                    edit.at.start <= requirement.block.end && edit.at.end >= requirement.block.start
                });
                if is_touched && hash::stored(requirement, &file.text).is_some() {
                    let mode = self.hash_mode(file, requirement);
                    let value = hash::hash(requirement, &file.text, mode, self.config.hash);
                    kept.push((requirement.id.to_string(), mode, value));
                }
            }
        }
        kept
    }

    /// Edits that bring the hashes of changed requirements up to date.
    fn hash_edits(
        &self,
        kept: &[(String, HashMode, String)],
        renamed: &(String, String),
    ) -> BTreeMap<Arc<str>, Vec<Edit>> {
        let mut edits: BTreeMap<Arc<str>, Vec<Edit>> = BTreeMap::new();
        let mut seen = BTreeSet::new();
        for (id, mode, before) in kept {
            let id = if *id == renamed.0 { &renamed.1 } else { id };
            let Some(item) = self.definition_of(id) else { continue };
            let (Some(file), Some(requirement)) = (self.file(item.file), self.requirement(item))
            else {
                continue;
            };
            let now = hash::hash(requirement, &file.text, *mode, self.config.hash);
            let stands = requirement.footer.and_then(|it| it.hash);
            if let Some(span) = stands
                && now != *before
                && seen.insert(id)
            {
                edits.entry(file.path.clone()).or_default().push(Edit::replace(span, now));
            }
        }
        edits
    }

    /// The one definition of a requirement, or the reason why there is no such thing.
    pub(super) fn the_requirement(&self, id: &str) -> Result<Found<'_>, Error> {
        let Some(node) = self.get_node(id) else { return Err(self.no_requirement(id)) };
        if node.kind() != NodeKind::Requirement {
            return Err(Error::refused(
                format!(
                    "Node '{id}' is not a requirement but a node of kind {}",
                    node.kind().as_str()
                ),
                "Give the id of a requirement, such as search returns.",
            ));
        }
        let id = node.id();
        if self.definitions_of(&id) > 1 {
            let places: Vec<(String, u32)> = self
                .duplicates()
                .into_iter()
                .filter(|(it, _)| *it == id)
                .flat_map(|(_, places)| places)
                .collect();
            return Err(Error::refused(
                format!("{id} is defined more than once: {}", some_places(&places)),
                "Give one of them another id by hand, call refresh_graph, then repeat the call.",
            ));
        }
        let item = self.definition_of(&id).ok_or_else(|| self.no_requirement(&id))?;
        let found = self.file(item.file).zip(self.requirement(item));
        let (file, requirement) = found.ok_or_else(|| self.no_requirement(&id))?;
        Ok(Found { id, item, file, requirement })
    }

    pub(crate) fn no_requirement(&self, id: &str) -> Error {
        let shown = mcp_core::text::one_line(mcp_core::text::cut(id, 200));
        let canonical =
            self.grammar.reference(&shown).map_or_else(|| shown.clone(), |it| it.id.canonical);
        let ids: Vec<String> =
            self.nodes_by_kind(NodeKind::Requirement).map(|node| node.id()).collect();
        let nearest = mcp_core::text::nearest(&canonical, ids.iter().map(String::as_str));
        Error::NotFound {
            what: "Requirement",
            id: shown,
            nearest: nearest.map(str::to_owned),
            hint: "search finds requirements by id, title or text.",
        }
    }
}

/// A requirement and where it is.
pub(super) struct Found<'g> {
    pub(super) id: String,
    pub(super) item: Item,
    pub(super) file: &'g File,
    pub(super) requirement: &'g Requirement,
}

/// A way through the graph; of a long one, both ends.
fn way(path: &[String]) -> String {
    const END: usize = 5;
    match path.len().checked_sub(2 * END) {
        None | Some(0) => path.join(" -> "),
        Some(more) => {
            let (first, last) = (&path[..END], &path[path.len() - END..]);
            format!("{} -> ({more} more) -> {}", first.join(" -> "), last.join(" -> "))
        }
    }
}

fn misread(path: &str, expected: &[Block], found: &[Block]) -> Error {
    let missing = expected.iter().find(|block| !found.contains(block));
    let surprise = found.iter().find(|block| !expected.contains(block));
    let name = |block: Option<&Block>| block.map(|it| it.id.clone()).filter(|it| !it.is_empty());
    let what = match (name(missing), name(surprise)) {
        (Some(id), _) => format!("{id} would not be what was meant"),
        (None, Some(id)) => format!("{id} would be different, too"),
        (None, None) => "references would be different".to_owned(),
    };
    Error::refused(
        format!("the text would be read differently in {path}: {what}"),
        "Leave out what has a meaning of its own: headings, labels such as `B.`, `*End*` markers, code fences and comments.",
    )
}
