//! Circles in a graph: groups of nodes that can be reached from each other.

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

/// The groups of two and more nodes that reach each other, and the nodes that lead to themselves.
/// Nodes are counted from 0; each group is sorted, and so are the groups.
///
/// It keeps its own stack, so a chain of any length is fine on a small thread.
///
/// ```
/// let circles = mcp_core::circles::of(5, [(0, 1), (1, 0), (1, 2), (3, 3)]);
/// assert_eq!(circles, [vec![0, 1], vec![3]]);
/// ```
pub fn of(nodes: usize, edges: impl IntoIterator<Item = (usize, usize)>) -> Vec<Vec<usize>> {
    let mut graph: DiGraph<(), (), usize> = DiGraph::with_capacity(nodes, 0);
    for _ in 0..nodes {
        graph.add_node(());
    }
    for (from, to) in edges {
        if from < nodes && to < nodes {
            graph.add_edge(NodeIndex::new(from), NodeIndex::new(to), ());
        }
    }
    let is_circle = |group: &Vec<NodeIndex<usize>>| {
        group.len() > 1 || group.first().is_some_and(|it| graph.contains_edge(*it, *it))
    };
    let mut circles: Vec<Vec<usize>> = kosaraju_scc(&graph)
        .into_iter()
        .filter(is_circle)
        .map(|group| {
            let mut group: Vec<usize> = group.into_iter().map(NodeIndex::index).collect();
            group.sort_unstable();
            group
        })
        .collect();
    circles.sort_unstable();
    circles
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_long_chain_needs_no_deep_stack() {
        let deep = std::thread::Builder::new().stack_size(256 * 1024).spawn(|| {
            let count = 200_000;
            let chain = (1..count).map(|it| (it - 1, it));
            assert!(super::of(count, chain.clone()).is_empty());
            assert_eq!(super::of(count, chain.chain([(count - 1, 0)])).len(), 1);
        });
        deep.unwrap().join().unwrap();
    }
}
