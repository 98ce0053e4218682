//! Words that requirements can be found by: those of titles and assertions that say something.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::LazyLock;

use rayon::prelude::*;

use crate::domain::graph::{Node, NodeKind, TraceGraph};
use crate::error::Error;

/// Enough for one thread to be busy for a while.
const NODES_AT_ONCE: usize = 512;

static STOPWORDS: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| include_str!("../../assets/stopwords.txt").split_whitespace().collect());

/// The words of a text, in small letters.
fn words(text: &str, min_length: usize) -> BTreeSet<String> {
    text.split(|it: char| !(it.is_alphanumeric() || it == '_' || it == '-'))
        .map(|word| word.trim_matches(['-', '_']).to_lowercase())
        .filter(|word| word.chars().count() >= min_length.max(1))
        .filter(|word| !STOPWORDS.contains(word.as_str()))
        .filter(|word| word.chars().any(char::is_alphabetic))
        .collect()
}

fn assertions<'g>(node: &Node<'g>) -> impl Iterator<Item = Node<'g>> + use<'g> {
    node.iter_children().take_while(|it| it.kind() == NodeKind::Assertion)
}

fn words_of(node: &Node<'_>, min_length: usize) -> BTreeSet<String> {
    let mut found = words(node.title(), min_length);
    for assertion in assertions(node) {
        found.extend(words(assertion.body(), min_length));
    }
    found
}

/// Every word with how many requirements have it. The graph keeps the answer until it changes.
pub(crate) fn all(graph: &TraceGraph) -> &BTreeMap<String, usize> {
    graph.keywords(|| {
        let nodes: Vec<Node<'_>> = graph.nodes_by_kind(NodeKind::Requirement).collect();
        let counted = nodes.par_chunks(NODES_AT_ONCE).map(|nodes| {
            let mut counts: HashMap<String, usize> = HashMap::new();
            for word in nodes.iter().flat_map(|it| words_of(it, graph.config.keyword_length)) {
                *counts.entry(word).or_default() += 1;
            }
            counts
        });
        let mut counts = BTreeMap::new();
        for (word, count) in counted.collect::<Vec<_>>().into_iter().flatten() {
            *counts.entry(word).or_default() += count;
        }
        counts
    })
}

/// Requirements that have all of the words, or any.
pub(crate) fn requirements<'g>(
    graph: &'g TraceGraph,
    keywords: &[String],
    match_all: bool,
) -> Result<Vec<Node<'g>>, Error> {
    let wanted = wanted(keywords)?;
    let candidates = graph.requirements_holding(&wanted, match_all);
    Ok(fitting(graph, candidates, &wanted, match_all, words_of))
}

/// Single assertions that have all of the words, or any.
pub(crate) fn find_assertions<'g>(
    graph: &'g TraceGraph,
    keywords: &[String],
    match_all: bool,
) -> Result<Vec<Node<'g>>, Error> {
    let wanted = wanted(keywords)?;
    // All words of an assertion stand in its requirement, too.
    let candidates = graph.requirements_holding(&wanted, match_all);
    let candidates = candidates.iter().flat_map(assertions).collect();
    let words_of = |node: &Node<'_>, length| words(node.body(), length);
    Ok(fitting(graph, candidates, &wanted, match_all, words_of))
}

/// Those whose words are the wanted ones: so far they only occur in the text somewhere.
fn fitting<'g>(
    graph: &TraceGraph,
    mut candidates: Vec<Node<'g>>,
    wanted: &[String],
    match_all: bool,
    words_of: impl Fn(&Node<'_>, usize) -> BTreeSet<String>,
) -> Vec<Node<'g>> {
    candidates.retain(|node| {
        let words = words_of(node, graph.config.keyword_length);
        let mut found = wanted.iter().map(|it| words.contains(it));
        if match_all { found.all(|it| it) } else { found.any(|it| it) }
    });
    candidates
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
