//! The pages about all specifications together: the index, and the architecture with its graph.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::modules::Module;
use super::order::{Ordered, Uses};
use super::picture::Picture;
use crate::domain::skeleton::EntryPoint;
use crate::domain::spec::{self, Words, cell, code, code_cell, fill, keep};

pub(crate) const INDEX: &str = "_index.spec.md";
/// A page with more entry points is not read.
const MOST_ENTRIES: usize = 3_000;
pub(crate) const ARCHITECTURE: &str = "_architecture.md";

/// A specification that is there, whoever wrote it.
pub(crate) struct Listed {
    pub(crate) target: String,
    pub(crate) version: String,
    pub(crate) confidence: String,
    /// What it is about is no longer there.
    pub(crate) is_gone: bool,
}

/// What the pages are about.
pub(crate) struct Pages<'a> {
    pub(crate) words: &'a Words,
    pub(crate) project: &'a str,
    pub(crate) modules: &'a [Module],
    pub(crate) uses: &'a Uses,
    pub(crate) order: &'a Ordered,
    /// Where the project is reached, and what it takes from its surroundings.
    pub(crate) entries: &'a [EntryPoint],
}

/// A page as it shall be after `existing`, with what somebody wrote between markers.
pub(crate) fn with_kept(page: &str, existing: &str) -> String {
    // The front matter is no place for anything.
    let body = page.find("\n# ").map_or(0, |at| at + 1);
    let kept = keep::put_back(&page[body..], &keep::blocks(existing));
    format!("{}{kept}", &page[..body])
}

impl Pages<'_> {
    pub(crate) fn index(&self, listed: &BTreeMap<String, Listed>) -> String {
        let words = &self.words.page;
        let mut text = format!(
            "---\ntype: project-index\n---\n\n# {}\n\n[{}]({ARCHITECTURE})\n\n",
            fill(&words.index, &[("project", &cell(self.project))]),
            words.to_architecture
        );
        text.push_str(&self.entry_points());
        text.push_str(&heading(&words.index_columns));
        let mut seen = BTreeSet::new();
        let mut by_level = self.order.places.clone();
        by_level.sort_by_key(|place| (self.order.levels[*place], &self.modules[*place].path));
        for place in by_level {
            let module = &self.modules[place];
            let name = spec::file_name(&module.path);
            let uses = self.uses.of[place].iter().map(|it| code_cell(&self.modules[*it].path));
            let uses: Vec<String> = uses.collect();
            let (link, version, confidence) = match listed.get(&name) {
                Some(spec) => (link_to(&name), spec.version.as_str(), spec.confidence.as_str()),
                None => (words.not_written.clone(), "", ""),
            };
            let level = self.order.levels[place];
            let (path, files, uses) =
                (code_cell(&module.path), module.files.len(), uses.join(", "));
            writeln!(
                text,
                "| {level} | {path} | {files} | {uses} | {link} | {version} | {confidence} |"
            )
            .ok();
            seen.insert(name);
        }
        let others: Vec<_> = listed.iter().filter(|(name, _)| !seen.contains(*name)).collect();
        if !others.is_empty() {
            write!(text, "\n## {}\n\n{}", words.others, heading(&words.other_columns)).ok();
            for (name, spec) in others {
                let target = code_cell(&spec.target);
                let gone = if spec.is_gone { format!(" {}", words.gone) } else { String::new() };
                let (link, version, confidence) = (link_to(name), &spec.version, &spec.confidence);
                writeln!(text, "| {target}{gone} | {link} | {version} | {confidence} |").ok();
            }
        }
        text
    }

    pub(crate) fn architecture(&self) -> String {
        let (words, modules, order) = (&self.words.page, self.modules, self.order);
        let title = fill(&words.architecture, &[("project", &cell(self.project))]);
        let highest = order.levels.iter().max().copied().unwrap_or(0);
        let counted = |count: usize, one: &str, many: &str| match count {
            1 => one.to_owned(),
            count => fill(many, &[("n", &count.to_string())]),
        };
        let count = counted(modules.len(), &words.one_module, &words.many_modules);
        let levels = counted(highest + 1, &words.one_level, &words.many_levels);
        let intro = fill(&words.intro, &[("modules", &count), ("levels", &levels)]);
        let mut text = format!("# {title}\n\n{intro}\n\n{}", self.entry_points());
        let picture = Picture::of(modules, self.uses, order);
        let drawing = spec::modules(&picture.groups, &picture.arrows, &words.circle);
        writeln!(text, "```mermaid\n{drawing}```\n\n{}", self.legend(&picture)).ok();
        for level in 0..=highest {
            let on_level = order.places.iter().filter(|place| order.levels[**place] == level);
            let names: Vec<String> = on_level
                .map(|place| {
                    let path = &modules[*place].path;
                    let address = link_to(&spec::file_name(path));
                    let address = address.rsplit("](").next().unwrap_or_default();
                    format!("- [{}]({address}", code(path))
                })
                .collect();
            if !names.is_empty() {
                let level = fill(&words.level, &[("n", &level.to_string())]);
                writeln!(text, "\n## {level}\n\n{}", names.join("\n")).ok();
            }
        }
        if !order.circles.is_empty() {
            writeln!(text, "\n## {}\n", words.circles).ok();
            for circle in &order.circles {
                let names: Vec<String> =
                    circle.iter().map(|place| code(&modules[*place].path)).collect();
                writeln!(text, "- {}", names.join(", ")).ok();
            }
        }
        text
    }

    /// Routes, commands and variables of the whole project, before everything else.
    fn entry_points(&self) -> String {
        let shown = &self.entries[..self.entries.len().min(MOST_ENTRIES)];
        let place = |it: &EntryPoint| it.file.clone();
        let mut text = String::new();
        let tables = [
            (&self.words.entry_points, spec::reached(shown, &place, self.words)),
            (&self.words.environment, spec::surroundings(shown, &place, self.words)),
        ];
        for (heading, table) in tables.iter().filter(|it| !it.1.is_empty()) {
            write!(text, "## {heading}\n\n{table}\n").ok();
        }
        let more = self.entries.len() - shown.len();
        if more > 0 {
            let more = fill(&self.words.and_more, &[("n", &more.to_string())]);
            write!(text, "{more}\n\n").ok();
        }
        text
    }

    /// How to read the picture, and what it does not show.
    fn legend(&self, picture: &Picture) -> String {
        let words = &self.words.page;
        let mut sentences = vec![words.arrows.clone()];
        if picture.has_folders {
            sentences.push(words.folders.clone());
        }
        if picture.left_out > 0 {
            sentences.push(fill(&words.left_out, &[("n", &picture.left_out.to_string())]));
        }
        sentences.join(&words.between)
    }
}

/// The first two lines of a table.
fn heading(columns: &[String]) -> String {
    format!("| {} |\n|{}\n", columns.join(" | "), " --- |".repeat(columns.len()))
}

fn link_to(name: &str) -> String {
    let mut address = String::new();
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            address.push(char::from(byte));
        } else {
            write!(address, "%{byte:02X}").ok();
        }
    }
    format!("[{}]({address})", cell(name))
}
