//! Steps by which a database is changed: each migration with what it does, in order. In code it is said
//! by calls that frameworks name, in SQL by statements, and in both by the texts that code hands over.

mod calls;
mod lines;
mod liquibase;
mod sql;

use super::code::Code;
use super::found::Found;
use super::rows::{Migration, Rows};
use super::tokens::Dialect;
use crate::domain::skeleton::EntryKind;

/// More steps of one migration are counted, not told.
const MAX_STEPS: usize = 60;
/// A longer step is cut.
const MAX_STEP: usize = 300;

/// One step, and where it stands.
#[derive(Debug, PartialEq, Eq)]
struct Step {
    line: usize,
    text: String,
}

/// The row by which a file of code is a migration.
pub(super) fn kind_of<'r>(code: &Code<'_>, rows: &'r Rows) -> Option<&'r Migration> {
    let text = code.tokens.text.as_bytes();
    let has = |it: &String| memchr::memmem::find(text, it.as_bytes()).is_some();
    rows.migrations.iter().find(|it| it.marks.iter().any(has))
}

/// What a file of code does as a migration.
pub(super) fn collect(code: &Code<'_>, row: &Migration, found: &mut Found<'_>) {
    let mut steps = if code.tokens.dialect == Dialect::Ruby {
        lines::steps(code, row)
    } else {
        calls::steps(code, row)
    };
    steps.sort_by_key(|it| it.line);
    let after = calls::after(code, row);
    tell(name_of(found.path), after, steps, found);
}

/// A file of statements that is one migration, or one of Liquibase's with several in it.
pub(super) fn of_statements(text: &str, found: &mut Found<'_>) {
    if found.path.rsplit_once('.').is_some_and(|it| it.1 == "xml") {
        liquibase::collect(text, found);
        return;
    }
    let Some(name) = name_of_statements(found.path) else { return };
    for part in sql::parts(text) {
        let name = part.name.map_or_else(|| name.clone(), |it| format!("{name}: {it}"));
        tell(name, None, part.steps, found);
    }
}

fn tell(name: String, after: Option<String>, steps: Vec<Step>, found: &mut Found<'_>) {
    let line = steps.first().map_or(1, |it| it.line);
    let mut entry = found.entry(EntryKind::Migration, name, line);
    entry.handler = after.map(|it| format!("after {it}"));
    let more = steps.len().saturating_sub(MAX_STEPS);
    entry.details = steps.into_iter().take(MAX_STEPS).map(|it| it.text).collect();
    if more > 0 {
        entry.details.push(format!("{more} more steps"));
    }
    found.push(entry);
}

/// A step in words.
fn step(line: usize, words: &str, what: &str, rest: &str) -> Step {
    let gap = if rest.is_empty() { "" } else { ": " };
    let text = format!("{words} {what}{gap}{rest}");
    Step { line, text: mcp_core::text::cut(text.trim(), MAX_STEP).to_owned() }
}

fn name_of(path: &str) -> String {
    let file = path.rsplit('/').next().unwrap_or(path);
    file.split_once('.').map_or(file, |it| it.0).to_owned()
}

/// `0001_users.up.sql`, `2024_users/up.sql`, `V1__users.sql`; none for one that leads back.
fn name_of_statements(path: &str) -> Option<String> {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = file.strip_suffix(".sql").unwrap_or(file);
    let last = stem.rsplit(['.', '_']).next().unwrap_or(stem);
    let leads_back = matches!(last, "down" | "undo")
        || stem.starts_with('U') && stem[1..].starts_with(|it: char| it.is_ascii_digit());
    if leads_back {
        return None;
    }
    if matches!(stem, "up" | "migration") {
        return Some(folder.rsplit('/').next().unwrap_or(folder).to_owned());
    }
    Some(stem.strip_suffix(".up").unwrap_or(stem).to_owned())
}
