//! Where the program is reached, what it takes from its surroundings, and what is kept: the facts that a
//! newcomer asks for first.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::domain::skeleton::{EntryKind, EntryPoint};
use crate::domain::spec::facts::Facts;
use crate::domain::spec::markdown::{Table, cell, code, code_cell};
use crate::domain::spec::words::Words;

/// Routes, commands, jobs and topics, then variables and settings; a sentence where there are none.
pub(super) fn entry_points(facts: &Facts<'_>, words: &Words) -> String {
    let all = &facts.merged.entry_points;
    let place = |it: &EntryPoint| facts.short(&it.file).to_owned();
    let mut text = format!("### {}\n\n", words.entry_points);
    let reached = reached(all, &place, words);
    let is_reached = !reached.is_empty();
    if is_reached {
        text.push_str(&reached);
    } else {
        writeln!(text, "{}", words.no_entry_points).ok();
    }
    let surroundings = surroundings(all, &place, words);
    if !surroundings.is_empty() {
        write!(text, "\n### {}\n\n{surroundings}", words.environment).ok();
    }
    text.push('\n');
    text
}

/// Tables of what is reached from outside, with their headings.
pub(crate) fn reached(
    all: &[EntryPoint],
    place: &dyn Fn(&EntryPoint) -> String,
    words: &Words,
) -> String {
    let t = &words.table;
    let headings = &words.entry_kinds;
    let mut tables: Vec<(EntryKind, Table)> = Vec::new();
    for entry in all {
        let kind = entry.kind;
        if is_surroundings(kind) || !headings.contains_key(kind_key(kind)) {
            continue;
        }
        let at = tables.iter().position(|it| it.0 == kind).unwrap_or_else(|| {
            tables.push((kind, Table::new(&[&t.name, &t.r#where, &t.what, &t.notes])));
            tables.len() - 1
        });
        let name = code_cell(entry.reached_as.as_ref().unwrap_or(&entry.name));
        let through = entry.guards.iter().chain(&entry.handler).map(|it| code_cell(it));
        let through: Vec<String> = through.collect();
        let mut notes: Vec<String> = entry.details.iter().map(|it| code_cell(it)).collect();
        if let Some(fallback) = &entry.fallback {
            notes.push(format!("= {}", code_cell(fallback)));
        }
        if entry.reached_as.is_some() {
            notes.push(code_cell(&entry.name));
        }
        let where_ = code_cell(&format!("{}:{}", place(entry), entry.line));
        tables[at].1.row(&[&name, &where_, &through.join(" → "), &notes.join(", ")]);
    }
    tables.sort_by_key(|it| it.0);
    let mut text = String::new();
    for (kind, table) in tables {
        let gap = if text.is_empty() { "" } else { "\n" };
        let heading = &headings[kind_key(kind)];
        write!(text, "{gap}#### {heading}\n\n{}", table.into_text()).ok();
    }
    text
}

/// Variables of the environment and settings, each once for every file that reads it.
pub(crate) fn surroundings(
    all: &[EntryPoint],
    place: &dyn Fn(&EntryPoint) -> String,
    words: &Words,
) -> String {
    let t = &words.table;
    let mut table = Table::new(&[&t.name, &t.kind, &t.r#where, &t.default]);
    for entry in all {
        if !is_surroundings(entry.kind) {
            continue;
        }
        let mut value = entry.fallback.as_deref().map(code_cell).unwrap_or_default();
        if !entry.details.is_empty() {
            let details: Vec<String> = entry.details.iter().map(|it| code_cell(it)).collect();
            let both = format!("{value} {}", details.join(", "));
            both.trim().clone_into(&mut value);
        }
        let where_ = code_cell(&format!("{}:{}", place(entry), entry.line));
        let kind = &words.entry_kinds[kind_key(entry.kind)];
        table.row(&[&code_cell(&entry.name), kind, &where_, &value]);
    }
    if table.is_empty() { String::new() } else { table.into_text() }
}

/// What is kept, sent or checked, one table for each thing.
pub(super) fn records(facts: &Facts<'_>, words: &Words) -> String {
    let t = &words.table;
    let mut by_owner: BTreeMap<(&str, &str), (Table, Option<&EntryPoint>, usize)> = BTreeMap::new();
    let fields = facts.merged.entry_points.iter();
    for entry in fields.filter(|it| matches!(it.kind, EntryKind::Field | EntryKind::Entity)) {
        let (owner, name) = match entry.kind {
            EntryKind::Field => entry.name.rsplit_once('.').unwrap_or(("", &entry.name)),
            _ => (entry.name.as_str(), ""),
        };
        let known = by_owner
            .entry((&entry.file, owner))
            .or_insert_with(|| (Table::new(&[&t.field, &t.line, &t.notes]), None, entry.line));
        if entry.kind == EntryKind::Entity {
            known.1 = Some(entry);
            continue;
        }
        let mut details: Vec<String> = entry.details.iter().map(|it| code_cell(it)).collect();
        details.extend(entry.fallback.iter().map(|it| format!("= {}", code_cell(it))));
        known.0.row(&[&code_cell(name), &entry.line.to_string(), &details.join(", ")]);
    }
    let mut text = String::new();
    for ((file, owner), (table, entity, line)) in by_owner {
        let gap = if text.is_empty() { "" } else { "\n" };
        let place = code(&format!("{}:{line}", facts.short(file)));
        let marks: Vec<String> =
            entity.into_iter().flat_map(|it| &it.details).map(|it| code(it)).collect();
        let marks =
            if marks.is_empty() { String::new() } else { format!(", {}", marks.join(", ")) };
        write!(text, "{gap}#### {}\n\n{place}{marks}\n", code(owner)).ok();
        if !table.is_empty() {
            write!(text, "\n{}", table.into_text()).ok();
        }
    }
    if text.is_empty() { text } else { format!("### {}\n\n{text}", words.records) }
}

/// By which steps a database is changed, in the order of their names.
pub(super) fn migrations(facts: &Facts<'_>, words: &Words) -> String {
    let t = &words.table;
    let mut table = Table::new(&[&t.name, &t.r#where, &t.what]);
    let all = facts.merged.entry_points.iter().filter(|it| it.kind == EntryKind::Migration);
    for entry in all {
        let place = code_cell(&format!("{}:{}", facts.short(&entry.file), entry.line));
        let mut steps: Vec<String> = entry.details.iter().map(|it| cell(it)).collect();
        steps.extend(entry.handler.iter().map(|it| cell(it)));
        table.row(&[&code_cell(&entry.name), &place, &steps.join("; ")]);
    }
    if table.is_empty() {
        String::new()
    } else {
        format!("### {}\n\n{}", words.migrations, table.into_text())
    }
}

/// With which statuses functions answer.
pub(super) fn answers(facts: &Facts<'_>, words: &Words) -> String {
    let t = &words.table;
    let mut table = Table::new(&[&t.name, &t.r#where, &t.what]);
    for entry in facts.merged.entry_points.iter().filter(|it| it.kind == EntryKind::Response) {
        let place = code_cell(&format!("{}:{}", facts.short(&entry.file), entry.line));
        let details: Vec<String> = entry.details.iter().map(|it| code_cell(it)).collect();
        table.row(&[&code_cell(&entry.name), &place, &details.join(", ")]);
    }
    if table.is_empty() {
        String::new()
    } else {
        format!("### {}\n\n{}", words.answers, table.into_text())
    }
}

fn is_surroundings(kind: EntryKind) -> bool {
    matches!(kind, EntryKind::Environment | EntryKind::Setting)
}

/// The word for a kind in the tables of words; kinds that have a section of their own have none there.
fn kind_key(kind: EntryKind) -> &'static str {
    match kind {
        EntryKind::Route => "route",
        EntryKind::Mount => "mount",
        EntryKind::Middleware => "middleware",
        EntryKind::Main => "main",
        EntryKind::Command => "command",
        EntryKind::Flag => "flag",
        EntryKind::Job => "job",
        EntryKind::Topic => "topic",
        EntryKind::Environment => "environment",
        EntryKind::Setting => "setting",
        EntryKind::Migration
        | EntryKind::Entity
        | EntryKind::Field
        | EntryKind::Response
        | EntryKind::Statements
        | EntryKind::Other => "",
    }
}
