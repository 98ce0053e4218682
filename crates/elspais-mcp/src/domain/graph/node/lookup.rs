//! Nodes by id, and all nodes of a kind.

use super::super::{File, TraceGraph};
use super::{At, Node, NodeKind};
use crate::domain::parse::EdgeKind;

impl Node<'_> {
    /// The number of a requirement or a journey whose definition counts.
    pub(in crate::domain::graph) fn number(&self) -> Option<usize> {
        Some(self.graph.sym_of(self.item()?)? as usize)
    }
}

/// All nodes of a kind; made lazily, counted beforehand.
pub(crate) struct Nodes<'g> {
    nodes: Box<dyn Iterator<Item = Node<'g>> + 'g>,
    left: usize,
}

impl<'g> Nodes<'g> {
    pub(in crate::domain::graph) fn new(
        graph: &'g TraceGraph,
        kind: NodeKind,
        count: usize,
    ) -> Self {
        let files = graph.by_path.values().copied();
        let nodes: Box<dyn Iterator<Item = Node<'g>> + 'g> = match kind {
            NodeKind::File => Box::new(files.map(move |idx| Node { graph, at: At::File(idx) })),
            NodeKind::Assertion => {
                Box::new(Self::new(graph, NodeKind::Requirement, 0).nodes.flat_map(|node| {
                    node.iter_children().filter(|it| it.kind() == NodeKind::Assertion)
                }))
            }
            _ => Box::new(
                files
                    .flat_map(move |idx| Node { graph, at: At::File(idx) }.iter_children())
                    .filter(move |node| node.kind() == kind),
            ),
        };
        Self { nodes, left: count }
    }
}

impl<'g> Iterator for Nodes<'g> {
    type Item = Node<'g>;

    fn next(&mut self) -> Option<Node<'g>> {
        let next = self.nodes.next();
        if next.is_some() {
            self.left = self.left.saturating_sub(1);
        }
        next
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Nodes<'_> {}

pub(in crate::domain::graph) fn find<'g>(graph: &'g TraceGraph, id: &str) -> Option<Node<'g>> {
    if let Some(item) = graph.definition_of(id) {
        return Node::of_item(graph, item);
    }
    if let Some((prefix, rest)) = id.split_once(':')
        && let Some(node) = find_by_place(graph, prefix, rest, id)
    {
        return Some(node);
    }
    // `A::B`: what A makes of the template B, which is what B says.
    if let Some((by, template)) = id.split_once("::") {
        let declares = find(graph, by)?
            .iter_incoming_edges()
            .any(|edge| edge.kind == EdgeKind::Satisfies && template.starts_with(&edge.node.id()));
        return find(graph, template).filter(|_| declares && !template.contains("::"));
    }
    // An assertion: the requirement's id with a label behind it.
    let reference = graph.grammar.reference(id).filter(|it| it.length == id.len())?;
    let [label] = reference.labels[..] else {
        // Another spelling of an id that exists.
        let item =
            graph.definition_of(&reference.id.canonical).filter(|_| reference.labels.is_empty())?;
        return Node::of_item(graph, item);
    };
    let item = graph.definition_of(&reference.id.canonical)?;
    let nth = graph.requirement(item)?.assertions.iter().position(|it| it.label == label)?;
    Some(Node { graph, at: At::Assertion(item, u32::try_from(nth).ok()?) })
}

fn find_by_place<'g>(
    graph: &'g TraceGraph,
    prefix: &str,
    rest: &str,
    id: &str,
) -> Option<Node<'g>> {
    let in_file = |path: &str, at: &dyn Fn(u32, &File) -> Option<At>| {
        let (idx, file) = graph.file_at(path)?;
        Some(Node { graph, at: at(idx, file)? })
    };
    let numbered =
        || rest.rsplit_once(':').and_then(|(path, n)| Some((path, n.parse::<u32>().ok()?)));
    match prefix {
        "file" => in_file(rest, &|idx, _| Some(At::File(idx))),
        "code" | "test" => {
            let path = match rest.split_once("::") {
                Some((path, _)) => path,
                None => rest.rsplit_once(':')?.0,
            };
            in_file(path, &|idx, file| {
                file.items(idx).find(|item| file.id_of(*item) == id).map(At::Item)
            })
        }
        "result" => {
            let (path, n) = numbered()?;
            in_file(path, &|idx, file| {
                let nth = n.checked_sub(1)?;
                file.contents.outcomes.get(nth as usize)?;
                Some(At::Outcome(idx, nth))
            })
        }
        "rem" => {
            let (path, line) = numbered()?;
            in_file(path, &|idx, file| {
                let nth = file.contents.remainders.iter().position(|it| it.line == line)?;
                Some(At::Remainder(idx, u32::try_from(nth).ok()?))
            })
        }
        _ => None,
    }
}
