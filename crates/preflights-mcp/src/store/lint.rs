//! Gathers what `lint` looks at.

use std::collections::BTreeSet;

use jiff::Timestamp;
use mcp_core::sandbox::{EntryKind, RelPath, Root};
use mcp_core::watch::Touched;

use super::changed;
use super::records::{Records, Source};
use crate::domain::adr::{self, Detail};
use crate::domain::ledger::Ledger;
use crate::domain::lint::{self, Remark, Subject, Text};
use crate::domain::{bank, projection, task};
use crate::error::Error;

/// Call it with the repository's lock held, or nobody else about.
pub(crate) fn lint(tree: &Root, now: Timestamp) -> Result<Vec<Remark>, Error> {
    let names = names(tree)?;
    let broken = broken(tree, &names)?;
    let mut records = Records::in_detail();
    if broken.is_empty() {
        records.refresh(tree, &Source::Tree(tree), now, &Touched::Unknown)?;
    }
    let ledger = records.ledger();
    lint::lint(Subject {
        now,
        names: &names,
        reached: reached(tree, ledger),
        ledger: broken.is_empty().then_some(ledger),
        broken,
        projection: text(tree, projection::PATH),
        task: text(tree, task::PATH),
        own_questions: text(tree, bank::OWN_QUESTIONS),
        edited: changed::edited_records(tree),
    })
}

fn text(tree: &Root, path: &str) -> Text {
    tree.read_text_if_any(&RelPath::parse(path)?).map_err(Error::while_reading)
}

fn names(tree: &Root) -> Result<Vec<String>, Error> {
    let entries = match tree.list(Some(&RelPath::parse(adr::DIRECTORY)?)) {
        Ok(entries) => entries,
        Err(error) if error.is_missing() => Vec::new(),
        Err(error) => return Err(error.into()),
    };
    let files = entries.into_iter().filter(|it| it.kind != EntryKind::Directory);
    Ok(files.map(|it| it.name).collect())
}

/// Why records cannot be read, one after the other.
fn broken(tree: &Root, names: &[String]) -> Result<Vec<Error>, Error> {
    let mut broken = Vec::new();
    for (uid, file) in lint::records(names) {
        let path = RelPath::parse(&format!("{}/{file}", adr::DIRECTORY))?;
        let text = tree.read_text(&path).map_err(Error::while_reading);
        let read = text.and_then(|text| {
            adr::parse(path.as_str(), &uid, &text, &bank::renamed, Detail::Everything)
        });
        broken.extend(read.err());
    }
    Ok(broken)
}

/// The targets of links that are files.
fn reached(tree: &Root, ledger: &Ledger) -> BTreeSet<String> {
    let links = ledger.records.values().flat_map(|it| &it.adr.links);
    let is_file = |target: &&String| {
        let path = RelPath::parse(&format!("{}/{target}", adr::DIRECTORY));
        path.is_ok_and(|it| tree.is_file(&it))
    };
    links.map(|(target, _)| target).filter(is_file).cloned().collect()
}
