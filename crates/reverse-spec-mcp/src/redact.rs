//! Secrets taken out of source text before anything else sees it, so that no signature, document,
//! snippet or baseline can hold one. Lines keep their numbers and code still parses.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::{Captures, Regex};
use serde::Deserialize;

/// A value of an uncertain kind must carry at least this many bits a character.
const MIN_ENTROPY: f64 = 3.5;

/// A secret that was replaced. What it was is not kept.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Redaction {
    pub(crate) line: usize,
    pub(crate) kind: &'static str,
}

#[derive(Debug)]
pub(crate) struct Redacted<'a> {
    pub(crate) text: Cow<'a, str>,
    pub(crate) found: Vec<Redaction>,
}

#[derive(Deserialize)]
struct Table {
    harmless_starts: Vec<String>,
    secret: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    kind: String,
    certain: bool,
    placeholder: String,
    pattern: String,
}

struct Rule {
    kind: &'static str,
    certain: bool,
    placeholder: String,
    pattern: Regex,
}

struct Rules {
    harmless_starts: Vec<String>,
    each: Vec<Rule>,
}

static RULES: LazyLock<Rules> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "the table is part of the program and tested")]
    let table: Table =
        toml::from_str(include_str!("../assets/secrets.toml")).expect("the table is well formed");
    let rules = table.secret.into_iter().map(|row| {
        #[expect(clippy::expect_used, reason = "the patterns are part of the program and tested")]
        let pattern = Regex::new(&row.pattern).expect("a valid pattern");
        let kind: &'static str = row.kind.leak();
        Rule { kind, certain: row.certain, placeholder: row.placeholder, pattern }
    });
    Rules { harmless_starts: table.harmless_starts, each: rules.collect() }
});

/// Replaces every secret in `text`. The path decides whether uncertain kinds count: tests are full
/// of made-up credentials.
pub(crate) fn redact<'a>(text: &'a str, path: &str) -> Redacted<'a> {
    let rules = &*RULES;
    let mut redacted = Redacted { text: Cow::Borrowed(text), found: Vec::new() };
    // One after the other: each looks for words of its own, which is quicker than all at once.
    for rule in &rules.each {
        let expected = rule.certain || !crate::project::is_test(path);
        if !expected || !rule.pattern.is_match(&redacted.text) {
            continue;
        }
        let mut found = Vec::new();
        let replaced = rule.pattern.replace_all(&redacted.text, |captures: &Captures<'_>| {
            replacement(rules, rule, captures, &redacted.text, &mut found)
        });
        if !found.is_empty() {
            let replaced = replaced.into_owned();
            redacted.found.append(&mut found);
            redacted.text = Cow::Owned(replaced);
        }
    }
    redacted.found.sort();
    redacted
}

fn replacement(
    rules: &Rules,
    rule: &Rule,
    captures: &Captures<'_>,
    text: &str,
    found: &mut Vec<Redaction>,
) -> String {
    let whole = captures.get(0).map_or("", |it| it.as_str());
    let secret = ["secret", "secret2", "secret3"].into_iter().find_map(|it| captures.name(it));
    let (Some(all), Some(secret)) = (captures.get(0), secret) else { return whole.to_owned() };
    if rules.is_harmless(secret.as_str(), rule.certain) {
        return whole.to_owned();
    }
    let line = text[..secret.start()].bytes().filter(|it| *it == b'\n').count() + 1;
    found.push(Redaction { line, kind: rule.kind });
    // Each line of a longer secret leaves an empty one behind.
    let lines = secret.as_str().bytes().filter(|it| *it == b'\n').count();
    let stays = if is_bare(text, secret.start()) {
        rule.placeholder.clone()
    } else {
        format!("[{}]", rule.placeholder)
    };
    format!(
        "{}{stays}{}{}",
        &text[all.start()..secret.start()],
        "\n".repeat(lines),
        &text[secret.end()..all.end()]
    )
}

/// Whether a place is code rather than a string or a comment: brackets would not parse there.
fn is_bare(text: &str, at: usize) -> bool {
    let line = &text[text[..at].rfind('\n').map_or(0, |it| it + 1)..at];
    !line.contains(['"', '\'', '`', '#', '*']) && !line.contains("//")
}

impl Rules {
    fn is_harmless(&self, value: &str, certain: bool) -> bool {
        let small = value.to_lowercase();
        if self.harmless_starts.iter().any(|it| small.starts_with(it.as_str())) {
            return true;
        }
        !certain && entropy(value) < MIN_ENTROPY
    }
}

/// Bits a character, by how often each occurs.
fn entropy(value: &str) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in value.bytes() {
        counts[usize::from(byte)] += 1;
    }
    let length = f64::from(u32::try_from(value.len()).unwrap_or(u32::MAX));
    counts
        .iter()
        .filter(|count| **count > 0)
        .map(|count| {
            let share = f64::from(*count) / length;
            -share * share.log2()
        })
        .sum()
}

#[cfg(test)]
mod tests;
