//! One file, or the configuration, from the disk into values of the domain.

use std::string::FromUtf8Error;
use std::sync::Arc;

use mcp_core::sandbox::{self, RelPath, View};

use crate::domain::config::{CONFIG_FILE, LOCAL_FILE};
use crate::domain::grammar::Grammar;
use crate::domain::graph::{File, Role};
use crate::domain::text::Text;
use crate::error::Error;

const MAX_SPEC_BYTES: u64 = 256 * 1024 * 1024;
const MAX_OTHER_BYTES: u64 = 16 * 1024 * 1024;

pub(super) fn config_texts(view: &View<'_>) -> Result<Vec<(&'static str, String)>, Error> {
    let mut texts = Vec::new();
    for name in [CONFIG_FILE, LOCAL_FILE] {
        if let Some(text) = view.read_text_if_any(&RelPath::parse(name)?)? {
            texts.push((name, text));
        }
    }
    Ok(texts)
}

/// One file of another repository.
pub(super) fn read_of(
    view: &View<'_>,
    grammar: &Grammar,
    repository: &Arc<str>,
    path: &str,
    role: Role,
) -> File {
    let shown = format!("{repository}:{path}");
    let file = match read_bytes(view, path, role) {
        Ok(bytes) => parse(grammar, &shown, role, bytes),
        Err(error) => unreadable(&shown, role, &error),
    };
    file.of_repository(repository)
}

pub(super) fn read_bytes(
    view: &View<'_>,
    path: &str,
    role: Role,
) -> Result<Vec<u8>, sandbox::Error> {
    let limit = if role == Role::Spec { MAX_SPEC_BYTES } else { MAX_OTHER_BYTES };
    view.read_up_to(&RelPath::parse(path)?, limit)
}

pub(super) fn parse(grammar: &Grammar, path: &str, role: Role, bytes: Vec<u8>) -> File {
    match text_of(bytes) {
        Err(no_text) if role == Role::Coverage => File::measured(path, no_text.as_bytes()),
        Ok(text) => File::parse(grammar, path, role, text),
        Err(problem) => not_utf8(path, role, &problem),
    }
}

/// The bytes as text, and given back where they are none.
pub(super) fn text_of(bytes: Vec<u8>) -> Result<Text, FromUtf8Error> {
    String::from_utf8(bytes).map(Text::from)
}

/// A file that is no text, with the first line that is none.
pub(super) fn not_utf8(path: &str, role: Role, problem: &FromUtf8Error) -> File {
    let at = problem.utf8_error().valid_up_to();
    let line = memchr::memchr_iter(b'\n', &problem.as_bytes()[..at]).count() + 1;
    let reason = format!("the file is not UTF-8 (line {line}), so nothing of it is read");
    let line = u32::try_from(line).unwrap_or(u32::MAX);
    File::unreadable(path, role, "not_utf8", line, reason)
}

/// A file that could not be looked at, with the reason in its place.
pub(super) fn unreadable(path: &str, role: Role, error: &sandbox::Error) -> File {
    File::unreadable(path, role, "unreadable_file", 1, error.to_string())
}
