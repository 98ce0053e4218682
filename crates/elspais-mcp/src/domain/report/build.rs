//! The report of a graph.

use std::collections::BTreeSet;

use super::detail::Details;
use super::{BrokenReference, Item, Report, Shown, SuspectLink};
use crate::domain::check::excepted;
use crate::domain::graph::{ItemKind, Node, NodeKind, TraceGraph};
use crate::domain::parse::EdgeKind;
use crate::domain::review::suspect::{Reviews, Standing, links};
use crate::domain::span::Label;

impl Report {
    pub(crate) fn of(graph: &TraceGraph, reviews: &Reviews, project: &str, shown: Shown) -> Self {
        let broken: Vec<BrokenReference> = graph
            .broken_references()
            .into_iter()
            .map(|it| BrokenReference {
                from: it.source_id,
                target: it.target_id,
                kind: it.kind.as_str().to_owned(),
                file: it.path,
                line: it.line as usize,
            })
            .collect();
        let suspect: Vec<SuspectLink> = links(graph, reviews)
            .into_iter()
            .filter(|link| link.standing == Standing::Suspect)
            .map(|link| SuspectLink {
                from: link.source_id,
                why: format!("the text of {} changed since the link was reviewed", link.target_id),
                target: link.target_id,
            })
            .collect();
        let lacking: BTreeSet<&str> = broken.iter().map(|it| it.from.as_str()).collect();
        let doubtful: BTreeSet<&str> = suspect.iter().map(|it| it.from.as_str()).collect();
        let any_excepted = reviews.exceptions().next().is_some();
        let mut nodes: Vec<(String, Node<'_>)> =
            graph.nodes_by_kind(NodeKind::Requirement).map(|node| (node.id(), node)).collect();
        nodes.sort_by(|one, other| one.0.cmp(&other.0));
        let items: Vec<Item> = nodes
            .iter()
            .map(|(id, node)| {
                let mut item = item(graph, reviews, node, id);
                if any_excepted {
                    item.excepted = excepted(graph, reviews, node);
                }
                item.cites_missing = lacking.contains(id.as_str());
                item.suspect = doubtful.contains(id.as_str());
                item
            })
            .collect();
        let when = graph.metadata.last_refresh.strftime("%Y-%m-%d %H:%M UTC");
        let levels = graph.config.levels.iter().map(|it| it.name.clone());
        let mut opened = Details::of(graph, reviews);
        let details = match shown {
            Shown::File(_) => nodes.iter().map(|(_, node)| opened.detail(*node)).collect(),
            Shown::Client => Vec::new(),
        };
        Self {
            project: project.to_owned(),
            subtitle: format!("As the files were read on {when}"),
            levels: levels.filter(|name| items.iter().any(|it| it.level == *name)).collect(),
            details,
            items,
            broken,
            suspect,
            changed: Vec::new(),
            since: None,
            shown,
        }
    }
}

fn item(graph: &TraceGraph, reviews: &Reviews, node: &Node<'_>, id: &str) -> Item {
    let metrics = node.metrics().copied().unwrap_or_default();
    let above = node.iter_incoming_edges().filter(|edge| {
        edge.node.kind() == NodeKind::Requirement && edge.kind != EdgeKind::Contains
    });
    let mut item = Item {
        title: node.title().to_owned(),
        level: level_of(graph, node.level()),
        status: node.status().to_owned(),
        file: node.path().to_owned(),
        line: node.line() as usize,
        covered: metrics.covered as usize,
        assertions: metrics.total as usize,
        failing: metrics.has_failures,
        parents: above.map(|edge| edge.node.id()).collect(),
        id: id.to_owned(),
        ..Item::default()
    };
    let mut seen = BTreeSet::new();
    for (cite, _, citation) in graph.citations_of(id).filter(|(_, _, it)| it.kind.covers()) {
        if !seen.insert((cite.item, citation.line)) {
            continue;
        }
        match cite.item.kind {
            ItemKind::Code => item.code += 1,
            ItemKind::Test | ItemKind::Journey => item.tests += 1,
            ItemKind::Requirement => {}
        }
        match graph.verdict_of(cite.item) {
            Some("passed") => item.passed += 1,
            Some("failed") => item.failed += 1,
            _ => {}
        }
    }
    if metrics.covered > 0 && metrics.covered < metrics.total {
        item.gaps = gaps(graph, reviews, node, id);
    }
    item
}

/// Labels that nothing covers, though something should.
fn gaps(graph: &TraceGraph, reviews: &Reviews, node: &Node<'_>, id: &str) -> String {
    let covered: BTreeSet<Label> =
        graph.coverage_sources(id).into_iter().map(|it| it.label).collect();
    let labels = node
        .iter_children()
        .take_while(|it| it.kind() == NodeKind::Assertion)
        .filter(|it| !it.is_retired() && reviews.exception(&it.id()).is_none())
        .filter_map(|it| it.label())
        .filter(|it| !covered.contains(it));
    labels.map(|it| it.to_string()).collect::<Vec<_>>().join(" ")
}

/// However a level is written, it is one.
fn level_of(graph: &TraceGraph, written: &str) -> String {
    graph.config.level(written).map_or(written, |it| &it.name).to_owned()
}
