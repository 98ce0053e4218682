//! The log of changes that are not saved yet, held beside the graph they were made to.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;

use super::edit::Layer;
use super::mutation::Mutation;
use crate::domain::text::Text;
use crate::error::Error;

/// When a change is made and by what name it can be taken back.
#[derive(Debug, Clone)]
pub(crate) struct Occasion {
    pub(crate) id: String,
    pub(crate) now: Timestamp,
}

/// One change, for the record.
#[derive(Debug, Clone)]
pub(crate) struct MutationEntry {
    pub(crate) id: String,
    pub(crate) timestamp: Timestamp,
    pub(crate) target_id: String,
    pub(crate) mutation: Mutation,
    pub(crate) affects_hash: bool,
}

/// A change with the edits that take it back, the last one made first.
#[derive(Debug)]
struct Made {
    entry: Arc<MutationEntry>,
    undo: Vec<Layer>,
}

/// A change that could not be made again after files had changed.
#[derive(Debug)]
pub(crate) struct PutAside {
    pub(crate) entry: Arc<MutationEntry>,
    pub(crate) reason: String,
}

#[derive(Debug, Default)]
pub(crate) struct MutationLog {
    made: Vec<Made>,
    put_aside: Vec<PutAside>,
    /// The texts on disk of files that differ from them; `None` for a file that is new.
    baseline: BTreeMap<Arc<str>, Option<Text>>,
}

impl MutationLog {
    /// The oldest first.
    pub(crate) fn entries(
        &self,
    ) -> impl DoubleEndedIterator<Item = &Arc<MutationEntry>> + ExactSizeIterator {
        self.made.iter().map(|it| &it.entry)
    }

    pub(crate) fn len(&self) -> usize {
        self.made.len()
    }

    pub(crate) fn tip(&self) -> Option<&str> {
        self.made.last().map(|it| it.entry.id.as_str())
    }

    /// Files whose text differs from the disk, with the text there.
    pub(crate) fn changed_files(&self) -> impl Iterator<Item = (&Arc<str>, Option<&Text>)> {
        self.baseline.iter().map(|(path, text)| (path, text.as_ref()))
    }

    /// Changes that no longer apply: listed until they are discarded.
    pub(crate) fn put_aside_entries(&self) -> &[PutAside] {
        &self.put_aside
    }

    pub(super) fn put_aside(&mut self, entry: Arc<MutationEntry>, reason: String) {
        self.put_aside.push(PutAside { entry, reason });
    }

    /// Forgets what was made: the texts are on disk now.
    pub(crate) fn clear(&mut self) {
        self.made.clear();
        self.baseline.clear();
    }

    /// Forgets what no longer applies; returns how much that was.
    pub(crate) fn forget_put_aside(&mut self) -> usize {
        std::mem::take(&mut self.put_aside).len()
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

    pub(super) fn push(&mut self, entry: MutationEntry, undo: Vec<Layer>) -> Arc<MutationEntry> {
        let entry = Arc::new(entry);
        self.made.push(Made { entry: entry.clone(), undo });
        entry
    }

    pub(super) fn pop(&mut self) -> Option<(Arc<MutationEntry>, Vec<Layer>)> {
        self.made.pop().map(|it| (it.entry, it.undo))
    }

    pub(super) fn position(&self, id: &str) -> Option<usize> {
        self.made.iter().position(|it| it.entry.id == id)
    }

    /// Remembers the text on disk while the text in memory differs from it.
    pub(super) fn note_baseline(&mut self, path: &Arc<str>, old: Option<&Text>, new: &str) {
        let baseline = self.baseline.entry(path.clone()).or_insert_with(|| old.cloned());
        if baseline.as_deref() == Some(new) {
            self.baseline.remove(path);
        }
    }

    pub(super) fn forget_baseline(&mut self, path: &str) {
        self.baseline.remove(path);
    }
}
