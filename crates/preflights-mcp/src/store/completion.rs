//! The end of a clarification: its files are written together, or none of them.

use jiff::Timestamp;
use mcp_core::clock::Clock;
use mcp_core::entropy::Entropy;
use mcp_core::sandbox::{Change, RelPath};
use mcp_core::work::Work;
use serde_json::json;

use super::ledgers::Ledgers;
use super::records::Source;
use super::repository::Repository;
use crate::domain::clarify::{Clarification, Outcome};
use crate::domain::compose::{self, Composed, Document, Occasion};
use crate::domain::ledger::Ledger;
use crate::domain::task;
use crate::domain::uid::Uid;
use crate::error::Error;

/// Where files are written, and what they are numbered by.
pub(super) struct Place<'a> {
    pub(super) repository: &'a Repository,
    pub(super) ledgers: &'a Ledgers,
    pub(super) clock: &'a Clock,
    pub(super) entropy: &'a Entropy,
}

/// What was written.
pub(super) struct Written {
    pub(super) composed: Composed,
    /// What is odd about the records it was written to.
    pub(super) notice: Option<String>,
}

impl Place<'_> {
    /// Writes everything, unless there is a record newer than the outcome knows.
    pub(super) fn complete(
        &self,
        state: &Clarification,
        outcome: &Outcome,
        newest: Option<&Uid>,
        work: &Work,
    ) -> Result<Option<Written>, Error> {
        let tree = &self.repository.tree;
        let journal = self.repository.journal();
        let commit = journal.lock(tree, work)?;
        let now = self.clock.now();
        // Nobody else writes now, so the tree itself is what counts.
        let ledger = match self.ledgers.refreshed(self.repository, &Source::Tree(tree), now) {
            Err(Error::Parse { .. }) if !outcome.writes_record => std::sync::Arc::default(),
            other => other?,
        };
        if ledger.newest().map(|(uid, _)| uid) != newest {
            return Ok(None);
        }
        if outcome.writes_record {
            check_newest(&ledger)?;
        }
        let old_task =
            tree.read_text_if_any(&RelPath::parse(task::PATH)?).map_err(Error::while_reading)?;
        let old = old_task.as_deref().and_then(|it| task::parse(it).ok());
        let floor = self.highest_uid(&ledger, old.as_ref().map(|it| &it.uid))?;
        let (adr_uid, task_uid) = self.mint(now, floor.as_ref())?;
        // One that somebody wrote by hand has no UID, and gets one of its own in the archive.
        let (old, task_uid) = match (&old_task, old) {
            (Some(text), None) => {
                let (_, after) = self.mint(now, Some(&task_uid))?;
                (Some(task::adopted(text, task_uid)), after)
            }
            (_, old) => (old, task_uid),
        };
        let archived = match &old {
            Some(old) => tree.read_text_if_any(&RelPath::parse(&old.archive_path())?)?,
            None => None,
        };
        let composed = compose::compose(
            state,
            outcome,
            &Occasion {
                now,
                adr_uid: &adr_uid,
                task_uid: &task_uid,
                ledger: &ledger,
                old_task: old_task.as_deref().zip(old.as_ref()),
                is_archived: archived.is_some() && archived == old_task,
            },
        );
        let changes: Result<Vec<Change>, Error> = composed.files.iter().map(change).collect();
        commit.apply(&changes?)?;
        Ok(Some(Written { composed, notice: ledger.notice_of_the_future(now) }))
    }

    /// The highest UID of any record or task, in whatever state.
    fn highest_uid(&self, ledger: &Ledger, task: Option<&Uid>) -> Result<Option<Uid>, Error> {
        let archive = RelPath::parse(task::ARCHIVE)?;
        let archived = self.repository.tree.list(Some(&archive)).unwrap_or_default();
        let archived = archived.iter().filter_map(|it| Uid::of_file(&it.name)).map(|(uid, _)| uid);
        let record = ledger.newest().map(|(uid, _)| uid.clone());
        Ok(archived.chain(record).chain(task.cloned()).max())
    }

    /// Two in order, above everything there is.
    fn mint(&self, now: Timestamp, floor: Option<&Uid>) -> Result<(Uid, Uid), Error> {
        let exhausted =
            || Error::refused("no UID lies above the newest one", "Review previous ADR and retry");
        let adr = Uid::mint(now, self.suffix(), floor).ok_or_else(exhausted)?;
        let task = Uid::mint(now, self.suffix(), Some(&adr)).ok_or_else(exhausted)?;
        Ok((adr, task))
    }

    /// What tells two identifiers of one moment apart.
    #[expect(clippy::cast_possible_truncation, reason = "sixteen bits of it are wanted")]
    fn suffix(&self) -> u16 {
        self.entropy.number() as u16
    }
}

/// A new record is built on the newest one, which must be whole.
fn check_newest(ledger: &Ledger) -> Result<(), Error> {
    let Some((uid, _)) = ledger.newest() else { return Ok(()) };
    let missing = ledger.lost_keys(uid);
    if missing.is_empty() {
        return Ok(());
    }
    Err(Error::Validation {
        message: "ADR snapshot validation failed".to_owned(),
        details: json!({ "missing_keys": missing, "uid": uid.as_str() }),
        hint: "Review previous ADR and retry",
    })
}

fn change(document: &Document) -> Result<Change, Error> {
    let path = RelPath::parse(&document.path)?;
    let bytes = document.text.as_bytes().to_vec();
    Ok(if document.is_new { Change::Create { path, bytes } } else { Change::Put { path, bytes } })
}
