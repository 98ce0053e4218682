//! Questions about features, whatever they are built with.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::domain::words::{stem, tokens};

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Facet {
    pub(crate) id: String,
    /// What it is about: of those about the same, only the weightiest is asked.
    pub(crate) about: String,
    /// Phrases of a request that raise it.
    #[serde(default)]
    pub(crate) when: Vec<String>,
    /// What raises it where a sentence has one of each: what is done, and to what or whom.
    #[serde(default)]
    pub(crate) pairs: Vec<Pair>,
    /// What raises it where a sentence begins with it: "Nurses correct a note".
    #[serde(default)]
    pub(crate) opens: Vec<String>,
    /// Phrases that answer it.
    #[serde(default)]
    pub(crate) unless: Vec<String>,
    pub(crate) ask: String,
    pub(crate) why: String,
    pub(crate) impact: u8,
    /// Asked only where nothing else is.
    #[serde(default)]
    pub(crate) last_resort: bool,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Pair {
    pub(crate) does: Vec<String>,
    pub(crate) to: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// Before a phrase these say that something is told of, and not asked for.
    passing: Vec<String>,
    /// What ends like people, and is none.
    no_people: Vec<String>,
    #[serde(rename = "facet")]
    facets: Vec<Facet>,
}

/// Each as the roots of its words.
type Phrases = Vec<Vec<String>>;

/// The same with its phrases as stems, so that no call takes them apart again.
struct Read {
    facet: Facet,
    when: Phrases,
    pairs: Vec<(Phrases, Phrases)>,
    opens: Phrases,
    unless: Phrases,
}

struct All {
    passing: Vec<String>,
    no_people: Vec<String>,
    facets: Vec<Read>,
}

static ALL: LazyLock<All> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "the embedded facets are checked by a test")]
    let file: File = toml::from_str(include_str!("../../../assets/questions/facets.toml"))
        .expect("the embedded facets are valid");
    let stems = |list: &[String]| list.iter().map(|it| roots(it)).collect::<Vec<_>>();
    let read = |facet: Facet| Read {
        when: stems(&facet.when),
        pairs: facet.pairs.iter().map(|it| (stems(&it.does), stems(&it.to))).collect(),
        opens: stems(&facet.opens),
        unless: stems(&facet.unless),
        facet,
    };
    let passing = file.passing.iter().map(|it| root(it)).collect();
    All { passing, no_people: file.no_people, facets: file.facets.into_iter().map(read).collect() }
});

/// All of them, as they stand in the file.
pub(crate) fn facets() -> impl Iterator<Item = &'static Facet> {
    ALL.facets.iter().map(|it| &it.facet)
}

/// What a good engineer asks of such a feature, the weightiest first and one of a kind.
pub(crate) fn facets_of(words: &str) -> Vec<&'static Facet> {
    let sentences = sentences(words);
    let with_people = begins_with_people(words);
    let everything: Vec<String> = sentences.concat();
    let raises = |read: &&Read| {
        let raised = read.when.iter().any(|it| sentences.iter().any(|own| is_asked_for(own, it)))
            || (with_people && !read.opens.is_empty())
            || read.opens.iter().any(|it| sentences.iter().any(|own| own.starts_with(it)))
            || read.pairs.iter().any(|it| sentences.iter().any(|own| has_pair(own, it)));
        raised && !read.unless.iter().any(|it| at(&everything, it).is_some())
    };
    let mut found: Vec<&Facet> = ALL.facets.iter().filter(raises).map(|it| &it.facet).collect();
    found.sort_by_key(|it| std::cmp::Reverse(it.impact));
    let mut seen = std::collections::BTreeSet::new();
    found.retain(|it| seen.insert(&it.about));
    if found.iter().any(|it| !it.last_resort) {
        found.retain(|it| !it.last_resort);
    }
    found.truncate(if found.iter().all(|it| it.last_resort) { 1 } else { found.len() });
    found
}

/// "Trainers assign …": the first word is a plural that ends as names of people do.
fn begins_with_people(words: &str) -> bool {
    const ENDINGS: [&str; 6] = ["ers", "ors", "ists", "ants", "ians", "ees"];
    let words = tokens(words);
    let [first, second, ..] = words.as_slice() else { return false };
    let told =
        second.is(&["is", "are", "were", "was", "of", "in", "on", "with", "for", "from", "has"]);
    first.word.len() > 5
        && ENDINGS.iter().any(|it| first.word.ends_with(it))
        && !ALL.no_people.contains(&first.word)
        && !second.ends_clause()
        && !told
}

/// Whoever reads is not what is read: "readers" is "reader", and not "read" as its stem would be.
fn root(word: &str) -> String {
    match word.strip_suffix('s').unwrap_or(word) {
        one if one.len() > 4 && (one.ends_with("er") || one.ends_with("or")) => one.to_owned(),
        _ => stem(word),
    }
}

fn roots(words: &str) -> Vec<String> {
    let words = tokens(words).into_iter().filter(|it| !it.ends_clause());
    words.map(|it| root(&it.word)).collect()
}

/// The roots of each sentence.
fn sentences(words: &str) -> Vec<Vec<String>> {
    let mut sentences = vec![Vec::new()];
    for token in tokens(words) {
        if token.is(&[".", "!", "?", ";"]) {
            sentences.push(Vec::new());
        } else if let Some(last) = sentences.last_mut()
            && !token.ends_clause()
        {
            last.push(root(&token.word));
        }
    }
    sentences
}

fn at(stems: &[String], wanted: &[String]) -> Option<usize> {
    let fits = !wanted.is_empty() && wanted.len() <= stems.len();
    fits.then(|| stems.windows(wanted.len()).position(|it| it == wanted)).flatten()
}

/// The phrase stands there, and not as what something else is said of: "the log of private messages".
fn is_asked_for(stems: &[String], wanted: &[String]) -> bool {
    at(stems, wanted).is_some_and(|start| {
        let mut before = stems[..start].iter().rev();
        let near = before.find(|it| !["a", "an", "th", "the", "our", "all"].contains(&it.as_str()));
        near.is_none_or(|it| !ALL.passing.contains(it))
    })
}

/// One word does not stand for both sides.
fn has_pair(stems: &[String], (does, to): &(Phrases, Phrases)) -> bool {
    does.iter().any(|verb| {
        at(stems, verb).is_some_and(|start| {
            let mut rest = stems.to_vec();
            rest.drain(start..start + verb.len());
            to.iter().any(|it| at(&rest, it).is_some())
        })
    })
}
