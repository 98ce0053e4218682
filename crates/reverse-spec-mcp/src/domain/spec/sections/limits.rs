//! Constraints, edge cases and debt, as far as the code shows them.

use std::fmt::Write as _;

use super::entries;
use super::interface::is_deprecated;
use crate::domain::languages;
use crate::domain::skeleton::{BodyFacts, Fact, Parameter};
use crate::domain::spec::facts::{Facts, bodies, is_visible, name_of};
use crate::domain::spec::markdown::{Table, cell, code, code_cell};
use crate::domain::spec::words::{Words, fill};

/// Longer bodies are worth a second look.
const LONG_BODY: usize = 120;

pub(super) fn constraints(facts: &Facts<'_>, words: &Words) -> String {
    let t = &words.table;
    let mut table = Table::new(&[&t.r#where, &t.line, &t.what, &t.condition]);
    for (name, file, _, _, body) in bodies(facts.symbols()) {
        // As one reads the body: a check, then what follows from it.
        let mut found: Vec<(&Fact, &str)> = Vec::new();
        found.extend(body.validates.iter().map(|it| (it, words.fact.validates.as_str())));
        let returns = languages::of_path(file).is_some_and(|it| it.about().returns_errors);
        let throws = if returns { &words.fact.returns_error } else { &words.fact.throws };
        found.extend(body.throws.iter().map(|it| (it, throws.as_str())));
        found.extend(body.panics.iter().map(|it| (it, words.fact.panics.as_str())));
        found.sort_by_key(|(fact, _)| fact.line);
        found.dedup();
        for (fact, what) in found {
            let place = format!("{}:{}", facts.short(file), fact.line);
            table.row(&[&code_cell(&name), &code_cell(&place), what, &code_cell(&fact.text)]);
        }
    }
    for (name, place, result) in results(facts) {
        if is_fallible(&result) {
            let place = code_cell(&place);
            table.row(&[&code_cell(&name), &place, &words.fact.fallible, &code_cell(&result)]);
        }
    }
    let answers = entries::answers(facts, words);
    match (table.is_empty(), answers.is_empty()) {
        (true, true) => format!("{}\n", words.no_constraints),
        (true, false) => answers,
        (false, true) => table.into_text(),
        (false, false) => format!("{}\n{answers}", table.into_text()),
    }
}

pub(super) fn edge_cases(facts: &Facts<'_>, words: &Words) -> String {
    let t = &words.table;
    let mut text = String::new();
    let mut inputs = Table::new(&[&t.r#where, &t.input, &t.r#type, &t.default]);
    for (name, parameters) in parameters(facts) {
        for parameter in parameters.iter().filter(|it| it.optional || it.rest) {
            let default = match (&parameter.default, parameter.rest) {
                (Some(value), _) => code_cell(value),
                (None, true) => "…".to_owned(),
                (None, false) => words.fact.optional.clone(),
            };
            let type_text = parameter.type_text.as_deref().unwrap_or_default();
            inputs.row(&[
                &code_cell(&name),
                &code_cell(&parameter.name),
                &code_cell(type_text),
                &default,
            ]);
        }
    }
    for (name, _, result) in results(facts) {
        if may_be_absent(&result) {
            inputs.row(&[&code_cell(&name), "→", &code_cell(&result), &words.fact.absent]);
        }
    }
    if !inputs.is_empty() {
        write!(text, "{}\n\n{}", words.optional_intro, inputs.into_text()).ok();
    }
    let mut unwraps = Table::new(&[&t.r#where, &t.line, &t.condition]);
    for (name, file, _, _, body) in bodies(facts.symbols()) {
        for fact in &body.unwraps {
            let place = format!("{}:{}", facts.short(file), fact.line);
            unwraps.row(&[&code_cell(&name), &code_cell(&place), &code_cell(&fact.text)]);
        }
    }
    if !unwraps.is_empty() {
        let gap = if text.is_empty() { "" } else { "\n" };
        write!(text, "{gap}{}\n\n{}", words.unwraps_intro, unwraps.into_text()).ok();
    }
    if text.is_empty() { format!("{}\n", words.no_edges) } else { text }
}

pub(super) fn debt(facts: &Facts<'_>, words: &Words) -> String {
    let t = &words.table;
    let mut parts: Vec<String> = Vec::new();
    let mut marks = Table::new(&[&t.mark, &t.line, &t.what]);
    let mut errors = Table::new(&[&t.line, &t.what]);
    for skeleton in facts.skeletons {
        let file = facts.short(&skeleton.file_path);
        for mark in &skeleton.marks {
            let place = code_cell(&format!("{file}:{}", mark.line));
            marks.row(&[&mark.kind, &place, &cell(&mark.text)]);
        }
        for error in &skeleton.parse_errors {
            let place = code_cell(&format!("{file}:{}:{}", error.line, error.column + 1));
            errors.row(&[&place, &cell(&error.message)]);
        }
    }
    let mut deprecated = Vec::new();
    for symbol in facts.symbols() {
        if is_deprecated(symbol.js_doc.as_deref(), &symbol.decorators) {
            deprecated.push(code(&name_of(symbol)));
        }
        for member in &symbol.members {
            if is_deprecated(member.js_doc.as_deref(), &member.decorators) {
                deprecated.push(code(&format!("{}.{}", name_of(symbol), member.name)));
            }
        }
    }
    let mut long = Table::new(&[&t.name, &t.line, &t.lines]);
    for (name, file, start, end, body) in bodies(facts.symbols()) {
        let lines = (end + 1).saturating_sub(start);
        if lines > LONG_BODY && body != &BodyFacts::default() {
            let place = code_cell(&format!("{}:{start}", facts.short(file)));
            long.row(&[&code_cell(&name), &place, &lines.to_string()]);
        }
    }
    let mut add = |intro: &str, table: Table| {
        if !table.is_empty() {
            parts.push(format!("{intro}\n\n{}", table.into_text()));
        }
    };
    add(&words.marks_intro, marks);
    add(&words.errors_intro, errors);
    add(&fill(&words.long_intro, &[("n", &LONG_BODY.to_string())]), long);
    if !deprecated.is_empty() {
        parts.push(format!("{} {}.\n", words.deprecated_intro, deprecated.join(", ")));
    }
    if parts.is_empty() { format!("{}\n", words.no_debt) } else { parts.join("\n") }
}

/// What each function returns, with its name and place.
fn results(facts: &Facts<'_>) -> Vec<(String, String, String)> {
    let mut results = Vec::new();
    for symbol in facts.symbols() {
        let place = |file: &str, line: usize| format!("{}:{line}", facts.short(file));
        if let Some(result) = &symbol.return_type {
            let at = place(&symbol.file, symbol.start_line);
            results.push((name_of(symbol), at, result.clone()));
        }
        for member in symbol.members.iter().filter(|it| is_visible(it)) {
            if let Some(result) = &member.return_type {
                let file = member.file.as_deref().unwrap_or(&symbol.file);
                let name = format!("{}.{}", name_of(symbol), member.name);
                results.push((name, place(file, member.start_line), result.clone()));
            }
        }
    }
    results
}

fn parameters<'a>(facts: &Facts<'a>) -> Vec<(String, &'a [Parameter])> {
    let mut all = Vec::new();
    for symbol in facts.symbols() {
        if let Some(list) = &symbol.parameters {
            all.push((name_of(symbol), list.as_slice()));
        }
        for member in symbol.members.iter().filter(|it| is_visible(it)) {
            if let Some(list) = &member.parameters {
                all.push((format!("{}.{}", name_of(symbol), member.name), list.as_slice()));
            }
        }
    }
    all
}

/// Results that carry an error: Rust's and Go's. What a function that is returned may do is its own
/// matter.
fn is_fallible(result: &str) -> bool {
    let functions = ["func(", "fn(", "Fn(", "FnMut(", "FnOnce("];
    let end = functions.iter().filter_map(|it| result.find(it)).min().unwrap_or(result.len());
    let result = &result[..end];
    let words: Vec<&str> = result.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    words.iter().any(|word| *word == "Result" || word.ends_with("Result") && word.len() > 6)
        || words.contains(&"error")
}

fn may_be_absent(result: &str) -> bool {
    let words: Vec<&str> = result.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let is_union = result.contains('|');
    words.iter().any(|word| matches!(*word, "Option" | "Optional"))
        || is_union && words.iter().any(|word| matches!(*word, "null" | "undefined" | "None"))
}
