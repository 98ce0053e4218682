//! Ledgers at hand, one for each repository that was asked about lately.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use jiff::Timestamp;
use mcp_core::sandbox::RelPath;
use mcp_core::watch::{Reports, Touched};

use super::records::{Records, Source};
use super::repository::Repository;
use crate::domain::adr;
use crate::domain::ledger::Ledger;
use crate::error::Error;

/// A directory of so many bytes holds very many names: it is watched from before the first look, so
/// that nothing needs a second one.
const SIZE_OF_MANY: u64 = 64 * 1024;
/// Ledgers kept at hand; others are read anew.
const MAX_LEDGERS: usize = 16;

#[derive(Default)]
pub(crate) struct Ledgers {
    kept: Mutex<HashMap<PathBuf, Kept>>,
}

/// The records at hand, and what the system reports of their files where they are many.
#[derive(Default)]
struct Kept {
    records: Records,
    reports: Option<Reports>,
}

impl Ledgers {
    /// The ledger of a repository as it is now.
    pub(crate) fn refreshed(
        &self,
        repository: &Repository,
        source: &Source<'_>,
        now: Timestamp,
    ) -> Result<Arc<Ledger>, Error> {
        let mut all = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MAX_LEDGERS && !all.contains_key(repository.tree.path()) {
            all.clear();
        }
        let kept = all.entry(repository.tree.path().to_owned()).or_default();
        let touched = kept.touched(repository);
        if kept.records.is_current(&repository.tree, now, &touched) {
            return Ok(kept.records.ledger().clone());
        }
        match kept.records.refresh(&repository.tree, source, now, &touched) {
            Ok(()) => Ok(kept.records.ledger().clone()),
            Err(error) => {
                all.remove(repository.tree.path());
                Err(error)
            }
        }
    }
}

impl Kept {
    /// What the system reports, listened to where it is worth it and anew for another directory.
    fn touched(&mut self, repository: &Repository) -> Touched {
        let path = RelPath::parse(adr::DIRECTORY).ok();
        let Some(stamp) = path.and_then(|path| repository.tree.stamp(&path).ok()) else {
            return Touched::Unknown;
        };
        if !self.records.has_many() && stamp.size < SIZE_OF_MANY {
            return Touched::Unknown;
        }
        match &self.reports {
            Some(reports) if reports.is_of(stamp.inode) => reports.take(),
            _ => {
                let path = repository.tree.path().join(adr::DIRECTORY);
                self.reports = Some(Reports::on(&path, stamp.inode));
                // What went unreported until now has to be looked for.
                Touched::Everything
            }
        }
    }
}
