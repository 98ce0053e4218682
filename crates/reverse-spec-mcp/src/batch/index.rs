//! The pages about all specifications together: the index, and the architecture with its graph.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use mcp_core::sandbox::RelPath;

use super::modules::Module;
use super::order::{Ordered, Uses};
use crate::error::Error;
use crate::generate::{MAX_SPEC_BYTES, Output};
use crate::spec::{self, cell, code, code_cell};

pub(super) const INDEX: &str = "_index.spec.md";
pub(super) const ARCHITECTURE: &str = "_architecture.md";
/// A picture of more is no picture.
const MOST_DRAWN: usize = 60;

/// A specification that is there, whoever wrote it.
struct Listed {
    target: String,
    version: String,
    confidence: String,
    /// What it is about is no longer there.
    is_gone: bool,
}

/// Writes both pages where they would differ. Nothing in them changes with the time.
pub(super) fn write(
    output: &Output,
    project: &str,
    modules: &[Module],
    uses: &Uses,
    order: &Ordered,
) -> Result<(), Error> {
    let listed = listed(output)?;
    put(output, INDEX, &index(project, modules, uses, order, &listed))?;
    put(output, ARCHITECTURE, &architecture(project, modules, uses, order))
}

fn put(output: &Output, name: &str, text: &str) -> Result<(), Error> {
    let path = output.file(name)?;
    let same = output.root.read_up_to(&path, MAX_SPEC_BYTES).is_ok_and(|it| it == text.as_bytes());
    if !same {
        output.root.write(&path, text.as_bytes())?;
    }
    Ok(())
}

/// Every specification in the directory, by file name.
fn listed(output: &Output) -> Result<BTreeMap<String, Listed>, Error> {
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

fn index(
    project: &str,
    modules: &[Module],
    uses: &Uses,
    order: &Ordered,
    listed: &BTreeMap<String, Listed>,
) -> String {
    let mut text = format!(
        "---\ntype: project-index\n---\n\n# Specifications of {}\n\n[Architecture]({ARCHITECTURE})\n\n",
        cell(project)
    );
    text.push_str("| Level | Module | Files | Uses | Specification | Version | Confidence |\n");
    text.push_str("| --- | --- | --- | --- | --- | --- | --- |\n");
    let mut seen = std::collections::BTreeSet::new();
    for &place in &order.places {
        let module = &modules[place];
        let name = spec::file_name(&module.path);
        let uses: Vec<String> =
            uses.of[place].iter().map(|it| code_cell(&modules[*it].path)).collect();
        let (link, version, confidence) = match listed.get(&name) {
            Some(spec) => (link_to(&name), spec.version.as_str(), spec.confidence.as_str()),
            None => ("not written".to_owned(), "", ""),
        };
        let level = order.levels[place];
        let (path, files, uses) = (code_cell(&module.path), module.files.len(), uses.join(", "));
        writeln!(
            text,
            "| {level} | {path} | {files} | {uses} | {link} | {version} | {confidence} |"
        )
        .ok();
        seen.insert(name);
    }
    let others: Vec<_> = listed.iter().filter(|(name, _)| !seen.contains(*name)).collect();
    if !others.is_empty() {
        text.push_str("\n## Other specifications\n\n| Target | Specification | Version | Confidence |\n| --- | --- | --- | --- |\n");
        for (name, spec) in others {
            let target = code_cell(&spec.target);
            let gone = if spec.is_gone { " (gone)" } else { "" };
            let (link, version, confidence) = (link_to(name), &spec.version, &spec.confidence);
            writeln!(text, "| {target}{gone} | {link} | {version} | {confidence} |").ok();
        }
    }
    text
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

fn architecture(project: &str, modules: &[Module], uses: &Uses, order: &Ordered) -> String {
    let mut text = format!("# Architecture of {}\n\n", cell(project));
    let highest = order.levels.iter().max().copied().unwrap_or(0);
    let counted = |count: usize, one: &str| match count {
        1 => format!("one {one}"),
        count => format!("{count} {one}s"),
    };
    let (count, levels) = (counted(modules.len(), "module"), counted(highest + 1, "level"));
    writeln!(
        text,
        "There are {count} on {levels}. A module of level 0 uses no other; each other level uses those below it.\n"
    )
    .ok();
    let drawn: Vec<usize> = order.places.iter().copied().take(MOST_DRAWN).collect();
    let names: Vec<&str> = drawn.iter().map(|place| modules[*place].path.as_str()).collect();
    let position = |place: usize| drawn.iter().position(|it| *it == place);
    let edges: Vec<(usize, usize)> = uses
        .edges()
        .into_iter()
        .filter_map(|(from, to)| Some((position(from)?, position(to)?)))
        .collect();
    writeln!(text, "```mermaid\n{}```", spec::modules(&names, &edges)).ok();
    if modules.len() > MOST_DRAWN {
        writeln!(text, "\nThe graph shows the first {MOST_DRAWN}; the index lists all.").ok();
    }
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
            writeln!(text, "\n## Level {level}\n\n{}", names.join("\n")).ok();
        }
    }
    if !order.circles.is_empty() {
        text.push_str("\n## Modules that use each other\n\n");
        for circle in &order.circles {
            let names: Vec<String> =
                circle.iter().map(|place| code(&modules[*place].path)).collect();
            writeln!(text, "- {}", names.join(", ")).ok();
        }
    }
    text
}
