//! What is exported of each requirement, and of everything that cites it.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::domain::graph::{ItemKind, Node, NodeKind, TraceGraph};
use crate::domain::parse::EdgeKind;

#[derive(Debug, Serialize)]
pub(crate) struct Export {
    pub(super) project: String,
    /// When the files were read.
    pub(super) read_at: String,
    pub(super) requirements: Vec<Requirement>,
    pub(super) broken_references: Vec<Broken>,
}

#[derive(Debug, Serialize)]
pub(super) struct Requirement {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) level: String,
    pub(super) status: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) hash: Option<String>,
    pub(super) path: String,
    pub(super) line: u32,
    pub(super) is_root: bool,
    pub(super) body: String,
    pub(super) assertions: Vec<Assertion>,
    /// What it cites.
    pub(super) links: Vec<Link>,
    /// What cites it, other requirements aside.
    pub(super) cited_by: Vec<Citer>,
    pub(super) coverage: Coverage,
}

#[derive(Debug, Serialize)]
pub(super) struct Assertion {
    pub(super) id: String,
    pub(super) label: String,
    pub(super) text: String,
    pub(super) line: u32,
    pub(super) retired: bool,
    pub(super) covered: bool,
}

#[derive(Debug, Serialize)]
pub(super) struct Link {
    pub(super) kind: &'static str,
    pub(super) target: String,
    pub(super) labels: Vec<String>,
}

#[derive(Debug, Serialize)]
pub(super) struct Citer {
    pub(super) kind: &'static str,
    /// `code`, `test` or `journey`.
    pub(super) node: &'static str,
    pub(super) id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<String>,
    pub(super) path: String,
    pub(super) line: u32,
    pub(super) labels: Vec<String>,
    /// What the last runs said of a test.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) result: Option<&'static str>,
}

#[derive(Debug, Serialize)]
pub(super) struct Coverage {
    pub(super) counts: bool,
    pub(super) total: u32,
    pub(super) covered: u32,
    pub(super) tested: u32,
    pub(super) passed: u32,
}

#[derive(Debug, Serialize)]
pub(super) struct Broken {
    pub(super) source: String,
    pub(super) target: String,
    pub(super) kind: &'static str,
    pub(super) reason: &'static str,
    pub(super) path: String,
    pub(super) line: u32,
}

impl Export {
    pub(crate) fn of(graph: &TraceGraph, project: &str) -> Self {
        let mut requirements: Vec<Requirement> = graph
            .nodes_by_kind(NodeKind::Requirement)
            .map(|node| requirement(graph, node))
            .collect();
        requirements.sort_by(|one, other| one.id.cmp(&other.id));
        let broken = graph.broken_references().into_iter().map(|it| Broken {
            source: it.source_id,
            target: it.target_id,
            kind: it.kind.as_str(),
            reason: it.reason.as_str(),
            path: it.path,
            line: it.line,
        });
        Self {
            project: project.to_owned(),
            read_at: graph.metadata.last_refresh.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
            requirements,
            broken_references: broken.collect(),
        }
    }
}

fn requirement(graph: &TraceGraph, node: Node<'_>) -> Requirement {
    let id = node.id();
    let metrics = node.metrics().copied().unwrap_or_default();
    let covered: Vec<String> =
        graph.coverage_sources(&id).into_iter().map(|it| it.label.to_string()).collect();
    let assertions = node.iter_children().filter(|it| it.kind() == NodeKind::Assertion).map(|it| {
        let label = it.label().map(|it| it.to_string()).unwrap_or_default();
        Assertion {
            id: it.id(),
            text: it.body().replace("\r\n", "\n"),
            line: it.line(),
            retired: it.is_retired(),
            covered: covered.contains(&label),
            label,
        }
    });
    let links = node.iter_incoming_edges().filter(|it| it.kind != EdgeKind::Contains);
    let links = links.map(|edge| Link {
        kind: edge.kind.as_str(),
        target: edge.node.id(),
        labels: edge.assertion_targets.iter().map(ToString::to_string).collect(),
    });
    Requirement {
        title: node.title().to_owned(),
        level: node.level().to_owned(),
        status: node.status().to_owned(),
        hash: node.hash().map(str::to_owned),
        path: node.path().to_owned(),
        line: node.line(),
        is_root: node.is_root(),
        body: node.body().replace("\r\n", "\n"),
        assertions: assertions.collect(),
        links: links.collect(),
        cited_by: citers(graph, &id),
        coverage: Coverage {
            counts: graph.config.counts(node.status()),
            total: metrics.total,
            covered: metrics.covered,
            tested: metrics.tested,
            passed: metrics.validated,
        },
        id,
    }
}

fn citers(graph: &TraceGraph, id: &str) -> Vec<Citer> {
    let mut found = Vec::new();
    let mut results: BTreeMap<String, Option<&'static str>> = BTreeMap::new();
    for (cite, file, citation) in graph.citations_of(id) {
        let node = match cite.item.kind {
            ItemKind::Requirement => continue,
            ItemKind::Journey => "journey",
            ItemKind::Code => "code",
            ItemKind::Test => "test",
        };
        let by = graph.id_of(cite.item).to_owned();
        let result = *results.entry(by.clone()).or_insert_with(|| graph.verdict_of(cite.item));
        found.push(Citer {
            kind: citation.kind.as_str(),
            node,
            name: graph.get_node(&by).and_then(|it| it.name().map(str::to_owned)),
            id: by,
            path: file.path.to_string(),
            line: citation.line,
            labels: citation.labels.iter().map(ToString::to_string).collect(),
            result,
        });
    }
    found
}
