//! Part of a file of requirements, read anew: the blocks around an edit, and nothing else.
//!
//! Blocks begin with a header that can be told without what stands around it, so whatever lies
//! before the block that was edited, or behind the next header, is read as it was. Where that is
//! not certain (a fence or comment that is never closed reaches as far as the file) nothing is
//! read here, and the file is read as a whole.

use std::ops::Range;

use super::{
    Assertion, Citation, Contents, Field, Footer, Journey, Remainder, Remark, Requirement, spec,
};
use crate::domain::grammar::Grammar;
use crate::domain::span::Span;

/// Remarks on things that concern the whole file.
const WHOLE: [&str; 3] = ["unclosed_fence", "unclosed_comment", "lone_carriage_returns"];

/// Requirements and journeys by their places in the lists.
pub(crate) type Places = (Range<usize>, Range<usize>);

/// Which records of a file an edit can concern, and what they are now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) requirements: Range<usize>,
    pub(crate) journeys: Range<usize>,
    remainders: Range<usize>,
    /// Lines of the old text: the first one, and the first one behind it.
    lines: Range<u32>,
    /// What everything behind it moves by.
    moves: Shift,
    /// In its place, with lines and bytes of the new text.
    pub(crate) fresh: Contents,
}

/// By how much places move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Shift {
    bytes: i64,
    lines: i64,
}

impl Part {
    /// `contents` is what `old` says; bytes outside of `at` are the same in `new`, counted from
    /// the beginning or from the end.
    pub(crate) fn read(
        grammar: &Grammar,
        contents: &Contents,
        old: &str,
        at: Span,
        new: &str,
    ) -> Option<Self> {
        let blocks = Blocks { contents };
        let start = blocks.last_before(at.start)?;
        let end = blocks.first_behind(at.end);
        let (from, to) = (start.at as usize, end.map_or(old.len(), |it| it.at as usize));
        let is_whole = |it: &Remark| WHOLE.contains(&it.code);
        if (from == 0 && to == old.len()) || contents.remarks.iter().any(is_whole) {
            return None;
        }
        let behind = old.len() - to;
        let text = new.get(from..new.len().checked_sub(behind)?)?;
        let mut fresh = spec::parse(grammar, text);
        let begins = fresh.requirements.first().map(|it| it.block.start);
        let begins = begins.into_iter().chain(fresh.journeys.first().map(|it| it.block.start));
        if begins.min() != Some(0) || fresh.remarks.iter().any(is_whole) {
            return None;
        }
        let line_breaks = |text: &str| memchr::memchr_iter(b'\n', text.as_bytes()).count();
        let lines_before = i64::from(start.line) - 1;
        fresh.shift(Shift { bytes: narrow(from), lines: lines_before });
        let moves = Shift {
            bytes: narrow(new.len()) - narrow(old.len()),
            lines: narrow(line_breaks(text)) - narrow(line_breaks(&old[from..to])),
        };
        let (from, to) = (start.at, end.map_or(u32::MAX, |it| it.at));
        Some(Self {
            requirements: within(&contents.requirements, from, to, |it| it.block.start),
            journeys: within(&contents.journeys, from, to, |it| it.block.start),
            remainders: within(&contents.remainders, from, to, |it| it.span.start),
            lines: start.line..end.map_or(u32::MAX, |it| it.line),
            moves,
            fresh,
        })
    }

    /// Whether as many records stand there as before, so that all others keep their places in the
    /// lists.
    pub(crate) fn keeps_places(&self) -> bool {
        self.requirements.len() == self.fresh.requirements.len()
            && self.journeys.len() == self.fresh.journeys.len()
    }

    /// What the part was.
    pub(crate) fn before(&self) -> Places {
        (self.requirements.clone(), self.journeys.clone())
    }

    /// Where its records are once they are put in.
    pub(crate) fn after(&self) -> Places {
        let as_many = |from: &Range<usize>, count: usize| from.start..from.start + count;
        (
            as_many(&self.requirements, self.fresh.requirements.len()),
            as_many(&self.journeys, self.fresh.journeys.len()),
        )
    }

    /// Puts the new records in the place of the old ones.
    pub(crate) fn put_into(self, contents: &mut Contents) {
        let moves = self.moves;
        contents.requirements[self.requirements.end..].iter_mut().for_each(|it| it.shift(moves));
        contents.journeys[self.journeys.end..].iter_mut().for_each(|it| it.shift(moves));
        contents.remainders[self.remainders.end..].iter_mut().for_each(|it| it.shift(moves));
        let fresh = self.fresh;
        contents.requirements.splice(self.requirements, fresh.requirements);
        contents.journeys.splice(self.journeys, fresh.journeys);
        contents.remainders.splice(self.remainders, fresh.remainders);
        let mut remarks = Vec::with_capacity(contents.remarks.len() + fresh.remarks.len());
        let mut behind = Vec::new();
        for mut remark in contents.remarks.drain(..) {
            if remark.line < self.lines.start {
                remarks.push(remark);
            } else if remark.line >= self.lines.end {
                remark.shift(moves);
                behind.push(remark);
            }
        }
        remarks.extend(fresh.remarks);
        remarks.extend(behind);
        contents.remarks = remarks;
    }
}

/// Where a block begins.
#[derive(Clone, Copy)]
struct Beginning {
    at: u32,
    line: u32,
}

struct Blocks<'c> {
    contents: &'c Contents,
}

impl Blocks<'_> {
    fn beginning(
        &self,
        requirement: Option<usize>,
        journey: Option<usize>,
    ) -> [Option<Beginning>; 2] {
        let requirement = requirement.and_then(|it| self.contents.requirements.get(it));
        let journey = journey.and_then(|it| self.contents.journeys.get(it));
        [
            requirement.map(|it| Beginning { at: it.block.start, line: it.line }),
            journey.map(|it| Beginning { at: it.block.start, line: it.line }),
        ]
    }

    /// The block whose header is not touched by what happens from `at` on.
    fn last_before(&self, at: u32) -> Option<Beginning> {
        let requirement = self.contents.requirements.partition_point(|it| it.block.start < at);
        let journey = self.contents.journeys.partition_point(|it| it.block.start < at);
        let found = self.beginning(requirement.checked_sub(1), journey.checked_sub(1));
        found.into_iter().flatten().max_by_key(|it| it.at)
    }

    fn first_behind(&self, at: u32) -> Option<Beginning> {
        let requirement = self.contents.requirements.partition_point(|it| it.block.start <= at);
        let journey = self.contents.journeys.partition_point(|it| it.block.start <= at);
        let found = self.beginning(Some(requirement), Some(journey));
        found.into_iter().flatten().min_by_key(|it| it.at)
    }
}

fn within<T>(list: &[T], from: u32, to: u32, start: impl Fn(&T) -> u32) -> Range<usize> {
    list.partition_point(|it| start(it) < from)..list.partition_point(|it| start(it) < to)
}

fn narrow(length: usize) -> i64 {
    i64::try_from(length).unwrap_or(i64::MAX)
}

impl Shift {
    fn place(self, at: &mut u32) {
        *at = u32::try_from(i64::from(*at) + self.bytes).unwrap_or(u32::MAX);
    }

    fn line(self, line: &mut u32) {
        *line = u32::try_from(i64::from(*line) + self.lines).unwrap_or(u32::MAX);
    }

    fn span(self, span: &mut Span) {
        self.place(&mut span.start);
        self.place(&mut span.end);
    }

    fn spans<'a>(self, spans: impl IntoIterator<Item = &'a mut Span>) {
        spans.into_iter().for_each(|it| self.span(it));
    }
}

/// Whatever has a place moves with the text. Every field is named, so that a new one does not
/// compile until somebody says whether it is a place.
trait Moves {
    fn shift(&mut self, by: Shift);
}

impl<T: Moves> Moves for Vec<T> {
    fn shift(&mut self, by: Shift) {
        for it in self {
            it.shift(by);
        }
    }
}

impl Moves for Contents {
    fn shift(&mut self, by: Shift) {
        let Self {
            requirements,
            journeys,
            remainders,
            codes: _,
            tests: _,
            outcomes: _,
            measured: _,
            remarks,
        } = self;
        requirements.shift(by);
        journeys.shift(by);
        remainders.shift(by);
        remarks.shift(by);
    }
}

impl Moves for Requirement {
    fn shift(&mut self, by: Shift) {
        let Self {
            id: _,
            sym: _,
            id_span,
            title,
            joined_title: _,
            letter_level: _,
            line,
            block,
            extent,
            header_end,
            fields,
            citations,
            body,
            assertions,
            assertions_heading,
            footer,
            inner,
            form: _,
            given_status: _,
        } = self;
        by.spans([id_span, title, block, extent, body, inner]);
        by.spans(assertions_heading);
        by.place(header_end);
        by.line(line);
        fields.shift(by);
        citations.shift(by);
        assertions.shift(by);
        if let Some(Footer { line, title, hash }) = footer {
            by.span(line);
            by.spans(title.iter_mut().chain(hash));
        }
    }
}

impl Moves for Journey {
    fn shift(&mut self, by: Shift) {
        let Self { id: _, sym: _, id_span, title, line, block, actor, goal, steps: _, citations } =
            self;
        by.spans([id_span, title, block]);
        by.spans(actor.iter_mut().chain(goal));
        by.line(line);
        citations.shift(by);
    }
}

impl Moves for Field {
    fn shift(&mut self, by: Shift) {
        let Self { name: _, whole, label, value, line } = self;
        by.spans([whole, label, value, line]);
    }
}

impl Moves for Citation {
    fn shift(&mut self, by: Shift) {
        let Self { kind: _, token, target: _, labels: _, line, sym: _ } = self;
        by.span(token);
        by.line(line);
    }
}

impl Moves for Assertion {
    fn shift(&mut self, by: Shift) {
        let Self { label: _, label_span, text, line, retired: _ } = self;
        by.spans([label_span, text]);
        by.line(line);
    }
}

impl Moves for Remainder {
    fn shift(&mut self, by: Shift) {
        let Self { span, line } = self;
        by.span(span);
        by.line(line);
    }
}

impl Moves for Remark {
    fn shift(&mut self, by: Shift) {
        let Self { line, code: _, message: _ } = self;
        by.line(line);
    }
}
