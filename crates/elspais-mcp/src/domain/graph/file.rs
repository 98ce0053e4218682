//! One file: its text, kept once, and the records that point into it.

use std::sync::Arc;

use super::item::{Item, ItemKind};
use crate::domain::dialect::{self, Dialect};
use crate::domain::grammar::Grammar;
use crate::domain::parse::lines::Line;
use crate::domain::parse::{
    Citation, Contents, Sym, code, dialect as dialects, measured, results, spec,
};
use crate::domain::text::Text;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Role {
    Spec,
    Code,
    Test,
    Results,
    /// Which lines of code were reached.
    Coverage,
    /// Requirements as agents write them, and the tasks and designs beside them.
    Dialect(Dialect),
}

impl Role {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Spec => "spec",
            Self::Code => "code",
            Self::Test => "test",
            Self::Results => "results",
            Self::Coverage => "coverage",
            Self::Dialect(dialect) => dialect.as_str(),
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct File {
    pub(crate) path: Arc<str>,
    pub(crate) role: Role,
    /// Empty for files that cite nothing: their text is of no use.
    pub(crate) text: Text,
    pub(crate) contents: Contents,
    /// The other repository it lies in; such a file is never written.
    pub(crate) repository: Option<Arc<str>>,
}

impl File {
    pub(crate) fn parse(grammar: &Grammar, path: &str, role: Role, text: impl Into<Text>) -> Self {
        Self::parse_with(grammar, path, role, text.into(), &mut Vec::new())
    }

    /// Like `parse`; see `spec::parse_with`.
    pub(crate) fn parse_with(
        grammar: &Grammar,
        path: &str,
        role: Role,
        text: Text,
        lines: &mut Vec<Line>,
    ) -> Self {
        let contents = match role {
            Role::Spec => spec::parse_with(grammar, &text, lines),
            Role::Code => code::parse(grammar, path, &text, false),
            Role::Test => code::parse(grammar, path, &text, true),
            Role::Results => results::parse(path, &text),
            Role::Coverage => measured::parse(path, text.as_bytes()),
            Role::Dialect(_) => match dialect::place(path) {
                Some(place) => dialects::parse(path, place, &text),
                None => Contents::default(),
            },
        };
        let keep = matches!(role, Role::Spec | Role::Dialect(_)) || !contents.is_empty();
        let text = if keep { text } else { Text::default() };
        Self { path: path.into(), role, text, contents, repository: None }
    }

    /// A report of reached lines, which may be no text.
    pub(crate) fn measured(path: &str, bytes: &[u8]) -> Self {
        let contents = measured::parse(path, bytes);
        let text = Text::default();
        Self { path: path.into(), role: Role::Coverage, text, contents, repository: None }
    }

    /// The same file as one of another repository.
    pub(crate) fn of_repository(self, name: &Arc<str>) -> Self {
        Self { repository: Some(name.clone()), ..self }
    }

    /// Which definition of an id counts: by path, and an example never before a real one.
    pub(super) fn precedence(&self) -> (bool, bool, &str) {
        let mut words = self.path.split(|it: char| !it.is_ascii_alphanumeric());
        let is_example = |word: &str| {
            ["example", "examples", "sample", "samples"]
                .iter()
                .any(|it| it.eq_ignore_ascii_case(word))
        };
        (self.repository.is_some(), words.any(is_example), &self.path)
    }

    /// A file that could not be read: it holds nothing but the reason.
    pub(crate) fn unreadable(
        path: &str,
        role: Role,
        code: &'static str,
        line: u32,
        reason: String,
    ) -> Self {
        let mut contents = Contents::default();
        contents.remark(line, code, reason);
        Self { path: path.into(), role, text: Text::default(), contents, repository: None }
    }

    /// What the graph calls a requirement or a journey.
    pub(super) fn sym_of(&self, item: Item) -> Option<u32> {
        let at = item.index as usize;
        match item.kind {
            ItemKind::Requirement => self.contents.requirements.get(at)?.sym.number(),
            ItemKind::Journey => self.contents.journeys.get(at)?.sym.number(),
            ItemKind::Code | ItemKind::Test => None,
        }
    }

    /// Has what is kept of an item in the graph be known by these numbers.
    pub(super) fn number(&mut self, item: Item, mut sym: impl FnMut(&str) -> u32) -> Option<u32> {
        let at = item.index as usize;
        let contents = &mut self.contents;
        let (own, citations) = match item.kind {
            ItemKind::Requirement => {
                let it = contents.requirements.get_mut(at)?;
                it.sym = Sym::new(sym(&it.id));
                (it.sym.number(), &mut it.citations)
            }
            ItemKind::Journey => {
                let it = contents.journeys.get_mut(at)?;
                it.sym = Sym::new(sym(&it.id));
                (it.sym.number(), &mut it.citations)
            }
            ItemKind::Code => (None, &mut contents.codes.get_mut(at)?.citations),
            ItemKind::Test => (None, &mut contents.tests.get_mut(at)?.citations),
        };
        for citation in citations {
            citation.sym = Sym::new(sym(&citation.target));
        }
        own
    }

    pub(super) fn id_of(&self, item: Item) -> &str {
        let at = item.index as usize;
        let contents = &self.contents;
        match item.kind {
            ItemKind::Requirement => contents.requirements.get(at).map(|it| &*it.id),
            ItemKind::Journey => contents.journeys.get(at).map(|it| &*it.id),
            ItemKind::Code => contents.codes.get(at).map(|it| &*it.id),
            ItemKind::Test => contents.tests.get(at).map(|it| &*it.id),
        }
        .unwrap_or_default()
    }

    pub(super) fn line_of(&self, item: Item) -> u32 {
        let at = item.index as usize;
        let contents = &self.contents;
        match item.kind {
            ItemKind::Requirement => contents.requirements.get(at).map(|it| it.line),
            ItemKind::Journey => contents.journeys.get(at).map(|it| it.line),
            ItemKind::Code => contents.codes.get(at).map(|it| it.line),
            ItemKind::Test => contents.tests.get(at).map(|it| it.line),
        }
        .unwrap_or(1)
    }

    pub(crate) fn citations(&self, item: Item) -> &[Citation] {
        let at = item.index as usize;
        let contents = &self.contents;
        match item.kind {
            ItemKind::Requirement => contents.requirements.get(at).map(|it| &it.citations),
            ItemKind::Journey => contents.journeys.get(at).map(|it| &it.citations),
            ItemKind::Code => contents.codes.get(at).map(|it| &it.citations),
            ItemKind::Test => contents.tests.get(at).map(|it| &it.citations),
        }
        .map_or(&[], Vec::as_slice)
    }

    /// Every item of the file, in the order of its records.
    pub(super) fn items(&self, idx: u32) -> impl Iterator<Item = Item> + use<> {
        let of = move |kind, count: usize| {
            (0..u32::try_from(count).unwrap_or(u32::MAX)).map(move |index| Item {
                file: idx,
                kind,
                index,
            })
        };
        of(ItemKind::Requirement, self.contents.requirements.len())
            .chain(of(ItemKind::Journey, self.contents.journeys.len()))
            .chain(of(ItemKind::Code, self.contents.codes.len()))
            .chain(of(ItemKind::Test, self.contents.tests.len()))
    }

    /// The line ending most of the file uses.
    pub(crate) fn line_ending(&self) -> &'static str {
        let breaks = memchr::memchr_iter(b'\n', self.text.as_bytes()).count();
        let windows = memchr::memmem::find_iter(self.text.as_bytes(), b"\r\n").count();
        if windows * 2 > breaks { "\r\n" } else { "\n" }
    }
}
