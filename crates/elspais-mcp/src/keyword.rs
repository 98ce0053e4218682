//! Words that requirements can be found by: those of titles and assertions that say something.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::LazyLock;

use crate::error::Error;
use crate::graph::{Node, NodeKind, TraceGraph};

static STOPWORDS: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| include_str!("../assets/stopwords.txt").split_whitespace().collect());

/// The words of a text, in small letters.
fn words(text: &str, min_length: usize) -> BTreeSet<String> {
    text.split(|it: char| !(it.is_alphanumeric() || it == '_' || it == '-'))
        .map(|word| word.trim_matches(['-', '_']).to_lowercase())
        .filter(|word| word.chars().count() >= min_length.max(1))
        .filter(|word| !STOPWORDS.contains(word.as_str()))
        .filter(|word| word.chars().any(char::is_alphabetic))
        .collect()
}

fn field(node: &Node<'_>, name: &str) -> String {
    node.get_field(name).map(std::borrow::Cow::into_owned).unwrap_or_default()
}

fn assertions<'g>(node: &Node<'g>) -> impl Iterator<Item = Node<'g>> + use<'g> {
    node.iter_children().take_while(|it| it.kind() == NodeKind::Assertion)
}

fn words_of(node: &Node<'_>, min_length: usize) -> BTreeSet<String> {
    let mut found = words(&field(node, "title"), min_length);
    for assertion in assertions(node) {
        found.extend(words(&field(&assertion, "text"), min_length));
    }
    found
}

/// Every word with how many requirements have it.
pub(crate) fn all(graph: &TraceGraph) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for node in graph.nodes_by_kind(NodeKind::Requirement) {
        for word in words_of(&node, graph.config.keyword_length) {
            *counts.entry(word).or_default() += 1;
        }
    }
    counts
}

/// Requirements that have all of the words, or any.
pub(crate) fn requirements<'g>(
    graph: &'g TraceGraph,
    keywords: &[String],
    match_all: bool,
) -> Result<Vec<Node<'g>>, Error> {
    find(graph, NodeKind::Requirement, keywords, match_all, words_of)
}

/// The same for single assertions.
pub(crate) fn find_assertions<'g>(
    graph: &'g TraceGraph,
    keywords: &[String],
    match_all: bool,
) -> Result<Vec<Node<'g>>, Error> {
    let words_of = |node: &Node<'_>, length| words(&field(node, "text"), length);
    find(graph, NodeKind::Assertion, keywords, match_all, words_of)
}

fn find<'g>(
    graph: &'g TraceGraph,
    kind: NodeKind,
    keywords: &[String],
    match_all: bool,
    words_of: impl Fn(&Node<'_>, usize) -> BTreeSet<String>,
) -> Result<Vec<Node<'g>>, Error> {
    let wanted = wanted(keywords)?;
    let fits = |node: &Node<'g>| {
        let words = words_of(node, graph.config.keyword_length);
        let mut found = wanted.iter().map(|it| words.contains(it));
        if match_all { found.all(|it| it) } else { found.any(|it| it) }
    };
    Ok(graph.nodes_by_kind(kind).filter(fits).collect())
}

fn wanted(keywords: &[String]) -> Result<Vec<String>, Error> {
    let wanted: Vec<String> =
        keywords.iter().map(|it| it.trim().to_lowercase()).filter(|it| !it.is_empty()).collect();
    if wanted.is_empty() {
        return Err(Error::search(
            "no keyword is given",
            "Give a list of single words, such as [\"login\"]; get_all_keywords lists those there are.",
        ));
    }
    Ok(wanted)
}
