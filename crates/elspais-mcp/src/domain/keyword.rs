//! Words that requirements can be found by: those of titles and assertions that say something.

use std::collections::{BTreeMap, HashSet};
use std::sync::LazyLock;

use crate::domain::graph::{Node, NodeKind, TraceGraph};
use crate::error::Error;

/// As many words as a mask has bits.
const MAX_WANTED: usize = 64;

static STOPWORDS: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| include_str!("../../assets/stopwords.txt").split_whitespace().collect());

/// A word in small letters, where it says something.
fn telling(word: &str, min_length: usize) -> Option<String> {
    let is_long = word.len() >= min_length && word.chars().count() >= min_length.max(1);
    if !is_long || !word.chars().any(char::is_alphabetic) {
        return None;
    }
    let word = word.to_lowercase();
    (!STOPWORDS.contains(word.as_str())).then_some(word)
}

/// Every word with how many requirements have it.
pub(crate) fn all(graph: &TraceGraph) -> BTreeMap<String, usize> {
    let words = graph.words();
    let length = graph.config.keyword_length;
    let vocabulary = words.vocabulary().words();
    // What differs in the case of letters that are not ASCII has several numbers and is one word.
    let mut told: BTreeMap<String, usize> = BTreeMap::new();
    let one: Vec<Option<usize>> = vocabulary
        .iter()
        .map(|word| {
            let next = told.len();
            Some(*told.entry(telling(word, length)?).or_insert(next))
        })
        .collect();
    let counts = words.count(&one, told.len());
    let counted = told.into_iter().map(|(word, number)| (word, counts[number]));
    counted.filter(|(_, count)| *count > 0).collect()
}

/// Requirements that have all of the words, or any.
pub(crate) fn requirements<'g>(
    graph: &'g TraceGraph,
    keywords: &[String],
    match_all: bool,
) -> Result<Vec<Node<'g>>, Error> {
    let wanted = Wanted::new(graph, keywords, match_all)?;
    let items = graph.words().requirements(|requirement, parts| {
        let fits = wanted.fits(parts.without_body().iter());
        (fits && graph.counts(&requirement.id, parts.item)).then_some(parts.item)
    });
    Ok(items.into_iter().filter_map(|item| graph.node_at(item)).collect())
}

/// Single assertions that have all of the words, or any: the first of them, and how many there are.
pub(crate) fn find_assertions<'g>(
    graph: &'g TraceGraph,
    keywords: &[String],
    match_all: bool,
    limit: usize,
) -> Result<(Vec<Node<'g>>, usize), Error> {
    let wanted = Wanted::new(graph, keywords, match_all)?;
    let found = graph.words().requirements(|requirement, parts| {
        let fitting: Vec<usize> = (0..)
            .zip(parts.assertions())
            .filter(|(_, words)| wanted.fits(words.iter()))
            .map(|(at, _)| at)
            .collect();
        let counts = !fitting.is_empty() && graph.counts(&requirement.id, parts.item);
        counts.then_some((parts.item, fitting))
    });
    let total = found.iter().map(|(_, fitting)| fitting.len()).sum();
    let mut nodes = Vec::new();
    for (item, fitting) in found {
        if nodes.len() >= limit {
            break;
        }
        let Some(node) = graph.node_at(item) else { continue };
        let assertions: Vec<Node<'g>> =
            node.iter_children().take_while(|it| it.kind() == NodeKind::Assertion).collect();
        nodes.extend(fitting.into_iter().filter_map(|at| assertions.get(at).copied()));
    }
    nodes.truncate(limit);
    Ok((nodes, total))
}

/// Keywords, and which words of the graph they are.
struct Wanted {
    masks: Vec<u64>,
    /// A bit for each keyword.
    every: u64,
    match_all: bool,
}

impl Wanted {
    fn new(graph: &TraceGraph, keywords: &[String], match_all: bool) -> Result<Self, Error> {
        let mut wanted: Vec<String> = keywords
            .iter()
            .map(|it| it.trim().to_lowercase())
            .filter(|it| !it.is_empty())
            .collect();
        wanted.sort();
        wanted.dedup();
        if wanted.is_empty() || wanted.len() > MAX_WANTED {
            let problem = match wanted.len() {
                0 => "no keyword is given".to_owned(),
                count => format!("{count} keywords are given, {MAX_WANTED} at most are looked for"),
            };
            return Err(Error::search(
                problem,
                "Give a list of single words, such as [\"login\"]; get_all_keywords lists those there are.",
            ));
        }
        let length = graph.config.keyword_length;
        let masks = graph.words().masks(|word| {
            let Some(word) = telling(word, length) else { return 0 };
            wanted.iter().position(|it| *it == word).map_or(0, |at| 1 << at)
        });
        let every = u64::MAX >> (MAX_WANTED - wanted.len());
        Ok(Self { masks, every, match_all })
    }

    fn fits<'w>(&self, words: impl Iterator<Item = &'w u32>) -> bool {
        let mut seen = 0;
        for word in words {
            seen |= self.masks[*word as usize];
            if seen == self.every || (seen != 0 && !self.match_all) {
                return true;
            }
        }
        false
    }
}
