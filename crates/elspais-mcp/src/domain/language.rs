//! What is known about languages: a table of facts, embedded.

use std::sync::LazyLock;

use globset::{Glob, GlobSet, GlobSetBuilder};
use regex::Regex;
use serde::Deserialize;

#[derive(Deserialize)]
struct Facts {
    skipped: Vec<String>,
    results: Vec<String>,
    test_names: Vec<String>,
    language: Vec<LanguageFacts>,
}

#[derive(Deserialize)]
struct LanguageFacts {
    files: Vec<String>,
    comments: Vec<String>,
    declaration: String,
    #[serde(default)]
    quotes: Vec<char>,
    #[serde(default)]
    long_strings: Vec<LongString>,
    #[serde(default)]
    raw_strings: bool,
    #[serde(default)]
    heredocs: bool,
    /// Whether such files are looked at where nobody says which are.
    #[serde(default = "yes")]
    scanned: bool,
}

fn yes() -> bool {
    true
}

/// A string that may go on over several lines; it ends as it begins.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct LongString {
    pub(crate) open: String,
    /// Whether a backslash hides the mark behind it.
    #[serde(default)]
    pub(crate) escapes: bool,
}

/// How one family of languages writes comments and declarations.
pub(crate) struct Language {
    files: GlobSet,
    /// What a comment, or a line within one, begins with.
    pub(crate) comments: Vec<String>,
    /// The first group that matched is the name of what is declared.
    pub(crate) declaration: Regex,
    /// Marks of strings that end in their line.
    pub(crate) quotes: Vec<char>,
    pub(crate) long_strings: Vec<LongString>,
    /// `r#"…"#`, as in Rust.
    pub(crate) raw_strings: bool,
    /// `<<END` up to a line that says `END`.
    pub(crate) heredocs: bool,
}

static FACTS: LazyLock<Facts> = LazyLock::new(|| {
    let text = include_str!("../../assets/languages.toml");
    toml::from_str(text)
        .unwrap_or_else(|error| unreachable!("the embedded table is valid: {error}"))
});

static LANGUAGES: LazyLock<Vec<Language>> = LazyLock::new(|| {
    let compile = |facts: &LanguageFacts| -> Option<Language> {
        let mut files = GlobSetBuilder::new();
        for pattern in &facts.files {
            files.add(Glob::new(pattern).ok()?);
        }
        Some(Language {
            files: files.build().ok()?,
            comments: facts.comments.clone(),
            declaration: Regex::new(&facts.declaration).ok()?,
            quotes: facts.quotes.clone(),
            long_strings: facts.long_strings.clone(),
            raw_strings: facts.raw_strings,
            heredocs: facts.heredocs,
        })
    };
    FACTS.language.iter().filter_map(compile).collect()
});

/// The languages of a file by its name: a template such as `page.js.j2` is written in two. Anything
/// unknown is read as the first of the table is.
pub(crate) fn of_file(name: &str) -> Vec<&'static Language> {
    let named = |name: &str| LANGUAGES.iter().find(|language| language.files.is_match(name));
    let outer = named(name).or_else(|| LANGUAGES.first());
    let inner = name.rsplit_once('.').and_then(|(inside, _)| named(inside));
    let same = outer.zip(inner).is_some_and(|(one, other)| std::ptr::eq(one, other));
    outer.into_iter().chain(inner.filter(|_| !same)).collect()
}

pub(crate) fn code_patterns() -> Vec<String> {
    let scanned = FACTS.language.iter().filter(|language| language.scanned);
    scanned.flat_map(|language| language.files.iter().cloned()).collect()
}

/// Names that make a file a test wherever it lies.
pub(crate) fn test_names() -> &'static [String] {
    &FACTS.test_names
}

/// What counts as a test in a directory of tests.
pub(crate) fn test_patterns() -> Vec<String> {
    FACTS.test_names.iter().cloned().chain(code_patterns()).collect()
}

pub(crate) fn result_patterns() -> Vec<String> {
    FACTS.results.clone()
}

pub(crate) fn skipped_names() -> Vec<String> {
    FACTS.skipped.clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_table_compiles() {
        assert_eq!(LANGUAGES.len(), FACTS.language.len());
        for name in ["a.rs", "a.py", "Dockerfile", "a.sql", "a.tsx"] {
            assert!(LANGUAGES.iter().any(|language| language.files.is_match(name)), "{name}");
        }
    }
}
