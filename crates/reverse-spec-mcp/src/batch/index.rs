//! The pages about all specifications together: the index, and the architecture with its graph.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use mcp_core::sandbox::RelPath;

use super::modules::Module;
use super::order::{Ordered, Uses};
use super::picture::Picture;
use crate::error::Error;
use crate::generate::{MAX_SPEC_BYTES, Output};
use crate::spec::{self, Words, cell, code, code_cell, fill, keep};

pub(super) const INDEX: &str = "_index.spec.md";
pub(super) const ARCHITECTURE: &str = "_architecture.md";

/// A specification that is there, whoever wrote it.
pub(super) struct Listed {
    pub(super) target: String,
    version: String,
    confidence: String,
    /// What it is about is no longer there.
    pub(super) is_gone: bool,
}

/// What the pages are about.
pub(super) struct Pages<'a> {
    pub(super) words: &'a Words,
    pub(super) project: &'a str,
    pub(super) modules: &'a [Module],
    pub(super) uses: &'a Uses,
    pub(super) order: &'a Ordered,
}

/// Writes both pages where they would differ, with what somebody wrote between markers. Nothing in
/// them changes with the time.
pub(super) fn write(output: &Output, pages: &Pages<'_>) -> Result<(), Error> {
    put(output, INDEX, &pages.index(&listed(output)?))?;
    put(output, ARCHITECTURE, &pages.architecture())
}

fn put(output: &Output, name: &str, text: &str) -> Result<(), Error> {
    let path = output.file(name)?;
    let existing = output.root.read_up_to(&path, MAX_SPEC_BYTES).unwrap_or_default();
    let existing = String::from_utf8_lossy(&existing);
    // The front matter is no place for anything.
    let body = text.find("\n# ").map_or(0, |at| at + 1);
    let kept = keep::put_back(&text[body..], &keep::blocks(&existing));
    let text = format!("{}{kept}", &text[..body]);
    if existing != text {
        output.root.write(&path, text.as_bytes())?;
    }
    Ok(())
}

/// Every specification in the directory, by file name.
pub(super) fn listed(output: &Output) -> Result<BTreeMap<String, Listed>, Error> {
    let mut listed = BTreeMap::new();
    for entry in output.root.list(output.directory())? {
        if !entry.name.ends_with(".spec.md") || entry.name == INDEX {
            continue;
        }
        let Ok(bytes) = output.root.read_up_to(&output.file(&entry.name)?, MAX_SPEC_BYTES) else {
            continue;
        };
        let text = String::from_utf8_lossy(&bytes);
        let value = |key: &str| spec::read_value(&text, key).unwrap_or_default();
        let target = value("sourceTarget");
        let (version, confidence) = (value("version"), value("confidence"));
        let is_gone = RelPath::parse(&target).is_ok_and(|it| !output.root.has_entry(&it));
        listed.insert(entry.name, Listed { target, version, confidence, is_gone });
    }
    Ok(listed)
}

impl Pages<'_> {
    fn index(&self, listed: &BTreeMap<String, Listed>) -> String {
        let words = &self.words.page;
        let mut text = format!(
            "---\ntype: project-index\n---\n\n# {}\n\n[{}]({ARCHITECTURE})\n\n",
            fill(&words.index, &[("project", &cell(self.project))]),
            words.to_architecture
        );
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

    fn architecture(&self) -> String {
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
        let mut text = format!("# {title}\n\n{intro}\n\n");
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
