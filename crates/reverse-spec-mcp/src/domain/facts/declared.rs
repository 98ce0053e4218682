//! Files that declare entities or settings line by line, without any code.

mod prisma;
mod settings;

use super::found::Found;
use super::migrations;
use crate::domain::languages;
use crate::domain::skeleton::EntryPoint;

/// What such a file declares, by line; none for a file of code.
pub(super) fn collect(path: &str, language: &str, text: &str) -> Option<Vec<EntryPoint>> {
    let mut found = Found { path, all: Vec::new() };
    match language {
        "prisma" => prisma::collect(text, &mut found),
        "settings" => settings::collect(text, &mut found),
        "migrations" => migrations::of_statements(text, &mut found),
        _ => return None,
    }
    Some(found.all)
}

/// The text of a file of settings with every value taken out whose name looks like a secret; none for
/// any other file. Lines stay where they are.
pub(crate) fn without_secrets(path: &str, text: &str) -> Option<String> {
    let language = languages::id_of_path(path)?;
    (language.as_str() == "settings").then(|| settings::masked(path, text))
}
