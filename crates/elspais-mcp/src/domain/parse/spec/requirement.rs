//! One requirement: metadata, preamble, sections and the assertions among them, up to its footer.

use super::super::lines::{Line, number};
use super::super::{
    Citation, Contents, EdgeKind, Field, FieldName, Footer, Form, Requirement, Sym,
};
use super::assertions::Reading;
use super::header::Header;
use super::{Parser, heading, metadata, read_footer};
use crate::domain::span::Span;

/// Where in a block a line stands.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Metadata,
    Preamble,
    /// Below a heading of that depth.
    Assertions(usize),
    Section,
}

/// A requirement while it is read.
struct Block<'p, 'a> {
    parser: &'p Parser<'a>,
    fields: Vec<Field>,
    citations: Vec<Citation>,
    reading: Reading,
    part: Part,
    body_from: usize,
    /// The list of references that goes on in the next line.
    continued: Option<EdgeKind>,
    /// The last line that says something.
    last: usize,
}

/// Reads the block that begins at `first`; returns the line behind it.
pub(super) fn read(
    parser: &Parser<'_>,
    first: usize,
    header: Header,
    contents: &mut Contents,
) -> usize {
    let (lines, text) = (parser.lines, parser.text);
    let mut block = Block {
        parser,
        fields: Vec::new(),
        citations: Vec::new(),
        reading: Reading::default(),
        part: Part::Metadata,
        body_from: lines[first].next,
        continued: None,
        last: first,
    };
    let mut footer = None;
    let mut index = first + 1;
    while index < lines.len() {
        let line = &lines[index];
        if !line.hidden {
            footer = read_footer(text, Span::new(line.start, line.end));
            if footer.is_some() {
                block.last = index;
                index += 1;
                break;
            }
            if parser.is_header(index) {
                break;
            }
        }
        block.line(index, contents);
        index += 1;
    }
    block.reading.close(parser, contents);
    block.reading.complain(first, contents);
    parser.check_values(&block.fields, first, contents);
    let inner_end = footer.map_or(lines[block.last].next, |it: Footer| it.line.from());
    let whole = Span::new(lines[first].start, lines[block.last].next);
    let (extent, index) = parser.with_separator(whole, footer.is_some(), index);
    contents.requirements.push(Requirement {
        id: header.id.into(),
        sym: Sym::default(),
        id_span: header.id_span,
        title: header.title,
        joined_title: None,
        letter_level: header.level,
        line: number(first),
        block: whole,
        extent,
        header_end: Span::new(lines[first].next, 0).start,
        fields: fitted(block.fields),
        citations: fitted(block.citations),
        body: without_blank_lines(text, Span::new(block.body_from.min(inner_end), inner_end)),
        assertions: fitted(block.reading.assertions),
        assertions_heading: block.reading.heading,
        footer,
        inner: Span::new(lines[first].next.min(inner_end), inner_end),
        form: Form::Block,
        given_status: None,
    });
    index
}

impl Block<'_, '_> {
    fn line(&mut self, index: usize, contents: &mut Contents) {
        let line = &self.parser.lines[index];
        let words = line.of(self.parser.text);
        if line.is_blank(self.parser.text) {
            self.continued = None;
            return;
        }
        self.last = index;
        if line.hidden {
            self.reading.extend(index, matches!(self.part, Part::Assertions(_)));
            if self.part == Part::Metadata {
                self.part = Part::Preamble;
            }
        } else if let Some((depth, words)) = heading(words) {
            self.heading(Span::new(line.start, line.end), depth, words, contents);
        } else {
            match self.part {
                Part::Metadata | Part::Preamble => match self.continued.take() {
                    Some(kind) => self.continuation(kind, line, index, contents),
                    None => self.metadata(line, index, contents),
                },
                Part::Assertions(_) => self.reading.line(self.parser, index, contents),
                Part::Section => {}
            }
        }
    }

    /// A deeper heading inside the assertions groups them; any other one ends them.
    fn heading(&mut self, line: Span, depth: usize, words: &str, contents: &mut Contents) {
        self.reading.close(self.parser, contents);
        self.part = match self.part {
            _ if is_assertions_heading(words) => {
                self.reading.heading.get_or_insert(line);
                Part::Assertions(depth)
            }
            Part::Assertions(above) if depth > above => Part::Assertions(above),
            _ => Part::Section,
        };
    }

    /// A line that carries on the list of references above it.
    fn continuation(&mut self, kind: EdgeKind, line: &Line, index: usize, contents: &mut Contents) {
        let span = Span::new(line.start, line.end);
        self.cite(kind, span, number(index), contents);
        self.fields.push(Field {
            name: FieldName::Cites(kind),
            whole: span,
            label: Span::new(line.start, line.start),
            value: span,
            line: span,
        });
        self.leave_out_of_body(line);
    }

    fn metadata(&mut self, line: &Line, index: usize, contents: &mut Contents) {
        let span = Span::new(line.start, line.end);
        let found = metadata::fields(self.parser.text, span, self.part == Part::Metadata);
        if found.is_empty() {
            self.part = Part::Preamble;
        } else {
            self.leave_out_of_body(line);
        }
        for field in &found {
            if let FieldName::Cites(kind) = field.name {
                self.cite(kind, field.value, number(index), contents);
            }
        }
        if self.fields.is_empty() {
            self.fields = found;
        } else {
            self.fields.extend(found);
        }
    }

    fn cite(&mut self, kind: EdgeKind, value: Span, line: u32, contents: &mut Contents) {
        let Parser { grammar, text, .. } = *self.parser;
        let found = metadata::citations(grammar, text, value, kind, line, contents);
        if self.citations.is_empty() {
            self.citations = found;
        } else {
            self.citations.extend(found);
        }
        self.continued = value.of(text).trim_end().ends_with(',').then_some(kind);
    }

    /// Metadata stands above the body, unless prose came first.
    fn leave_out_of_body(&mut self, line: &Line) {
        if self.part == Part::Metadata {
            self.body_from = line.next;
        }
    }
}

impl Parser<'_> {
    fn check_values(&self, fields: &[Field], first: usize, contents: &mut Contents) {
        for (wanted, name) in [(FieldName::Level, "level"), (FieldName::Status, "status")] {
            let mut found = fields.iter().filter(|field| field.name == wanted);
            if let Some(field) = found.next() {
                let complaint = match field.value.of(self.text).split_whitespace().take(2).count() {
                    0 => Some(("empty_field", "is empty")),
                    1 => None,
                    _ => Some(("words_in_field", "has more than one word")),
                };
                if let Some((code, what)) = complaint {
                    let line = self.lines.partition_point(|it| it.next <= field.value.from());
                    contents.remark(number(line), code, format!("the {name} {what}"));
                }
            }
            if found.next().is_some() {
                let message = format!("the {name} is given more than once; the first one counts");
                contents.remark(number(first), "repeated_field", message);
            }
        }
    }
}

/// A list that is not going to grow, without room to do so: there are hundreds of thousands.
fn fitted<T>(mut list: Vec<T>) -> Vec<T> {
    list.shrink_to_fit();
    list
}

fn is_assertions_heading(words: &str) -> bool {
    let bare =
        words.trim_matches(|it: char| matches!(it, '*' | '_' | ':' | '.') || it.is_whitespace());
    bare.eq_ignore_ascii_case("assertions")
}

fn without_blank_lines(text: &str, span: Span) -> Span {
    let words = span.of(text);
    let body = words.trim_end();
    let blank = body.len() - body.trim_start().len();
    // Indentation of the first line stays.
    let from = body[..blank].rfind('\n').map_or(0, |at| at + 1);
    Span::new(span.from() + from, span.from() + body.len())
}
