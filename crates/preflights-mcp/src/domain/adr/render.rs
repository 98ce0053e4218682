//! Writing a record: PART 1 is the whole architecture after it, PART 2 says how it came about.

use std::fmt::Write as _;

use crate::domain::architecture::{Architecture, Change, What};
use crate::domain::markup;
use crate::domain::uid::Uid;

/// Everything a new record says.
#[derive(Debug)]
pub(crate) struct Draft<'a> {
    pub(crate) uid: &'a Uid,
    /// `2025-01-08`.
    pub(crate) date: String,
    pub(crate) previous: Option<&'a Uid>,
    pub(crate) category: &'a str,
    pub(crate) title: &'a str,
    /// The architecture with this record's changes made.
    pub(crate) snapshot: &'a Architecture,
    pub(crate) intention: &'a str,
    pub(crate) context: Option<&'a str>,
    pub(crate) settled: &'a [Settled],
    pub(crate) reason: Option<&'a str>,
    pub(crate) consequences: Vec<String>,
    pub(crate) changes: &'a [Change],
    pub(crate) open: &'a [String],
    pub(crate) links: Vec<Link>,
}

/// One field that was decided, and what else it could have been.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Settled {
    pub(crate) category: String,
    pub(crate) field: String,
    pub(crate) value: String,
    /// Where the value comes from: an answer, the request, a file.
    pub(crate) source: String,
    pub(crate) not_taken: Vec<String>,
    /// The question it answers, where there is one.
    pub(crate) source_question: Option<String>,
}

/// An earlier record that this one touches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) verb: &'static str,
    pub(crate) uid: Uid,
    pub(crate) file: String,
    pub(crate) keys: Vec<String>,
}

pub(crate) fn render(draft: &Draft<'_>) -> String {
    let previous = draft.previous.map_or("None", Uid::as_str);
    let mut text = format!(
        "<!-- UID: {} -->\n<!-- Category: {} -->\n<!-- Date: {} -->\n<!-- Previous: {previous} -->\n\n# ADR: {}\n",
        draft.uid,
        draft.category,
        draft.date,
        markup::inline(draft.title)
    );
    text.push_str("\n## PART 1: Architecture after this decision\n");
    text.push_str(&snapshot_lines(draft.snapshot, "###"));
    text.push_str("\n## PART 2: The decision\n");
    section(&mut text, "Context", &context(draft));
    let sentence = format!("{}.\n\n", markup::inline(draft.title.trim_end_matches('.')));
    section(&mut text, "Decision", &(sentence + &decision(draft.settled, draft.changes)));
    section(&mut text, "Reason", &reason(draft.reason));
    section(&mut text, "Options not taken", &options_not_taken(draft.settled));
    section(&mut text, "Consequences", &bullets(&draft.consequences));
    let changes: Vec<String> = draft.changes.iter().map(change_line).collect();
    section(&mut text, "Changes", &bullets(&changes));
    section(&mut text, "Open questions", &bullets(draft.open));
    section(&mut text, "Related records", &bullets(&links(&draft.links)));
    text
}

fn section(text: &mut String, heading: &str, body: &str) {
    text.push_str("\n### ");
    text.push_str(heading);
    text.push_str("\n\n");
    text.push_str(body);
}

fn bullets(items: &[String]) -> String {
    if items.is_empty() {
        return "None.\n".to_owned();
    }
    items.iter().fold(String::new(), |text, item| text + "- " + item + "\n")
}

/// The snapshot as both records and projection show it; `None.` when nothing is decided.
pub(crate) fn snapshot_lines(architecture: &Architecture, heading: &str) -> String {
    if architecture.is_empty() {
        return "\nNothing is decided.\n".to_owned();
    }
    let mut text = String::new();
    for (category, fields) in architecture.categories() {
        // Writing to a string cannot fail.
        let _ = write!(text, "\n{heading} {category}\n\n");
        for (field, decided) in fields {
            let _ = write!(text, "- **{field}**: {}", markup::inline(&decided.value));
            if let Some(by) = &decided.by {
                let _ = write!(text, " (ADR {by})");
            }
            text.push('\n');
        }
    }
    text
}

fn context(draft: &Draft<'_>) -> String {
    let mut text = format!("The request:\n\n{}", markup::quote(draft.intention));
    if let Some(context) = draft.context {
        text.push_str("\nWhat was said about it:\n\n");
        text.push_str(&markup::quote(context));
    }
    text
}

fn decision(settled: &[Settled], changes: &[Change]) -> String {
    let mut lines: Vec<String> = settled
        .iter()
        .map(|it| {
            format!(
                "**{}.{}** is {} ({}).",
                it.category,
                it.field,
                markup::inline(&it.value),
                markup::inline(&it.source)
            )
        })
        .collect();
    for change in changes {
        if let What::Removed { was } = &change.what {
            lines.push(format!(
                "**{}** is given up; it was {}.",
                change.key(),
                markup::inline(was)
            ));
        }
    }
    bullets(&lines)
}

fn reason(reason: Option<&str>) -> String {
    match reason {
        Some(words) => markup::quote(words),
        None => "Nobody has said why. Whoever knows gives it as `reason` with the next decision.\n"
            .to_owned(),
    }
}

fn options_not_taken(settled: &[Settled]) -> String {
    let lines: Vec<String> = settled
        .iter()
        .filter(|it| !it.not_taken.is_empty())
        .map(|it| {
            let options: Vec<String> = it.not_taken.iter().map(|it| markup::inline(it)).collect();
            format!("{}.{}: {}", it.category, it.field, options.join("; "))
        })
        .collect();
    bullets(&lines)
}

pub(crate) fn change_line(change: &Change) -> String {
    let key = change.key();
    match &change.what {
        What::Added(value) => format!("Added: {key} = {}", markup::inline(value)),
        What::Modified { now, was } => {
            format!("Modified: {key} = {} (was: {})", markup::inline(now), markup::inline(was))
        }
        What::Removed { was } => format!("Removed: {key} (was: {})", markup::inline(was)),
    }
}

fn links(links: &[Link]) -> Vec<String> {
    links
        .iter()
        .map(|link| {
            format!("{} [{}]({}): {}", link.verb, link.uid, link.file, link.keys.join(", "))
        })
        .collect()
}
