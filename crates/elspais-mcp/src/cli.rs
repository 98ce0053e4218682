//! In the shell: the report, the check, and what `doctor` looks at.

mod check;
mod report;
#[cfg(test)]
mod tests;

use mcp_core::cli::{Command, Finding, Settings};
use mcp_core::failure::DomainError as _;
use mcp_core::git::Git;

use crate::graph::{NodeKind, TraceGraph, some_of};
use crate::server;
use crate::tools::diagnostics;
use crate::workspace::{Patience, Workspace};

pub(crate) const COMMANDS: &[Command] = &[
    Command { describe: report::describe, run: report::run },
    Command { describe: check::describe, run: check::run },
];

/// Odd places that are named one by one.
const MAX_NAMED: usize = 10;

pub(crate) fn doctor(settings: &Settings) -> Vec<Finding> {
    look_at(&server::workspace(settings))
}

fn look_at(workspace: &Workspace) -> Vec<Finding> {
    let looked = workspace.read(&Patience::ENDLESS, |loaded| {
        let config = &loaded.graph.config;
        let source = match config.files.as_slice() {
            [] => "no .elspais.toml; the defaults count".to_owned(),
            files => format!("configuration: {}", files.join(", ")),
        };
        let mut findings = vec![Finding::fine(source)];
        let counts = loaded.snapshot.counts_by_role();
        let listed: Vec<String> = counts.iter().map(|(role, count)| format!("{count} {role}")).collect();
        findings.push(match counts.get("spec") {
            Some(_) => Finding::fine(format!("files read: {}", listed.join(", "))),
            None => Finding::remark(
                format!("no spec file in {}", config.spec.directories.join(", ")),
                "Write requirements there, or name other directories under [scanning.spec] in .elspais.toml.",
            ),
        });
        findings.extend(look_at_graph(&loaded.graph));
        Ok(findings)
    });
    let mut findings = match looked {
        Ok(seen) => seen.value,
        Err(error) => vec![Finding::problem(error.to_string(), error.hint().unwrap_or_default())],
    };
    findings.push(match Git::open(workspace.place()) {
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
        findings.push(Finding::remark(format!("{rest} more of these"), "Mend the first ones."));
    }
    let odd: Vec<_> = diagnostics(graph).collect();
    for it in odd.iter().take(MAX_NAMED) {
        findings.push(Finding::remark(
            format!("{}:{}: {}", it.path, it.line, it.message),
            "Mend it there; everything else is read.",
        ));
    }
    if odd.len() > MAX_NAMED {
        let rest = odd.len() - MAX_NAMED;
        findings.push(Finding::remark(format!("{rest} more odd places"), "Mend these first."));
    }
    findings
}
