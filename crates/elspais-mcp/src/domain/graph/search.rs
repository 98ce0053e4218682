//! Finding requirements by words or by a pattern.

mod matcher;

use std::cmp::Ordering;

use rayon::prelude::*;
use regex::RegexBuilder;

use super::words::Held;
use super::{Item, ItemKind, Node, TraceGraph};
use crate::domain::parse::Requirement;
use crate::domain::span::Span;
use crate::error::Error;
use matcher::{AsciiWord, Matcher};

/// Nobody looks for more words than this holds.
const MAX_QUERY: usize = 1_000;
/// Enough for one thread to be busy for a while.
const FILES_AT_ONCE: usize = 32;
/// Words beyond these are looked for in the texts.
const MAX_MASKED: usize = 64;
/// What a compiled pattern may take up.
const MAX_PATTERN_BYTES: usize = 1 << 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SearchField {
    Id,
    Title,
    Body,
    All,
}

/// How well a requirement fits: lower is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    ExactId,
    IdPrefix,
    Id,
    Title,
    Body,
}

pub(crate) struct Found<'g> {
    pub(crate) nodes: Vec<Node<'g>>,
    pub(crate) total: usize,
}

impl TraceGraph {
    /// Requirements that fit, the best first, ties by id.
    pub(crate) fn search(
        &self,
        query: &str,
        field: SearchField,
        is_regex: bool,
        limit: usize,
    ) -> Result<Found<'_>, Error> {
        let wanted = Wanted::new(query, field, is_regex)?;
        let words = self.words();
        let masks = words.masks(|word| wanted.held_by(word));
        let files: Vec<(u32, &super::File)> = self
            .by_path
            .values()
            .filter_map(|idx| Some((*idx, self.file(*idx)?)))
            .filter(|(_, file)| !file.contents.requirements.is_empty())
            .collect();
        let ranked = files.par_chunks(FILES_AT_ONCE).map(|files| {
            let mut best = Best::new(limit);
            for (idx, file) in files {
                let held = words.held(*idx, file, &masks);
                for (at, rank) in wanted.in_file(&file.text, &file.contents.requirements, &held) {
                    let item = Item {
                        file: *idx,
                        kind: ItemKind::Requirement,
                        index: u32::try_from(at).unwrap_or(u32::MAX),
                    };
                    let id = &*file.contents.requirements[at].id;
                    if self.counts(id, item) {
                        best.take((rank, id, item));
                    }
                }
            }
            best
        });
        let Best { mut ranked, total, .. } = ranked.reduce(|| Best::new(limit), Best::and);
        ranked.sort_by(order);
        let nodes =
            ranked.into_iter().take(limit).filter_map(|(_, _, item)| Node::of_item(self, item));
        Ok(Found { nodes: nodes.collect(), total })
    }
}

type Ranked<'g> = (Rank, &'g str, Item);

fn order(left: &Ranked<'_>, right: &Ranked<'_>) -> Ordering {
    (left.0, left.1).cmp(&(right.0, right.1))
}

/// The best of what was found so far; of all others it is enough to know how many there are.
struct Best<'g> {
    ranked: Vec<Ranked<'g>>,
    limit: usize,
    total: usize,
}

impl<'g> Best<'g> {
    fn new(limit: usize) -> Self {
        Self { ranked: Vec::new(), limit, total: 0 }
    }

    fn take(&mut self, found: Ranked<'g>) {
        self.total += 1;
        self.ranked.push(found);
        if self.ranked.len() >= self.limit.saturating_mul(2).max(64) {
            self.cut();
        }
    }

    fn and(mut self, other: Self) -> Self {
        self.total += other.total;
        self.ranked.extend(other.ranked);
        self.cut();
        self
    }

    fn cut(&mut self) {
        if self.limit == 0 {
            self.ranked.clear();
        } else if self.limit < self.ranked.len() {
            self.ranked.select_nth_unstable_by(self.limit - 1, order);
            self.ranked.truncate(self.limit);
        }
    }
}

/// A compiled query.
struct Wanted {
    patterns: Vec<Matcher>,
    words: Vec<String>,
    /// Those that can only stand inside of one word of a text, in small letters; by place.
    whole: Vec<Option<String>>,
    field: SearchField,
    is_regex: bool,
}

impl Wanted {
    fn new(query: &str, field: SearchField, is_regex: bool) -> Result<Self, Error> {
        let query = query.trim();
        if query.is_empty() {
            return Err(Error::search(
                "the query is empty",
                "Give a word, an id or a part of one, such as `login`.",
            ));
        }
        if query.len() > MAX_QUERY {
            return Err(Error::search(
                format!("the query has {} bytes, {MAX_QUERY} are allowed", query.len()),
                "Look for fewer words.",
            ));
        }
        let words: Vec<String> = if is_regex {
            vec![query.to_owned()]
        } else {
            query.split_whitespace().map(str::to_owned).collect()
        };
        let compile = |word: &String| {
            if let Some(word) = AsciiWord::new(word).filter(|_| !is_regex) {
                return Ok(Matcher::Word(word));
            }
            let pattern = if is_regex { word.clone() } else { regex::escape(word) };
            RegexBuilder::new(&pattern)
                .case_insensitive(true)
                .multi_line(true)
                .size_limit(MAX_PATTERN_BYTES)
                .dfa_size_limit(MAX_PATTERN_BYTES * 4)
                .build()
                .map(Matcher::Pattern)
        };
        let patterns = words.iter().map(compile).collect::<Result<Vec<_>, _>>();
        let patterns = patterns.map_err(|error| {
            let reason = match error {
                regex::Error::CompiledTooBig(_) => "it is too large".to_owned(),
                other => {
                    let text = other.to_string();
                    let reason = text.lines().last().unwrap_or_default().trim();
                    reason.strip_prefix("error: ").unwrap_or(reason).to_owned()
                }
            };
            Error::search(
                format!("`{}` is not a pattern that can be searched for: {reason}", mcp_core::text::cut(query, 100)),
                "Patterns are regular expressions without look-around and back-references; leave regex out to look for plain words.",
            )
        })?;
        let is_whole = |at: usize, word: &String| {
            let bytes = word.as_bytes();
            let is_letter = |it: &u8| it.is_ascii_alphanumeric();
            // Words of a text may hold dashes, but neither begin nor end with one.
            !is_regex
                && at < MAX_MASKED
                && bytes.first().is_some_and(is_letter)
                && bytes.last().is_some_and(is_letter)
                && bytes.iter().all(|it| is_letter(it) || matches!(it, b'-' | b'_'))
        };
        let whole = words.iter().enumerate();
        let whole = whole.map(|(at, it)| is_whole(at, it).then(|| it.to_ascii_lowercase()));
        Ok(Self { whole: whole.collect(), patterns, words, field, is_regex })
    }

    /// Which of the words stand in one word of a text, a bit for each.
    fn held_by(&self, word: &str) -> u64 {
        let held = |it: &Option<String>| it.as_ref().is_some_and(|it| word.contains(it.as_str()));
        let bits = self.whole.iter().enumerate().filter(|(_, it)| held(it));
        bits.fold(0, |bits, (at, _)| bits | 1 << at)
    }

    /// Which requirements of a file fit, by their place.
    fn in_file(
        &self,
        text: &str,
        requirements: &[Requirement],
        held: &[Held],
    ) -> Vec<(usize, Rank)> {
        let mut ranks: Vec<Option<Rank>> = vec![Some(Rank::ExactId); requirements.len()];
        for (nth, (pattern, word)) in self.patterns.iter().zip(&self.words).enumerate() {
            let mut fits: Vec<Option<Rank>> = vec![None; requirements.len()];
            let mut note = |at: usize, rank: Rank| {
                fits[at] = Some(fits[at].map_or(rank, |known| known.min(rank)));
            };
            if self.looks_at(SearchField::Id) {
                for (at, requirement) in requirements.iter().enumerate() {
                    if let Some(rank) = self.id_rank(pattern, word, &requirement.id) {
                        note(at, rank);
                    }
                }
            }
            if self.looks_at(SearchField::Title) {
                let is_whole = self.whole[nth].is_some();
                for (at, requirement) in requirements.iter().enumerate() {
                    let fits = if is_whole {
                        held[at].title & 1 << nth != 0
                    } else {
                        pattern.is_match(requirement.title_in(text))
                    };
                    if fits {
                        note(at, Rank::Title);
                    }
                }
            }
            if self.looks_at(SearchField::Body) {
                if self.whole[nth].is_some() {
                    let fitting = held.iter().enumerate().filter(|(_, it)| it.body & 1 << nth != 0);
                    fitting.for_each(|(at, _)| note(at, Rank::Body));
                } else if self.is_regex {
                    // Anchors and classes of white space must not see beyond a body.
                    for (at, requirement) in requirements.iter().enumerate() {
                        if fits_body(pattern, text, requirement.body) {
                            note(at, Rank::Body);
                        }
                    }
                } else {
                    for at in spans_with(pattern, text, requirements, |it| it.body) {
                        note(at, Rank::Body);
                    }
                }
            }
            for (rank, fit) in ranks.iter_mut().zip(fits) {
                *rank = rank.zip(fit).map(|(known, new)| known.max(new));
            }
        }
        ranks.into_iter().enumerate().filter_map(|(at, rank)| Some((at, rank?))).collect()
    }

    fn looks_at(&self, field: SearchField) -> bool {
        self.field == SearchField::All || self.field == field
    }

    fn id_rank(&self, pattern: &Matcher, word: &str, id: &str) -> Option<Rank> {
        if self.is_regex {
            return pattern.is_match(id).then_some(Rank::Id);
        }
        if id.eq_ignore_ascii_case(word) {
            return Some(Rank::ExactId);
        }
        let (start, _) = pattern.find_at(id, 0)?;
        Some(if start == 0 { Rank::IdPrefix } else { Rank::Id })
    }
}

fn fits_body(pattern: &Matcher, text: &str, body: Span) -> bool {
    pattern.is_match(body.of(text))
}

/// Requirements with the word in one of their spans. One look through the whole text instead of
/// one per span: most do not hold the word.
fn spans_with(
    pattern: &Matcher,
    text: &str,
    requirements: &[Requirement],
    span: impl Fn(&Requirement) -> Span,
) -> Vec<usize> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some((start, end)) = pattern.find_at(text, from) {
        let at = requirements.partition_point(|it| span(it).to() < end);
        let Some(requirement) = requirements.get(at) else { break };
        if span(requirement).from() <= start {
            found.push(at);
            // One hit is enough for this one.
            from = span(requirement).to();
        } else {
            from = start + 1;
            while !text.is_char_boundary(from) {
                from += 1;
            }
        }
        if from >= text.len() {
            break;
        }
    }
    found
}
