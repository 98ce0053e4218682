//! The report of a graph.

use std::collections::BTreeSet;

use super::block::Detail;
use super::{BrokenReference, Item, Report, SuspectLink};
use crate::domain::graph::{ItemKind, NodeKind, TraceGraph};
use crate::domain::parse::EdgeKind;
use crate::domain::review::suspect::{Reviews, Standing, links};
use crate::domain::span::Label;

impl Report {
    /// `links_to` is the way from the page to the project, where links lead somewhere.
    pub(crate) fn of(
        graph: &TraceGraph,
        reviews: &Reviews,
        project: &str,
        links_to: Option<String>,
    ) -> Self {
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
        let mut items: Vec<Item> = graph
            .nodes_by_kind(NodeKind::Requirement)
            .map(|node| {
                let metrics = node.metrics().copied().unwrap_or_default();
                let id = node.id();
                let above = node.iter_incoming_edges().filter(|edge| {
                    edge.node.kind() == NodeKind::Requirement && edge.kind != EdgeKind::Contains
                });
                Item {
                    title: node.title().to_owned(),
                    level: level_of(graph, node.level()),
                    status: node.status().to_owned(),
                    file: node.path().to_owned(),
                    line: node.line() as usize,
                    covered: metrics.covered as usize,
                    assertions: metrics.total as usize,
                    cites_missing: lacking.contains(id.as_str()),
                    suspect: doubtful.contains(id.as_str()),
                    failing: metrics.has_failures,
                    parents: above.map(|edge| edge.node.id()).collect(),
                    id,
                }
            })
            .collect();
        items.sort_by(|one, other| one.id.cmp(&other.id));
        let when = graph.metadata.last_refresh.strftime("%Y-%m-%d %H:%M UTC");
        let subtitle = format!("As the files were read on {when}");
        let levels = graph.config.levels.iter().map(|it| it.name.clone());
        Self {
            project: project.to_owned(),
            subtitle,
            levels: levels.filter(|name| items.iter().any(|it| it.level == *name)).collect(),
            details: items.iter().map(|it| detail(graph, &it.id)).collect(),
            items,
            broken,
            suspect,
            links: links_to,
        }
    }
}

fn detail(graph: &TraceGraph, id: &str) -> Detail {
    let text = graph.get_node(id).map(|it| it.body().replace("\r\n", "\n")).unwrap_or_default();
    let cited =
        graph.citations_of(id).filter(|(cite, _, _)| cite.item.kind != ItemKind::Requirement);
    let cited = cited.map(|(_, file, citation)| {
        let labels: Vec<&str> = citation.labels.iter().map(Label::as_str).collect();
        (citation.kind.as_str(), file.path.to_string(), citation.line, labels.join(" "))
    });
    Detail(text, cited.collect())
}

/// However a level is written, it is one.
fn level_of(graph: &TraceGraph, written: &str) -> String {
    graph.config.level(written).map_or(written, |it| &it.name).to_owned()
}
