//! Models, enums and sources of a Prisma schema.

use crate::domain::facts::found::{Found, MAX_TEXT};
use crate::domain::skeleton::EntryKind;

pub(super) fn collect(text: &str, found: &mut Found<'_>) {
    // What is around a line, and its name.
    let mut block: Option<(&str, &str)> = None;
    // The entity of the block, as it was added.
    let mut entity = None;
    for (index, line) in text.lines().enumerate() {
        let line = without_comment(line).trim();
        let number = index + 1;
        if line.is_empty() || found.is_full() {
            continue;
        }
        let Some((kind, owner)) = block else {
            let mut words = line.trim_end_matches('{').split_whitespace();
            if let (Some(kind), Some(name), true) =
                (words.next(), words.next(), line.ends_with('{'))
            {
                block = Some((kind, name));
                entity = None;
                if matches!(kind, "model" | "type" | "view" | "enum") {
                    entity = Some(found.all.len());
                    found.push(found.entry(EntryKind::Entity, name.to_owned(), number));
                }
            }
            continue;
        };
        if line.starts_with('}') {
            block = None;
            continue;
        }
        match kind {
            "model" | "type" | "view" | "enum" => {
                if line.starts_with("@@") {
                    if let Some(entry) = entity.and_then(|at: usize| found.all.get_mut(at)) {
                        entry.details.extend(parts(line).into_iter().map(|it| cut(&it)));
                        entry.details.sort();
                    }
                } else {
                    field(owner, line, number, found);
                }
            }
            "datasource" | "generator" => source(kind, line, number, found),
            _ => {}
        }
    }
}

/// `email String? @unique @default("x")`
fn field(owner: &str, line: &str, number: usize, found: &mut Found<'_>) {
    let mut parts = parts(line).into_iter();
    let Some(name) = parts.next() else { return };
    let mut entry = found.entry(EntryKind::Field, format!("{owner}.{name}"), number);
    for part in parts {
        let default = part.strip_prefix("@default(").and_then(|it| it.strip_suffix(')'));
        if let Some(default) = default {
            entry.fallback = Some(cut(default));
        } else if part.starts_with('@') {
            entry.details.push(cut(&part));
        } else {
            entry.details.push(format!("type {}", cut(&part)));
        }
    }
    entry.details.sort();
    found.push(entry);
}

/// `provider = "postgresql"` and `url = env("DATABASE_URL")`; an address that is written out is not shown.
fn source(kind: &str, line: &str, number: usize, found: &mut Found<'_>) {
    let Some((key, value)) = line.split_once('=') else { return };
    let (key, value) = (key.trim(), value.trim());
    let variable = value.strip_prefix("env(").and_then(|it| it.strip_suffix(')'));
    if let Some(variable) = variable {
        let name = variable.trim().trim_matches('"').to_owned();
        found.push(found.entry(EntryKind::Environment, name, number));
    } else if key == "provider" {
        let mut entry = found.entry(EntryKind::Setting, format!("{kind}.{key}"), number);
        entry.fallback = Some(cut(value.trim_matches('"')));
        found.push(entry);
    }
}

fn cut(text: &str) -> String {
    mcp_core::text::cut(text, MAX_TEXT).to_owned()
}

/// Everything before `//` outside of a text.
fn without_comment(line: &str) -> &str {
    let mut is_text = false;
    let bytes = line.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'"' if at == 0 || bytes[at - 1] != b'\\' => is_text = !is_text,
            b'/' if !is_text && bytes.get(at + 1) == Some(&b'/') => return &line[..at],
            _ => {}
        }
    }
    line
}

/// What spaces part outside of brackets and texts, each with one space after commas and colons.
fn parts(line: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let (mut depth, mut is_text) = (0_usize, false);
    for letter in line.chars() {
        if letter == '"' {
            is_text = !is_text;
        }
        if !is_text {
            match letter {
                '(' | '[' => depth += 1,
                ')' | ']' => depth = depth.saturating_sub(1),
                _ if letter.is_whitespace() => {
                    if depth == 0 {
                        parts.push(String::new());
                    }
                    continue;
                }
                _ => {}
            }
        }
        if let Some(last) = parts.last_mut() {
            last.push(letter);
            if depth > 0 && !is_text && matches!(letter, ',' | ':') {
                last.push(' ');
            }
        }
    }
    parts.retain(|it| !it.is_empty());
    parts
}
