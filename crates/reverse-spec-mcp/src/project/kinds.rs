//! Which language a file is in and whether it is a test, by the table in `assets/languages.toml`.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::extract::Unreadable;
use crate::skeleton::LanguageId;

/// Where a file says that a program wrote it.
const HEAD_LINES: usize = 8;
const HEAD_BYTES: usize = 2_000;
/// Longer lines on average, in a file that is not small, are written by a program.
const MINIFIED_LINE_BYTES: usize = 1_000;
const MIN_MINIFIED_BYTES: usize = 10_000;

#[derive(Debug, Deserialize)]
pub(super) struct Kinds {
    pub(super) skipped_directories: Vec<String>,
    pub(super) tool_markers: Vec<String>,
    generated_markers: Vec<String>,
    marks: Vec<String>,
    language: Vec<Kind>,
}

#[derive(Debug, Deserialize)]
struct Kind {
    id: LanguageId,
    name: String,
    tests_in_sources: bool,
    extensions: Vec<String>,
    test_directories: Vec<String>,
    test_files: Vec<String>,
}

pub(super) static KINDS: LazyLock<Kinds> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "the table is part of the program and tested")]
    toml::from_str(include_str!("../../assets/languages.toml")).expect("the table is well formed")
});

/// The language of a file by the end of its name.
pub(crate) fn language_of(path: &str) -> Option<LanguageId> {
    kind_of(path).map(|kind| kind.id)
}

fn kind_of(path: &str) -> Option<&'static Kind> {
    let name = file_name(path);
    let (stem, extension) = name.rsplit_once('.')?;
    if stem.is_empty() {
        return None;
    }
    KINDS.language.iter().find(|kind| kind.extensions.iter().any(|it| &it[1..] == extension))
}

pub(crate) fn is_rust(path: &str) -> bool {
    language_of(path) == Some(LanguageId::Rust)
}

/// The directory with the rest of the Rust module that a file begins: `src/a` for `src/a.rs`.
pub(crate) fn directory_of_module(file: &str) -> Option<&str> {
    let is_root = matches!(file_name(file), "lib.rs" | "main.rs" | "mod.rs" | "build.rs");
    file.strip_suffix(".rs").filter(|_| !is_root)
}

/// Whether a file tests others rather than being used by them.
pub(crate) fn is_test(path: &str) -> bool {
    let Some(kind) = kind_of(path) else { return false };
    let mut parts = path.split('/');
    let name = parts.next_back().unwrap_or_default();
    parts.any(|part| kind.test_directories.iter().any(|it| it == part))
        || kind.test_files.iter().any(|pattern| matches_pattern(name, pattern))
}

/// Whether what looks like a test in this file is one that a tool would run.
pub(crate) fn may_hold_tests(path: &str) -> bool {
    is_test(path) || kind_of(path).is_some_and(|kind| kind.tests_in_sources)
}

/// Every extension that is read, for messages.
pub(crate) fn extensions() -> Vec<&'static str> {
    KINDS.language.iter().flat_map(|kind| kind.extensions.iter().map(String::as_str)).collect()
}

/// The words by which authors mark what is unfinished.
pub(crate) fn marks() -> &'static [String] {
    &KINDS.marks
}

impl LanguageId {
    /// As people write it.
    pub(crate) fn name(self) -> &'static str {
        let kind = KINDS.language.iter().find(|kind| kind.id == self);
        kind.map_or("unknown", |kind| kind.name.as_str())
    }
}

/// Refuses what a program wrote: by its own word in the first lines, or by lines no one writes.
pub(crate) fn refuse_machine_made(bytes: &[u8]) -> Result<(), Unreadable> {
    let head = &bytes[..bytes.len().min(HEAD_BYTES)];
    let head = String::from_utf8_lossy(head);
    let mut lines = head.lines().take(HEAD_LINES).filter(|line| is_comment(line));
    let marker = lines.find_map(|line| {
        KINDS.generated_markers.iter().map(String::as_str).find(|marker| line.contains(marker))
    });
    if let Some(marker) = marker {
        return Err(Unreadable::Generated(marker));
    }
    if bytes.len() > MIN_MINIFIED_BYTES {
        let lines = bytes.split(|it| *it == b'\n').count();
        if bytes.len() / lines > MINIFIED_LINE_BYTES {
            return Err(Unreadable::Minified);
        }
    }
    Ok(())
}

fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    ["//", "/*", "*", "#", "--", "<!--", "\"\"\""].iter().any(|it| line.starts_with(it))
}

fn matches_pattern(name: &str, pattern: &str) -> bool {
    match pattern.split_once('*') {
        Some((start, end)) => {
            name.len() > start.len() + end.len() && name.starts_with(start) && name.ends_with(end)
        }
        None => name == pattern,
    }
}

fn file_name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

#[cfg(test)]
pub(crate) fn every_language() -> Vec<LanguageId> {
    KINDS.language.iter().map(|kind| kind.id).collect()
}
