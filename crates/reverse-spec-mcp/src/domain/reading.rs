//! What is left alone, whatever language it is in: directories that tools made, and text that is none
//! or that a program wrote.

use std::sync::LazyLock;

use serde::Deserialize;

/// Where a file says that a program wrote it.
const HEAD_LINES: usize = 8;
const HEAD_BYTES: usize = 2_000;
/// Longer lines on average, in a file that is not small, are written by a program.
const MINIFIED_LINE_BYTES: usize = 1_000;
const MIN_MINIFIED_BYTES: usize = 10_000;
/// A line longer than this makes the parser slow and is never written by hand.
pub(crate) const MAX_LINE_BYTES: usize = 256 * 1024;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rules {
    skipped_directories: Vec<String>,
    tool_markers: Vec<String>,
    generated_markers: Vec<String>,
    written_schemas: Vec<String>,
    marks: Vec<String>,
    programs: Vec<String>,
}

static RULES: LazyLock<Rules> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "the table is part of the program and tested")]
    toml::from_str(include_str!("../../assets/reading.toml")).expect("the table is well formed")
});

/// Why a file was not parsed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unreadable {
    #[error("it is binary, not text")]
    Binary,
    #[error("it has {size} bytes, {limit} are parsed at most")]
    TooLarge { size: u64, limit: u64 },
    #[error("line {line} has {length} bytes, {MAX_LINE_BYTES} are parsed at most")]
    LineTooLong { line: usize, length: usize },
    #[error("it was written by a program (it says `{0}`)")]
    Generated(&'static str),
    #[error("it is minified")]
    Minified,
    #[error("no parser reads it")]
    Unsupported,
    #[error("{0}")]
    File(String),
}

/// Whether a directory of this name is never looked into, even where git does not ignore it.
pub(crate) fn is_skipped_directory(name: &str) -> bool {
    RULES.skipped_directories.iter().any(|it| name == it)
}

/// Whether a file of this name says that a tool made the directory it is in.
pub(crate) fn is_tool_marker(name: &str) -> bool {
    RULES.tool_markers.iter().any(|it| name == it)
}

/// The ending of a file that a program is written in, for what nothing reads.
pub(crate) fn program_ending(name: &str) -> Option<&'static str> {
    let (_, ending) = name.rsplit_once('.')?;
    RULES.programs.iter().map(String::as_str).find(|it| *it == ending)
}

/// The words by which authors mark what is unfinished.
pub(crate) fn marks() -> &'static [String] {
    &RULES.marks
}

/// Refuses what a program wrote: by its own word in the first lines, or by lines no one writes.
pub(crate) fn refuse_machine_made(bytes: &[u8]) -> Result<(), Unreadable> {
    let head = &bytes[..bytes.len().min(HEAD_BYTES)];
    let head = String::from_utf8_lossy(head);
    let mut lines = head.lines().take(HEAD_LINES).filter(|line| is_comment(line));
    let marker = lines.find_map(|line| {
        RULES.generated_markers.iter().map(String::as_str).find(|marker| line.contains(marker))
    });
    if let Some(marker) = marker.filter(|_| !is_schema(bytes)) {
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

/// Whether a program wrote down what a database holds.
fn is_schema(bytes: &[u8]) -> bool {
    let mut marks = RULES.written_schemas.iter();
    marks.any(|it| memchr::memmem::find(bytes, it.as_bytes()).is_some())
}

fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    ["//", "/*", "*", "#", "--", "<!--", "\"\"\""].iter().any(|it| line.starts_with(it))
}
