//! Tasks and designs: which requirements each of them is for.

use std::sync::LazyLock;

use regex::Regex;

use super::Page;
use crate::domain::dialect::{Dialect, read_item};
use crate::domain::parse::lines::number;
use crate::domain::parse::{Citation, Contents, EdgeKind, Mention, Sym};
use crate::domain::span::Span;

static TASK: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\s*[-*+][ \t]+\[(?P<done>[ xX~-])\]")
        .unwrap_or_else(|error| unreachable!("the pattern is valid: {error}"))
});

static STORIES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\[(US-?\d{1,4})\]")
        .unwrap_or_else(|error| unreachable!("the pattern is valid: {error}"))
});

static CRITERIA: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"(?i)(?:^|[\s_*(])(?:validates:\s*requirements?|requirements?:)[\s*_]*(?P<list>\d[\d., \t–-]*)";
    Regex::new(pattern).unwrap_or_else(|error| unreachable!("the pattern is valid: {error}"))
});

/// Each line that names requirements is a node of its own; a task that is done implements what it
/// names, anything else plans it.
pub(super) fn read(page: &Page<'_>, path: &str, contents: &mut Contents) {
    let mut is_done = false;
    for (index, line) in page.lines.iter().enumerate() {
        let words = line.of(page.text);
        if line.hidden {
            continue;
        }
        if page.heading(index).is_some() {
            is_done = false;
        }
        let task = TASK.captures(words);
        if let Some(task) = &task {
            is_done = matches!(&task["done"], "x" | "X");
        }
        let kind = if is_done { EdgeKind::Implements } else { EdgeKind::Plans };
        let citations = match page.place.dialect {
            Dialect::SpecKit if task.is_some() => stories(page, words, index, kind),
            Dialect::Kiro => criteria(page, words, index, kind),
            Dialect::SpecKit | Dialect::OpenSpec => Vec::new(),
        };
        if !citations.is_empty() {
            let line = number(index);
            let id = format!("code:{path}:{line}").into();
            contents.codes.push(Mention { id, name: None, line, citations });
        }
    }
}

fn stories(page: &Page<'_>, words: &str, index: usize, kind: EdgeKind) -> Vec<Citation> {
    let found = STORIES.captures_iter(words).filter_map(|it| it.get(1));
    found.filter_map(|it| cited(page, it.as_str(), index, kind)).map(|(it, _)| it).collect()
}

fn criteria(page: &Page<'_>, words: &str, index: usize, kind: EdgeKind) -> Vec<Citation> {
    let mut found: Vec<Citation> = Vec::new();
    for list in CRITERIA.captures_iter(words).filter_map(|it| it.name("list")) {
        let mut rest = list.as_str();
        loop {
            rest = rest.trim_start_matches([',', ' ', '\t', '.', '-', '–']);
            let Some((citation, length)) = cited(page, rest, index, kind) else { break };
            rest = &rest[length..];
            let same = |it: &Citation| it.target == citation.target && it.labels == citation.labels;
            if !found.iter().any(same) {
                found.push(citation);
            }
        }
    }
    found
}

/// The requirement of this folder that a text begins with.
fn cited(page: &Page<'_>, text: &str, index: usize, kind: EdgeKind) -> Option<(Citation, usize)> {
    let item = read_item(page.place.dialect, text)?;
    let citation = Citation {
        kind,
        token: Span::within(page.text, &text[..item.length]),
        target: page.id(&item.id).into(),
        labels: item.labels.into(),
        sym: Sym::default(),
        line: number(index),
    };
    Some((citation, item.length))
}
