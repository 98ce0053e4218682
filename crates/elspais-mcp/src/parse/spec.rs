//! Requirements and journeys in a Markdown file, in both generations of the format.
//!
//! A block ends with its footer, with the next header of a requirement or journey, or with the
//! file: headings of the same depth are sections of it.

mod assertions;
mod header;

use super::lines::{Line, number, split_markdown};
use super::metadata;
use super::{Citation, Contents, Field, FieldName, Footer, Journey, Remainder, Requirement};
use crate::grammar::Grammar;
use crate::span::Span;
use assertions::Reading;
use header::{Header, HeaderKind};

pub(crate) fn parse(grammar: &Grammar, text: &str) -> Contents {
    let mut contents = Contents::default();
    let lines = split_markdown(text, &mut contents.remarks);
    if lines.len() == 1 && text.trim_end().contains('\r') {
        let message = "lines end with a carriage return alone, so the file is read as one line; \
                       save it with line feeds";
        contents.remark(1, "lone_carriage_returns", message);
    }
    let parser = Parser { grammar, text, lines: &lines };
    let mut index = 0;
    let mut loose: Option<(usize, usize)> = None;
    while index < lines.len() {
        if let Some(header) = parser.header(index, &mut contents) {
            parser.finish_remainder(loose.take(), &mut contents);
            index = match header.kind {
                HeaderKind::Requirement => parser.requirement(index, header, &mut contents),
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

/// Where in a block a line stands.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Metadata,
    Preamble,
    Assertions,
    Section,
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
            // A line between two blocks is what parts them, not text of its own.
            if first == last && is_break(self.lines[first].of(self.text)) {
                return;
            }
            let span = Span::new(self.lines[first].start, self.lines[last].next);
            contents.remainders.push(Remainder { span, line: number(first) });
        }
    }

    /// Reads the block that begins at `first`; returns the line behind it.
    fn requirement(&self, first: usize, header: Header, contents: &mut Contents) -> usize {
        let text = self.text;
        let mut fields: Vec<Field> = Vec::new();
        let mut citations: Vec<Citation> = Vec::new();
        let mut reading = Reading::default();
        let mut part = Part::Metadata;
        let mut body_from = self.lines[first].next;
        let mut footer = None;
        // The list of references that goes on in the next line.
        let mut continued: Option<super::EdgeKind> = None;
        let mut last = first;
        let mut index = first + 1;
        while index < self.lines.len() {
            let line = &self.lines[index];
            let words = line.of(text);
            let span = Span::new(line.start, line.end);
            if !line.hidden {
                if let Some(found) = read_footer(text, span) {
                    footer = Some(found);
                    last = index;
                    index += 1;
                    break;
                }
                if self.is_header(index) {
                    break;
                }
            }
            if words.trim().is_empty() {
                continued = None;
                index += 1;
                continue;
            }
            last = index;
            if line.hidden {
                reading.extend(index, part == Part::Assertions);
                part = if part == Part::Metadata { Part::Preamble } else { part };
            } else if let Some(heading) = heading_words(words) {
                reading.close(self, contents);
                part = if is_assertions_heading(heading) {
                    if reading.heading.is_none() {
                        reading.heading = Some(span);
                    }
                    Part::Assertions
                } else {
                    Part::Section
                };
            } else if let (Part::Metadata | Part::Preamble, Some(kind)) = (part, continued.take()) {
                let more =
                    metadata::citations(self.grammar, text, span, kind, number(index), contents);
                continued = words.trim_end().ends_with(',').then_some(kind);
                citations.extend(more);
                fields.push(Field {
                    name: FieldName::Cites(kind),
                    whole: span,
                    label: Span::new(line.start, line.start),
                    value: span,
                    line: span,
                });
                body_from = if part == Part::Metadata { line.next } else { body_from };
            } else {
                match part {
                    Part::Metadata | Part::Preamble => {
                        let found = metadata::fields(text, span, part == Part::Metadata);
                        if found.is_empty() {
                            part = Part::Preamble;
                        } else {
                            body_from = if part == Part::Metadata { line.next } else { body_from };
                        }
                        for field in found {
                            if let FieldName::Cites(kind) = field.name {
                                let line = number(index);
                                let more = metadata::citations(
                                    self.grammar,
                                    text,
                                    field.value,
                                    kind,
                                    line,
                                    contents,
                                );
                                continued = field.value.of(text).ends_with(',').then_some(kind);
                                citations.extend(more);
                            }
                            fields.push(field);
                        }
                    }
                    Part::Assertions => reading.line(self, index, contents),
                    Part::Section => {}
                }
            }
            index += 1;
        }
        reading.close(self, contents);
        reading.complain(first, contents);
        self.check_values(&fields, first, contents);
        let inner_end = footer.map_or(self.lines[last].next, |it: Footer| it.line.from());
        let block = Span::new(self.lines[first].start, self.lines[last].next);
        let (extent, index) = self.with_separator(block, footer.is_some(), index);
        contents.requirements.push(Requirement {
            id: header.id.into(),
            id_span: header.id_span,
            title: header.title,
            letter_level: header.level.map(Into::into),
            line: number(first),
            block,
            extent,
            header_end: Span::new(self.lines[first].next, 0).start,
            fields,
            citations,
            body: without_blank_lines(text, Span::new(body_from.min(inner_end), inner_end)),
            assertions: reading.assertions,
            assertions_heading: reading.heading,
            footer,
            inner: Span::new(self.lines[first].next.min(inner_end), inner_end),
        });
        index
    }

    /// Whether a block of its own begins here; nothing is remarked on.
    fn is_header(&self, index: usize) -> bool {
        self.header(index, &mut Contents::default()).is_some()
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

    fn check_values(&self, fields: &[Field], first: usize, contents: &mut Contents) {
        for (wanted, name) in [(FieldName::Level, "level"), (FieldName::Status, "status")] {
            let mut found = fields.iter().filter(|field| field.name == wanted);
            if let Some(field) = found.next() {
                let line = number(self.lines.partition_point(|it| it.next <= field.value.from()));
                match field.value.of(self.text).split_whitespace().count() {
                    0 => contents.remark(line, "empty_field", format!("the {name} is empty")),
                    1 => {}
                    _ => contents.remark(
                        line,
                        "words_in_field",
                        format!("the {name} has more than one word"),
                    ),
                }
            }
            if found.next().is_some() {
                let message = format!("the {name} is given more than once; the first one counts");
                contents.remark(number(first), "repeated_field", message);
            }
        }
    }

    fn journey(&self, first: usize, header: Header, contents: &mut Contents) -> usize {
        let text = self.text;
        let mut journey = Journey {
            id: header.id.into(),
            id_span: header.id_span,
            title: header.title,
            line: number(first),
            block: Span::default(),
            actor: None,
            goal: None,
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
    let rest = line.trim_start_matches('#');
    let depth = line.len() - rest.len();
    let is_heading = (1..=6).contains(&depth) && (rest.is_empty() || rest.starts_with([' ', '\t']));
    is_heading.then(|| rest.trim().trim_end_matches('#').trim())
}

fn is_assertions_heading(words: &str) -> bool {
    let bare =
        words.trim_matches(|it: char| matches!(it, '*' | '_' | ':' | '.') || it.is_whitespace());
    bare.eq_ignore_ascii_case("assertions")
}

/// A thematic break.
pub(super) fn is_break(line: &str) -> bool {
    let bare: Vec<u8> = line.bytes().filter(|it| !it.is_ascii_whitespace()).collect();
    bare.len() >= 3 && matches!(bare[0], b'-' | b'*' | b'_') && bare.iter().all(|it| *it == bare[0])
}

/// `*End* *Title* | **Hash**: 1a2b3c4d`
pub(super) fn read_footer(text: &str, line: Span) -> Option<Footer> {
    let words = line.of(text);
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

fn without_blank_lines(text: &str, span: Span) -> Span {
    let words = span.of(text);
    let body = words.trim_end();
    let blank = body.len() - body.trim_start().len();
    // Indentation of the first line stays.
    let from = body[..blank].rfind('\n').map_or(0, |at| at + 1);
    Span::new(span.from() + from, span.from() + body.len())
}
