//! What a ticket states word for word: acceptance criteria, and what is out of scope.

#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use mcp_core::text;
use serde::Deserialize;

const MAX_ITEMS: usize = 20;
const MAX_CHARS: usize = 300;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Phrases {
    criteria: Vec<String>,
    excluded: Vec<String>,
    hands_off: Vec<String>,
    refusing: Vec<String>,
    limits: Vec<String>,
    rules: Vec<String>,
}

static PHRASES: LazyLock<Phrases> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "the embedded phrases are read by every test")]
    toml::from_str(include_str!("../../assets/ticket.toml")).expect("the phrases are valid")
});

/// What a part of a ticket is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Criteria,
    Excluded,
    Prose,
}

/// Criteria that the words state as such: blocks, checklists, and Given/When/Then.
pub(crate) fn criteria(words: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (part, item, _) in parts(words) {
        let line = item.trim();
        let checked = ["- [ ]", "* [ ]"].iter().find_map(|it| line.strip_prefix(it));
        let scenario = ["given ", "scenario:"].iter().any(|it| starts(line, it))
            && line.to_lowercase().contains("then");
        if part == Part::Criteria {
            for item in bullet(line).unwrap_or(line).split(';') {
                push(&mut found, item);
            }
        } else if let Some(item) = checked.or(scenario.then_some(line)) {
            push(&mut found, item);
        }
    }
    found
}

/// Limits and rules within the prose: "max 2 MB", "only superusers", "keep checkpoints loadable".
pub(crate) fn conditions(words: &str) -> Vec<String> {
    let mut found = Vec::new();
    let prose = parts(words).into_iter().filter(|(part, ..)| *part == Part::Prose);
    for (_, line, _) in prose {
        let is_code = line.starts_with(['\t', ' ']) || line.contains("://") && line.len() < 80;
        if is_code {
            continue;
        }
        for clause in clauses(&line) {
            let lower = clause.to_lowercase();
            let rule = PHRASES
                .rules
                .iter()
                .any(|it| lower.starts_with(it.as_str()) || lower.ends_with(" only"));
            if (rule && lower.split_whitespace().count() > 1) || states_a_figure(&lower) {
                push(&mut found, clause);
            }
        }
    }
    found
}

/// A digit, and a word of measure beside it.
fn states_a_figure(lower: &str) -> bool {
    let has_digit = lower.split_whitespace().any(|it| {
        it.trim_matches(|it: char| !it.is_alphanumeric())
            .starts_with(|it: char| it.is_ascii_digit())
    });
    let words = format!(" {lower} ");
    has_digit
        && PHRASES.limits.iter().any(|it| {
            words.contains(&format!(" {it} "))
                || (it.starts_with(['<', '>', '≤', '≥']) && words.contains(it.as_str()))
        })
}

/// What the words put out of reach.
pub(crate) fn exclusions(words: &str) -> Vec<String> {
    let mut found = Vec::new();
    let parts = parts(words);
    for (_, line, _) in parts.iter().filter(|(part, ..)| *part == Part::Excluded) {
        for item in bullet(line).unwrap_or(line).split(';') {
            push(&mut found, item);
        }
    }
    let mut is_first = true;
    for (_, line, _) in parts.iter().filter(|(part, ..)| *part == Part::Prose) {
        for sentence in sentences(line) {
            let lower = sentence.to_lowercase().replace('’', "'");
            if PHRASES.hands_off.iter().any(|it| lower.contains(it.as_str())) {
                push(&mut found, clause_with(sentence, &PHRASES.hands_off));
            } else if !is_first && PHRASES.refusing.iter().any(|it| lower.starts_with(it.as_str()))
            {
                push(&mut found, sentence);
            }
            is_first = false;
        }
    }
    found
}

/// The request without its blocks of criteria and exclusions, which decide nothing. Offsets stay.
pub(crate) fn body(words: &str) -> String {
    let mut body = words.to_owned();
    for (part, _, range) in parts(words) {
        if part != Part::Prose
            && let Some(text) = words.get(range.clone())
        {
            let blank: String =
                text.chars().flat_map(|it| std::iter::repeat_n(' ', it.len_utf8())).collect();
            body.replace_range(range, &blank);
        }
    }
    body
}

type Piece = (Part, String, std::ops::Range<usize>);

/// The lines of a ticket by what they are; a heading in the middle of a line begins another piece.
fn parts(words: &str) -> Vec<Piece> {
    let mut found: Vec<Piece> = Vec::new();
    let mut inside = Part::Prose;
    let mut has_items = false;
    let mut start = 0;
    for line in words.split_inclusive('\n') {
        let end = start + line.trim_end_matches(['\n', '\r']).len();
        let text = &words[start..end];
        let headings = headings(text);
        let first = headings.first().map_or(text.len(), |it| it.at);
        let is_item = bullet(text.trim()).is_some();
        let before = &text[..first];
        if !before.trim().is_empty() || headings.is_empty() {
            let blank = text.trim().is_empty();
            if inside != Part::Prose && !is_item && (has_items || !blank) {
                inside = Part::Prose;
            }
            has_items |= is_item;
            if !blank {
                found.push((inside, before.to_owned(), start..start + first));
            }
        }
        for (index, heading) in headings.iter().enumerate() {
            let until = headings.get(index + 1).map_or(text.len(), |it| it.at);
            let rest = text.get(heading.rest..until).unwrap_or_default();
            inside = heading.part;
            has_items = false;
            if rest.trim().is_empty() {
                found.push((heading.part, String::new(), start + heading.at..start + until));
            } else {
                let rest = rest.trim().trim_end_matches('.').to_owned();
                found.push((heading.part, rest, start + heading.at..start + until));
            }
        }
        start += line.len();
    }
    found
}

struct Heading {
    part: Part,
    at: usize,
    /// Where what it heads begins.
    rest: usize,
}

/// `Heading:` at the start of a line or behind a sentence; one that stands alone may be marked up.
fn headings(line: &str) -> Vec<Heading> {
    let lower = line.to_lowercase();
    let mut found: Vec<Heading> = Vec::new();
    if lower.len() != line.len() {
        return found;
    }
    let named = PHRASES.criteria.iter().map(|it| (Part::Criteria, it));
    for (part, name) in named.chain(PHRASES.excluded.iter().map(|it| (Part::Excluded, it))) {
        for (at, _) in lower.match_indices(name.as_str()) {
            let (Some(before), Some(after)) = (line.get(..at), line.get(at + name.len()..)) else {
                continue;
            };
            let opens = before.trim_matches(['#', '*', ' ', '_']).is_empty()
                || before.trim_end().ends_with(['.', ';', '!', '?']);
            let rest = after.trim_start_matches(['*', '_', ' ']);
            let is_marked = before.trim_start().starts_with(['#', '*']);
            if opens && (rest.starts_with(':') || (rest.is_empty() && is_marked)) {
                let rest = rest.trim_start_matches(':').trim_start_matches(['*', '_', ' ']);
                let rest = line.len() - rest.len();
                let at = if before.trim_matches(['#', '*', ' ', '_']).is_empty() { 0 } else { at };
                found.push(Heading { part, at, rest });
            }
        }
    }
    found.sort_by_key(|it| (it.at, std::cmp::Reverse(it.rest)));
    found.dedup_by_key(|it| it.at);
    found
}

fn bullet(line: &str) -> Option<&str> {
    let line = line.trim_start();
    if let Some(item) = ["- [ ]", "- [x]", "* [ ]", "- ", "* ", "• ", "– ", "+ "]
        .iter()
        .find_map(|mark| line.strip_prefix(mark))
    {
        return Some(item);
    }
    let digits = line.chars().take_while(char::is_ascii_digit).count();
    let rest = line.get(digits..).filter(|_| (1..=2).contains(&digits))?;
    rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") "))
}

/// A point within a word or a number ends no sentence.
fn sentences(words: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let bytes = words.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        if matches!(byte, b'.' | b'!' | b'?' | b';')
            && bytes.get(at + 1).is_none_or(|it| *it == b' ')
        {
            found.push(words[start..at].trim());
            start = at + 1;
        }
    }
    found.push(words[start..].trim());
    found.retain(|it| !it.is_empty());
    found
}

/// Between commas, semicolons and points that a space follows.
fn clauses(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let bytes = line.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        let ends = matches!(byte, b',' | b';' | b'.' | b'!' | b'(' | b')')
            && bytes.get(at + 1).is_none_or(|it| *it == b' ' || matches!(byte, b'(' | b')'));
        if ends {
            found.push(line[start..at].trim());
            start = at + 1;
        }
    }
    found.push(line[start..].trim());
    found.retain(|it| !it.is_empty());
    found
}

/// The part of a sentence, between commas, that holds one of these words and what follows it.
fn clause_with<'a>(sentence: &'a str, words: &[String]) -> &'a str {
    let lower = sentence.to_lowercase();
    if lower.len() != sentence.len() {
        return sentence;
    }
    let Some(at) = words.iter().filter_map(|it| lower.find(it.as_str())).min() else {
        return sentence;
    };
    let from = sentence.get(..at).and_then(|it| it.rfind(", ")).map_or(0, |it| it + 2);
    let rest = sentence.get(from..).unwrap_or(sentence);
    let opener = rest.split_once(' ').filter(|(word, _)| {
        ["but", "and", "just", "please"].contains(&word.to_lowercase().as_str())
    });
    let rest = opener.map_or(rest, |(_, rest)| rest);
    let until = rest.find(", just ").or_else(|| rest.find(", use ")).unwrap_or(rest.len());
    rest.get(..until).unwrap_or(rest)
}

fn starts(line: &str, words: &str) -> bool {
    line.get(..words.len()).is_some_and(|it| it.eq_ignore_ascii_case(words))
}

fn push(found: &mut Vec<String>, item: &str) {
    let item = item.trim().trim_end_matches([';', ',', '.']);
    let item = text::one_line(text::cut(item, MAX_CHARS));
    if !item.is_empty() && found.len() < MAX_ITEMS && !found.contains(&item) {
        found.push(item);
    }
}
