//! What a ticket states word for word: acceptance criteria, and what is out of scope.

use mcp_core::text;

const MAX_ITEMS: usize = 20;
const MAX_CHARS: usize = 300;

/// Headings of a block of criteria; a block ends with a blank line, another heading or prose.
const CRITERIA: [&str; 8] = [
    "ac",
    "acs",
    "acceptance",
    "acceptance criteria",
    "acceptance criterion",
    "definition of done",
    "done when",
    "requirements",
];
const EXCLUDED: [&str; 7] = [
    "out of scope",
    "not in scope",
    "non-goals",
    "non goals",
    "excluded",
    "not included",
    "no-gos",
];
/// How a sentence says that something stays as it is.
const HANDS_OFF: [&str; 14] = [
    "don't touch",
    "dont touch",
    "do not touch",
    "don't change",
    "dont change",
    "do not change",
    "don't modify",
    "do not modify",
    "leave the",
    "without touching",
    "without changing",
    "must stay",
    "must not change",
    "stays as it is",
];

/// Criteria that the words state as such: blocks, checklists, and Given/When/Then.
pub(crate) fn criteria(words: &str) -> Vec<String> {
    let mut found = blocks(words, &CRITERIA);
    for line in words.lines().map(str::trim) {
        let item = line.strip_prefix("- [ ]").or_else(|| line.strip_prefix("* [ ]"));
        let scenario = ["given ", "scenario:"].iter().any(|it| starts(line, it))
            && line.to_lowercase().contains("then");
        if let Some(item) = item.or(scenario.then_some(line)) {
            push(&mut found, item);
        }
    }
    found
}

/// What the words put out of reach.
pub(crate) fn exclusions(words: &str) -> Vec<String> {
    let mut found = blocks(words, &EXCLUDED);
    for sentence in sentences(words) {
        let lower = sentence.to_lowercase();
        if HANDS_OFF.iter().any(|it| lower.contains(it)) {
            push(&mut found, clause_with(sentence, &HANDS_OFF));
        }
    }
    found
}

/// The items below a heading, or behind it on its line.
fn blocks(words: &str, headings: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    let mut inside = false;
    for line in words.lines() {
        let line = line.trim();
        if let Some(rest) = heading(line, headings) {
            inside = true;
            let rest = until_other_heading(rest);
            for item in rest.split(';').filter(|it| !it.trim().is_empty()) {
                push(&mut found, item);
            }
            continue;
        }
        match bullet(line) {
            Some(item) if inside => push(&mut found, item),
            _ if line.is_empty() && found.is_empty() => {}
            _ => inside = false,
        }
    }
    found
}

/// What follows `Heading:` on a line, also in the middle of it; the heading may be marked up.
fn heading<'a>(line: &'a str, headings: &[&str]) -> Option<&'a str> {
    let lower = line.to_lowercase();
    for name in headings {
        for (at, _) in lower.match_indices(name) {
            let before = line.get(..at)?;
            let after = line.get(at + name.len()..)?;
            let opens = before.trim_matches(['#', '*', ' ', '_']).is_empty()
                || before.trim_end().ends_with(['.', ';', '!', '?']);
            let rest = after.trim_start_matches(['*', '_', ' ']);
            let is_heading = rest.starts_with(':')
                || (rest.is_empty() && before.trim_start().starts_with(['#', '*']));
            if opens && is_heading {
                return Some(rest.trim_start_matches(':').trim_start_matches(['*', '_', ' ']));
            }
        }
    }
    None
}

/// A line may go on with another heading: "AC: a; b. Out of scope: c".
fn until_other_heading(rest: &str) -> &str {
    let lower = rest.to_lowercase();
    let others = CRITERIA.iter().chain(&EXCLUDED).filter_map(|name| {
        let at = lower.find(&format!(". {name}:"))?;
        Some(at)
    });
    others.min().and_then(|at| rest.get(..at)).unwrap_or(rest)
}

fn bullet(line: &str) -> Option<&str> {
    let line = line.trim_start();
    if let Some(item) = ["- [ ]", "- [x]", "* [ ]", "- ", "* ", "• ", "– "]
        .iter()
        .find_map(|mark| line.strip_prefix(mark))
    {
        return Some(item.trim());
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = line.get(digits..).filter(|_| digits > 0)?;
    rest.strip_prefix(['.', ')']).map(str::trim)
}

fn sentences(words: &str) -> impl Iterator<Item = &str> {
    words
        .lines()
        .flat_map(|line| line.split_inclusive(". ").flat_map(|it| it.split_inclusive("; ")))
        .map(|it| it.trim().trim_end_matches(['.', ';']))
        .filter(|it| !it.is_empty())
}

/// The part of a sentence, between commas, that holds one of these words and what follows it.
fn clause_with<'a>(sentence: &'a str, words: &[&str]) -> &'a str {
    let lower = sentence.to_lowercase();
    let Some(at) = words.iter().filter_map(|it| lower.find(it)).min() else { return sentence };
    let from = sentence.get(..at).and_then(|it| it.rfind(", ")).map_or(0, |it| it + 2);
    sentence.get(from..).unwrap_or(sentence)
}

fn starts(line: &str, words: &str) -> bool {
    line.get(..words.len()).is_some_and(|it| it.eq_ignore_ascii_case(words))
}

fn push(found: &mut Vec<String>, item: &str) {
    let item = text::one_line(text::cut(item.trim().trim_end_matches([';', ',']), MAX_CHARS));
    if !item.is_empty() && found.len() < MAX_ITEMS && !found.contains(&item) {
        found.push(item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_of_criteria_is_taken_word_for_word() {
        let ticket = "ticket X-1\nAs a user I want limits.\nAC:\n- env var MAX, 0 = unlimited\n- API returns 403\nOut of scope: admin UI\n";
        assert_eq!(criteria(ticket), ["env var MAX, 0 = unlimited", "API returns 403"]);
        assert_eq!(exclusions(ticket), ["admin UI"]);
    }

    #[test]
    fn criteria_on_one_line_and_checklists_count_too() {
        let line = "Invite teammates. Acceptance: owner can invite; invite ends after 7 days. Out of scope: billing";
        assert_eq!(criteria(line), ["owner can invite", "invite ends after 7 days"]);
        assert_eq!(exclusions(line), ["billing"]);
        assert_eq!(
            criteria("Do it\n- [ ] works offline\n- [ ] tested"),
            ["works offline", "tested"]
        );
        assert_eq!(criteria("## Acceptance criteria\n\n1. One\n2) Two\n\nMore."), ["One", "Two"]);
        let scenario = "Given a blank name, when it is saved, then an error is shown";
        assert_eq!(criteria(scenario), [scenario]);
    }

    #[test]
    fn what_must_not_be_touched_is_excluded() {
        assert_eq!(
            exclusions("Speed it up, but don't touch the database schema. Thanks"),
            ["but don't touch the database schema"]
        );
        assert_eq!(
            exclusions("Do not change the public API; add a flag"),
            ["Do not change the public API"]
        );
        assert!(
            exclusions("Change the API").is_empty() && criteria("Use AC power: 12 V").is_empty()
        );
    }
}
