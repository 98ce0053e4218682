//! The short hashes in footers, by three rules that were in use one after the other.

#[cfg(test)]
mod tests;

use sha2::Digest as _;

use crate::domain::config::{HashAlgorithm, HashMode, HashRule};
use crate::domain::parse::Requirement;
use crate::domain::parse::spec::heading_words;

/// What a requirement without assertions has instead of a hash of them.
const NO_ASSERTIONS: &str = "N/A";

/// The hash of a requirement by one rule.
pub(crate) fn hash(
    requirement: &Requirement,
    text: &str,
    mode: HashMode,
    rule: HashRule,
) -> String {
    match mode {
        HashMode::FullText => {
            let inner = requirement.inner.of(text).replace("\r\n", "\n");
            let lines = without_changelog(&inner);
            let is_text = |line: &&str| !line.trim().is_empty();
            let first = lines.iter().position(&is_text).unwrap_or(lines.len());
            let last = lines.iter().rposition(is_text).map_or(first, |it| it + 1);
            digest(rule.algorithm, &lines[first..last].join("\n"), rule.length)
        }
        HashMode::OrderedAssertions => {
            digest(rule.algorithm, &normalised(requirement, text).join("\n"), rule.length)
        }
        HashMode::Assertions => {
            if requirement.assertions.is_empty() {
                return NO_ASSERTIONS.to_owned();
            }
            let mut each: Vec<String> = normalised(requirement, text)
                .iter()
                .map(|line| digest(rule.algorithm, line, 64))
                .collect();
            each.sort();
            digest(rule.algorithm, &each.join("\n"), rule.length)
        }
    }
}

/// The lines of a requirement; its changelog names the hash, so it cannot be part of it.
fn without_changelog(inner: &str) -> Vec<&str> {
    let mut in_changelog = false;
    let is_other = |line: &&str| {
        if let Some(words) = heading_words(line) {
            in_changelog = words.trim_matches(['*', ':']).eq_ignore_ascii_case("changelog");
        }
        !in_changelog
    };
    inner.lines().filter(is_other).collect()
}

/// Which rule a stored hash follows, if any.
pub(crate) fn rule_of(
    requirement: &Requirement,
    text: &str,
    stored: &str,
    rule: HashRule,
) -> Option<HashMode> {
    [HashMode::Assertions, HashMode::OrderedAssertions, HashMode::FullText]
        .into_iter()
        .find(|mode| hash(requirement, text, *mode, rule).eq_ignore_ascii_case(stored))
}

/// The stored hash; a placeholder does not count.
pub(crate) fn stored<'a>(requirement: &Requirement, text: &'a str) -> Option<&'a str> {
    let word = requirement.footer?.hash?.of(text);
    let is_placeholder = word.chars().all(|it| matches!(it, '_' | '-' | '?' | '0'))
        || word.eq_ignore_ascii_case("todo")
        || word.eq_ignore_ascii_case("tbd");
    (!is_placeholder).then_some(word)
}

/// A short hash of one text, for noticing that it changed: white space aside.
pub(crate) fn fingerprint(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    digest(HashAlgorithm::Sha256, &words.join(" "), 16)
}

fn normalised(requirement: &Requirement, text: &str) -> Vec<String> {
    requirement
        .assertions
        .iter()
        .map(|assertion| {
            let line = format!("{}. {}", assertion.label, assertion.text.of(text));
            let line = line.replace("\r\n", "\n").replace(['\r', '\n'], " ");
            let mut single = String::with_capacity(line.len());
            for word in line.split(' ').filter(|word| !word.is_empty()) {
                if !single.is_empty() {
                    single.push(' ');
                }
                single.push_str(word);
            }
            single.trim().to_owned()
        })
        .collect()
}

fn digest(algorithm: HashAlgorithm, text: &str, length: usize) -> String {
    use std::fmt::Write as _;
    let bytes: Vec<u8> = match algorithm {
        HashAlgorithm::Sha256 => sha2::Sha256::digest(text).to_vec(),
        HashAlgorithm::Sha1 => sha1::Sha1::digest(text).to_vec(),
        HashAlgorithm::Md5 => md5::Md5::digest(text).to_vec(),
    };
    let mut hex = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        // Writing to a string cannot fail.
        let _ = write!(hex, "{byte:02x}");
    }
    hex.truncate(length);
    hex
}
