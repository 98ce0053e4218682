//! The files of one completion, out of an outcome: pure text, the same for the same input.

mod title;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::domain::adr::{self, Draft, Link};
use crate::domain::clarify::{Clarification, Outcome};
use crate::domain::ledger::Ledger;
use crate::domain::markup;
use crate::domain::projection;
use crate::domain::task::{self, Task};
use crate::domain::uid::{Uid, slug};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Artifact {
    pub(crate) path: String,
    pub(crate) kind: &'static str,
    pub(crate) uid: Option<Uid>,
}

/// A file to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Document {
    pub(crate) path: String,
    pub(crate) text: String,
    /// It must not be there yet: records and archived tasks are never overwritten.
    pub(crate) is_new: bool,
}

#[derive(Debug)]
pub(crate) struct Composed {
    pub(crate) files: Vec<Document>,
    pub(crate) artifacts: Vec<Artifact>,
    pub(crate) summary: String,
}

/// What the files are made from besides the outcome.
pub(crate) struct Occasion<'a> {
    pub(crate) now: Timestamp,
    pub(crate) adr_uid: &'a Uid,
    pub(crate) task_uid: &'a Uid,
    pub(crate) ledger: &'a Ledger,
    /// The text of the task that is being replaced, and what the archive needs to know of it.
    pub(crate) old_task: Option<(&'a str, &'a task::Old)>,
    /// The archive has the old task already, word for word.
    pub(crate) is_archived: bool,
}

pub(crate) fn compose(
    state: &Clarification,
    outcome: &Outcome,
    occasion: &Occasion<'_>,
) -> Composed {
    let mut files = Vec::new();
    let mut artifacts = Vec::new();
    let record = outcome.writes_record.then(|| record(state, outcome, occasion));
    if let Some(record) = &record {
        let path = format!("{}/{}", adr::DIRECTORY, record.file);
        files.push(create(&path, &record.text));
        let uid = Some(occasion.adr_uid.clone());
        artifacts.push(Artifact { path, kind: "adr", uid });
    }
    if let Some((text, old)) = occasion.old_task
        && !occasion.is_archived
    {
        files.push(create(&old.archive_path(), text));
    }
    let text = task_text(state, outcome, occasion, record.as_ref());
    files.push(put(task::PATH, &text));
    artifacts.push(Artifact { path: task::PATH.to_owned(), kind: "task", uid: None });
    if let Some(record) = &record {
        let text = projection::render(occasion.adr_uid, &record.snapshot);
        files.push(put(projection::PATH, &text));
        artifacts.push(Artifact {
            path: projection::PATH.to_owned(),
            kind: "projection",
            uid: None,
        });
    }
    Composed { files, artifacts, summary: summary(state, outcome, record.as_ref()) }
}

fn create(path: &str, text: &str) -> Document {
    Document { path: path.to_owned(), text: text.to_owned(), is_new: true }
}

fn put(path: &str, text: &str) -> Document {
    Document { path: path.to_owned(), text: text.to_owned(), is_new: false }
}

struct Record {
    file: String,
    title: String,
    text: String,
    snapshot: crate::domain::architecture::Architecture,
}

fn record(state: &Clarification, outcome: &Outcome, occasion: &Occasion<'_>) -> Record {
    let uid = occasion.adr_uid;
    let mut snapshot = occasion.ledger.architecture.clone();
    snapshot.apply(&outcome.changes, uid);
    let mut categories: Vec<&str> = Vec::new();
    let touched = outcome.changes.iter().map(|it| it.category.as_str());
    let settled = outcome.settled.iter().map(|it| it.category.as_str());
    let kept = outcome.kept.iter().map(|it| it.0.as_str());
    for category in touched.chain(settled).chain(kept) {
        if !categories.contains(&category) {
            categories.push(category);
        }
    }
    let title = title::title(&state.intention, outcome);
    let said = title::reason_in(&state.intention);
    let reason = state.reason.as_deref().or(state.context.as_deref()).or(said.as_deref());
    let text = adr::render(&Draft {
        uid,
        date: date(occasion.now),
        previous: occasion.ledger.newest().map(|(uid, _)| uid),
        category: categories.first().copied().unwrap_or("Other"),
        title: &title,
        snapshot: &snapshot,
        intention: &state.intention,
        // What was said stands in for the reason where there is no other, and is not said twice.
        context: state.context.as_deref().filter(|_| state.reason.is_some()),
        settled: &outcome.settled,
        reason,
        consequences: outcome.consequences.clone(),
        changes: &outcome.changes,
        open: &outcome.open,
        links: links(outcome, occasion.ledger),
    });
    Record { file: format!("{uid}_{}.md", slug(&categories.join(" "))), title, text, snapshot }
}

/// Records that decided what this one changes, and those it adds to.
fn links(outcome: &Outcome, ledger: &Ledger) -> Vec<Link> {
    let mut links: Vec<Link> = Vec::new();
    let mut add = |verb: &'static str, uid: &Uid, key: String| {
        let Some(file) = ledger.file_of(uid) else { return };
        match links.iter_mut().find(|it| it.uid == *uid && it.verb == verb) {
            Some(link) => link.keys.push(key),
            None => {
                links.push(Link { verb, uid: uid.clone(), file: file.to_owned(), keys: vec![key] });
            }
        }
    };
    for change in &outcome.changes {
        let before = ledger.architecture.get(&change.category, &change.field);
        if let Some(uid) = before.and_then(|it| it.by.as_ref()) {
            add("Supersedes", uid, change.key());
        }
    }
    for (category, field, decided) in &outcome.kept {
        if let Some(uid) = &decided.by {
            add("Amends", uid, format!("{category}.{field}"));
        }
    }
    links
}

fn task_text(
    state: &Clarification,
    outcome: &Outcome,
    occasion: &Occasion<'_>,
    record: Option<&Record>,
) -> String {
    let mut objective = state.intention.clone();
    if let Some(detail) = &outcome.detail {
        objective.push_str("\n\n");
        objective.push_str(detail);
    }
    let mut context = Vec::new();
    if let Some(words) = &state.context {
        context.push(markup::inline(words));
    }
    for detected in &outcome.detected {
        let (id, value, source) = (&detected.id, &detected.value, &detected.source);
        context.push(format!("{id}: {} ({})", markup::inline(value), markup::inline(source)));
    }
    let settled = outcome.settled.iter().map(|it| (&it.category, &it.field, &it.value));
    let kept = outcome.kept.iter().map(|(category, field, it)| (category, field, &it.value));
    let answered = outcome.answered.iter();
    let constraints = settled
        .chain(kept)
        .map(|(category, field, value)| format!("{category}.{field}: {}", markup::inline(value)))
        .chain(
            answered.map(|(asked, it)| format!("{} {}", markup::inline(asked), markup::inline(it))),
        )
        .collect();
    task::render(&Task {
        uid: occasion.task_uid,
        created: occasion.now.to_zoned(TimeZone::UTC).strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
        adr: record.map(|it| (occasion.adr_uid, it.file.clone())),
        title: task::title(&state.intention),
        objective,
        context,
        allowlist: outcome.scope.lines(),
        forbidden: outcome.forbidden.clone(),
        constraints,
        criteria: outcome.criteria.clone(),
        open: outcome.open.iter().map(|it| markup::inline(it)).collect(),
    })
}

fn summary(state: &Clarification, outcome: &Outcome, record: Option<&Record>) -> String {
    let title = task::title(&state.intention);
    let said = match record {
        Some(record) => {
            format!("Decision documented ({}) and task created: {title}.", record.title)
        }
        None => format!("Task created: {title}."),
    };
    match outcome.open.len() {
        0 => said,
        1 => format!("{said} 1 question is left open; start a new session to settle it."),
        count => {
            format!("{said} {count} questions are left open; start a new session to settle them.")
        }
    }
}

fn date(now: Timestamp) -> String {
    now.to_zoned(TimeZone::UTC).strftime("%Y-%m-%d").to_string()
}
