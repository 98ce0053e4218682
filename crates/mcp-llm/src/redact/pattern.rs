//! Secrets on one line, by the patterns of the embedded table.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickBuilder, AhoCorasickKind, MatchKind};
use regex::{Captures, Match, Regex};
use serde::Deserialize;

use super::Secret;

/// Bits per character below which a value reads like a word. Random letters and digits of the
/// lengths in question have more, words and names have less.
const LEAST_ENTROPY: f64 = 3.5;

/// From here on a value is long enough to be measured.
const MEASURABLE: usize = 20;

/// A secret that is not on the line of its anchor begins at most so many bytes later. The table says
/// so too.
const REACH: usize = 100;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    kind: Vec<Row>,
    placeholders: Placeholders,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Placeholders {
    starts: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: String,
    anchors: Vec<String>,
    pattern: String,
    doubt: Doubt,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Doubt {
    None,
    Reference,
    Plain,
}

struct Kind {
    name: String,
    regex: Regex,
    doubt: Doubt,
}

struct Finder {
    kinds: Vec<Kind>,
    anchors: AhoCorasick,
    /// For each anchor, a bit for each kind it may stand for.
    kinds_of_anchor: Vec<u32>,
    placeholders: Vec<String>,
}

#[expect(clippy::expect_used, reason = "embedded data that a test reads")]
static FINDER: LazyLock<Finder> = LazyLock::new(|| {
    let table: Table = toml::from_str(include_str!("../../assets/secrets.toml"))
        .expect("the embedded table of secrets is valid");
    let (mut anchors, mut kinds_of_anchor, mut kinds) = (Vec::<String>::new(), Vec::new(), vec![]);
    for (index, row) in table.kind.into_iter().enumerate() {
        for anchor in row.anchors {
            let bit = 1_u32 << index;
            if let Some(known) = anchors.iter().position(|it| *it == anchor) {
                kinds_of_anchor[known] |= bit;
            } else {
                anchors.push(anchor);
                kinds_of_anchor.push(bit);
            }
        }
        let regex = Regex::new(&row.pattern).expect("the embedded patterns are valid");
        kinds.push(Kind { name: row.name, regex, doubt: row.doubt });
    }
    let anchors = AhoCorasickBuilder::new()
        .ascii_case_insensitive(true)
        .match_kind(MatchKind::Standard)
        // It reads every source file: one step a byte is worth the larger table.
        .kind(Some(AhoCorasickKind::DFA))
        .build(anchors)
        .expect("the embedded anchors are few");
    Finder { kinds, anchors, kinds_of_anchor, placeholders: table.placeholders.starts }
});

pub(super) fn find(text: &str) -> Vec<Secret> {
    let finder = &*FINDER;
    let mut windows: Vec<Vec<Range<usize>>> = Vec::new();
    for anchor in finder.anchors.find_overlapping_iter(text) {
        windows.resize(finder.kinds.len(), Vec::new());
        let mut possible = finder.kinds_of_anchor[anchor.pattern().as_usize()];
        while possible != 0 {
            widen(&mut windows[possible.trailing_zeros() as usize], text, anchor.range());
            possible &= possible - 1;
        }
    }
    let mut found = Vec::new();
    for (kind, windows) in finder.kinds.iter().zip(windows) {
        for window in windows {
            found.extend(finder.secrets(kind, text, window));
        }
    }
    found
}

impl Finder {
    fn secrets<'a>(
        &self,
        kind: &'static Kind,
        text: &'a str,
        window: Range<usize>,
    ) -> impl Iterator<Item = Secret> + use<'a, '_> {
        let values = kind.regex.captures_iter(&text[window.clone()]);
        let values = values.filter_map(|captures| value(&captures));
        let secret = values.filter(|it| is_secret(it.as_str(), kind.doubt, &self.placeholders));
        secret.map(move |it| Secret {
            kind: &kind.name,
            at: window.start + it.start()..window.start + it.end(),
            reported: true,
        })
    }
}

/// Like the search above, without looking at the anchors.
#[cfg(test)]
pub(super) fn find_everywhere(text: &str) -> Vec<Secret> {
    let kinds = FINDER.kinds.iter();
    kinds.flat_map(|kind| FINDER.secrets(kind, text, 0..text.len())).collect()
}

/// Adds the lines around an anchor in which its secret can stand: a text is full of words like `key`,
/// and to search all of it for each kind takes longer than everything else.
fn widen(windows: &mut Vec<Range<usize>>, text: &str, anchor: Range<usize>) {
    let mut reach = (anchor.end + REACH).min(text.len());
    if windows.last().is_some_and(|it| reach < it.end) {
        return;
    }
    while !text.is_char_boundary(reach) {
        reach += 1;
    }
    let start = text[..anchor.start].rfind('\n').map_or(0, |it| it + 1);
    let end = text[reach..].find('\n').map_or(text.len(), |it| reach + it + 1);
    match windows.last_mut() {
        Some(last) if start <= last.end => last.end = end,
        _ => windows.push(start..end),
    }
}

/// The quotes around a value decide which group holds it.
fn value<'a>(captures: &Captures<'a>) -> Option<Match<'a>> {
    ["value", "single", "back"].into_iter().find_map(|it| captures.name(it))
}

fn is_secret(value: &str, doubt: Doubt, placeholders: &[String]) -> bool {
    match doubt {
        Doubt::None => true,
        Doubt::Reference => {
            let refers = ["$", "{", "<", "%", "REDACTED_"];
            !refers.iter().any(|it| value.starts_with(it))
        }
        Doubt::Plain => {
            let lower = value.to_lowercase();
            if placeholders.iter().any(|it| lower.starts_with(it)) {
                return false;
            }
            let has = |wanted: fn(char) -> bool| value.chars().any(wanted);
            let mixed = has(|it| it.is_ascii_alphabetic()) && has(|it| it.is_ascii_digit());
            if value.chars().count() < MEASURABLE {
                return mixed;
            }
            mixed && entropy(value) >= LEAST_ENTROPY
        }
    }
}

/// Shannon's, in bits per byte.
fn entropy(value: &str) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in value.bytes() {
        counts[usize::from(byte)] += 1;
    }
    let total: u32 = counts.iter().sum();
    counts
        .into_iter()
        .filter(|it| *it > 0)
        .map(|it| {
            let share = f64::from(it) / f64::from(total);
            -share * share.log2()
        })
        .sum()
}
