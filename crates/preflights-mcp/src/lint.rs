//! What a repository's records, links, projection and task should be, and are not.

use std::collections::BTreeMap;

use jiff::Timestamp;
use mcp_core::sandbox::{EntryKind, RelPath, Root};

use crate::adr::{self, Detail};
use crate::bank::{self, Bank};
use crate::error::Error;
use crate::ledger::{Ledger, Source};
use crate::projection;
use crate::task;
use crate::uid::Uid;
use crate::watch::Touched;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Remark {
    pub(crate) is_error: bool,
    pub(crate) path: String,
    pub(crate) line: usize,
    pub(crate) message: String,
}

/// Call it with the repository's lock held, or nobody else about.
pub(crate) fn lint(tree: &Root, now: Timestamp) -> Result<Vec<Remark>, Error> {
    let mut linter = Linter { tree, remarks: Vec::new() };
    let files = linter.record_files()?;
    let readable = linter.read_each(&files)?;
    if readable == files.len() {
        let mut ledger = Ledger::in_detail();
        ledger.refresh(tree, &Source::Tree(tree), now, &Touched::Unknown)?;
        linter.check_records(&ledger);
        linter.check_projection(&ledger)?;
        linter.check_task(&ledger)?;
        for notice in ledger.fork().into_iter().chain(ledger.notice_of_the_future(now)) {
            linter.remark(false, adr::DIRECTORY, 1, notice);
        }
    }
    linter.check_bank()?;
    Ok(linter.remarks)
}

struct Linter<'a> {
    tree: &'a Root,
    remarks: Vec<Remark>,
}

impl Linter<'_> {
    fn remark(&mut self, is_error: bool, path: &str, line: usize, message: impl Into<String>) {
        let (path, message) = (path.to_owned(), message.into());
        self.remarks.push(Remark { is_error, path, line, message });
    }

    fn error(&mut self, error: Error) -> Result<(), Error> {
        match error {
            Error::Parse { path, line, reason } => {
                self.remark(true, &path, line, reason);
                Ok(())
            }
            other => Err(other),
        }
    }

    /// Files that are records by their name; others are named and left alone.
    fn record_files(&mut self) -> Result<Vec<(Uid, String)>, Error> {
        let entries = match self.tree.list(Some(&RelPath::parse(adr::DIRECTORY)?)) {
            Ok(entries) => entries,
            Err(error) if error.is_missing() => Vec::new(),
            Err(error) => return Err(error.into()),
        };
        let mut files: BTreeMap<Uid, String> = BTreeMap::new();
        for entry in entries.into_iter().filter(|it| it.kind != EntryKind::Directory) {
            let path = format!("{}/{}", adr::DIRECTORY, entry.name);
            let Some((uid, _)) = Uid::of_file(&entry.name) else {
                self.remark(false, &path, 1, "its name begins with no UID, so it is not read");
                continue;
            };
            if let Some(other) = files.insert(uid, entry.name) {
                self.remark(true, &path, 1, format!("it has the same UID as `{other}`"));
            }
        }
        Ok(files.into_iter().collect())
    }

    /// How many can be read; what is wrong with the others is remarked.
    fn read_each(&mut self, files: &[(Uid, String)]) -> Result<usize, Error> {
        let mut readable = 0;
        for (uid, file) in files {
            let path = RelPath::parse(&format!("{}/{file}", adr::DIRECTORY))?;
            let read = self.tree.read_text(&path).map_err(Error::while_reading).and_then(|text| {
                adr::parse(path.as_str(), uid, &text, &bank::renamed, Detail::Everything)
            });
            match read {
                Ok(_) => readable += 1,
                Err(error) => self.error(error)?,
            }
        }
        Ok(readable)
    }

    fn check_records(&mut self, ledger: &Ledger) {
        for (uid, record) in &ledger.records {
            let path = format!("{}/{}", adr::DIRECTORY, record.file);
            for (target, line) in &record.adr.links {
                let found = RelPath::parse(&format!("{}/{target}", adr::DIRECTORY))
                    .is_ok_and(|it| self.tree.is_file(&it));
                if !found {
                    self.remark(
                        true,
                        &path,
                        *line,
                        format!("its link to `{target}` leads nowhere"),
                    );
                }
            }
            if let Some(previous) = &record.adr.previous
                && !ledger.records.contains_key(previous)
            {
                self.remark(true, &path, 1, format!("its predecessor {previous} is missing"));
            }
            let lost = ledger.lost_keys(uid);
            if !lost.is_empty() {
                let lost = lost.join(", ");
                let message = format!("its PART 1 lacks {lost}, which its predecessor has");
                self.remark(true, &path, 1, message);
            }
        }
    }

    fn check_projection(&mut self, ledger: &Ledger) -> Result<(), Error> {
        let Some((newest, _)) = ledger.newest() else { return Ok(()) };
        let path = RelPath::parse(projection::PATH)?;
        let wanted = projection::render(newest, &ledger.architecture);
        match self.tree.read_text_if_any(&path).map_err(Error::while_reading) {
            Ok(Some(text)) if text == wanted => {}
            Ok(Some(text)) => match projection::parse(&text) {
                // Another layout, the same content: written by an older tool.
                Ok((uid, shown)) if uid == *newest && shown == ledger.architecture => {}
                Ok(_) => self.remark(
                    true,
                    projection::PATH,
                    1,
                    "it is not what the records say; the next record renews it",
                ),
                Err(error) => self.error(error)?,
            },
            Ok(None) => self.remark(
                false,
                projection::PATH,
                1,
                "it is missing; the next record makes it anew",
            ),
            Err(error) => self.error(error)?,
        }
        Ok(())
    }

    fn check_task(&mut self, ledger: &Ledger) -> Result<(), Error> {
        let path = RelPath::parse(task::PATH)?;
        let text = match self.tree.read_text_if_any(&path).map_err(Error::while_reading) {
            Ok(Some(text)) => text,
            Ok(None) => return Ok(()),
            Err(error) => return self.error(error),
        };
        if let Err(error) = task::parse(&text) {
            self.error(error)?;
        }
        let mut in_allowlist = false;
        for (index, line) in text.lines().enumerate() {
            let related = adr::comment(line, "Related ADR").and_then(Uid::parse);
            if let Some(uid) = related.filter(|it| !ledger.records.contains_key(it)) {
                self.remark(true, task::PATH, index + 1, format!("the record {uid} is missing"));
            }
            if line.starts_with("## ") {
                in_allowlist = line == "## Allowlist";
            }
            let opens_records = ["`docs/adr", "`docs/archive", "`docs/`", "`/", "`.."]
                .iter()
                .any(|it| line.contains(it));
            if in_allowlist && opens_records {
                let message = "the allowlist opens what must stay closed";
                self.remark(true, task::PATH, index + 1, message);
            }
        }
        Ok(())
    }

    fn check_bank(&mut self) -> Result<(), Error> {
        let path = RelPath::parse(bank::OWN_QUESTIONS)?;
        let own = self.tree.read_text_if_any(&path).map_err(Error::while_reading);
        match own.and_then(|text| text.map(|text| Bank::with_own(&text)).transpose()) {
            Ok(_) => Ok(()),
            Err(error) => self.error(error),
        }
    }
}
