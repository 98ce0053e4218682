//! Links to look at again: the text behind them changed since somebody last agreed to them.
//!
//! What was agreed to lies in a small file that is committed with the project, one line per link,
//! so that it merges well: who cites, what is cited, and a fingerprint of the text that was seen.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use crate::domain::graph::{Node, NodeKind, TraceGraph};
use crate::domain::hash::fingerprint;
use crate::domain::parse::EdgeKind;
use crate::error::Error;

pub(crate) const REVIEWS_FILE: &str = ".elspais-reviews";
const HEADING: &str =
    "# Links that were reviewed, with a fingerprint of the text they were reviewed against.";

/// What cites, in the order in which links are listed.
const KINDS: [NodeKind; 4] =
    [NodeKind::Requirement, NodeKind::Journey, NodeKind::Code, NodeKind::Test];

/// In place of a source: what is cited is deliberately not implemented, and the last field says why.
const NOT_IMPLEMENTED: &str = "not-implemented";

/// What people decided about a project, beside its files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Reviews {
    /// Links that were agreed to: who cites what, and the text then.
    links: BTreeMap<(String, String), String>,
    /// Assertions that are deliberately not implemented, each with the reason.
    exceptions: BTreeMap<String, String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Standing {
    /// The text changed since.
    Suspect,
    /// Nobody has agreed to it yet.
    Unreviewed,
    Reviewed,
}

impl Standing {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Suspect => "suspect",
            Self::Unreviewed => "unreviewed",
            Self::Reviewed => "reviewed",
        }
    }
}

/// One link to one target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) source_id: String,
    /// A requirement, or one assertion of it.
    pub(crate) target_id: String,
    pub(crate) kind: &'static str,
    pub(crate) standing: Standing,
    pub(crate) path: String,
    pub(crate) line: u32,
    key: (String, String),
}

impl Reviews {
    pub(crate) fn parse(text: &str) -> Result<Self, Error> {
        let mut reviews = Self::default();
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let parts: Vec<&str> = line.split('\t').collect();
            let [source, target, seen] = parts[..] else {
                return Err(Error::refused(
                    format!("{REVIEWS_FILE} line {} cannot be read", index + 1),
                    "Each line is a source, a target and a fingerprint, separated by tabs; restore the file from git or remove the line.",
                ));
            };
            if source == NOT_IMPLEMENTED {
                reviews.exceptions.insert(target.to_owned(), seen.to_owned());
            } else {
                reviews.links.insert((source.to_owned(), target.to_owned()), seen.to_owned());
            }
        }
        Ok(reviews)
    }

    /// Why an assertion is deliberately not implemented, where it is.
    pub(crate) fn exception(&self, id: &str) -> Option<&str> {
        self.exceptions.get(id).map(String::as_str)
    }

    pub(crate) fn exceptions(&self) -> impl Iterator<Item = (&str, &str)> {
        self.exceptions.iter().map(|(id, reason)| (id.as_str(), reason.as_str()))
    }

    /// Notes that an assertion is deliberately not implemented, or takes that back; returns the
    /// reason that stood there.
    pub(crate) fn except(&mut self, id: &str, reason: Option<&str>) -> Option<String> {
        match reason {
            Some(reason) => self.exceptions.insert(id.to_owned(), reason.to_owned()),
            None => self.exceptions.remove(id),
        }
    }

    pub(crate) fn render(&self) -> String {
        let row = |source: &str, target: &str, seen: &str| format!("{source}\t{target}\t{seen}\n");
        let links = self.links.iter().map(|((source, target), seen)| row(source, target, seen));
        let exceptions =
            self.exceptions.iter().map(|(id, reason)| row(NOT_IMPLEMENTED, id, reason));
        std::iter::once(format!("{HEADING}\n")).chain(links).chain(exceptions).collect()
    }

    /// Ids have become others: what was looked at under the old ones was looked at all the same.
    pub(crate) fn follow(&mut self, renames: &[(&str, &str)]) {
        let now = |id: &str| {
            let renamed = renames.iter().find_map(|(old, new)| {
                let rest = id.strip_prefix(old)?;
                // `REQ-d00001-A` goes with `REQ-d00001`, `REQ-d000012` does not.
                let is_whole = !rest.starts_with(|it: char| it.is_alphanumeric());
                is_whole.then(|| format!("{new}{rest}"))
            });
            renamed.unwrap_or_else(|| id.to_owned())
        };
        let source_now = |source: &str| {
            // Names of tests hold ids as identifiers.
            let Some(test) = source.strip_prefix("test:") else { return now(source) };
            let named = renames.iter().fold(test.to_owned(), |name, (old, new)| {
                name.replace(&old.replace('-', "_"), &new.replace('-', "_"))
            });
            format!("test:{named}")
        };
        let exceptions = std::mem::take(&mut self.exceptions).into_iter();
        self.exceptions = exceptions.map(|(id, reason)| (now(&id), reason)).collect();
        let reviews = std::mem::take(&mut self.links).into_iter();
        self.links = reviews
            .map(|((source, target), seen)| ((source_now(&source), now(&target)), seen))
            .collect();
    }

    /// Notes that these links were looked at, as they are now, and forgets links that are gone.
    pub(crate) fn agree(&mut self, graph: &TraceGraph, to: &[&Link], all: &[Link]) {
        let there: BTreeSet<&(String, String)> = all.iter().map(|link| &link.key).collect();
        self.links.retain(|key, _| there.contains(key));
        for link in to {
            let seen = graph.get_node(&link.target_id).map(|it| seen_text(&it));
            self.links.insert(link.key.clone(), seen.unwrap_or_default());
        }
    }
}

/// Every link of the graph with how it stands, by source.
pub(crate) fn links(graph: &TraceGraph, reviews: &Reviews) -> Vec<Link> {
    let nodes: Vec<Node<'_>> =
        KINDS.into_iter().flat_map(|kind| graph.nodes_by_kind(kind)).collect();
    nodes.par_iter().flat_map_iter(|node| links_of(graph, reviews, node)).collect()
}

/// The links that were ever agreed to, in the same order. How many others there are the graph
/// knows without looking.
pub(crate) fn agreed_links(graph: &TraceGraph, reviews: &Reviews) -> Vec<Link> {
    let targets: BTreeSet<&str> = reviews.links.keys().map(|(_, target)| target.as_str()).collect();
    let mut citing: BTreeMap<(usize, String, u32, String), Node<'_>> = BTreeMap::new();
    for target in targets.into_iter().filter_map(|id| graph.get_node(id)) {
        let owner = match target.kind() {
            NodeKind::Assertion => target.iter_parents().next(),
            _ => Some(target),
        };
        let edges = owner.into_iter().flat_map(|it| it.iter_outgoing_edges());
        for edge in edges.filter(|edge| edge.kind != EdgeKind::Contains) {
            let node = edge.node;
            let Some(rank) = KINDS.iter().position(|it| *it == node.kind()) else { continue };
            citing.insert((rank, node.path().to_owned(), node.line(), node.id()), node);
        }
    }
    let links = citing.values().flat_map(|node| links_of(graph, reviews, node));
    links.filter(|it| it.standing != Standing::Unreviewed).collect()
}

fn links_of(graph: &TraceGraph, reviews: &Reviews, node: &Node<'_>) -> Vec<Link> {
    let mut found = Vec::new();
    for edge in node.iter_incoming_edges().filter(|edge| edge.kind != EdgeKind::Contains) {
        for target in targets(graph, &edge.node, &edge.assertion_targets) {
            let target_id = target.id();
            let key = (lasting_name(node), target_id.clone());
            let standing = match reviews.links.get(&key) {
                None => Standing::Unreviewed,
                Some(then) if *then == seen_text(&target) => Standing::Reviewed,
                Some(_) => Standing::Suspect,
            };
            found.push(Link {
                source_id: node.id(),
                target_id,
                kind: edge.kind.as_str(),
                standing,
                path: node.path().to_owned(),
                line: node.line(),
                key,
            });
        }
    }
    found
}

/// Each target of an edge: the assertions it names, or else the requirement.
fn targets<'g>(
    graph: &'g TraceGraph,
    node: &Node<'g>,
    labels: &[crate::domain::span::Label],
) -> Vec<Node<'g>> {
    if labels.is_empty() {
        return vec![*node];
    }
    let id = node.id();
    let assertion = |label| graph.get_node(&graph.grammar.assertion_id(&id, label));
    labels.iter().filter_map(|label| assertion(*label)).collect()
}

/// A fingerprint of what a reviewer of a link sees at its end.
fn seen_text(node: &Node<'_>) -> String {
    if node.kind() == NodeKind::Assertion {
        return fingerprint(node.body());
    }
    let assertions = node.iter_children().take_while(|it| it.kind() == NodeKind::Assertion);
    let assertions: Vec<&str> = assertions.map(|it| it.body()).collect();
    if assertions.is_empty() {
        fingerprint(node.body())
    } else {
        fingerprint(&assertions.join("\n"))
    }
}

/// A name that stays when lines move: code goes by its function.
fn lasting_name(node: &Node<'_>) -> String {
    match node.kind() {
        NodeKind::Code => {
            format!("code:{}::{}", node.path(), node.name().unwrap_or_default())
        }
        NodeKind::Test if node.name().is_none() => format!("test:{}", node.path()),
        _ => node.id(),
    }
}
