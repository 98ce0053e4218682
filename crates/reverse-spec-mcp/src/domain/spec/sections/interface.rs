//! What can be called or used, file by file, with diagrams.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::entries::entry_points;
use super::{kind_word, promise};
use crate::domain::skeleton::{ExportSymbol, MemberInfo, MemberKind, Visibility};
use crate::domain::spec::facts::{Facts, is_visible, name_of};
use crate::domain::spec::markdown::{Table, cell, code, code_cell};
use crate::domain::spec::words::{Words, fill};
use crate::domain::spec::{diagram, doc};

pub(super) fn interface(facts: &Facts<'_>, words: &Words) -> String {
    let mut text = entry_points(facts, words);
    let mut by_file: BTreeMap<&str, Vec<&ExportSymbol>> = BTreeMap::new();
    for symbol in facts.symbols() {
        by_file.entry(&symbol.file).or_default().push(symbol);
    }
    if by_file.is_empty() {
        writeln!(text, "{}", words.no_exports).ok();
    }
    for (place, (file, symbols)) in by_file.into_iter().enumerate() {
        if place > 0 {
            text.push('\n');
        }
        writeln!(text, "### {}\n", code(facts.short(file))).ok();
        text.push_str(&symbol_table(&symbols, words));
        for symbol in symbols {
            text.push_str(&members(symbol, words));
        }
    }
    for (heading, drawn) in [
        (&words.class_diagram, diagram::classes(facts.symbols())),
        (&words.dependency_diagram, diagram::dependencies(facts)),
    ] {
        if let Some(drawn) = drawn {
            writeln!(text, "\n### {heading}\n\n```mermaid\n{drawn}```").ok();
        }
    }
    text
}

fn symbol_table(symbols: &[&ExportSymbol], words: &Words) -> String {
    let t = &words.table;
    let mut table = Table::new(&[&t.name, &t.kind, &t.signature, &t.purpose]);
    for symbol in symbols {
        let summary = symbol.js_doc.as_deref().map(doc::summary).unwrap_or_default();
        let mut notes = cell(&summary);
        if is_deprecated(symbol.js_doc.as_deref(), &symbol.decorators) {
            notes = format!("*{}* {notes}", words.fact.deprecated);
        }
        let name = code_cell(&name_of(symbol));
        table.row(&[&name, &kind_word(symbol.kind), &code_cell(&symbol.signature), notes.trim()]);
    }
    table.into_text()
}

/// Fields have their table in the section on data; here is what can be called.
fn members(symbol: &ExportSymbol, words: &Words) -> String {
    let t = &words.table;
    let mut table = Table::new(&[&t.member, &t.kind, &t.signature, &t.notes]);
    for member in symbol
        .members
        .iter()
        .filter(|it| is_visible(it) && is_callable(it) && promise(it).is_none())
    {
        let summary = member.js_doc.as_deref().map(doc::summary).unwrap_or_default();
        let mut notes = marks(member, words);
        if !summary.is_empty() {
            notes.push(cell(&summary));
        }
        let kind = kind_word(member.kind);
        let name = code_cell(&member.name);
        table.row(&[&name, &kind, &code_cell(&member.signature), &notes.join("; ")]);
    }
    // A type with other arguments may promise the same.
    let mut promises: Vec<String> = Vec::new();
    for promised in symbol.members.iter().filter_map(promise).map(code) {
        if !promises.contains(&promised) {
            promises.push(promised);
        }
    }
    if table.is_empty() && promises.is_empty() {
        return String::new();
    }
    let mut text = format!("\n#### {}\n", code(&name_of(symbol)));
    if !promises.is_empty() {
        let names = promises.join(", ");
        writeln!(text, "\n{}", fill(&words.implements, &[("names", &names)])).ok();
    }
    if !table.is_empty() {
        write!(text, "\n{}", table.into_text()).ok();
    }
    text
}

pub(super) fn is_callable(member: &MemberInfo) -> bool {
    !matches!(
        member.kind,
        MemberKind::Property | MemberKind::EnumMember | MemberKind::IndexSignature
    )
}

/// What holds of a member besides its signature.
pub(super) fn marks(member: &MemberInfo, words: &Words) -> Vec<String> {
    let fact = &words.fact;
    let mut marks = Vec::new();
    match member.visibility {
        Some(Visibility::Protected) => marks.push(fact.protected.clone()),
        Some(Visibility::Package) => marks.push(fact.package.clone()),
        Some(Visibility::Private) => marks.push(fact.private.clone()),
        Some(Visibility::Public) | None => {}
    }
    if member.is_static {
        marks.push(fact.r#static.clone());
    }
    if member.is_optional {
        marks.push(fact.optional.clone());
    }
    if member.modifiers.iter().any(|it| it == "readonly") {
        marks.push(fact.readonly.clone());
    }
    if is_deprecated(member.js_doc.as_deref(), &member.decorators) {
        marks.push(format!("*{}*", fact.deprecated));
    }
    marks
}

pub(super) fn is_deprecated(doc: Option<&str>, decorators: &[String]) -> bool {
    doc.is_some_and(doc::is_deprecated)
        || decorators.iter().any(|it| it.to_ascii_lowercase().contains("deprecated"))
}
