//! Kiro: numbered requirements, each with numbered acceptance criteria.

use std::sync::LazyLock;

use regex::Regex;

use super::{Found, Page, list};
use crate::domain::parse::{Contents, Form};
use crate::domain::span::Span;

static REQUIREMENT: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"(?i)^(?:requirement|要件|需求|요구사항|requisito|anforderung|exigence)\s*(?P<number>\d{1,4})\b[\s:：.–—-]*(?P<title>.*)$";
    Regex::new(pattern).unwrap_or_else(|error| unreachable!("the pattern is valid: {error}"))
});

/// `**User Story:** As a …`, under whatever name.
static STORY: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\*\*[^*]{1,40}(?:\*\*\s*[:：]|[:：]\s*\*\*)\s*(?P<words>\S.*)$")
        .unwrap_or_else(|error| unreachable!("the pattern is valid: {error}"))
});

pub(super) fn read(page: &Page<'_>, contents: &mut Contents) {
    for index in 0..page.lines.len() {
        let Some((depth, words)) = page.heading(index).filter(|(depth, _)| *depth > 1) else {
            continue;
        };
        let Some(found) = REQUIREMENT.captures(words) else { continue };
        let Some(digits) = found.name("number") else { continue };
        let end = page.section_end(index, depth);
        let named = found.name("title").map_or("", |it| it.as_str().trim());
        let story = (index + 1..end).filter(|at| !page.lines[*at].hidden).find_map(|at| {
            let found = STORY.captures(page.lines[at].of(page.text))?;
            Some(found.name("words")?.as_str().trim())
        });
        let title = if named.is_empty() { story.unwrap_or(words) } else { named };
        let number = digits.as_str();
        let mut requirement = page.record(&Found {
            item: number.trim_start_matches('0').to_owned(),
            id_span: Span::within(page.text, number),
            title: Span::within(page.text, title),
            first: index,
            end,
            body: page.words_between(index + 1, page.without_tail(index, end)),
            form: Form::Numbered,
            level: "DEV",
        });
        requirement.given_status = Some("Active");
        // Criteria stand below a heading of their own; other lists may come before it.
        let heading = (index + 1..end).find(|at| page.heading(*at).is_some());
        let from = heading.map_or(index + 1, |at| at + 1);
        requirement.assertions = list::assertions(page, from, end, Some(number), &|_| true);
        contents.requirements.push(requirement);
    }
}
