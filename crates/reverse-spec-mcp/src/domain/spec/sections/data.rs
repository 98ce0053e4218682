//! Types with fields, members or a meaning of their own.

use std::fmt::Write as _;

use super::interface::{is_callable, marks};
use super::{entries, kind_word};
use crate::domain::skeleton::{ExportSymbol, SymbolKind};
use crate::domain::spec::doc;
use crate::domain::spec::facts::{Facts, is_visible, name_of};
use crate::domain::spec::markdown::{Table, cell, code, code_cell};
use crate::domain::spec::words::Words;

pub(super) fn structures(facts: &Facts<'_>, words: &Words) -> String {
    let mut text = entries::records(facts, words);
    let migrations = entries::migrations(facts, words);
    if !migrations.is_empty() {
        let gap = if text.is_empty() { "" } else { "\n" };
        write!(text, "{gap}{migrations}").ok();
    }
    for symbol in facts.symbols() {
        let described = structure(symbol, words);
        if described.is_empty() {
            continue;
        }
        if !text.is_empty() {
            text.push('\n');
        }
        let place = format!("{}:{}", facts.short(&symbol.file), symbol.start_line);
        let kind = kind_word(symbol.kind);
        writeln!(text, "### {}\n\n{kind}, {}\n", code(&name_of(symbol)), code(&place)).ok();
        text.push_str(&described);
    }
    let constants = constants(facts, words);
    if !constants.is_empty() {
        let gap = if text.is_empty() { "" } else { "\n" };
        write!(text, "{gap}### {}\n\n{}", words.constants, constants.into_text()).ok();
    }
    if text.is_empty() { format!("{}\n", words.no_data) } else { text }
}

/// Values with a name, one line for each.
fn constants(facts: &Facts<'_>, words: &Words) -> Table {
    let t = &words.table;
    let mut table = Table::new(&[&t.name, &t.r#type, &t.value, &t.r#where]);
    for symbol in facts.symbols() {
        let is_value = matches!(symbol.kind, SymbolKind::Const | SymbolKind::Variable)
            && symbol.parameters.is_none()
            && symbol.members.is_empty();
        if is_value && (symbol.value.is_some() || symbol.value_type.is_some()) {
            table.row(&[
                &code_cell(&name_of(symbol)),
                &code_cell(symbol.value_type.as_deref().unwrap_or_default()),
                &code_cell(symbol.value.as_deref().unwrap_or_default()),
                &code_cell(&format!("{}:{}", facts.short(&symbol.file), symbol.start_line)),
            ]);
        }
    }
    table
}

fn structure(symbol: &ExportSymbol, words: &Words) -> String {
    let t = &words.table;
    let mut table = Table::new(&[&t.field, &t.r#type, &t.notes]);
    for member in symbol.members.iter().filter(|it| is_visible(it) && !is_callable(it)) {
        let mut notes = marks(member, words);
        if let Some(value) = &member.value {
            notes.push(format!("= {}", code_cell(value)));
        }
        let summary = member.js_doc.as_deref().map(doc::summary).unwrap_or_default();
        if !summary.is_empty() {
            notes.push(cell(&summary));
        }
        let type_text = member.value_type.as_deref().unwrap_or_default();
        table.row(&[&code_cell(&member.name), &code_cell(type_text), &notes.join("; ")]);
    }
    if !table.is_empty() {
        return table.into_text();
    }
    match (symbol.kind, &symbol.value_type) {
        (SymbolKind::Type, Some(body)) => format!("{}\n", fenced(body, &symbol.file)),
        _ => String::new(),
    }
}

/// Code as it stands, in a fence it cannot end.
fn fenced(text: &str, file: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let language = file.rsplit('.').next().filter(|it| it.len() <= 4).unwrap_or_default();
    format!("{fence}{language}\n{}\n{fence}", mcp_core::text::harmless(text.trim()))
}
