//! Plans carried out, and taken back.

use std::sync::Arc;

use rayon::prelude::*;

use super::edit::{self, Layer};
use super::log::{MutationEntry, MutationLog, Occasion};
use super::outline::{self, Block};
use super::plan::Plan;
use crate::domain::graph::{File, FileUpdate, Role, TraceGraph};
use crate::domain::parse::part::Places;
use crate::domain::span::Span;
use crate::domain::text::Text;
use crate::error::Error;

/// A graph that is being changed, and the log of what is done to it.
pub(crate) struct Editor<'a> {
    pub(crate) graph: &'a mut TraceGraph,
    pub(crate) log: &'a mut MutationLog,
}

impl Editor<'_> {
    /// Makes a planned change, unless the texts then say something else than was expected.
    pub(crate) fn carry_out(
        &mut self,
        occasion: &Occasion,
        plan: Plan,
    ) -> Result<Arc<MutationEntry>, Error> {
        let before = self.graph.hash_in_use(&plan.subject.0);
        let had_cycle = self.graph.cycle_through(&plan.subject.0).is_some();
        let mut hashes = self.graph.hashes_to_keep(&plan.layer.files);
        if self.graph.definition_of(&plan.subject.0).is_none() {
            hashes.extend(self.graph.hash_to_make(&plan.subject.1, &plan.layer.files));
        }
        let prepared = self.prepare(plan.layer);
        let mut expected: Vec<(Arc<str>, Vec<Block>, Option<Places>)> = Vec::new();
        for update in &prepared.updates {
            let path = update.path();
            let file = self.graph.file_at(path).map(|(_, file)| file);
            let (mut blocks, part) = match (update, file) {
                (FileUpdate::Amend(_, _, part), Some(file)) => {
                    (outline::of_part(file, &part.before()), Some(part.after()))
                }
                (_, file) => (file.map(outline::of).unwrap_or_default(), None),
            };
            (plan.expect)(path, &mut blocks);
            expected.push((path.clone(), blocks, part));
        }
        let mut undo = vec![self.install(prepared)];
        if let Err(error) = self.graph.check(&expected, &plan.subject.1, had_cycle) {
            self.take_back(undo);
            return Err(error);
        }
        let stale = self.graph.hash_edits(&hashes, &plan.subject);
        if !stale.is_empty() {
            undo.insert(0, self.apply(Layer { files: stale, ..Layer::default() }));
        }
        let entry = MutationEntry {
            id: occasion.id.clone(),
            timestamp: occasion.now,
            target_id: plan.target_id,
            mutation: (plan.done)(self.graph),
            affects_hash: before != self.graph.hash_in_use(&plan.subject.1),
        };
        Ok(self.log.push(entry, undo))
    }

    /// Takes the last change back.
    pub(crate) fn undo_last(&mut self) -> Result<Arc<MutationEntry>, Error> {
        let Some((entry, undo)) = self.log.pop() else {
            return Err(Error::refused(
                "No mutations to undo",
                "There is nothing to take back: get_mutation_log is empty.",
            ));
        };
        self.take_back(undo);
        Ok(entry)
    }

    /// Takes back everything down to, and including, the named change; newest first.
    pub(crate) fn undo_to(&mut self, id: &str) -> Result<Vec<Arc<MutationEntry>>, Error> {
        let Some(at) = self.log.position(id) else {
            return Err(Error::NotFound {
                what: "Mutation",
                id: id.to_owned(),
                nearest: None,
                hint: "get_mutation_log lists the mutations that can be taken back.",
            });
        };
        let mut undone = Vec::new();
        while self.log.len() > at {
            undone.push(self.undo_last()?);
        }
        Ok(undone)
    }

    /// Takes everything back; the texts are then those on disk.
    pub(crate) fn undo_all(&mut self) -> Result<(), Error> {
        while self.log.len() > 0 {
            self.undo_last()?;
        }
        Ok(())
    }

    fn take_back(&mut self, undo: Vec<Layer>) {
        for layer in undo {
            self.apply(layer);
        }
    }

    /// Puts edits into the texts and reads the files again; returns what takes them back.
    fn apply(&mut self, layer: Layer) -> Layer {
        let prepared = self.prepare(layer);
        self.install(prepared)
    }

    /// What the texts would be, and what they would say. Of a file of requirements only what is
    /// around the edits is read.
    fn prepare(&self, layer: Layer) -> Prepared {
        let graph = &*self.graph;
        let mut inverse = Layer::default();
        let edited: Vec<(Arc<str>, &File, Span, Text)> = layer
            .files
            .into_iter()
            .filter_map(|(path, edits)| {
                let (_, file) = graph.file_at(&path)?;
                let at = edit::around(&edits)?;
                let (new, back) = edit::apply(&file.text, edits);
                inverse.files.insert(path.clone(), back);
                Some((path, file, at, Text::from(new)))
            })
            .collect();
        let grammar = &graph.grammar;
        // A rename can touch many files.
        let mut updates: Vec<FileUpdate> = edited
            .into_par_iter()
            .map(|(path, file, at, new)| match file.part_of(grammar, at, &new) {
                Some(part) => FileUpdate::Amend(path, new, part),
                None => FileUpdate::Put(File::parse(grammar, &path, file.role, new)),
            })
            .collect();
        for (path, text) in layer.created {
            inverse.removed.push(path.clone());
            updates.push(FileUpdate::Put(File::parse(grammar, &path, Role::Spec, text)));
        }
        for path in layer.removed {
            if let Some((_, file)) = graph.file_at(&path) {
                inverse.created.push((path.clone(), file.text.clone()));
            }
            updates.push(FileUpdate::Remove(path));
        }
        Prepared { updates, inverse }
    }

    /// Takes over what was prepared; returns what takes it back.
    fn install(&mut self, prepared: Prepared) -> Layer {
        for update in &prepared.updates {
            let path = update.path();
            let old = self.graph.file_at(path).map(|(_, file)| &file.text);
            match update {
                FileUpdate::Put(file) => self.log.note_baseline(path, old, &file.text),
                FileUpdate::Amend(_, new, _) => self.log.note_baseline(path, old, new),
                FileUpdate::Remove(_) => self.log.forget_baseline(path),
            }
        }
        self.graph.relink(prepared.updates);
        prepared.inverse
    }
}

/// Changes of files that are read but not taken over yet.
struct Prepared {
    updates: Vec<FileUpdate>,
    inverse: Layer,
}

impl TraceGraph {
    fn check(
        &self,
        expected: &[(Arc<str>, Vec<Block>, Option<Places>)],
        subject: &str,
        had_cycle: bool,
    ) -> Result<(), Error> {
        for (path, blocks, part) in expected {
            let file = self.file_at(path).map(|(_, file)| file);
            let found = file.map(|file| match part {
                Some(part) => outline::of_part(file, part),
                None => outline::of(file),
            });
            let found = found.unwrap_or_default();
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
