//! Words that requirements can be found by: those of titles and assertions that say something.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::LazyLock;

use rayon::prelude::*;

use crate::domain::graph::{Node, NodeKind, TraceGraph};
use crate::error::Error;

/// Enough for one thread to be busy for a while.
const NODES_AT_ONCE: usize = 512;

static STOPWORDS: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| include_str!("../../assets/stopwords.txt").split_whitespace().collect());

/// The words of a text that say something, as they are written.
fn words(text: &str, min_length: usize) -> impl Iterator<Item = &str> {
    text.split(|it: char| !(it.is_alphanumeric() || it == '_' || it == '-'))
        .map(|word| word.trim_matches(['-', '_']))
        .filter(move |word| word.len() >= min_length && word.chars().count() >= min_length.max(1))
        .filter(|word| word.chars().any(char::is_alphabetic))
}

/// A word in small letters, in a place that is used again and again.
fn lower<'b>(word: &str, buffer: &'b mut String) -> &'b str {
    buffer.clear();
    if word.is_ascii() {
        buffer.push_str(word);
        buffer.make_ascii_lowercase();
    } else {
        buffer.push_str(&word.to_lowercase());
    }
    buffer
}

fn assertions<'g>(node: &Node<'g>) -> impl Iterator<Item = Node<'g>> + use<'g> {
    node.iter_children().take_while(|it| it.kind() == NodeKind::Assertion)
}

/// Title and assertions: what keywords are taken from.
fn texts_of<'g>(node: &Node<'g>) -> impl Iterator<Item = &'g str> + use<'g> {
    std::iter::once(node.title()).chain(assertions(node).map(|it| it.body()))
}

/// Every word with how many requirements have it. The graph keeps the answer until it changes.
pub(crate) fn all(graph: &TraceGraph) -> &BTreeMap<String, usize> {
    graph.keywords(|| {
        let nodes: Vec<Node<'_>> = graph.nodes_by_kind(NodeKind::Requirement).collect();
        let counted = nodes.par_chunks(NODES_AT_ONCE).map(|nodes| {
            // With each word, the last requirement that had it: it counts once there.
            let mut counts: HashMap<String, (usize, usize)> = HashMap::new();
            let mut buffer = String::new();
            for (nth, node) in nodes.iter().enumerate() {
                let all = texts_of(node).flat_map(|it| words(it, graph.config.keyword_length));
                for word in all {
                    let word = lower(word, &mut buffer);
                    match counts.get_mut(word) {
                        Some((last, _)) if *last == nth => {}
                        Some((last, count)) => (*last, *count) = (nth, *count + 1),
                        None if STOPWORDS.contains(word) => {}
                        None => drop(counts.insert(word.to_owned(), (nth, 1))),
                    }
                }
            }
            counts
        });
        let mut counts = BTreeMap::new();
        for (word, (_, count)) in counted.collect::<Vec<_>>().into_iter().flatten() {
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
    Ok(fitting(graph, candidates, &wanted, match_all, |node, found| {
        texts_of(node).for_each(found);
    }))
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
    Ok(fitting(graph, candidates, &wanted, match_all, |node, found| found(node.body())))
}

/// Those whose words are the wanted ones: so far they only occur in the text somewhere.
fn fitting<'g>(
    graph: &TraceGraph,
    candidates: Vec<Node<'g>>,
    wanted: &[String],
    match_all: bool,
    texts: impl Fn(&Node<'_>, &mut dyn FnMut(&str)) + Sync,
) -> Vec<Node<'g>> {
    let length = graph.config.keyword_length;
    let fits = |node: &Node<'_>| {
        let mut seen = vec![false; wanted.len()];
        let mut buffer = String::new();
        texts(node, &mut |text| {
            for word in words(text, length) {
                let word = lower(word, &mut buffer);
                for (wanted, seen) in wanted.iter().zip(&mut seen) {
                    *seen |= wanted == word && !STOPWORDS.contains(word);
                }
            }
        });
        if match_all { seen.iter().all(|it| *it) } else { seen.iter().any(|it| *it) }
    };
    candidates.into_par_iter().filter(fits).collect()
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
