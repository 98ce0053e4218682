//! The numbered items of spec-kit: functional requirements and success criteria.

use std::sync::LazyLock;

use regex::Regex;

use super::definition::definition;
use super::list::item_end;
use super::{Found, Page, first_sentence};
use crate::domain::dialect::{Dialect, read_item};
use crate::domain::parse::lines::number;
use crate::domain::parse::{Citation, Contents, EdgeKind, Field, Form, Sym};
use crate::domain::span::{Labels, Span};

static SEE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\(\s*see\s+(us-?\d+(?:\s*(?:,|and|&|/)\s*us-?\d+)*)\s*\)")
        .unwrap_or_else(|error| unreachable!("the pattern is valid: {error}"))
});

static STORY: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)us-?\d+").unwrap_or_else(|error| unreachable!("the pattern is valid: {error}"))
});

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
                labels: Labels::default(),
                sym: Sym::default(),
                line: number(line),
            });
        }
    }
    found
}
