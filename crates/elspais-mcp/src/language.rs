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
}

/// How one family of languages writes comments and declarations.
pub(crate) struct Language {
    files: GlobSet,
    /// What a comment, or a line inside of one, begins with.
    pub(crate) comments: Vec<String>,
    /// The first group that matched is the name of what is declared.
    pub(crate) declaration: Regex,
}

static FACTS: LazyLock<Facts> = LazyLock::new(|| {
    let text = include_str!("../assets/languages.toml");
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
        })
    };
    FACTS.language.iter().filter_map(compile).collect()
});

/// The language of a file by its name; anything unknown is read as the first of the table is.
pub(crate) fn of_file(name: &str) -> Option<&'static Language> {
    LANGUAGES.iter().find(|language| language.files.is_match(name)).or_else(|| LANGUAGES.first())
}

pub(crate) fn code_patterns() -> Vec<String> {
    FACTS.language.iter().flat_map(|language| language.files.iter().cloned()).collect()
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
