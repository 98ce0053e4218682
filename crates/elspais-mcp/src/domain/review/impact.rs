//! What hangs on a requirement, a file or a line of it.

use std::collections::{BTreeSet, HashSet};

use crate::domain::graph::{Edge, Node, NodeKey, NodeKind, TraceGraph};
use crate::error::Error;

/// What is asked about, and what hangs on it.
pub(crate) struct Impact<'g> {
    /// The requirements the question comes down to.
    pub(crate) subjects: Vec<Node<'g>>,
    /// What cites them directly.
    pub(crate) direct: Vec<Node<'g>>,
    /// What cites those in turn.
    pub(crate) further: Vec<Node<'g>>,
    /// Files of all of these.
    pub(crate) files: BTreeSet<String>,
}

/// `what` is an id, a path, or a path with a line: `src/login.rs:12`.
pub(crate) fn impact<'g>(graph: &'g TraceGraph, what: &str) -> Result<Impact<'g>, Error> {
    let what = what.trim();
    let subjects = subjects(graph, what)?;
    // Who names other assertions only has nothing to do with this one.
    let asked = graph.get_node(what).filter(|it| it.kind() == NodeKind::Assertion);
    let label = asked.and_then(|it| it.label());
    let concerns = |edge: &Edge<'_>| {
        let named = &edge.assertion_targets;
        edge.node.kind() != NodeKind::Assertion
            && label.is_none_or(|label| named.is_empty() || named.contains(&label))
    };
    let mut seen: HashSet<NodeKey> = subjects.iter().map(Node::key).collect();
    let mut direct = Vec::new();
    for node in &subjects {
        for edge in node.iter_outgoing_edges().filter(concerns) {
            if seen.insert(edge.node.key()) {
                direct.push(edge.node);
            }
        }
    }
    let mut further = Vec::new();
    let mut waiting: Vec<Node<'g>> = direct.clone();
    while let Some(node) = waiting.pop() {
        for child in node.iter_children().filter(|it| it.kind() != NodeKind::Assertion) {
            if seen.insert(child.key()) {
                further.push(child);
                waiting.push(child);
            }
        }
    }
    further.sort_by_key(Node::place);
    let all = subjects.iter().chain(&direct).chain(&further);
    let files = all.map(|it| it.path().to_owned()).collect();
    Ok(Impact { subjects, direct, further, files })
}

fn subjects<'g>(graph: &'g TraceGraph, what: &str) -> Result<Vec<Node<'g>>, Error> {
    if let Some(node) = graph.get_node(what) {
        return Ok(match node.kind() {
            NodeKind::Requirement => vec![node],
            NodeKind::File => in_file(node, None),
            _ => node.iter_parents().filter(|it| it.kind() == NodeKind::Requirement).collect(),
        });
    }
    let (path, line) = match what.rsplit_once(':') {
        Some((path, line)) if line.parse::<u32>().is_ok() => (path, line.parse().ok()),
        _ => (what, None),
    };
    let Some(node) = graph.get_node(&format!("file:{path}")) else {
        let shown = mcp_core::text::one_line(mcp_core::text::cut(what, 100));
        return Err(Error::refused(
            format!("'{shown}' is neither a node nor a file that was read"),
            "Give the id of a requirement, a path such as `spec/login.md`, or a path with a line such as `src/login.rs:12`.",
        ));
    };
    let length = graph.file_at(path).map_or(0, |(_, file)| file.text.lines().count());
    match line {
        // Of files that cite nothing the text is not kept.
        Some(line) if length > 0 && line as usize > length => Err(Error::refused(
            format!("{path} has {length} lines, so there is no line {line}"),
            "Give a line of the file, or its path alone.",
        )),
        _ => Ok(in_file(node, line)),
    }
}

/// Requirements that a file, or the block at one of its lines, defines or cites.
fn in_file(file: Node<'_>, line: Option<u32>) -> Vec<Node<'_>> {
    let mut inside: Vec<Node<'_>> = file
        .iter_children()
        .filter(|it| !matches!(it.kind(), NodeKind::Remainder | NodeKind::Result))
        .collect();
    if let Some(line) = line {
        inside.sort_by_key(Node::line);
        let at = inside.iter().rposition(|it| it.line() <= line);
        // A comment counts for the lines below it as long as no other one does.
        inside = at.map(|at| vec![inside[at]]).unwrap_or_default();
    }
    let mut found: Vec<Node<'_>> = Vec::new();
    let mut seen = HashSet::new();
    for node in inside {
        let meant: Vec<Node<'_>> = match node.kind() {
            NodeKind::Requirement => vec![node],
            _ => node.iter_parents().filter(|it| it.kind() == NodeKind::Requirement).collect(),
        };
        found.extend(meant.into_iter().filter(|it| seen.insert(it.key())));
    }
    found
}
