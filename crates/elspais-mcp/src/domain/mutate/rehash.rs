//! Hashes in footers that follow the texts they stand for.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::edit::Edit;
use crate::domain::config::HashMode;
use crate::domain::graph::{File, TraceGraph};
use crate::domain::hash;
use crate::domain::parse::Requirement;

impl TraceGraph {
    /// The hash of a requirement by the rule in use for it.
    pub(super) fn hash_in_use(&self, id: &str) -> Option<String> {
        let item = self.definition_of(id)?;
        let (file, requirement) = (self.file(item.file)?, self.requirement(item)?);
        let mode = self.hash_mode(file, requirement);
        Some(hash::hash(requirement, &file.text, mode, self.config.hash))
    }

    /// What the hash there follows, else what others in the file do, as far as that is what is
    /// configured: releases call two different rules by one name.
    fn hash_mode(&self, file: &File, requirement: &Requirement) -> HashMode {
        let rule = |requirement: &Requirement| {
            let stored = hash::stored(requirement, &file.text)?;
            hash::rule_of(requirement, &file.text, stored, self.config.hash)
        };
        let seen = rule(requirement).or_else(|| file.contents.requirements.iter().find_map(rule));
        self.settled_mode(seen)
    }

    fn settled_mode(&self, seen: Option<HashMode>) -> HashMode {
        let is_whole = |mode: HashMode| mode == HashMode::FullText;
        match (self.config.hash.mode, seen) {
            (None, seen) => seen.unwrap_or(HashMode::Assertions),
            (Some(configured), Some(seen)) if is_whole(configured) == is_whole(seen) => seen,
            (Some(configured), _) => configured,
        }
    }

    /// Requirements that are about to be edited and carry a hash, each with its rule and value.
    pub(super) fn hashes_to_keep(
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

    /// A requirement that is new gets a hash where the others of its file, or of the project, have
    /// theirs.
    pub(super) fn hash_to_make(
        &self,
        id: &str,
        edits: &BTreeMap<Arc<str>, Vec<Edit>>,
    ) -> Option<(String, HashMode, String)> {
        let own = edits.keys().filter_map(|path| self.file_at(path)).map(|(_, file)| file);
        let mut others = own.chain(self.iter_files()).flat_map(|file| {
            file.contents.requirements.iter().filter_map(|it| {
                let stored = hash::stored(it, &file.text)?;
                hash::rule_of(it, &file.text, stored, self.config.hash)
            })
        });
        let mode = others.next()?;
        Some((id.to_owned(), self.settled_mode(Some(mode)), String::new()))
    }

    /// Edits that bring the hashes of changed requirements up to date.
    pub(super) fn hash_edits(
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
}
