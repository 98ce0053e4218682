//! Requirements and journeys in a Markdown file, in both generations of the format.
//!
//! A block ends with its footer, with the next header of a requirement or journey, or with the
//! file: headings of the same depth are sections of it.

mod assertions;
mod header;
mod requirement;

use super::lines::{Line, begins_otherwise, number, split_markdown_into};
use super::metadata;
use super::{Contents, FieldName, Footer, Journey, Remainder, Sym};
use crate::domain::grammar::Grammar;
use crate::domain::span::{Label, Span};
use header::{Header, HeaderKind};

pub(crate) fn parse(grammar: &Grammar, text: &str) -> Contents {
    parse_with(grammar, text, &mut Vec::new())
}

/// Like `parse`, with a list for the lines that may have been used for another text: who reads
/// thousands of files needs the room once.
pub(crate) fn parse_with(grammar: &Grammar, text: &str, lines: &mut Vec<Line>) -> Contents {
    let mut contents = Contents::default();
    split_markdown_into(text, &mut contents.remarks, lines);
    let lines = &*lines;
    if lines.len() == 1 && text.trim_end().contains('\r') {
        let message = "lines end with a carriage return alone, so the file is read as one line; \
                       save it with line feeds";
        contents.remark(1, "lone_carriage_returns", message);
    }
    let parser = Parser { grammar, text, lines };
    let mut index = 0;
    let mut loose: Option<(usize, usize)> = None;
    while index < lines.len() {
        if let Some(header) = parser.header(index, &mut contents) {
            parser.finish_remainder(loose.take(), &mut contents);
            index = match header.kind {
                HeaderKind::Requirement => requirement::read(&parser, index, header, &mut contents),
                HeaderKind::Journey => parser.journey(index, header, &mut contents),
            };
        } else {
            if !lines[index].is_blank(text) {
                loose = Some((loose.map_or(index, |(first, _)| first), index));
            }
            index += 1;
        }
    }
    parser.finish_remainder(loose, &mut contents);
    contents
}

struct Parser<'a> {
    grammar: &'a Grammar,
    text: &'a str,
    lines: &'a [Line],
}

impl Parser<'_> {
    fn header(&self, index: usize, contents: &mut Contents) -> Option<Header> {
        let line = self.lines.get(index).filter(|line| !line.hidden)?;
        let follows_metadata = || {
            let below = self.lines[index + 1..].iter().find(|line| !line.is_blank(self.text));
            below.is_some_and(|line| {
                !line.hidden
                    && !metadata::fields(self.text, Span::new(line.start, line.end), true)
                        .is_empty()
            })
        };
        header::read(self.grammar, self.text, line, number(index), &follows_metadata, contents)
    }

    fn finish_remainder(&self, loose: Option<(usize, usize)>, contents: &mut Contents) {
        if let Some((first, last)) = loose {
            // A line between two blocks separates them and is no text of its own.
            if first == last && is_break(self.lines[first].of(self.text)) {
                return;
            }
            let span = Span::new(self.lines[first].start, self.lines[last].next);
            contents.remainders.push(Remainder { span, line: number(first) });
        }
    }

    /// Whether a block of its own begins here; nothing is remarked on.
    fn is_header(&self, index: usize) -> bool {
        header::may_begin(self.grammar, self.lines[index].of(self.text))
            && self.header(index, &mut Contents::default()).is_some()
    }

    /// Takes a separator line right behind the footer along.
    fn with_separator(&self, block: Span, has_footer: bool, index: usize) -> (Span, usize) {
        let separator = (index..self.lines.len()).find(|at| !self.lines[*at].is_blank(self.text));
        match separator {
            Some(at) if has_footer && is_break(self.lines[at].of(self.text)) => {
                (Span { end: Span::new(self.lines[at].next, 0).start, ..block }, at + 1)
            }
            _ => (block, index),
        }
    }

    fn journey(&self, first: usize, header: Header, contents: &mut Contents) -> usize {
        let text = self.text;
        let mut journey = Journey {
            id: header.id.into(),
            sym: Sym::default(),
            id_span: header.id_span,
            title: header.title,
            line: number(first),
            block: Span::default(),
            actor: None,
            goal: None,
            steps: Vec::new(),
            citations: Vec::new(),
        };
        let (mut index, mut last, mut in_metadata) = (first + 1, first, true);
        while index < self.lines.len() {
            let line = &self.lines[index];
            let words = line.of(text);
            let span = Span::new(line.start, line.end);
            if !line.hidden {
                if self.is_header(index) {
                    break;
                }
                if read_footer(text, span).is_some() {
                    last = index;
                    index += 1;
                    break;
                }
                in_metadata &= heading_words(words).is_none();
                let digits = words.bytes().take_while(u8::is_ascii_digit).count();
                if !in_metadata && words[digits..].starts_with(". ") {
                    journey.steps.extend(Label::new(&words[..digits]));
                }
                if in_metadata {
                    self.journey_line(&mut journey, span, number(index), contents);
                }
            }
            if !words.trim().is_empty() {
                last = index;
            }
            index += 1;
        }
        journey.block = Span::new(self.lines[first].start, self.lines[last].next);
        contents.journeys.push(journey);
        index
    }

    fn journey_line(&self, journey: &mut Journey, span: Span, line: u32, contents: &mut Contents) {
        let text = self.text;
        let words = span.of(text);
        for (name, place) in [("actor", &mut journey.actor), ("goal", &mut journey.goal)] {
            let bare = words.trim_start_matches(['*', '_', ' ']);
            let Some(rest) = bare.get(..name.len()).filter(|it| it.eq_ignore_ascii_case(name))
            else {
                continue;
            };
            let rest = bare[rest.len()..].trim_start_matches(['*', '_']);
            if let Some(value) = rest.strip_prefix(':') {
                let value = value.trim_start_matches(['*', '_']).trim();
                place.get_or_insert(Span::within(text, value));
            }
        }
        for field in metadata::fields(text, span, true) {
            if let FieldName::Cites(kind) = field.name {
                let found =
                    metadata::citations(self.grammar, text, field.value, kind, line, contents);
                journey.citations.extend(found);
            }
        }
    }
}

/// The words of a heading; none when the line is not one.
pub(crate) fn heading_words(line: &str) -> Option<&str> {
    heading(line).map(|(_, words)| words)
}

/// How deep a heading is, and its words.
pub(super) fn heading(line: &str) -> Option<(usize, &str)> {
    if line.as_bytes().first() != Some(&b'#') {
        return None;
    }
    let rest = line.trim_start_matches('#');
    let depth = line.len() - rest.len();
    let is_heading = (1..=6).contains(&depth) && (rest.is_empty() || rest.starts_with([' ', '\t']));
    is_heading.then(|| (depth, rest.trim().trim_end_matches('#').trim()))
}

/// A thematic break.
pub(super) fn is_break(line: &str) -> bool {
    let mut marks = line.bytes().filter(|it| !it.is_ascii_whitespace());
    let Some(mark @ (b'-' | b'*' | b'_')) = marks.next() else { return false };
    let count = marks.try_fold(1, |count, it| (it == mark).then_some(count + 1));
    count.is_some_and(|it| it >= 3)
}

/// `*End* *Title* | **Hash**: 1a2b3c4d`
pub(super) fn read_footer(text: &str, line: Span) -> Option<Footer> {
    let words = line.of(text);
    if begins_otherwise(words, b"*") {
        return None;
    }
    let rest = words.trim_start().strip_prefix("*End*")?;
    let (head, hash) = match rest.rfind("Hash") {
        Some(at) => {
            let value = rest[at + 4..].trim_start_matches(['*', '_', ':', '=', ' ', '\t']);
            let begins = rest[at + 4..].len() - value.len();
            // Underscores are both emphasis and the usual placeholder.
            let value = if value.is_empty() || begins > 8 {
                let value = rest[at + 4..].split_once(':').map_or("", |(_, value)| value);
                value.split_whitespace().next().unwrap_or_default()
            } else {
                value.split_whitespace().next().unwrap_or_default()
            };
            (&rest[..at], (!value.is_empty()).then(|| Span::within(text, value)))
        }
        None => (rest, None),
    };
    let title = head
        .trim_start()
        .strip_prefix('*')
        .and_then(|it| it.split_once('*'))
        .map(|(title, _)| title);
    Some(Footer {
        line,
        title: title.filter(|it| !it.is_empty()).map(|it| Span::within(text, it)),
        hash,
    })
}
