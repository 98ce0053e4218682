//! Walks over many nodes: iterative, so that no depth is too deep, and blind to what was seen.

use std::collections::{HashMap, HashSet, VecDeque};

use super::{ItemKind, Node, NodeKind, TraceGraph};

/// All requirements above a node, nearest first.
pub(crate) fn ancestors(node: Node<'_>) -> Vec<Node<'_>> {
    let mut seen: HashSet<String> = HashSet::from([node.id()]);
    let mut found = Vec::new();
    let mut waiting = VecDeque::from([node]);
    while let Some(node) = waiting.pop_front() {
        for parent in node.iter_parents() {
            if parent.kind() == NodeKind::Requirement && seen.insert(parent.id()) {
                found.push(parent);
                waiting.push_back(parent);
            }
        }
    }
    found
}

/// Nodes and everything below them with depths, in the order of a walk through the tree; each once.
pub(crate) fn descendants<'g>(
    roots: &[Node<'g>],
    max_depth: usize,
    wanted: impl Fn(&Node<'g>) -> bool,
) -> Vec<(usize, Node<'g>)> {
    let mut seen: HashSet<String> = HashSet::new();
    let mut found = Vec::new();
    let mut waiting: Vec<(usize, Node<'g>)> = roots.iter().rev().map(|it| (0, *it)).collect();
    while let Some((depth, node)) = waiting.pop() {
        if !seen.insert(node.id()) {
            continue;
        }
        found.push((depth, node));
        if depth < max_depth {
            let mut children: Vec<Node<'g>> =
                node.iter_children().filter(|it| wanted(it)).collect();
            children.reverse();
            waiting.extend(children.into_iter().map(|child| (depth + 1, child)));
        }
    }
    found
}

/// The other requirements below the parents of a node, by place.
pub(crate) fn siblings(node: Node<'_>) -> Vec<Node<'_>> {
    let mut seen: HashSet<String> = HashSet::from([node.id()]);
    let mut found = Vec::new();
    for parent in node.iter_parents() {
        if parent.kind() != NodeKind::Requirement {
            continue;
        }
        for child in parent.iter_children() {
            if child.kind() == NodeKind::Requirement && seen.insert(child.id()) {
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
        let mut came_from: HashMap<String, String> = HashMap::new();
        let mut waiting = VecDeque::from([start]);
        while let Some(node) = waiting.pop_front() {
            let here = node.id();
            for parent in node.iter_parents().filter(|it| it.kind() == NodeKind::Requirement) {
                let there = parent.id();
                if there == id {
                    let mut path = vec![there, here.clone()];
                    let mut at = here.clone();
                    while at != id {
                        let Some(before) = came_from.get(&at) else { break };
                        at.clone_from(before);
                        path.push(at.clone());
                    }
                    if path.last().is_some_and(|last| last != id) {
                        path.push(id.to_owned());
                    }
                    path.reverse();
                    return Some(path);
                }
                if let std::collections::hash_map::Entry::Vacant(e) = came_from.entry(there) {
                    e.insert(here.clone());
                    waiting.push_back(parent);
                }
            }
        }
        None
    }

    /// Groups of requirements that lie above themselves, each in the order of its ids.
    pub(crate) fn cycles(&self) -> Vec<Vec<String>> {
        let entries = &self.index.entries;
        let parents: Vec<Vec<usize>> = (0..entries.len())
            .map(|sym| {
                let item = entries[sym].defined.first().copied();
                let item = item.filter(|item| item.kind == ItemKind::Requirement);
                let cited = item.and_then(|item| Some(self.file(item.file)?.citations(item)));
                let above = cited.unwrap_or_default().iter().filter_map(|citation| {
                    self.resolve(citation).0?;
                    self.index.by_id.get(&*citation.target).map(|sym| *sym as usize)
                });
                above.collect()
            })
            .collect();
        let mut groups = components(&parents);
        groups.retain(|group| group.len() > 1 || parents[group[0]].contains(&group[0]));
        let mut named: Vec<Vec<String>> = groups
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

/// Strongly connected components, after Tarjan, with a stack of our own.
fn components(next: &[Vec<usize>]) -> Vec<Vec<usize>> {
    const UNSEEN: usize = usize::MAX;
    let mut order = vec![UNSEEN; next.len()];
    let mut low = vec![0; next.len()];
    let mut is_open = vec![false; next.len()];
    let (mut open, mut found, mut count) = (Vec::new(), Vec::new(), 0);
    for start in 0..next.len() {
        if order[start] != UNSEEN {
            continue;
        }
        let mut path: Vec<(usize, usize)> = vec![(start, 0)];
        while let Some((node, step)) = path.pop() {
            if step == 0 {
                order[node] = count;
                low[node] = count;
                count += 1;
                open.push(node);
                is_open[node] = true;
            }
            if let Some(child) = next[node].get(step) {
                path.push((node, step + 1));
                if order[*child] == UNSEEN {
                    path.push((*child, 0));
                } else if is_open[*child] {
                    low[node] = low[node].min(order[*child]);
                }
                continue;
            }
            if low[node] == order[node] {
                let mut group = Vec::new();
                while let Some(member) = open.pop() {
                    is_open[member] = false;
                    group.push(member);
                    if member == node {
                        break;
                    }
                }
                found.push(group);
            }
            if let Some((above, _)) = path.last() {
                low[*above] = low[*above].min(low[node]);
            }
        }
    }
    found
}
