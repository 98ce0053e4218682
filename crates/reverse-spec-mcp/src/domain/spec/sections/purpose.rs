//! What the module is for, and what its bodies do.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::domain::languages;
use crate::domain::spec::doc;
use crate::domain::spec::facts::{Facts, bodies, name_of};
use crate::domain::spec::markdown::{Table, cell, code, code_cell};
use crate::domain::spec::words::{Words, fill};

/// More names than this say nothing at a glance.
const MAIN_NAMES: usize = 8;
/// More calls than this are a listing, not a picture.
const MAX_CALLS: usize = 24;

pub(super) fn intent(facts: &Facts<'_>, words: &Words) -> String {
    let mut parts = Vec::new();
    for skeleton in facts.skeletons {
        let Some(raw) = &skeleton.module_doc else { continue };
        let summary = doc::summary(raw);
        if summary.is_empty() {
            continue;
        }
        if facts.skeletons.len() == 1 {
            parts.push(format!("{}\n", cell(&summary)));
        } else {
            parts.push(format!("- {}: {}", code(facts.short(&skeleton.file_path)), cell(&summary)));
        }
    }
    let docs = parts.join("\n");
    let mut text = counted(facts, words);
    let names: Vec<String> = main_names(facts);
    if !names.is_empty() {
        text.push(' ');
        text.push_str(&fill(&words.main_names, &[("names", &names.join(", "))]));
    }
    if docs.is_empty() { format!("{text}\n") } else { format!("{text}\n\n{}\n", docs.trim_end()) }
}

fn counted(facts: &Facts<'_>, words: &Words) -> String {
    let files = facts.skeletons.len();
    let files = match files {
        1 => words.one_file.clone(),
        n => fill(&words.many_files, &[("n", &n.to_string())]),
    };
    let exports = match facts.merged.exports.len() {
        1 => words.one_export.clone(),
        n => fill(&words.many_exports, &[("n", &n.to_string())]),
    };
    let languages: BTreeSet<&str> =
        facts.skeletons.iter().map(|it| languages::about(it.language).name.as_str()).collect();
    let languages = languages.into_iter().collect::<Vec<_>>().join(", ");
    let is_file = facts.skeletons.first().is_some_and(|it| it.file_path == facts.target);
    let template = match (is_file, facts.merged.exports.is_empty()) {
        (true, true) => &words.intent_file_internal,
        (true, false) => &words.intent_file,
        (false, true) => &words.intent_internal,
        (false, false) => &words.intent,
    };
    // The path of the project itself names nothing.
    let template = match facts.target {
        "." => template.replace("`{target}`", &words.whole_project),
        _ => template.clone(),
    };
    fill(
        &template,
        &[
            ("target", facts.target),
            ("files", &files),
            ("languages", &languages),
            ("lines", &facts.merged.loc.to_string()),
            ("exports", &exports),
        ],
    )
}

/// The symbols with the most to say: documented ones first, then the larger ones.
fn main_names(facts: &Facts<'_>) -> Vec<String> {
    let mut symbols: Vec<_> = facts.symbols().iter().collect();
    symbols.sort_by_key(|symbol| {
        let weight =
            symbol.members.len() * 4 + (symbol.end_line - symbol.start_line.min(symbol.end_line));
        (symbol.js_doc.is_none(), std::cmp::Reverse(weight))
    });
    let mut names = Vec::new();
    for symbol in symbols {
        let name = code(&name_of(symbol));
        if !names.contains(&name) {
            names.push(name);
        }
        if names.len() == MAIN_NAMES {
            break;
        }
    }
    names
}

/// Names of the module, to be recognised where they are called.
struct Own<'a> {
    /// At the top of a file.
    names: BTreeSet<&'a str>,
    members: BTreeSet<&'a str>,
    /// Files by the name that others import them under.
    files: BTreeSet<&'a str>,
}

impl<'a> Own<'a> {
    fn of(facts: &Facts<'a>) -> Self {
        let symbols = facts.symbols();
        let members = symbols.iter().flat_map(|it| &it.members);
        let files = facts.skeletons.iter().filter_map(|it| {
            let name = it.file_path.rsplit('/').next()?;
            name.split('.').next()
        });
        Self {
            names: symbols
                .iter()
                .map(|it| it.local_name.as_ref().unwrap_or(&it.name).as_str())
                .collect(),
            members: members.map(|it| it.name.as_str()).collect(),
            files: files.collect(),
        }
    }

    /// Whether what is called is surely one of them: what a variable holds nobody knows here.
    fn has(&self, call: &str, file: &str) -> bool {
        let Some((before, name)) = call.rsplit_once(['.', ':']) else {
            let language = languages::of_path(file);
            let is_bare = language.is_some_and(|it| it.about().calls_members_bare);
            return self.names.contains(call) || is_bare && self.members.contains(call);
        };
        match before.trim_end_matches(':') {
            "self" | "this" | "Self" | "cls" => self.members.contains(name),
            of if self.names.contains(of) => self.members.contains(name),
            of => self.files.contains(of) && self.names.contains(name),
        }
    }
}

pub(super) fn behaviour(facts: &Facts<'_>, words: &Words) -> String {
    let own = Own::of(facts);
    let mut by_file: BTreeMap<&str, Table> = BTreeMap::new();
    for (name, file, line, _, body) in bodies(facts.symbols()) {
        if body.calls.is_empty() {
            continue;
        }
        let mut calls: Vec<String> = body
            .calls
            .iter()
            .take(MAX_CALLS)
            .map(|call| {
                let shown = code_cell(call);
                if own.has(call, file) { format!("**{shown}**") } else { shown }
            })
            .collect();
        if let Some(more) = body.calls.len().checked_sub(MAX_CALLS).filter(|more| *more > 0) {
            calls.push(fill(&words.and_more, &[("n", &more.to_string())]));
        }
        let headings = [&*words.table.name, &words.table.line, &words.table.calls];
        let table = by_file.entry(file).or_insert_with(|| Table::new(&headings));
        table.row(&[&code_cell(&name), &line.to_string(), &calls.join(", ")]);
    }
    if by_file.is_empty() {
        return format!("{}\n", words.no_calls);
    }
    let mut text = format!("{}\n", words.calls_intro);
    for (file, table) in by_file {
        write!(text, "\n### {}\n\n{}", code(facts.short(file)), table.into_text()).ok();
    }
    text
}
