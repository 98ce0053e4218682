//! Walks over many nodes: iterative, so that no depth is too deep, and each node is visited once.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet, VecDeque};

use super::{ItemKind, Node, NodeKey, NodeKind, TraceGraph};
use crate::domain::parse::Citation;

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
    let mut seen = Seen::default();
    let mut found = Vec::new();
    let mut waiting: Vec<(usize, Node<'g>)> = roots.iter().rev().map(|it| (0, *it)).collect();
    while let Some((depth, node)) = waiting.pop() {
        if !seen.insert(&node) {
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

/// Nodes that a walk has come to: requirements, which are many, by a bit each.
#[derive(Default)]
struct Seen {
    numbered: Vec<bool>,
    others: HashSet<NodeKey>,
}

impl Seen {
    /// Whether it had not been come to before.
    fn insert(&mut self, node: &Node<'_>) -> bool {
        let Some(number) = node.number() else { return self.others.insert(node.key()) };
        if self.numbered.len() <= number {
            self.numbered.resize((number + 1).next_power_of_two(), false);
        }
        !std::mem::replace(&mut self.numbered[number], true)
    }
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

    /// What the requirement of a number cites, by number.
    fn cited_above(&self, sym: usize) -> Vec<u32> {
        let item = self.index.entries[sym].defined.first().copied();
        let item = item.filter(|item| item.kind == ItemKind::Requirement);
        let file = item.and_then(|item| Some((self.file(item.file)?, item)));
        let cited = file.map_or(&[][..], |(file, item)| file.citations(item));
        let exists = |it: &&Citation| self.cited(it).is_some_and(|item| self.leads_to(item, it));
        cited.iter().filter(exists).filter_map(|it| it.sym.number()).collect()
    }

    /// Groups of requirements that lie above themselves, each in the order of its ids.
    pub(crate) fn cycles(&self) -> Vec<Vec<String>> {
        let entries = &self.index.entries;
        let above: Vec<Vec<u32>> = (0..entries.len()).map(|sym| self.cited_above(sym)).collect();
        let links = in_circles(&above);
        if links.is_empty() {
            return Vec::new();
        }
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

/// The links among those that are not led out of by all their ways: nearly all are, and need no
/// closer look.
fn in_circles(above: &[Vec<u32>]) -> Vec<(usize, usize)> {
    let mut left: Vec<usize> = above.iter().map(Vec::len).collect();
    let mut starts = vec![0_usize; above.len() + 1];
    for to in above.iter().flatten() {
        starts[*to as usize + 1] += 1;
    }
    for at in 1..starts.len() {
        starts[at] += starts[at - 1];
    }
    // Who cites each, one after the other.
    let mut below = vec![0_usize; starts.last().copied().unwrap_or(0)];
    let mut ends = starts.clone();
    for (from, to) in above
        .iter()
        .enumerate()
        .flat_map(|(from, it)| it.iter().map(move |to| (from, *to as usize)))
    {
        below[ends[to]] = from;
        ends[to] += 1;
    }
    let mut done: Vec<usize> = (0..above.len()).filter(|it| left[*it] == 0).collect();
    while let Some(one) = done.pop() {
        for from in &below[starts[one]..starts[one + 1]] {
            left[*from] -= 1;
            if left[*from] == 0 {
                done.push(*from);
            }
        }
    }
    let stays = |it: &usize| left[*it] > 0;
    let links = (0..above.len())
        .filter(stays)
        .flat_map(|from| above[from].iter().map(move |to| (from, *to as usize)));
    links.filter(|(_, to)| stays(to)).collect()
}
