//! Requirements as agents write them: spec-kit, `OpenSpec` and Kiro, in the same records as the
//! public tool's own format.

mod definition;
mod item;
mod kiro;
mod list;
mod openspec;
mod story;
mod tasks;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use regex::Regex;

use super::lines::{Line, number, split_markdown};
use super::{Citation, Contents, Field, FieldName, Form, Requirement, Sym, metadata};
use crate::domain::dialect::{Dialect, Part, Place};
use crate::domain::span::Span;

pub(crate) fn parse(path: &str, place: Place<'_>, text: &str) -> Contents {
    let mut contents = Contents::default();
    let lines = split_markdown(text, &mut contents.remarks);
    let page = Page { place, text, lines: &lines };
    match (place.part, place.dialect) {
        (Part::Requirements, Dialect::SpecKit) => {
            let status = page.status();
            item::read(&page, status, &mut contents);
            story::read(&page, status, &mut contents);
            contents.requirements.sort_by_key(|it| it.block.start);
        }
        (Part::Requirements, Dialect::OpenSpec) => openspec::read(&page, &mut contents),
        (Part::Requirements, Dialect::Kiro) => kiro::read(&page, &mut contents),
        (Part::Tasks | Part::Design, _) => tasks::read(&page, path, &mut contents),
    }
    contents
}

/// A file that is being read.
struct Page<'a> {
    place: Place<'a>,
    text: &'a str,
    lines: &'a [Line],
}

/// A requirement as it was found, before it is a record.
struct Found {
    item: String,
    id_span: Span,
    title: Span,
    /// Its first line and the one behind its last.
    first: usize,
    end: usize,
    body: Span,
    form: Form,
    level: &'static str,
}

impl Page<'_> {
    /// The heading in a line: its depth and its words.
    fn heading(&self, index: usize) -> Option<(usize, &str)> {
        let line = self.lines.get(index).filter(|it| !it.hidden)?;
        super::spec::heading(line.of(self.text))
    }

    /// The line behind a section: the next heading that is as high, or the end.
    fn section_end(&self, first: usize, depth: usize) -> usize {
        (first + 1..self.lines.len())
            .find(|at| self.heading(*at).is_some_and(|(it, _)| it <= depth))
            .unwrap_or(self.lines.len())
    }

    /// `end` without the blank and parting lines before it.
    fn without_tail(&self, first: usize, end: usize) -> usize {
        let says = |at: &usize| {
            let words = self.lines[*at].of(self.text);
            !words.trim().is_empty() && !super::spec::is_break(words)
        };
        (first..end).rev().find(says).map_or(first + 1, |at| at + 1)
    }

    /// The status of the whole file, above its first section.
    fn status(&self) -> Option<Field> {
        let head = (0..self.lines.len())
            .take_while(|at| !matches!(self.heading(*at), Some((depth, _)) if depth > 1));
        head.filter(|at| !self.lines[*at].hidden).find_map(|at| {
            let line = &self.lines[at];
            let fields = metadata::fields(self.text, Span::new(line.start, line.end), false);
            fields.into_iter().find(|it| it.name == FieldName::Status)
        })
    }

    fn id(&self, item: &str) -> String {
        let id = format!("{}/{item}", self.place.scope);
        match self.place.change {
            Some(change) => format!("{id}@{change}"),
            None => id,
        }
    }

    /// The record of what was found; links and assertions are put in by the caller.
    fn record(&self, found: &Found) -> Requirement {
        let last = self.without_tail(found.first, found.end);
        let start = self.lines[found.first].start;
        let block = Span::new(start, self.lines[last - 1].next);
        // A section goes with the lines that part it from the next.
        let is_section = found.form != Form::Item;
        let end = if is_section { found.end } else { last };
        Requirement {
            id: self.id(&found.item).into(),
            sym: Sym::default(),
            id_span: found.id_span,
            joined_title: joined(found.title.of(self.text)),
            title: found.title,
            letter_level: Some(found.level.into()),
            line: number(found.first),
            block,
            extent: Span::new(start, self.lines[end - 1].next),
            header_end: Span::new(self.lines[found.first].next, 0).start,
            fields: Vec::new(),
            citations: Vec::<Citation>::new(),
            body: found.body,
            assertions: Vec::new(),
            assertions_heading: None,
            footer: None,
            inner: found.body,
            form: found.form,
            given_status: None,
        }
    }

    /// What stands between two lines, blank ones around it left out.
    fn words_between(&self, from: usize, end: usize) -> Span {
        let blank = |at: &usize| self.lines[*at].is_blank(self.text);
        let Some(first) = (from..end).find(|at| !blank(at)) else {
            let at = self.lines.get(from).map_or(self.text.len(), |it| it.start);
            return Span::new(at, at);
        };
        let last = (from..end).rev().find(|at| !blank(at)).unwrap_or(first);
        Span::new(self.lines[first].start, self.lines[last].end)
    }
}

/// The first sentence of a text, which may go on over several lines.
fn first_sentence(text: &str, span: Span) -> Span {
    let words = span.of(text);
    // A list or another paragraph is no part of a sentence, nor is what it says to see.
    let words = &words[..PARAGRAPH_END.find(words).map_or(words.len(), |it| it.start())];
    let is_end = |at: usize, it: char| {
        let before = &words[..at];
        let behind = words[at + it.len_utf8()..].trim_start_matches(['*', '`', '"', ')']);
        let abbreviates = ["e.g", "i.e", "etc", "vs", "approx", "incl", "resp"]
            .iter()
            .any(|word| before.ends_with(word));
        match it {
            '。' => true,
            '.' | '!' | '?' => {
                let begins = behind.trim_start();
                let is_parted = begins.len() < behind.len();
                behind.is_empty()
                    || (is_parted
                        && !abbreviates
                        && !begins.starts_with(|it: char| it.is_lowercase()))
            }
            _ => false,
        }
    };
    let end = words.char_indices().find(|(at, it)| is_end(*at, *it)).map_or(words.len(), |it| it.0);
    let sentence = words[..end].trim();
    if sentence.is_empty() {
        Span::within(text, words.trim())
    } else {
        Span::within(text, sentence)
    }
}

/// A title that stands on several lines, on one.
fn joined(title: &str) -> Option<Box<str>> {
    let join = || title.split_whitespace().collect::<Vec<_>>().join(" ").into();
    title.contains('\n').then(join)
}

static PARAGRAPH_END: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\n[ \t\r]*(?:\n|[-*+|>][ \t]|\d+[.)][ \t]|```|~~~)|\s*\(\s*see\s+us-?\d")
        .unwrap_or_else(|error| unreachable!("the pattern is valid: {error}"))
});

/// The title of an item that says this.
pub(crate) fn title_of(words: &str) -> String {
    let title = first_sentence(words, Span::new(0, words.len())).of(words);
    joined(title).map_or_else(|| title.to_owned(), Into::into)
}
