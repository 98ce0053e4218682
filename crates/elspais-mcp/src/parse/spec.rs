//! Requirements and journeys in a Markdown file, in both generations of the format.
//!
//! A block ends with its footer, with the next header of a requirement or journey, or with the
//! file: headings of the same depth are sections of it.

mod header;

use super::lines::{Line, number, split_markdown};
use super::metadata;
use super::{
    Assertion, Citation, Contents, Field, FieldName, Footer, Journey, Remainder, Requirement,
};
use crate::grammar::Grammar;
use crate::span::{Label, Span};
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

/// Assertions while they are read.
#[derive(Default)]
struct Reading {
    assertions: Vec<Assertion>,
    heading: Option<Span>,
    /// Label, where it stands, where the text begins, first line, last line so far.
    open: Option<(Label, Span, usize, usize, usize)>,
    /// A line that looks like an assertion but has a label of another style.
    stranger: Option<usize>,
}

impl Reading {
    fn line(&mut self, parser: &Parser<'_>, index: usize, contents: &mut Contents) {
        let line = &parser.lines[index];
        let words = line.of(parser.text);
        if let Some((label, length)) = label_of(parser.grammar, words) {
            self.close(parser, contents);
            let span = Span::new(line.start + length.0, line.start + length.1);
            self.open = Some((label, span, span.to() + 1, index, index));
        } else if is_break(words) || is_grouping(words) {
            self.close(parser, contents);
        } else {
            if self.open.is_none() && self.stranger.is_none() && looks_labelled(words) {
                self.stranger = Some(index);
            }
            self.extend(index, true);
        }
    }

    fn extend(&mut self, index: usize, in_assertions: bool) {
        if let (Some(open), true) = (&mut self.open, in_assertions) {
            open.4 = index;
        }
    }

    fn close(&mut self, parser: &Parser<'_>, contents: &mut Contents) {
        let Some((label, label_span, from, first, last)) = self.open.take() else { return };
        let to = parser.lines[last].end;
        let words = parser.text[from.min(to)..to].trim();
        let text =
            if words.is_empty() { Span::new(to, to) } else { Span::within(parser.text, words) };
        if self.assertions.iter().any(|it| it.label == label) {
            let message = format!("the label `{label}` is given twice; the first one counts");
            contents.remark(number(first), "repeated_label", message);
            return;
        }
        let word = words.trim_start_matches(['<', '[', '{']);
        let retired = word.len() < words.len()
            && word.get(..7).is_some_and(|it| it.eq_ignore_ascii_case("retired"));
        self.assertions.push(Assertion { label, label_span, text, line: number(first), retired });
    }

    fn complain(&self, first: usize, contents: &mut Contents) {
        if self.heading.is_some() && self.assertions.is_empty() {
            let (line, message) = match self.stranger {
                Some(index) => {
                    (index, "this label is not of the configured style, so it is no assertion")
                }
                None => (first, "the assertions section holds no assertion"),
            };
            contents.remark(number(line), "no_assertions", message);
        }
    }
}

/// `A. text`: the label and where it stands in the line.
fn label_of(grammar: &Grammar, line: &str) -> Option<(Label, (usize, usize))> {
    let rest = line.trim_start();
    let indent = line.len() - rest.len();
    let length = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
    let label = grammar.label(rest.get(..length)?)?;
    let after = rest[length..].strip_prefix('.')?;
    let parted = after.is_empty() || after.starts_with([' ', '\t']);
    (parted && indent <= 3).then_some((label, (indent, indent + length)))
}

fn looks_labelled(line: &str) -> bool {
    let rest = line.trim_start();
    let length = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
    (1..=4).contains(&length) && rest[length..].starts_with(". ")
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

/// A line of nothing but emphasis groups the assertions below it.
fn is_grouping(line: &str) -> bool {
    let line = line.trim();
    ["**", "__", "*", "_"].iter().any(|mark| {
        line.len() > 2 * mark.len()
            && line
                .strip_prefix(mark)
                .and_then(|it| it.strip_suffix(mark))
                .is_some_and(|it| !it.contains(mark))
    })
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
