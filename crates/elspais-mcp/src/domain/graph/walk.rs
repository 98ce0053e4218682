//! Walks over many nodes: iterative, so that no depth is too deep, and each node is visited once.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet, VecDeque};

use super::{ItemKind, Node, NodeKey, NodeKind, TraceGraph};

/// All requirements above a node, nearest first.
pub(crate) fn ancestors(node: Node<'_>) -> Vec<Node<'_>> {
    let mut seen: HashSet<NodeKey> = HashSet::from([node.key()]);
    let mut found = Vec::new();
    let mut waiting = VecDeque::from([node]);
    while let Some(node) = waiting.pop_front() {
        for parent in node.iter_parents() {
            if parent.kind() == NodeKind::Requirement && seen.insert(parent.key()) {
                found.push(parent);
                waiting.push_back(parent);
            }
        }
    }
    found
}

/// Nodes and the requirements below them, or everything, with depths, in the order of a walk through
/// the tree; each once.
pub(crate) fn descendants<'g>(
    roots: &[Node<'g>],
    max_depth: usize,
    everything: bool,
) -> Vec<(usize, Node<'g>)> {
    let mut seen: HashSet<NodeKey> = HashSet::new();
    let mut found = Vec::new();
    let mut waiting: Vec<(usize, Node<'g>)> = roots.iter().rev().map(|it| (0, *it)).collect();
    while let Some((depth, node)) = waiting.pop() {
        if !seen.insert(node.key()) {
            continue;
        }
        found.push((depth, node));
        if depth < max_depth {
            let from = waiting.len();
            if everything {
                waiting.extend(node.iter_children().map(|child| (depth + 1, child)));
            } else {
                waiting.extend(node.requirements_below().map(|child| (depth + 1, child)));
            }
            waiting[from..].reverse();
        }
    }
    found
}

/// The other requirements below the parents of a node, by place.
pub(crate) fn siblings(node: Node<'_>) -> Vec<Node<'_>> {
    let mut seen: HashSet<NodeKey> = HashSet::from([node.key()]);
    let mut found = Vec::new();
    for parent in node.iter_parents() {
        if parent.kind() != NodeKind::Requirement {
            continue;
        }
        for child in parent.iter_children() {
            if child.kind() == NodeKind::Requirement && seen.insert(child.key()) {
                found.push(child);
            }
        }
    }
    found
}

impl TraceGraph {
    /// A way from a requirement up to itself, if there is one: its ids in order.
    pub(crate) fn cycle_through(&self, id: &str) -> Option<Vec<String>> {
        let start = self.get_node(id)?;
        // Each node with the one it was reached from.
        let mut came_from: HashMap<NodeKey, Node<'_>> = HashMap::new();
        let mut waiting = VecDeque::from([start]);
        while let Some(node) = waiting.pop_front() {
            for parent in node.iter_parents().filter(|it| it.kind() == NodeKind::Requirement) {
                if parent.key() == start.key() {
                    let mut way = vec![parent.id(), node.id()];
                    let mut at = node;
                    while at.key() != start.key() {
                        let Some(before) = came_from.get(&at.key()) else { break };
                        at = *before;
                        way.push(at.id());
                    }
                    way.reverse();
                    return Some(way);
                }
                if let Entry::Vacant(place) = came_from.entry(parent.key()) {
                    place.insert(node);
                    waiting.push_back(parent);
                }
            }
        }
        None
    }

    /// Groups of requirements that lie above themselves, each in the order of its ids.
    pub(crate) fn cycles(&self) -> Vec<Vec<String>> {
        let entries = &self.index.entries;
        let links = entries.iter().enumerate().flat_map(|(sym, entry)| {
            let item = entry.defined.first().copied();
            let item = item.filter(|item| item.kind == ItemKind::Requirement);
            let cited = item.and_then(|item| Some(self.file(item.file)?.citations(item)));
            cited.unwrap_or_default().iter().filter_map(move |citation| {
                let above = *self.index.by_id.get(&*citation.target)?;
                let item = self.definition(above)?;
                self.leads_to(item, citation).then_some((sym, above as usize))
            })
        });
        let mut named: Vec<Vec<String>> = mcp_core::circles::of(entries.len(), links)
            .into_iter()
            .map(|group| {
                let mut ids: Vec<String> =
                    group.into_iter().map(|sym| entries[sym].id.to_string()).collect();
                ids.sort();
                ids
            })
            .collect();
        named.sort();
        named
    }
}
