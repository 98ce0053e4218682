//! `OpenSpec`: requirements known by their titles, and the changes that are proposed to them.

use std::sync::LazyLock;

use regex::Regex;

use super::{Found, Page};
use crate::domain::dialect::slug;
use crate::domain::parse::lines::number;
use crate::domain::parse::{Assertion, Citation, Contents, EdgeKind, Form, Requirement, Sym};
use crate::domain::span::{Label, Labels, Span};

static TITLE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^requirement\s*[:：]\s*(?P<title>.*\S)\s*$")
        .unwrap_or_else(|error| unreachable!("the pattern is valid: {error}"))
});

static SCENARIO: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^scenario\s*[:：]\s*")
        .unwrap_or_else(|error| unreachable!("the pattern is valid: {error}"))
});

static RENAMED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^\s*[-*+]?\s*(?:\*\*)?(?P<side>from|to)(?:\*\*)?\s*:\s*(?:\*\*)?\s*`?\s*#*\s*requirement\s*:\s*(?P<title>[^`]*[^`\s])")
        .unwrap_or_else(|error| unreachable!("the pattern is valid: {error}"))
});

/// What a section of a file says of its requirements.
#[derive(Clone, Copy, PartialEq)]
enum Section {
    Standing,
    Added,
    Modified,
    Removed,
    Renamed,
}

impl Section {
    fn of(words: &str, is_change: bool) -> Option<Self> {
        let lower = words.trim_matches(['*', ' ', ':']).to_lowercase();
        match (lower.as_str(), is_change) {
            ("requirements", false) => Some(Self::Standing),
            ("requirements" | "added requirements", true) => Some(Self::Added),
            ("modified requirements", true) => Some(Self::Modified),
            ("removed requirements", true) => Some(Self::Removed),
            ("renamed requirements", true) => Some(Self::Renamed),
            _ => None,
        }
    }

    fn status(self) -> &'static str {
        match self {
            Self::Standing => "Active",
            Self::Added | Self::Modified | Self::Renamed => "Draft",
            Self::Removed => "Deprecated",
        }
    }
}

pub(super) fn read(page: &Page<'_>, contents: &mut Contents) {
    let is_change = page.place.change.is_some();
    let mut section = None;
    let mut old: Option<Span> = None;
    for index in 0..page.lines.len() {
        match page.heading(index) {
            Some((1 | 2, words)) => section = Section::of(words, is_change),
            Some((3, words)) => {
                let Some(section) = section else { continue };
                let Some(title) = TITLE.captures(words).and_then(|it| it.name("title")) else {
                    continue;
                };
                let title = Span::within(page.text, title.as_str());
                contents.requirements.push(requirement(page, index, title, section));
            }
            _ if section == Some(Section::Renamed) => {
                rename(page, index, &mut old, contents);
            }
            _ => {}
        }
    }
}

fn requirement(page: &Page<'_>, first: usize, title: Span, section: Section) -> Requirement {
    let end = page.section_end(first, 3);
    let mut requirement = page.record(&Found {
        item: slug(title.of(page.text)),
        id_span: title,
        title,
        first,
        end,
        body: page.words_between(first + 1, page.without_tail(first, end)),
        form: if section == Section::Standing { Form::Titled } else { Form::Proposed },
        level: "DEV",
    });
    requirement.given_status = Some(section.status());
    requirement.assertions = scenarios(page, first + 1, end);
    if matches!(section, Section::Modified | Section::Removed) {
        requirement.citations.push(named(page, title, first));
    }
    requirement
}

/// The standing requirement of a title.
fn named(page: &Page<'_>, title: Span, index: usize) -> Citation {
    let target = format!("{}/{}", page.place.scope, slug(title.of(page.text)));
    Citation {
        kind: EdgeKind::Refines,
        token: title,
        target: target.into(),
        labels: Labels::default(),
        sym: Sym::default(),
        line: number(index),
    }
}

/// `- FROM: …` and, below it, `- TO: …`.
fn rename(page: &Page<'_>, index: usize, old: &mut Option<Span>, contents: &mut Contents) {
    let line = &page.lines[index];
    let Some(found) = RENAMED.captures(line.of(page.text)).filter(|_| !line.hidden) else { return };
    let Some(title) = found.name("title").map(|it| Span::within(page.text, it.as_str())) else {
        return;
    };
    if found["side"].eq_ignore_ascii_case("from") {
        *old = Some(title);
        return;
    }
    let mut requirement = page.record(&Found {
        item: slug(title.of(page.text)),
        id_span: title,
        title,
        first: index,
        end: index + 1,
        body: Span::new(line.start, line.end),
        form: Form::Proposed,
        level: "DEV",
    });
    requirement.given_status = Some(Section::Renamed.status());
    let was = old.take().map(|old| named(page, old, index.saturating_sub(1)));
    requirement.citations.extend(was);
    contents.requirements.push(requirement);
}

/// Every heading of the fourth level is a scenario, known by where it stands.
fn scenarios(page: &Page<'_>, from: usize, end: usize) -> Vec<Assertion> {
    let starts = (from..end).filter(|at| page.heading(*at).is_some_and(|(depth, _)| depth == 4));
    let starts: Vec<usize> = starts.collect();
    let mut found = Vec::new();
    for (nth, first) in starts.iter().enumerate() {
        let Some((_, words)) = page.heading(*first) else { continue };
        let behind = starts.get(nth + 1).copied().unwrap_or(end);
        let last = page.without_tail(*first, behind);
        let name = &words[SCENARIO.find(words).map_or(0, |it| it.end())..];
        let start = Span::within(page.text, name).from();
        let text = page.text[start..page.lines[last - 1].end].trim_end();
        let Some(label) = Label::new(&(nth + 1).to_string()) else { break };
        found.push(Assertion {
            label,
            label_span: Span::new(start, start),
            text: Span::new(start, start + text.len()),
            line: number(*first),
            retired: false,
        });
    }
    found
}
