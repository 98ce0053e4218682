//! Nodes, edges and mutations as callers see them: each out of one node, without walking further.

pub(crate) mod mutation;

use schemars::JsonSchema;
use serde::Serialize;

use crate::domain::graph::{Edge, Node, NodeKind};
use crate::domain::parse::EdgeKind;

/// Longer lists are cut, and say so.
pub(crate) const MAX_LISTED: usize = 500;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct Summary {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) level: String,
    pub(crate) status: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct Brief {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) level: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Full {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) level: String,
    pub(crate) status: String,
    /// As it stands in the footer; null where there is none yet.
    pub(crate) hash: Option<String>,
    /// Whether that hash fits the text; null without a hash.
    pub(crate) hash_matches: Option<bool>,
    /// The text between metadata and footer, as it is on disk.
    pub(crate) body: String,
    pub(crate) assertions: Vec<AssertionOutput>,
    pub(crate) relationships: Relationships,
    pub(crate) metrics: MetricsOutput,
    pub(crate) source: SourceOutput,
    pub(crate) is_root: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct AssertionOutput {
    pub(crate) id: String,
    pub(crate) label: String,
    pub(crate) text: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Relationships {
    /// What cites this requirement: requirements, code, tests, journeys.
    pub(crate) outgoing: Vec<EdgeOutput>,
    /// What this requirement cites.
    pub(crate) incoming: Vec<EdgeOutput>,
    /// How many there are in all, where `outgoing` is cut.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) outgoing_total: Option<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct EdgeOutput {
    /// The node at the other end.
    pub(crate) id: String,
    /// implements, refines, verifies, validates.
    pub(crate) kind: String,
    /// What the node at the other end is.
    pub(crate) node_kind: String,
    /// Labels of the assertions that are meant; empty: the requirement as a whole.
    pub(crate) assertion_targets: Vec<String>,
}

#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub(crate) struct MetricsOutput {
    pub(crate) total_assertions: u32,
    pub(crate) covered_assertions: u32,
    /// Named by code or a test.
    pub(crate) direct_covered: u32,
    /// Named by another requirement.
    pub(crate) explicit_covered: u32,
    /// Covered because another requirement implements the whole.
    pub(crate) inferred_covered: u32,
    pub(crate) coverage_pct: f64,
    pub(crate) tested: u32,
    pub(crate) validated: u32,
    pub(crate) has_failures: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct SourceOutput {
    /// The other repository it lies in, which is only read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) repository: Option<String>,
    /// Relative to the project.
    pub(crate) path: String,
    pub(crate) line: u32,
    /// Bytes of the file it takes up: the first, and the one behind the last.
    pub(crate) span: Vec<u32>,
}

pub(crate) fn serialize_requirement_summary(node: &Node<'_>) -> Summary {
    Summary {
        id: node.id(),
        title: node.title().to_owned(),
        level: node.level().to_owned(),
        status: node.status().to_owned(),
    }
}

/// Without the status, for lists of relatives.
pub(crate) fn serialize_brief(node: &Node<'_>) -> Brief {
    Brief { id: node.id(), title: node.title().to_owned(), level: node.level().to_owned() }
}

pub(crate) fn serialize_requirement_full(node: &Node<'_>) -> Full {
    let citing = || node.iter_outgoing_edges().filter(|edge| edge.kind != EdgeKind::Contains);
    let total = citing().count();
    let assertions = node.iter_children().take_while(|it| it.kind() == NodeKind::Assertion);
    Full {
        id: node.id(),
        title: node.title().to_owned(),
        level: node.level().to_owned(),
        status: node.status().to_owned(),
        hash: node.hash().map(str::to_owned),
        hash_matches: node.hash_matches(),
        body: node.body().to_owned(),
        assertions: assertions
            .map(|it| AssertionOutput {
                id: it.id(),
                label: it.label().map(|it| it.to_string()).unwrap_or_default(),
                text: it.body().to_owned(),
            })
            .collect(),
        relationships: Relationships {
            outgoing: citing().take(MAX_LISTED).map(|edge| serialize_edge(&edge)).collect(),
            incoming: node.iter_incoming_edges().map(|edge| serialize_edge(&edge)).collect(),
            outgoing_total: (total > MAX_LISTED).then_some(total),
        },
        metrics: serialize_metrics(node),
        source: serialize_source(node),
        is_root: node.is_root(),
    }
}

pub(crate) fn serialize_edge(edge: &Edge<'_>) -> EdgeOutput {
    EdgeOutput {
        id: edge.node.id(),
        kind: edge.kind.as_str().to_owned(),
        node_kind: edge.node.kind().as_str().to_owned(),
        assertion_targets: edge.assertion_targets.iter().map(ToString::to_string).collect(),
    }
}

pub(crate) fn serialize_metrics(node: &Node<'_>) -> MetricsOutput {
    let Some(metrics) = node.metrics() else { return MetricsOutput::default() };
    MetricsOutput {
        total_assertions: metrics.total,
        covered_assertions: metrics.covered,
        direct_covered: metrics.direct,
        explicit_covered: metrics.explicit,
        inferred_covered: metrics.inferred,
        coverage_pct: rounded(metrics.coverage_pct()),
        tested: metrics.tested,
        validated: metrics.validated,
        has_failures: metrics.has_failures,
    }
}

pub(crate) fn serialize_source(node: &Node<'_>) -> SourceOutput {
    let path = node.path();
    let span = node.span().map(|span| vec![span.start, span.end]).unwrap_or_default();
    let repository = node.repository().map(str::to_owned);
    SourceOutput { repository, path: path.to_owned(), line: node.line(), span }
}

/// The first of a list, and how many there are where these are not all.
pub(crate) fn first_of<T>(mut items: Vec<T>, most: usize) -> (Vec<T>, Option<usize>) {
    let total = (items.len() > most).then_some(items.len());
    items.truncate(most);
    (items, total)
}

/// Two digits are enough for a share.
pub(crate) fn rounded(percent: f64) -> f64 {
    (percent * 100.0).round() / 100.0
}
