//! A whole graph as text: two graphs are the same when their pictures are.

use std::fmt::Write as _;

use crate::domain::graph::{Node, NodeKind, TraceGraph};
use crate::tools::diagnostics;

/// Everything but byte spans, in a fixed order.
pub(crate) fn picture(graph: &TraceGraph) -> String {
    let mut text = String::new();
    for kind in NodeKind::ALL {
        let nodes: Vec<_> = graph.nodes_by_kind(kind).collect();
        assert_eq!(nodes.len(), graph.nodes_by_kind(kind).len(), "{kind:?} are miscounted");
        for node in nodes {
            writeln!(text, "{} {} {}:{}", kind.as_str(), node.id(), node.path(), node.line())
                .unwrap();
            assert!(graph.get_node(&node.id()).is_some(), "{} is not found", node.id());
            writeln!(text, "  {:?} {:?} {:?}", node.title(), node.level(), node.status()).unwrap();
            writeln!(text, "  {:?} {:?} {:?}", node.hash(), node.label(), node.name()).unwrap();
            writeln!(text, "  {:?}", node.body()).unwrap();
            if let Some(metrics) = node.metrics() {
                writeln!(text, "  {metrics:?} root={}", node.is_root()).unwrap();
            }
            for (way, edges) in
                [("->", node.iter_outgoing_edges()), ("<-", node.iter_incoming_edges())]
            {
                for edge in edges {
                    let targets = &edge.assertion_targets;
                    writeln!(text, "  {way} {} {} {targets:?}", edge.kind.as_str(), edge.node.id())
                        .unwrap();
                }
            }
        }
    }
    for file in graph.iter_files() {
        writeln!(text, "{} is {}: {:?}", file.path, file.role.as_str(), file.contents.outcomes)
            .unwrap();
        for journey in &file.contents.journeys {
            let words = [journey.actor, journey.goal].map(|it| it.map(|it| it.of(&file.text)));
            writeln!(text, "  {} {words:?}", journey.id).unwrap();
        }
    }
    let roots: Vec<String> = graph.iter_roots().map(|it| it.id()).collect();
    assert_eq!(roots.len(), graph.root_count());
    writeln!(text, "roots {roots:?}").unwrap();
    let broken = graph.broken_references();
    assert_eq!(broken.len(), graph.totals().broken, "{broken:?}");
    writeln!(text, "broken {broken:#?}").unwrap();
    let orphans: Vec<String> = graph.orphans().iter().map(Node::id).collect();
    assert_eq!(graph.has_orphans(), !orphans.is_empty());
    writeln!(text, "orphans {orphans:?}\nduplicates {:?}", graph.duplicates()).unwrap();
    writeln!(text, "cycles {:?}\n{:?}", graph.cycles(), graph.totals()).unwrap();
    for it in diagnostics(graph) {
        writeln!(text, "{}:{} {} {}", it.path, it.line, it.code, it.message).unwrap();
    }
    text
}
