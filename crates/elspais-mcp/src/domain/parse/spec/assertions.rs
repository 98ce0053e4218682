//! The assertions of a requirement: labelled lines, with the lines that belong to them.

use super::super::lines::number;
use super::super::{Assertion, Contents};
use super::{Parser, is_break};
use crate::domain::grammar::Grammar;
use crate::domain::span::{Label, Span};

/// Assertions while they are read.
#[derive(Default)]
pub(super) struct Reading {
    pub(super) assertions: Vec<Assertion>,
    pub(super) heading: Option<Span>,
    /// Label, where it stands, where the text begins, first line, last line so far.
    open: Option<(Label, Span, usize, usize, usize)>,
    /// A line that looks like an assertion but has a label of another style.
    stranger: Option<usize>,
}

impl Reading {
    pub(super) fn line(&mut self, parser: &Parser<'_>, index: usize, contents: &mut Contents) {
        let line = &parser.lines[index];
        let words = line.of(parser.text);
        let found = label_of(parser.grammar, words);
        // `OK. Fine.` is prose, unless the letters before it are used up.
        let found = found.filter(|(label, _)| label.as_str().len() < 2 || self.may_be_long(*label));
        if let Some((label, length)) = found {
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

    fn may_be_long(&self, label: Label) -> bool {
        let last = self.open.as_ref().map(|it| it.0);
        let last = last.or_else(|| self.assertions.last().map(|it| it.label));
        let is_number = label.as_str().bytes().all(|it| it.is_ascii_digit());
        is_number || last.is_some_and(|it| it.as_str() == "Z" || it.as_str().len() > 1)
    }

    pub(super) fn extend(&mut self, index: usize, in_assertions: bool) {
        if let (Some(open), true) = (&mut self.open, in_assertions) {
            open.4 = index;
        }
    }

    pub(super) fn close(&mut self, parser: &Parser<'_>, contents: &mut Contents) {
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

    pub(super) fn complain(&self, first: usize, contents: &mut Contents) {
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
    let after = rest[length..].strip_prefix('.')?;
    let parted = after.is_empty() || after.starts_with([' ', '\t']);
    if !parted || indent > 3 {
        return None;
    }
    let label = grammar.label(rest.get(..length)?)?;
    Some((label, (indent, indent + length)))
}

fn looks_labelled(line: &str) -> bool {
    let rest = line.trim_start();
    let length = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
    (1..=4).contains(&length) && rest[length..].starts_with(". ")
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
