//! What a project's requirements are checked for by themselves, in CI for one.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde::Serialize;

use crate::domain::config::Severity;
use crate::domain::graph::{BrokenReason, Node, NodeKind, TraceGraph, some_of, some_places};
use crate::domain::hash;
use crate::domain::review::suspect::{Reviews, Standing, links};
use crate::domain::span::Label;

/// Something that is not as it should be, with its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Finding {
    /// `broken_reference`, `hash_mismatch`, `duplicate_id`, `cycle`, `remark`, `journey_failed`,
    /// `suspect_link` or `uncovered`.
    pub(crate) kind: &'static str,
    pub(crate) path: String,
    pub(crate) line: u32,
    pub(crate) id: String,
    pub(crate) message: String,
}

/// What counts as a failure besides what always does.
#[derive(Debug, Clone, Default)]
pub(crate) struct Strictness {
    /// Levels whose assertions all have to be covered; `all` for every level.
    pub(crate) covered: Vec<String>,
    pub(crate) suspect: bool,
    /// Oddities of files too.
    pub(crate) remarks: bool,
}

#[derive(Debug, Serialize)]
pub(crate) struct Verdict {
    pub(crate) passed: bool,
    pub(crate) requirements: usize,
    pub(crate) failures: Vec<Finding>,
    /// What is worth knowing and fails nothing.
    pub(crate) notes: Vec<Finding>,
    pub(crate) coverage: BTreeMap<String, LevelCoverage>,
}

#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct LevelCoverage {
    pub(crate) requirements: usize,
    pub(crate) assertions: usize,
    pub(crate) covered: usize,
    /// Deliberately not implemented, and not covered.
    pub(crate) excepted: usize,
}

/// How many assertions of a requirement are deliberately not implemented and not covered either.
pub(crate) fn excepted(graph: &TraceGraph, reviews: &Reviews, node: &Node<'_>) -> usize {
    let covered: Vec<Label> =
        graph.coverage_sources(&node.id()).into_iter().map(|it| it.label).collect();
    if node.stands_alone() {
        return usize::from(covered.is_empty() && reviews.exception(&node.id()).is_some());
    }
    let assertions = node.iter_children().take_while(|it| it.kind() == NodeKind::Assertion);
    let open = assertions.filter(|it| it.label().is_none_or(|label| !covered.contains(&label)));
    open.filter(|it| reviews.exception(&it.id()).is_some()).count()
}

pub(crate) fn check(graph: &TraceGraph, reviews: &Reviews, strictness: &Strictness) -> Verdict {
    let mut verdict = Verdict {
        passed: true,
        requirements: graph.nodes_by_kind(NodeKind::Requirement).len(),
        failures: Vec::new(),
        notes: Vec::new(),
        coverage: BTreeMap::new(),
    };
    let mut found: Vec<(bool, Finding)> = Vec::new();
    found.extend(broken(graph));
    found.extend(mismatches(graph).map(|it| (true, it)));
    found.extend(duplicates(graph).map(|it| (true, it)));
    found.extend(cycles(graph).map(|it| (true, it)));
    found.extend(remarks(graph).map(|it| (strictness.remarks, it)));
    found.extend(journeys(graph).map(|it| (false, it)));
    found.extend(suspect(graph, reviews).map(|it| (strictness.suspect, it)));
    found.extend(uncovered(graph, reviews, strictness, &mut verdict.coverage));
    found.sort_by(|(_, one), (_, other)| {
        (&one.path, one.line, one.kind, &one.id).cmp(&(
            &other.path,
            other.line,
            other.kind,
            &other.id,
        ))
    });
    for (fails, finding) in found {
        if fails { &mut verdict.failures } else { &mut verdict.notes }.push(finding);
    }
    verdict.passed = verdict.failures.is_empty();
    verdict
}

/// Journeys that failed when people went through them.
fn journeys(graph: &TraceGraph) -> impl Iterator<Item = Finding> {
    let failed = |node: &Node<'_>| graph.journey_verdict(&node.id()) == Some("failed");
    graph.nodes_by_kind(NodeKind::Journey).filter(failed).map(|node| Finding {
        kind: "journey_failed",
        path: node.path().to_owned(),
        line: node.line(),
        id: node.id(),
        message: format!("{} failed when it was last gone through", node.id()),
    })
}

/// References that lead nowhere, each with whether that fails.
fn broken(graph: &TraceGraph) -> impl Iterator<Item = (bool, Finding)> {
    let rule = graph.config.references;
    graph.broken_references().into_iter().map(move |it| {
        let severity = match it.reason {
            BrokenReason::UnknownRequirement => rule.unknown_requirement,
            BrokenReason::UnknownAssertion => rule.unknown_assertion,
            BrokenReason::UnknownNamespace | BrokenReason::OtherRepository => {
                rule.unknown_namespace
            }
            BrokenReason::Malformed => rule.malformed,
            // Changes are written before or after what they change.
            BrokenReason::UnknownTitle => Severity::Note,
        };
        let finding = Finding {
            kind: "broken_reference",
            message: match graph.repository_of(&it.target_id) {
                Some(name) => format!(
                    "{} {} {}, unresolved, in repository {name}: name its directory with --associate {name}=DIR",
                    it.source_id,
                    it.kind.as_str(),
                    it.target_id
                ),
                None => format!(
                    "{} {} {}, which does not exist",
                    it.source_id,
                    it.kind.as_str(),
                    it.target_id
                ),
            },
            path: it.path,
            line: it.line,
            id: it.source_id,
        };
        (severity == Severity::Error, finding)
    })
}

/// Hashes that none of the rules in use gives for the text.
fn mismatches(graph: &TraceGraph) -> impl Iterator<Item = Finding> {
    graph.iter_files().flat_map(move |file| {
        file.contents.requirements.iter().filter_map(move |requirement| {
            let stored = hash::stored(requirement, &file.text)?;
            if hash::rule_of(requirement, &file.text, stored, graph.config.hash).is_some() {
                return None;
            }
            Some(Finding {
                kind: "hash_mismatch",
                path: file.path.to_string(),
                line: requirement.line,
                id: requirement.id.to_string(),
                message: format!("the hash {stored} of {} is not that of its text", requirement.id),
            })
        })
    })
}

fn duplicates(graph: &TraceGraph) -> impl Iterator<Item = Finding> {
    graph.duplicates().into_iter().flat_map(|(id, places)| {
        let named = some_places(&places);
        let message = format!("{id} is defined more than once: {named}; the first one counts");
        places.into_iter().skip(1).map(move |(path, line)| Finding {
            kind: "duplicate_id",
            path,
            line,
            id: id.clone(),
            message: message.clone(),
        })
    })
}

fn cycles(graph: &TraceGraph) -> impl Iterator<Item = Finding> {
    graph.cycles().into_iter().map(|members| {
        let first = members.first().cloned().unwrap_or_default();
        let node = graph.get_node(&first);
        Finding {
            kind: "cycle",
            path: node.map(|it| it.path().to_owned()).unwrap_or_default(),
            line: node.map_or(1, |it| it.line()),
            message: format!(
                "requirements that lie above themselves: {}",
                some_of(members.iter().cloned())
            ),
            id: first,
        }
    })
}

fn remarks(graph: &TraceGraph) -> impl Iterator<Item = Finding> {
    graph.iter_files().flat_map(|file| {
        file.contents.remarks.iter().map(|remark| Finding {
            kind: "remark",
            path: file.path.to_string(),
            line: remark.line,
            id: String::new(),
            message: remark.message.clone(),
        })
    })
}

fn suspect(graph: &TraceGraph, reviews: &Reviews) -> impl Iterator<Item = Finding> {
    let links = links(graph, reviews).into_iter();
    links.filter(|link| link.standing == Standing::Suspect).map(|link| Finding {
        kind: "suspect_link",
        path: link.path,
        line: link.line,
        message: format!("{} changed since {} was reviewed", link.target_id, link.source_id),
        id: link.source_id,
    })
}

/// Requirements with assertions that nothing covers, and the figures of each level.
fn uncovered(
    graph: &TraceGraph,
    reviews: &Reviews,
    strictness: &Strictness,
    coverage: &mut BTreeMap<String, LevelCoverage>,
) -> Vec<(bool, Finding)> {
    let mut found = Vec::new();
    for node in graph.nodes_by_kind(NodeKind::Requirement) {
        if !graph.config.counts(node.status()) {
            continue;
        }
        let metrics = node.metrics().copied().unwrap_or_default();
        let written = node.level();
        // However it is written, it is one level.
        let level = graph.config.level(written).map_or(written, |it| &it.name).to_owned();
        let sum = coverage.entry(level.clone()).or_default();
        sum.requirements += 1;
        sum.assertions += metrics.total as usize;
        sum.covered += metrics.covered as usize;
        if metrics.covered == metrics.total {
            continue;
        }
        let demanded = strictness
            .covered
            .iter()
            .any(|it| it.eq_ignore_ascii_case("all") || it.eq_ignore_ascii_case(&level));
        let covered: Vec<String> =
            graph.coverage_sources(&node.id()).into_iter().map(|it| it.label.to_string()).collect();
        let missing: Vec<String> = node
            .iter_children()
            .take_while(|it| it.kind() == NodeKind::Assertion)
            .filter(|it| !it.is_retired() && reviews.exception(&it.id()).is_none())
            .filter_map(|it| it.label().map(|it| it.to_string()))
            .filter(|label| !covered.contains(label))
            .collect();
        let id = node.id();
        sum.excepted += excepted(graph, reviews, &node);
        // Deliberately not implemented is not covered, and nothing that is missing either.
        if missing.is_empty() && (!node.stands_alone() || reviews.exception(&id).is_some()) {
            continue;
        }
        let what = match missing.as_slice() {
            [] => id.clone(),
            labels => format!("{} of {id}", labels.join(", ")),
        };
        let finding = Finding {
            kind: "uncovered",
            path: node.path().to_owned(),
            line: node.line(),
            message: format!("nothing covers {what} ({level})"),
            id: node.id(),
        };
        found.push((demanded, finding));
    }
    found
}
