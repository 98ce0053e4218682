//! The user stories of spec-kit, with their acceptance scenarios.

use std::sync::LazyLock;

use regex::Regex;

use super::{Found, Page, list};
use crate::domain::parse::{Contents, Field, Form};
use crate::domain::span::Span;

static STORY: LazyLock<Regex> = LazyLock::new(|| {
    let pattern =
        r"(?i)^[^\p{L}\p{N}]*user\s+story\s+(?P<number>\d{1,4})\b[\s:.–—-]*(?P<title>.*)$";
    Regex::new(pattern).unwrap_or_else(|error| unreachable!("the pattern is valid: {error}"))
});

/// What the template's heading is in any language: words, a number, a title and a priority.
static TRANSLATED: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"^\P{N}{1,40}?\s*(?P<number>\d{1,4})\s*[-–—:：]\s*(?P<title>\S.*[(（\[](?:[^)）\]]*[^A-Za-z0-9)）\]])?[Pp]\d\s*[)）\]]\s*)$";
    Regex::new(pattern).unwrap_or_else(|error| unreachable!("the pattern is valid: {error}"))
});

static PRIORITY: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i)\s*[(（\[](?:\s*priority\b|(?:[^)）\]]*[^A-Za-z0-9)）\]])?p\d\b)[^)）\]]*[)）\]].*$",
    )
    .unwrap_or_else(|error| unreachable!("the pattern is valid: {error}"))
});

static SCENARIOS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)acceptance\s+(?:scenarios?|criteria)")
        .unwrap_or_else(|error| unreachable!("the pattern is valid: {error}"))
});

pub(super) fn read(page: &Page<'_>, status: Option<Field>, contents: &mut Contents) {
    for index in 0..page.lines.len() {
        let Some((depth, words)) = page.heading(index) else { continue };
        let found = STORY.captures(words).or_else(|| TRANSLATED.captures(words));
        let Some(found) = found else { continue };
        let Some(digits) = found.name("number") else { continue };
        let end = page.section_end(index, depth);
        let title = found.name("title").map_or("", |it| it.as_str());
        let title = title[..PRIORITY.find(title).map_or(title.len(), |it| it.start())].trim();
        // A story without a title is called what its heading says.
        let title = if title.is_empty() { words } else { title };
        let item = format!("US{}", digits.as_str().trim_start_matches('0'));
        let mut requirement = page.record(&Found {
            item,
            id_span: Span::within(page.text, digits.as_str()),
            title: Span::within(page.text, title),
            first: index,
            end,
            body: page.words_between(index + 1, page.without_tail(index, end)),
            form: Form::Story,
            level: "PRD",
        });
        requirement.fields.extend(status);
        requirement.assertions = scenarios(page, index + 1, end);
        contents.requirements.push(requirement);
    }
}

/// What is listed below `**Acceptance Scenarios**`; where nothing says so, what begins with Given.
fn scenarios(page: &Page<'_>, from: usize, end: usize) -> Vec<super::super::Assertion> {
    let words = |at: usize| page.lines[at].of(page.text);
    let marked = (from..end).find(|at| {
        let bare = words(*at).trim_start();
        !page.lines[*at].hidden && bare.starts_with(['*', '#', '_']) && SCENARIOS.is_match(bare)
    });
    let Some(marked) = marked else {
        let is_scenario = |text: &str| {
            let bare = text.trim_start_matches(['*', '_', ' ']);
            bare.get(..5).is_some_and(|it| it.eq_ignore_ascii_case("given"))
        };
        return list::assertions(page, from, end, None, &is_scenario);
    };
    // The next field or section of the story ends the list.
    let is_field = |at: &usize| {
        let line = words(*at);
        page.heading(*at).is_some() || line.starts_with("**") || super::super::spec::is_break(line)
    };
    let end = (marked + 1..end).find(is_field).unwrap_or(end);
    list::assertions(page, marked + 1, end, None, &|_| true)
}
