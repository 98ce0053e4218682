//! What the report shows of one requirement when somebody opens it.

use std::collections::HashMap;

use super::block::{Assertion, Cited, Detail};
use crate::domain::graph::{File, ItemKind, Node, NodeKind, TraceGraph};
use crate::domain::parse::Citation;
use crate::domain::review::suspect::Reviews;
use crate::domain::span::Label;

/// Lines shown of each citing place, and fewer where there are very many places.
const LINES: usize = 6;
const FEWER_LINES: usize = 3;
const MANY_PLACES: usize = 5_000;
/// A longer line helps nobody, and may be all of a file.
const LINE_CHARS: usize = 160;

pub(super) struct Details<'g> {
    graph: &'g TraceGraph,
    reviews: &'g Reviews,
    lines: usize,
    /// Where the lines of a citing file begin.
    starts: HashMap<&'g str, Vec<usize>>,
}

impl<'g> Details<'g> {
    pub(super) fn of(graph: &'g TraceGraph, reviews: &'g Reviews) -> Self {
        let places = [NodeKind::Code, NodeKind::Test].map(|it| graph.nodes_by_kind(it).len());
        let many = places.into_iter().sum::<usize>() > MANY_PLACES;
        let lines = if many { FEWER_LINES } else { LINES };
        Self { graph, reviews, lines, starts: HashMap::new() }
    }

    pub(super) fn detail(&mut self, node: Node<'g>) -> Detail {
        let id = node.id();
        let body = node.body();
        let asserted = node.iter_children().take_while(|it| it.kind() == NodeKind::Assertion);
        let mut end = 0;
        let assertions = asserted.map(|it| self.assertion(body, &it, &mut end)).collect();
        let graph = self.graph;
        let cited = graph.citations_of(&id).map(|(cite, file, citation)| {
            let by = graph.id_of(cite.item).to_owned();
            let node = match cite.item.kind {
                ItemKind::Requirement => "requirement",
                ItemKind::Journey => "journey",
                ItemKind::Code => "code",
                ItemKind::Test => "test",
            };
            let labels: Vec<&str> = citation.labels.iter().map(Label::as_str).collect();
            let mut cited = Cited {
                kind: citation.kind.as_str(),
                node,
                labels: labels.join(" "),
                by,
                ..Cited::default()
            };
            if node != "requirement" {
                cited.path = file.path.to_string();
                cited.line = citation.line;
                cited.lines = self.excerpt(file, citation);
                cited.result = graph.verdict_of(cite.item).unwrap_or_default();
            }
            if node != "journey" && node != "requirement" {
                let named = graph.node_at(cite.item).and_then(|it| it.name());
                named.unwrap_or_default().clone_into(&mut cited.by);
            }
            cited
        });
        let cited = cited.collect();
        let excepted = self.reviews.exception(&id).unwrap_or_default().to_owned();
        Detail { text: body.replace("\r\n", "\n"), assertions, cited, excepted }
    }

    /// `end` is where the one before it ends, and afterwards where this one does.
    fn assertion(&self, body: &str, node: &Node<'_>, end: &mut i64) -> Assertion {
        let text = node.body();
        // Both are parts of one file, so their addresses say where one stands in the other.
        let before = text.as_ptr().addr().checked_sub(body.as_ptr().addr());
        let before = before.and_then(|at| body.get(..at)).filter(|it| it.len() < body.len());
        let units = |text: &str| text.replace("\r\n", "\n").encode_utf16().count();
        let (start, length) = before.map_or((0, 0), |it| (units(it), units(text)));
        let start = i64::try_from(start).unwrap_or(i64::MAX);
        let gap = start - *end;
        *end = start + i64::try_from(length).unwrap_or(0);
        Assertion {
            label: node.label().map(|it| it.to_string()).unwrap_or_default(),
            gap,
            length,
            retired: node.is_retired(),
            excepted: self.reviews.exception(&node.id()).unwrap_or_default().to_owned(),
        }
    }

    /// The citing line and what follows it.
    fn excerpt(&mut self, file: &'g File, citation: &Citation) -> String {
        let text: &'g str = &file.text;
        let starts = self.starts.entry(&file.path).or_insert_with(|| {
            let breaks = memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1);
            std::iter::once(0).chain(breaks).collect()
        });
        let first = (citation.line as usize).saturating_sub(1);
        let Some(rest) = starts.get(first).and_then(|at| text.get(*at..)) else {
            return String::new();
        };
        let shown: Vec<&str> = rest
            .lines()
            .take(self.lines)
            .map(|line| mcp_core::text::cut(line.trim_end(), LINE_CHARS))
            .collect();
        shown.join("\n").trim_end().to_owned()
    }
}
