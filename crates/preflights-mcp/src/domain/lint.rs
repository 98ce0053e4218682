//! What a repository's records, links, projection and task should be, and are not.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use super::adr;
use super::bank::Bank;
use super::ledger::Ledger;
use super::projection;
use super::task;
use super::uid::Uid;
use crate::error::Error;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Remark {
    pub(crate) is_error: bool,
    pub(crate) path: String,
    pub(crate) line: usize,
    pub(crate) message: String,
}

/// A file that may be missing, or there and unreadable.
pub(crate) type Text = Result<Option<String>, Error>;

/// What of a repository is held against the rules.
pub(crate) struct Subject<'a> {
    pub(crate) now: Timestamp,
    /// The files in the directory of records.
    pub(crate) names: &'a [String],
    /// Why records cannot be read, in the order of their names.
    pub(crate) broken: Vec<Error>,
    /// `None` while a record cannot be read: nothing can be said about them together.
    pub(crate) ledger: Option<&'a Ledger>,
    /// The targets of links in records that exist, as the records write them.
    pub(crate) reached: BTreeSet<String>,
    pub(crate) projection: Text,
    pub(crate) task: Text,
    pub(crate) own_questions: Text,
    /// Records and archived tasks that differ from what was committed first.
    pub(crate) edited: Vec<Edited>,
}

/// A file that should never have changed, and did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Edited {
    pub(crate) path: String,
    /// Where the change is committed already.
    pub(crate) commit: Option<String>,
}

/// The records among these files, in their order; of two with one UID the later name counts.
pub(crate) fn records(names: &[String]) -> BTreeMap<Uid, String> {
    names.iter().filter_map(|name| Some((Uid::of_file(name)?.0, name.clone()))).collect()
}

/// Fails only with what is wrong with the files themselves; what they say is remarked.
pub(crate) fn lint(subject: Subject<'_>) -> Result<Vec<Remark>, Error> {
    let mut remarks = Remarks::default();
    remarks.check_names(subject.names);
    for error in subject.broken {
        remarks.add_error(error)?;
    }
    if let Some(ledger) = subject.ledger {
        remarks.check_records(ledger, &subject.reached);
        remarks.check_projection(ledger, subject.projection)?;
        remarks.check_task(ledger, subject.task)?;
        for it in ledger.conflicts() {
            let (earlier, one) = &it.earlier;
            let (later, other) = &it.later;
            let message = format!(
                "{}.{} is {one} in {earlier} and {other} in {later}, and neither knows the other; the next clarification about {} asks which one holds",
                it.category, it.field, it.category
            );
            let path = ledger.file_of(later).unwrap_or_default();
            remarks.add(true, &format!("{}/{path}", adr::DIRECTORY), 1, message);
        }
        for edited in subject.edited {
            let message = match edited.commit {
                None => "it was edited after it was committed; a record never changes, a new one takes its place".to_owned(),
                Some(commit) => format!(
                    "commit {commit} edited it after it was committed; a record never changes: bring back its first version, and record what is different now in a new one"
                ),
            };
            remarks.add(true, &edited.path, 1, message);
        }
        let notices = ledger.fork().into_iter().chain(ledger.notice_of_the_future(subject.now));
        for notice in notices {
            remarks.add(false, adr::DIRECTORY, 1, notice);
        }
    }
    let own = subject.own_questions;
    if let Err(error) = own.and_then(|text| text.map(|text| Bank::with_own(&text)).transpose()) {
        remarks.add_error(error)?;
    }
    Ok(remarks.0)
}

#[derive(Default)]
struct Remarks(Vec<Remark>);

impl Remarks {
    fn add(&mut self, is_error: bool, path: &str, line: usize, message: impl Into<String>) {
        let (path, message) = (path.to_owned(), message.into());
        self.0.push(Remark { is_error, path, line, message });
    }

    fn add_error(&mut self, error: Error) -> Result<(), Error> {
        match error {
            Error::Parse { path, line, reason } => {
                self.add(true, &path, line, reason);
                Ok(())
            }
            other => Err(other),
        }
    }

    /// Files that are no records by their name are pointed out and left alone.
    fn check_names(&mut self, names: &[String]) {
        let mut taken: BTreeMap<Uid, &String> = BTreeMap::new();
        for name in names {
            let path = format!("{}/{name}", adr::DIRECTORY);
            let Some((uid, _)) = Uid::of_file(name) else {
                self.add(false, &path, 1, "its name begins with no UID, so it is not read");
                continue;
            };
            if let Some(other) = taken.insert(uid, name) {
                self.add(true, &path, 1, format!("it has the same UID as `{other}`"));
            }
        }
    }

    fn check_records(&mut self, ledger: &Ledger, reached: &BTreeSet<String>) {
        for (uid, record) in &ledger.records {
            let path = format!("{}/{}", adr::DIRECTORY, record.file);
            for (target, line) in &record.adr.links {
                if !reached.contains(target) {
                    let message = format!("its link to `{target}` leads nowhere");
                    self.add(true, &path, *line, message);
                }
            }
            if let Some(previous) = &record.adr.previous
                && !ledger.records.contains_key(previous)
            {
                self.add(true, &path, 1, format!("its predecessor {previous} is missing"));
            }
            let lost = ledger.lost_keys(uid);
            if !lost.is_empty() {
                let lost = lost.join(", ");
                let message = format!("its PART 1 lacks {lost}, which its predecessor has");
                self.add(true, &path, 1, message);
            }
        }
    }

    fn check_projection(&mut self, ledger: &Ledger, text: Text) -> Result<(), Error> {
        let Some((newest, _)) = ledger.newest() else { return Ok(()) };
        let wanted = projection::render(newest, &ledger.architecture);
        match text {
            Ok(Some(text)) if text == wanted => {}
            Ok(Some(text)) => match projection::parse(&text) {
                // Written by an older tool: another layout with equal content.
                Ok((uid, shown)) if uid == *newest && shown == ledger.architecture => {}
                Ok(_) => {
                    let message = "it is not what the records say; `preflights-mcp regenerate` writes it anew";
                    self.add(true, projection::PATH, 1, message);
                }
                Err(error) => self.add_error(error)?,
            },
            Ok(None) => {
                let message = "it is missing; `preflights-mcp regenerate` writes it";
                self.add(false, projection::PATH, 1, message);
            }
            Err(error) => self.add_error(error)?,
        }
        Ok(())
    }

    fn check_task(&mut self, ledger: &Ledger, text: Text) -> Result<(), Error> {
        let text = match text {
            Ok(Some(text)) => text,
            Ok(None) => return Ok(()),
            Err(error) => return self.add_error(error),
        };
        if let Err(error) = task::parse(&text) {
            self.add_error(error)?;
        }
        let mut in_allowlist = false;
        for (index, line) in text.lines().enumerate() {
            let related = adr::comment(line, "Related ADR").and_then(Uid::parse);
            if let Some(uid) = related.filter(|it| !ledger.records.contains_key(it)) {
                self.add(true, task::PATH, index + 1, format!("the record {uid} is missing"));
            }
            if line.starts_with("## ") {
                in_allowlist = line == "## Allowlist";
            }
            let opens_records = ["`docs/adr", "`docs/archive", "`docs/`", "`/", "`.."]
                .iter()
                .any(|it| line.contains(it));
            if in_allowlist && opens_records {
                let message = "the allowlist opens what must stay closed";
                self.add(true, task::PATH, index + 1, message);
            }
        }
        Ok(())
    }
}
