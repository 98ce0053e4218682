//! Lists in Markdown: items, the lines that carry them on, and the numbers they are given.

use std::sync::LazyLock;

use regex::Regex;

use super::Page;
use crate::domain::parse::Assertion;
use crate::domain::parse::lines::number;
use crate::domain::span::{Label, Span};

static ITEM: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"^(?P<indent> {0,3})(?:[-*+][ \t]+)?(?:\*\*)?(?:(?P<owner>\d+)\.)?(?P<number>\d+)(?:\*\*)?[.)]?(?:\*\*)?[ \t]+";
    Regex::new(pattern).unwrap_or_else(|error| unreachable!("the pattern is valid: {error}"))
});

static BULLET: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?P<indent> {0,3})[-*+][ \t]+")
        .unwrap_or_else(|error| unreachable!("the pattern is valid: {error}"))
});

/// The line behind an item that begins at `first`: it goes on as long as lines are indented, or
/// follow without a blank line and begin nothing of their own.
pub(super) fn item_end(page: &Page<'_>, first: usize, end: usize) -> usize {
    let indent_of = |at: usize| {
        let words = page.lines[at].of(page.text);
        words.len() - words.trim_start().len()
    };
    let own = indent_of(first);
    let mut last = first;
    for at in first + 1..end {
        let line = &page.lines[at];
        if line.is_blank(page.text) {
            continue;
        }
        let is_deeper = indent_of(at) > own;
        let follows = last + 1 == at && !line.hidden && !begins_something(line.of(page.text));
        if page.heading(at).is_some() || !(is_deeper || follows) {
            break;
        }
        last = at;
    }
    last + 1
}

/// Whether a line is the beginning of something else: a list item, a table, a quote, emphasis.
fn begins_something(line: &str) -> bool {
    let bare = line.trim_start();
    BULLET.is_match(bare)
        || ITEM.is_match(bare)
        || bare.starts_with(['|', '>', '*', '_', '#', '<'])
        || super::super::spec::is_break(bare)
        || super::item::begins_item(bare)
}

/// The numbered items between two lines, as assertions. `owner` is the number of the requirement,
/// where items repeat it: `1.2 The cart shall …`. Bullets count where nothing is numbered.
pub(super) fn assertions(
    page: &Page<'_>,
    from: usize,
    end: usize,
    owner: Option<&str>,
    wanted: &dyn Fn(&str) -> bool,
) -> Vec<Assertion> {
    let mut found: Vec<Assertion> = Vec::new();
    let mut at = from;
    while at < end {
        let line = &page.lines[at];
        let words = line.of(page.text);
        let item = if line.hidden { None } else { read_item(words, owner) };
        let Some((written, text_at)) = item.filter(|(_, at)| wanted(&words[*at..])) else {
            at += 1;
            continue;
        };
        let behind = item_end(page, at, end);
        let last = found.last().and_then(|it| it.label.as_str().parse::<u32>().ok()).unwrap_or(0);
        let digits = written.map(|(from, to)| Span::new(line.start + from, line.start + to));
        let value = digits.and_then(|it| it.of(page.text).parse::<u32>().ok());
        // Numbers that do not rise are counted, as Markdown shows them.
        let label = value.filter(|it| *it > last).unwrap_or(last + 1);
        let Some(label) = Label::new(&label.to_string()) else { break };
        let start = line.start + text_at;
        let text = page.text[start..page.lines[behind - 1].end].trim();
        let text = if text.is_empty() {
            Span::new(line.end, line.end)
        } else {
            Span::within(page.text, text)
        };
        let label_span = digits.unwrap_or_else(|| Span::new(start, start));
        found.push(Assertion { label, label_span, text, line: number(at), retired: false });
        at = behind;
    }
    found
}

/// Where the number and the text of an item lie in its line.
fn read_item(words: &str, owner: Option<&str>) -> Option<(Option<(usize, usize)>, usize)> {
    if let Some(found) = ITEM.captures(words) {
        let number = found.name("number")?;
        let said = found.name("owner").map(|it| it.as_str());
        let is_bare = !found[0].trim_end().ends_with(['.', ')', '*']);
        // `5 users …` is a sentence; `1.2 The …` repeats the requirement's number.
        let fits = match (said, owner) {
            (Some(said), Some(owner)) => said == owner,
            (Some(_), None) => false,
            (None, _) => !is_bare,
        };
        return fits.then(|| (Some((number.start(), number.end())), found[0].len()));
    }
    let found = BULLET.find(words).filter(|_| owner.is_none())?;
    Some((None, found.end()))
}
