//! Reading a tree in which a commit may lie half done.

use std::collections::BTreeMap;
use std::fs::File;

use super::record::{Action, Record, Stage};
use crate::sandbox::{Entry, EntryKind, Error, RelPath, Root, Stamp};

/// The tree before or after an interrupted commit, never between; it writes nothing.
#[derive(Debug)]
pub struct View<'a> {
    tree: &'a Root,
    /// Where a target's bytes lie instead; `None` when the target counts as absent.
    elsewhere: BTreeMap<String, Option<String>>,
    /// Staged files and backups, which are no part of the tree.
    hidden: Vec<String>,
    /// Keeps writers of other processes out while the view is used.
    _lock: Option<File>,
}

impl<'a> View<'a> {
    pub(super) fn new(
        tree: &'a Root,
        record: Option<Record>,
        lock: Option<File>,
    ) -> Result<Self, Error> {
        let mut elsewhere = BTreeMap::new();
        let mut hidden = Vec::new();
        if let Some(record) = record {
            for step in record.steps {
                let lies_at = |name: &Option<String>| -> Result<Option<String>, Error> {
                    let Some(name) = name else { return Ok(None) };
                    Ok(tree.has_entry(&RelPath::parse(name)?)?.then(|| name.clone()))
                };
                match record.state {
                    Stage::Staging => {}
                    Stage::Committed if step.action == Action::Remove => {
                        elsewhere.insert(step.target.clone(), None);
                    }
                    Stage::Committed => {
                        if let Some(staged) = lies_at(&step.staged)? {
                            elsewhere.insert(step.target.clone(), Some(staged));
                        }
                    }
                    Stage::RollingBack => match lies_at(&step.backup)? {
                        Some(backup) => {
                            elsewhere.insert(step.target.clone(), Some(backup));
                        }
                        None if step.backup.is_none() => {
                            elsewhere.insert(step.target.clone(), None);
                        }
                        None => {}
                    },
                }
                hidden.extend(step.staged);
                hidden.extend(step.backup);
            }
        }
        Ok(Self { tree, elsewhere, hidden, _lock: lock })
    }

    /// The tree as it lies there, an interrupted commit left aside.
    pub fn tree(&self) -> &Root {
        self.tree
    }

    /// What an interrupted commit decides about: each path with whether it counts as being there.
    pub fn decided(&self) -> impl Iterator<Item = (&str, bool)> {
        self.elsewhere.iter().map(|(path, lies_at)| (path.as_str(), lies_at.is_some()))
    }

    /// Reads a file, refusing one of more than `limit` bytes, as [`Root::read_up_to`] does.
    pub fn read_up_to(&self, path: &RelPath, limit: u64) -> Result<Vec<u8>, Error> {
        self.tree.read_up_to(&self.place_of(path)?, limit)
    }

    /// Tells whether a file is still the one that was read, as [`Root::stamp`] does.
    pub fn stamp(&self, path: &RelPath) -> Result<Stamp, Error> {
        self.tree.stamp(&self.place_of(path)?)
    }

    /// Where the bytes of a file lie.
    fn place_of(&self, path: &RelPath) -> Result<RelPath, Error> {
        match self.elsewhere.get(path.as_str()) {
            None => Ok(path.clone()),
            Some(Some(other)) => RelPath::parse(other),
            Some(None) => Err(Error::Missing { path: path.to_string() }),
        }
    }

    /// Reads a file as UTF-8, as [`Root::read_text`] does.
    pub fn read_text(&self, path: &RelPath) -> Result<String, Error> {
        self.tree.read_text(&self.place_of(path)?)
    }

    /// Reads a file as UTF-8; `None` where it does not count as being there.
    pub fn read_text_if_any(&self, path: &RelPath) -> Result<Option<String>, Error> {
        match self.read_text(path) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.is_missing() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// As `Root::list`, with the commit's files where they count as being.
    pub fn list(&self, path: Option<&RelPath>) -> Result<Vec<Entry>, Error> {
        let prefix = path.map(|path| format!("{path}/")).unwrap_or_default();
        let mut entries: BTreeMap<String, EntryKind> =
            self.tree.list(path)?.into_iter().map(|entry| (entry.name, entry.kind)).collect();
        for name in &self.hidden {
            if let Some(name) = name.strip_prefix(&prefix) {
                entries.remove(name);
            }
        }
        for (target, lies_at) in &self.elsewhere {
            let Some(name) = target.strip_prefix(&prefix).filter(|name| !name.contains('/')) else {
                continue;
            };
            match lies_at {
                Some(_) => entries.insert(name.to_owned(), EntryKind::File),
                None => entries.remove(name),
            };
        }
        Ok(entries.into_iter().map(|(name, kind)| Entry { name, kind }).collect())
    }
}
