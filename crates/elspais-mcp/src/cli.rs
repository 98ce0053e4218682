//! In the shell: the report, the check, the export, and what `doctor` looks at.

mod check;
mod export;
mod report;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use clap::{Arg, ArgAction};
use mcp_core::cli::{Command, Finding};
use mcp_core::clock::Clock;
use mcp_core::entropy::Entropy;
use mcp_core::failure::DomainError as _;
use mcp_core::settings::Settings;
use mcp_core::work::Work;

use crate::domain::graph::{NodeKind, TraceGraph, some_of};
use crate::store::federation::Named;
use crate::store::workspace::Workspace;
use crate::tools::{DiagnosticOutput, diagnostics};

pub(crate) const COMMANDS: &[Command] = &[
    Command { describe: report::describe, run: report::run },
    Command { describe: check::describe, run: check::run },
    Command { describe: export::describe, run: export::run },
];

const ASSOCIATE: &str = "associate";

/// The flags of this server alone.
pub(crate) fn flags() -> Vec<Arg> {
    let associate = Arg::new(ASSOCIATE).long(ASSOCIATE).value_name("NAME=DIR");
    let associate = associate.action(ArgAction::Append).env("ELSPAIS_ASSOCIATES");
    vec![associate.value_delimiter(',').help(
        "Where another repository lies that [associates] names; without, only those beneath the root are read",
    )]
}

/// Odd places that are named one by one.
const MAX_NAMED: usize = 10;

/// The project that the settings name.
pub(crate) fn workspace(settings: &Settings) -> Workspace {
    let place = settings.root().to_owned();
    let workspace = Workspace::new(place, settings.state(), Clock::system(), Entropy::system());
    let named = Named::parse(&settings.values(ASSOCIATE), settings.working_directory());
    let workspace = workspace.with_associates(named);
    let workspace = if settings.is_confined() { workspace.confined() } else { workspace };
    if settings.is_serving() { workspace.watching() } else { workspace }
}

pub(crate) fn doctor(settings: &Settings) -> Vec<Finding> {
    look_at(&workspace(settings))
}

fn look_at(workspace: &Workspace) -> Vec<Finding> {
    let looked = workspace.read(&Work::endless(), |loaded| {
        let config = &loaded.graph.config;
        let source = match config.files.as_slice() {
            [] => "no .elspais.toml; the defaults count".to_owned(),
            files => format!("configuration: {}", files.join(", ")),
        };
        let mut findings = vec![Finding::fine(source)];
        let counts = loaded.snapshot.counts_by_role();
        let listed: Vec<String> = counts.iter().map(|(role, count)| format!("{count} {role}")).collect();
        let is_read = counts.contains_key("spec") || !loaded.graph.grammar.scopes().is_empty();
        findings.push(if is_read {
            Finding::fine(format!("files read: {}", listed.join(", ")))
        } else {
            Finding::remark(
                format!("no spec file in {}", config.spec.directories.join(", ")),
                "Write requirements there, or name other directories under [scanning.spec] in .elspais.toml.",
            )
        });
        findings.extend(look_at_graph(&loaded.graph));
        Ok(findings)
    });
    let mut findings = match looked {
        Ok(seen) => seen.value,
        Err(error) => vec![Finding::problem(error.to_string(), error.hint().unwrap_or_default())],
    };
    findings.push(match workspace.git(&Work::endless()) {
        Ok(_) => Finding::fine("git repository"),
        Err(error) => Finding::remark(
            error.to_string(),
            "Without git there are no change figures and no safety branches.",
        ),
    });
    findings
}

fn look_at_graph(graph: &TraceGraph) -> Vec<Finding> {
    let requirements = graph.nodes_by_kind(NodeKind::Requirement).len();
    let assertions = graph.nodes_by_kind(NodeKind::Assertion).len();
    let mut findings =
        vec![Finding::fine(format!("{requirements} requirements with {assertions} assertions"))];
    for absent in &graph.absent {
        let why = absent.problem.as_ref().map(|it| format!(" ({it})")).unwrap_or_default();
        findings.push(Finding::remark(
            format!("repository {} is not read{why}", absent.name),
            format!("Name its directory with --associate {}=DIR.", absent.name),
        ));
    }
    let broken = graph.broken_references();
    if let Some(first) = broken.first() {
        let count = match broken.len() {
            1 => "one broken reference:".to_owned(),
            count => format!("{count} broken references, the first"),
        };
        findings.push(Finding::remark(
            format!("{count} {}:{} ({})", first.path, first.line, first.target_id),
            "elspais-mcp call get_broken_references lists them.",
        ));
    }
    let cycles = graph.cycles();
    for cycle in cycles.iter().take(MAX_NAMED) {
        findings.push(Finding::remark(
            format!("requirements that lie above themselves: {}", some_of(cycle.iter().cloned())),
            "Remove one of the links between them.",
        ));
    }
    if cycles.len() > MAX_NAMED {
        let rest = cycles.len() - MAX_NAMED;
        findings.push(Finding::remark(format!("{rest} more of these"), "Fix the first ones."));
    }
    // One remark a kind of thing, however often it occurs.
    let mut odd: Vec<(DiagnosticOutput, usize)> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    for it in diagnostics(graph) {
        match known.entry(it.code.clone()) {
            Entry::Occupied(at) => odd[*at.get()].1 += 1,
            Entry::Vacant(place) => {
                place.insert(odd.len());
                odd.push((it, 0));
            }
        }
    }
    for (it, more) in odd.iter().take(MAX_NAMED) {
        let elsewhere = match more {
            0 => String::new(),
            1 => " (and in one more place)".to_owned(),
            count => format!(" (and in {count} more places)"),
        };
        findings.push(Finding::remark(
            format!("{}:{}: {}{elsewhere}", it.path, it.line, it.message),
            "Correct it there; everything else is read.",
        ));
    }
    if odd.len() > MAX_NAMED {
        let rest = odd.len() - MAX_NAMED;
        findings.push(Finding::remark(format!("{rest} more odd places"), "Fix these first."));
    }
    findings
}
