//! The report: where a project is reached, its modules with what they offer and use, and how far
//! specifications have drifted, as one page to work with.

#[cfg(test)]
mod tests;

use mcp_core::page::Page;
use serde::Serialize;

use super::diff::{DriftItem, Severity};
use super::skeleton::{CodeSkeleton, EntryKind, EntryPoint, ExportSymbol};

const BODY: &str = include_str!("../../assets/report/body.html");
const STYLE: &str = include_str!("../../assets/report/style.css");
/// The parts of the script, in the order they need each other.
const SCRIPT: &str = concat!(
    "(() => {\n",
    include_str!("../../assets/report/data.js"),
    include_str!("../../assets/report/lists.js"),
    include_str!("../../assets/report/detail.js"),
    include_str!("../../assets/report/graph.js"),
    include_str!("../../assets/report/views.js"),
    include_str!("../../assets/report/client.js"),
    "})();\n"
);
/// Items of one module or specification that the page shows.
pub(crate) const MOST_ITEMS: usize = 100;
/// Declarations of one module that the page lists.
const MOST_SYMBOLS: usize = 500;
/// A page with more entry points is not read.
const MOST_ENTRIES: usize = 5_000;
const SIGNATURE_CHARS: usize = 200;

#[derive(Debug, Default, Serialize)]
pub(crate) struct Report {
    pub(crate) project: String,
    pub(crate) subtitle: String,
    /// The way from the page to the project root; none where a client shows it, which has no such
    /// addresses.
    pub(crate) links: Option<String>,
    pub(crate) entries: Vec<Entry>,
    /// Entry points that are not among them.
    pub(crate) more_entries: usize,
    pub(crate) modules: Vec<Row>,
    pub(crate) specs: Vec<Spec>,
}

/// Where the project is reached, or what it takes from its surroundings.
#[derive(Debug, Serialize)]
pub(crate) struct Entry {
    kind: EntryKind,
    pub(crate) name: String,
    /// What it goes through, and what answers at last.
    through: Vec<String>,
    notes: Vec<String>,
    file: String,
    line: usize,
    module: usize,
}

/// One module.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Row {
    pub(crate) path: String,
    pub(crate) level: usize,
    pub(crate) files: Vec<String>,
    pub(crate) lines: usize,
    /// Places in the list of modules.
    pub(crate) uses: Vec<usize>,
    /// Those of them that do not follow from others: what is drawn while nothing is chosen.
    pub(crate) arrows: Vec<usize>,
    /// One number for all modules that use each other, however far around.
    pub(crate) circle: Option<usize>,
    pub(crate) exports: usize,
    /// Exports that a test file names; none where that cannot be told.
    pub(crate) tested: Option<usize>,
    pub(crate) untested: Vec<String>,
    pub(crate) symbols: Vec<Symbol>,
    /// Declarations that are not among them.
    pub(crate) more_symbols: usize,
}

/// One declaration, where a link leads to it.
#[derive(Debug, Serialize)]
pub(crate) struct Symbol {
    pub(crate) name: String,
    kind: &'static str,
    signature: String,
    /// Its place in the list of files.
    file: usize,
    line: usize,
    is_internal: bool,
}

/// One specification, judged as `diff` judges it.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Spec {
    pub(crate) path: String,
    /// What it is about.
    pub(crate) target: String,
    /// The module that is just this.
    pub(crate) module: Option<usize>,
    /// What it is about is not there any more.
    pub(crate) is_gone: bool,
    /// Why drift could not be told.
    pub(crate) problem: Option<String>,
    pub(crate) notes: Vec<String>,
    pub(crate) high: usize,
    pub(crate) medium: usize,
    pub(crate) low: usize,
    pub(crate) items: Vec<Item>,
    /// Items that are not among them.
    pub(crate) more: usize,
}

#[derive(Debug, Serialize)]
pub(crate) struct Item {
    severity: &'static str,
    pub(crate) symbol: String,
    description: String,
    file: String,
    line: usize,
}

impl Report {
    pub(crate) fn render(&self) -> Result<String, serde_json::Error> {
        let title = format!("Code and specifications of {}", self.project);
        Page { title: &title, body: BODY, style: STYLE, script: SCRIPT }.render(self)
    }

    /// Takes in where a module is reached; what it keeps and answers stands in its specification.
    pub(crate) fn enter(&mut self, module: usize, skeletons: &[CodeSkeleton]) {
        let all = skeletons.iter().flat_map(|it| &it.entry_points);
        for entry in all.filter(|it| is_shown(it.kind)) {
            if self.entries.len() < MOST_ENTRIES {
                self.entries.push(Entry::of(entry, module));
            } else {
                self.more_entries += 1;
            }
        }
    }
}

fn is_shown(kind: EntryKind) -> bool {
    !matches!(
        kind,
        EntryKind::Field | EntryKind::Response | EntryKind::Statements | EntryKind::Other
    )
}

impl Entry {
    fn of(entry: &EntryPoint, module: usize) -> Self {
        let mut notes = entry.details.clone();
        notes.extend(entry.fallback.iter().map(|it| format!("= {it}")));
        if entry.reached_as.is_some() {
            notes.push(format!("here {}", entry.name));
        }
        Self {
            kind: entry.kind,
            name: entry.reached_as.clone().unwrap_or_else(|| entry.name.clone()),
            through: entry.guards.iter().chain(&entry.handler).cloned().collect(),
            notes,
            file: entry.file.clone(),
            line: entry.line,
            module,
        }
    }
}

impl Row {
    /// Takes in what a module declares, what it offers first.
    pub(crate) fn declare(&mut self, merged: &CodeSkeleton) {
        let offered = merged.exports.iter().map(|it| (it.as_ref(), false));
        let internal = merged.internals.iter().map(|it| (it.as_ref(), true));
        let all = offered.chain(internal).filter(|it| it.0.re_export.is_none());
        for (symbol, is_internal) in all {
            if self.symbols.len() < MOST_SYMBOLS {
                let symbol = Symbol::of(symbol, &self.files, is_internal);
                self.symbols.extend(symbol);
            } else {
                self.more_symbols += 1;
            }
        }
    }
}

impl Symbol {
    fn of(symbol: &ExportSymbol, files: &[String], is_internal: bool) -> Option<Self> {
        let file = files.iter().position(|it| *it == symbol.file)?;
        Some(Self {
            name: symbol.name.clone(),
            kind: symbol.kind.word(),
            signature: mcp_core::text::cut(&symbol.signature, SIGNATURE_CHARS).to_owned(),
            file,
            line: symbol.start_line,
            is_internal,
        })
    }
}

impl Spec {
    pub(crate) fn take(&mut self, items: &[DriftItem]) {
        self.more = items.len().saturating_sub(MOST_ITEMS);
        for item in items {
            match item.severity {
                Severity::High => self.high += 1,
                Severity::Medium => self.medium += 1,
                Severity::Low => self.low += 1,
            }
        }
        self.items = items.iter().take(MOST_ITEMS).map(Item::of).collect();
    }
}

impl Item {
    fn of(item: &DriftItem) -> Self {
        Self {
            severity: match item.severity {
                Severity::High => "HIGH",
                Severity::Medium => "MEDIUM",
                Severity::Low => "LOW",
            },
            symbol: item.symbol_name.clone(),
            description: item.description.clone(),
            file: item.location.file.clone(),
            line: item.location.line,
        }
    }
}
