//! Changes to the graph: each is an edit of texts, logged with the edits that take it back.
//!
//! A change is made in the texts the graph holds, the files are read again, and what came out is
//! compared with what was meant; anything else is refused and leaves no trace. So what is saved is
//! what was seen, and taking the edits back gives the very state before.

mod assertion;
mod citation;
mod draft;
mod edge;
mod edit;
mod node;
mod outline;
mod place;
mod reference;
mod relocate;
mod rewrite;
#[cfg(test)]
pub(crate) mod tests;

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;
use rayon::prelude::*;
use serde_json::Value;

use crate::error::Error;
use crate::graph::{Change, File, Role, TraceGraph};
pub(crate) use draft::UNPLACED;
use edit::Layer;
pub(crate) use node::NewRequirement;
#[cfg(test)]
pub(crate) use tests::{
    PROJECT as SAMPLE, random::step as random_step, random::take as take_random_step,
};

/// When a change is made and by what name it can be taken back.
#[derive(Debug, Clone)]
pub(crate) struct Occasion {
    pub(crate) id: String,
    pub(crate) now: Timestamp,
}

/// One change, for the record and for taking it back.
#[derive(Debug, Clone)]
pub(crate) struct MutationEntry {
    pub(crate) id: String,
    pub(crate) timestamp: Timestamp,
    pub(crate) operation: &'static str,
    pub(crate) target_id: String,
    pub(crate) before_state: Value,
    pub(crate) after_state: Value,
    pub(crate) affects_hash: bool,
    /// Edits that take it back, the last one made first.
    undo: Vec<Layer>,
}

impl MutationEntry {
    /// Ids that are others now, each with what it has become.
    pub(crate) fn renames(&self) -> Vec<(String, String)> {
        let pair =
            |old: &Value, new: &Value| Some((old.as_str()?.to_owned(), new.as_str()?.to_owned()));
        match self.operation {
            "rename_node" | "rename_assertion" => {
                pair(&self.before_state["id"], &self.after_state["id"]).into_iter().collect()
            }
            "delete_assertion" => {
                let listed = self.before_state["renames"].as_array();
                let listed = listed.into_iter().flatten();
                listed.filter_map(|it| pair(&it["old_id"], &it["new_id"])).collect()
            }
            _ => Vec::new(),
        }
    }
}

#[derive(Debug, Default)]
pub(crate) struct MutationLog {
    entries: Vec<MutationEntry>,
    /// The texts on disk of files that differ from them; `None` for a file that is new.
    baseline: BTreeMap<Arc<str>, Option<Arc<str>>>,
}

impl MutationLog {
    pub(crate) fn entries(&self) -> &[MutationEntry] {
        &self.entries
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn tip(&self) -> Option<&str> {
        self.entries.last().map(|entry| entry.id.as_str())
    }

    /// Files whose text differs from the disk, with the text there.
    pub(crate) fn changed_files(&self) -> impl Iterator<Item = (&Arc<str>, Option<&Arc<str>>)> {
        self.baseline.iter().map(|(path, text)| (path, text.as_ref()))
    }

    /// Forgets everything: the texts are on disk now.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    /// What is pending stands in the way of everything that reads or writes files.
    pub(crate) fn check_empty(&self) -> Result<(), Error> {
        match self.len() {
            0 => Ok(()),
            count => Err(Error::Pending { count }),
        }
    }

    /// Another client may have changed the graph since the caller looked.
    pub(crate) fn check_tip(&self, given: Option<&str>) -> Result<(), Error> {
        match given {
            Some(given) if Some(given) != self.tip() => {
                Err(Error::OtherTip { given: given.to_owned(), tip: self.tip().map(str::to_owned) })
            }
            _ => Ok(()),
        }
    }
}

impl TraceGraph {
    /// Takes the last change back.
    pub(crate) fn undo_last(&mut self) -> Result<MutationEntry, Error> {
        let Some(mut entry) = self.log.entries.pop() else {
            return Err(Error::refused(
                "No mutations to undo",
                "There is nothing to take back: get_mutation_log is empty.",
            ));
        };
        for layer in std::mem::take(&mut entry.undo) {
            self.apply_layer(layer);
        }
        Ok(entry)
    }

    /// Takes back everything down to, and including, the named change; newest first.
    pub(crate) fn undo_to(&mut self, id: &str) -> Result<Vec<MutationEntry>, Error> {
        let Some(at) = self.log.entries.iter().position(|entry| entry.id == id) else {
            return Err(Error::NotFound {
                what: "Mutation",
                id: id.to_owned(),
                nearest: None,
                hint: "get_mutation_log lists the mutations that can be taken back.",
            });
        };
        let mut undone = Vec::new();
        while self.log.entries.len() > at {
            undone.push(self.undo_last()?);
        }
        Ok(undone)
    }

    /// Puts edits into the texts and reads the files again; returns what takes them back.
    fn apply_layer(&mut self, layer: Layer) -> Layer {
        let mut inverse = Layer::default();
        let edited: Vec<(Arc<str>, Role, Arc<str>, String)> = layer
            .files
            .into_iter()
            .filter_map(|(path, edits)| {
                let (_, file) = self.file_at(&path)?;
                let (role, old) = (file.role, file.text.clone());
                let (new, back) = edit::apply(&old, edits);
                inverse.files.insert(path.clone(), back);
                Some((path, role, old, new))
            })
            .collect();
        for (path, _, old, new) in &edited {
            self.note_baseline(path, Some(old), new);
        }
        let grammar = &self.grammar;
        // A rename can touch many files.
        let mut changes: Vec<Change> = edited
            .into_par_iter()
            .map(|(path, role, _, new)| Change::Put(File::parse(grammar, &path, role, new)))
            .collect();
        for (path, text) in layer.created {
            inverse.removed.push(path.clone());
            self.note_baseline(&path, None, &text);
            changes.push(Change::Put(File::parse(&self.grammar, &path, Role::Spec, text)));
        }
        for path in layer.removed {
            if let Some((_, file)) = self.file_at(&path) {
                inverse.created.push((path.clone(), file.text.clone()));
            }
            self.log.baseline.remove(&path);
            changes.push(Change::Remove(path));
        }
        self.relink(changes);
        inverse
    }

    /// Remembers the text on disk while the text in memory differs from it.
    fn note_baseline(&mut self, path: &Arc<str>, old: Option<&Arc<str>>, new: &str) {
        let baseline = self.log.baseline.entry(path.clone()).or_insert_with(|| old.cloned());
        if baseline.as_deref() == Some(new) {
            self.log.baseline.remove(path);
        }
    }
}
