//! The numbered items of spec-kit: functional requirements and success criteria.

use std::sync::LazyLock;

use regex::Regex;

use super::list::item_end;
use super::{Found, Page, first_sentence};
use crate::domain::dialect::{Dialect, read_item};
use crate::domain::parse::lines::number;
use crate::domain::parse::{Citation, Contents, EdgeKind, Field, Form};
use crate::domain::span::Span;

static ITEM: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"^(?P<indent> {0,3})(?P<lead>#{2,6}[ \t]+|[-*+][ \t]+(?:\[[ xX]\][ \t]+)?|\d+[.)][ \t]+)?(?P<mark>\*\*|__|`)?(?P<id>(?:FR|NFR|SC)-\d{1,5}[a-z]?)(?P<rest>[^A-Za-z0-9-].*)?$";
    Regex::new(pattern).unwrap_or_else(|error| unreachable!("the pattern is valid: {error}"))
});

/// What may stand between an id and its colon: `(note)`, `[P1]`.
static NOTES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^[ \t]*(?:(?:\([^)]*\)|\[[^\]]*\])[ \t]*)*")
        .unwrap_or_else(|error| unreachable!("the pattern is valid: {error}"))
});

static SEE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\(\s*see\s+(us-?\d+(?:\s*(?:,|and|&|/)\s*us-?\d+)*)\s*\)")
        .unwrap_or_else(|error| unreachable!("the pattern is valid: {error}"))
});

static STORY: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)us-?\d+").unwrap_or_else(|error| unreachable!("the pattern is valid: {error}"))
});

/// Whether a line begins an item.
pub(super) fn begins_item(line: &str) -> bool {
    definition(line).is_some()
}

/// Where id and text of an item lie in its line, and where a title of its own ends.
struct Definition {
    id: (usize, usize),
    text_at: usize,
    title_end: Option<usize>,
    is_heading: bool,
}

fn definition(line: &str) -> Option<Definition> {
    // Asked of every line.
    if !line.contains("FR-") && !line.contains("SC-") {
        return None;
    }
    let found = ITEM.captures(line)?;
    let id = found.name("id")?;
    let lead = found.name("lead").map_or("", |it| it.as_str());
    let is_heading = lead.starts_with('#');
    let (mut at, mut title_end) = (id.end(), None);
    let past_notes = |at: usize| at + NOTES.find(&line[at..]).map_or(0, |it| it.len());
    let past_colon = |at: usize| {
        let bare = line[at..].trim_start();
        let rest = bare.strip_prefix([':', '：'])?;
        Some(line.len() - rest.len())
    };
    if let Some(mark) = found.name("mark") {
        {
            let closed = at + line[at..].find(mark.as_str())?;
            let inside = past_notes(at);
            match past_colon(inside.min(closed)).filter(|it| *it <= closed) {
                // `**FR-001: Signing in** …` has a title of its own.
                Some(colon) if !line[colon..closed].trim().is_empty() => {
                    at = colon;
                    title_end = Some(closed);
                }
                _ => {
                    let behind = past_notes(closed + mark.len());
                    at = past_colon(behind).unwrap_or(behind);
                }
            }
        }
    } else {
        {
            let behind = past_notes(at);
            at = match past_colon(behind) {
                Some(at) => at,
                None if is_heading => {
                    let rest = line[behind..].trim_start_matches([' ', '\t', '-', '–', '—']);
                    line.len() - rest.len()
                }
                None => return None,
            };
        }
    }
    let blanks = line[at..].len() - line[at..].trim_start().len();
    let id = (id.start(), id.end());
    Some(Definition { id, text_at: at + blanks, title_end, is_heading })
}

pub(super) fn read(page: &Page<'_>, status: Option<Field>, contents: &mut Contents) {
    let mut index = 0;
    while index < page.lines.len() {
        let line = &page.lines[index];
        let words = line.of(page.text);
        let Some(found) = definition(words).filter(|_| !line.hidden) else {
            index += 1;
            continue;
        };
        let end = match page.heading(index).filter(|_| found.is_heading) {
            Some((depth, _)) => page.section_end(index, depth),
            None => item_end(page, index, page.lines.len()),
        };
        let at = |offset: usize| line.start + offset;
        let last = page.without_tail(index, end);
        let whole = page.text[at(found.text_at)..page.lines[last - 1].end].trim_end();
        let text = Span::new(at(found.text_at), at(found.text_at) + whole.len());
        let title = match found.title_end {
            Some(end) => Span::within(page.text, page.text[at(found.text_at)..at(end)].trim()),
            None => first_sentence(page.text, text),
        };
        let id_span = Span::new(at(found.id.0), at(found.id.1));
        let item = id_span.of(page.text).to_owned();
        let level = if item.starts_with("SC") { "OPS" } else { "DEV" };
        let form = Form::Item;
        let mut requirement = page.record(&Found {
            item,
            id_span,
            title,
            first: index,
            end,
            body: text,
            form,
            level,
        });
        requirement.fields.extend(status);
        requirement.citations = stories(page, text);
        contents.requirements.push(requirement);
        index = if found.is_heading { index + 1 } else { end };
    }
}

/// The stories that a text says to see.
fn stories(page: &Page<'_>, text: Span) -> Vec<Citation> {
    let words = text.of(page.text);
    let mut found = Vec::new();
    for list in SEE.captures_iter(words).filter_map(|it| it.get(1)) {
        for story in STORY.find_iter(list.as_str()) {
            let Some(item) = read_item(Dialect::SpecKit, story.as_str()) else { continue };
            let start = text.from() + list.start() + story.start();
            let line = page.lines.partition_point(|it| it.next <= start);
            found.push(Citation {
                kind: EdgeKind::Implements,
                token: Span::new(start, start + story.len()),
                target: page.id(&item.id).into(),
                labels: Box::new([]),
                line: number(line),
            });
        }
    }
    found
}
