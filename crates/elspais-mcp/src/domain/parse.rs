//! What files hold, as records with places in the text: no record copies what the text says.

pub(crate) mod code;
pub(crate) mod dialect;
pub(crate) mod lines;
pub(crate) mod measured;
mod metadata;
pub(crate) mod part;
pub(crate) mod results;
pub(crate) mod spec;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use crate::domain::span::{Label, Labels, Span};

/// The number under which a graph keeps an id, once it holds the record.
///
/// It says nothing of the text: records that say the same are equal whatever it is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sym(u32);

impl Sym {
    pub(crate) fn new(number: u32) -> Self {
        Self(number)
    }

    /// `None` for a record that lies in no graph yet.
    pub(crate) fn number(self) -> Option<u32> {
        (self.0 != u32::MAX).then_some(self.0)
    }
}

impl Default for Sym {
    fn default() -> Self {
        Self(u32::MAX)
    }
}

impl PartialEq for Sym {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Sym {}

/// What one reference says: how, whom, and which assertions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Citation {
    pub(crate) kind: EdgeKind,
    /// The item of the list as it is written, and nothing around it.
    pub(crate) token: Span,
    /// Canonical; what is no id of ours stays as it was written.
    pub(crate) target: Box<str>,
    pub(crate) labels: Labels,
    pub(crate) line: u32,
    /// What the graph calls the target.
    pub(crate) sym: Sym,
}

/// Which references of a list there were already.
#[derive(Default)]
struct Seen {
    /// Looked through only where a list is long.
    many: HashSet<(Box<str>, Labels)>,
}

impl Seen {
    /// A list that is longer than this is not looked through again for each of its items.
    const FEW: usize = 16;

    /// `before` are all that came before.
    fn is_new(&mut self, citation: &Citation, before: &[Citation]) -> bool {
        if before.len() < Self::FEW {
            let same = |it: &Citation| it.target == citation.target && it.labels == citation.labels;
            return !before.iter().any(same);
        }
        let key = |it: &Citation| (it.target.clone(), it.labels.clone());
        if self.many.is_empty() {
            self.many.extend(before.iter().map(key));
        }
        self.many.insert(key(citation))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum EdgeKind {
    Implements,
    Refines,
    Verifies,
    Validates,
    Satisfies,
    Integrates,
    Contains,
    Yields,
    /// A task that is not done yet, or a design, says what it is for.
    Plans,
}

impl EdgeKind {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Implements => "implements",
            Self::Refines => "refines",
            Self::Verifies => "verifies",
            Self::Validates => "validates",
            Self::Satisfies => "satisfies",
            Self::Integrates => "integrates",
            Self::Contains => "contains",
            Self::Yields => "yields",
            Self::Plans => "plans",
        }
    }

    /// Whether it counts as evidence for the assertions it names.
    pub(crate) fn covers(self) -> bool {
        matches!(self, Self::Implements | Self::Verifies | Self::Validates)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Requirement {
    pub(crate) id: Box<str>,
    /// What the graph calls it.
    pub(crate) sym: Sym,
    /// The id as it is written in the header.
    pub(crate) id_span: Span,
    pub(crate) title: Span,
    /// The title on one line, where the file has it on several.
    pub(crate) joined_title: Option<Box<str>>,
    /// The name of the level that the id's letter stands for.
    pub(crate) letter_level: Option<Box<str>>,
    pub(crate) line: u32,
    /// From the header to the end of the footer's line, or of the last line that says something.
    pub(crate) block: Span,
    /// `block` with the separator line behind it.
    pub(crate) extent: Span,
    /// The end of the header's line, its line break included.
    pub(crate) header_end: u32,
    pub(crate) fields: Vec<Field>,
    pub(crate) citations: Vec<Citation>,
    /// Between metadata and footer, blank lines around it left out.
    pub(crate) body: Span,
    pub(crate) assertions: Vec<Assertion>,
    /// The line of the heading above the assertions.
    pub(crate) assertions_heading: Option<Span>,
    pub(crate) footer: Option<Footer>,
    /// Everything between header and footer.
    pub(crate) inner: Span,
    pub(crate) form: Form,
    /// The status it has by where it stands, when no field says one.
    pub(crate) given_status: Option<&'static str>,
}

impl Requirement {
    /// Its title, on one line.
    pub(crate) fn title_in<'a>(&'a self, text: &'a str) -> &'a str {
        self.joined_title.as_deref().unwrap_or_else(|| self.title.of(text))
    }
}

/// How a requirement is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// A block of the public tool's own format.
    Block,
    /// `- **FR-003**: …` of spec-kit: its own single assertion.
    Item,
    /// A user story of spec-kit with its scenarios.
    Story,
    /// `### Requirement: Title` of `OpenSpec`, whose id is made of its title.
    Titled,
    /// The same in a change that is proposed.
    Proposed,
    /// `### Requirement 1` of Kiro.
    Numbered,
}

impl Form {
    /// Whether it has no assertions but counts as one.
    pub(crate) fn stands_alone(self) -> bool {
        self == Self::Item
    }

    /// Whether labels follow from the order alone, and are written nowhere.
    pub(crate) fn counts_labels(self) -> bool {
        matches!(self, Self::Titled | Self::Proposed)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FieldName {
    Level,
    Status,
    Cites(EdgeKind),
    Other,
}

/// One field of the metadata.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) name: FieldName,
    /// Name, separator and value.
    pub(crate) whole: Span,
    pub(crate) label: Span,
    pub(crate) value: Span,
    /// The line it stands on, without the line break.
    pub(crate) line: Span,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Assertion {
    pub(crate) label: Label,
    pub(crate) label_span: Span,
    /// Without the blanks around it; further lines belong to it.
    pub(crate) text: Span,
    pub(crate) line: u32,
    /// Its text says that it is withdrawn: it counts no longer, but its label stays taken.
    pub(crate) retired: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Footer {
    pub(crate) line: Span,
    /// Between its stars.
    pub(crate) title: Option<Span>,
    /// The word behind `Hash:`, be it a hash or a placeholder.
    pub(crate) hash: Option<Span>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Journey {
    pub(crate) id: Box<str>,
    /// What the graph calls it.
    pub(crate) sym: Sym,
    pub(crate) id_span: Span,
    pub(crate) title: Span,
    pub(crate) line: u32,
    pub(crate) block: Span,
    pub(crate) actor: Option<Span>,
    pub(crate) goal: Option<Span>,
    /// The numbers of its steps.
    pub(crate) steps: Vec<Label>,
    pub(crate) citations: Vec<Citation>,
}

/// Text of a spec file that belongs to no block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Remainder {
    pub(crate) span: Span,
    pub(crate) line: u32,
}

/// A comment in code, or a test, that cites requirements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mention {
    /// `code:src/a.rs:12`, `test:tests/a.rs::name`.
    pub(crate) id: Box<str>,
    /// The function or type it belongs to.
    pub(crate) name: Option<Box<str>>,
    pub(crate) line: u32,
    pub(crate) citations: Vec<Citation>,
}

/// The outcome of one run of one test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) name: Box<str>,
    /// Where the report says the test lies: a path or a dotted class name.
    pub(crate) place: Box<str>,
    pub(crate) status: OutcomeStatus,
    pub(crate) message: Option<Box<str>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OutcomeStatus {
    Passed,
    Failed,
    Error,
    Skipped,
}

impl OutcomeStatus {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Error => "error",
            Self::Skipped => "skipped",
        }
    }
}

/// Something odd at a place of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Remark {
    pub(crate) line: u32,
    pub(crate) code: &'static str,
    pub(crate) message: String,
}

/// Everything one file holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Contents {
    pub(crate) requirements: Vec<Requirement>,
    pub(crate) journeys: Vec<Journey>,
    pub(crate) remainders: Vec<Remainder>,
    pub(crate) codes: Vec<Mention>,
    pub(crate) tests: Vec<Mention>,
    pub(crate) outcomes: Vec<Outcome>,
    pub(crate) measured: Vec<measured::MeasuredFile>,
    pub(crate) remarks: Vec<Remark>,
}

impl Contents {
    /// Whether there is anything to keep the text for.
    pub(crate) fn is_empty(&self) -> bool {
        self.requirements.is_empty()
            && self.journeys.is_empty()
            && self.codes.is_empty()
            && self.tests.is_empty()
    }

    pub(crate) fn remark(&mut self, line: u32, code: &'static str, message: impl Into<String>) {
        self.remarks.push(Remark { line, code, message: message.into() });
    }
}
