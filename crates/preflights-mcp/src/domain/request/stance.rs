//! Whether the words around a quotation want what it names, or speak against it.

use crate::domain::words::{Token, tokens};

use super::role::{Role, role};
use super::sentence;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stance {
    Affirmed,
    Negated,
    /// The sentence asks or weighs.
    Undecided,
}

/// The stance of the clause in which `name` stands within `quote`, wherever `text` holds that
/// quote. `None` where the words cannot be found, as in a language that has no spaces.
pub(crate) fn of(text: &str, quote: &str, name: &str) -> Option<Stance> {
    let words = tokens(text);
    let (quote, name) = (plain(quote), plain(name));
    if name.is_empty() {
        return None;
    }
    let mut stances = Vec::new();
    for start in places(&words, &quote) {
        let inside = &words[start..];
        let span = plain_len(inside, quote.len());
        for at in places(&inside[..span], &name) {
            let from = start + at;
            let to = from + plain_len(&words[from..], name.len());
            if sentence::weighs(&words, from) {
                stances.push(Stance::Undecided);
                continue;
            }
            stances.push(match role(&words, from, to, None) {
                Role::Wanted | Role::Kept | Role::Neutral => Stance::Affirmed,
                Role::Replaced | Role::Dropped | Role::Refused => Stance::Negated,
            });
        }
    }
    // Said both ways it is for the user to settle, and what is not certain is not wanted.
    match stances.as_slice() {
        [] => None,
        all if all.contains(&Stance::Negated) => Some(Stance::Negated),
        all if all.contains(&Stance::Affirmed) => Some(Stance::Affirmed),
        _ => Some(Stance::Undecided),
    }
}

fn plain(text: &str) -> Vec<String> {
    tokens(text).into_iter().filter(|it| !it.ends_clause()).map(|it| it.word).collect()
}

/// How many tokens, marks included, hold so many words.
fn plain_len(words: &[Token], n_words: usize) -> usize {
    let mut seen = 0;
    for (index, word) in words.iter().enumerate() {
        if seen == n_words {
            return index;
        }
        seen += usize::from(!word.ends_clause());
    }
    words.len()
}

/// Where these words begin, marks between them passed over.
fn places(words: &[Token], wanted: &[String]) -> Vec<usize> {
    let plain: Vec<(usize, &str)> = words
        .iter()
        .enumerate()
        .filter(|(_, it)| !it.ends_clause())
        .map(|(index, it)| (index, it.word.as_str()))
        .collect();
    if wanted.is_empty() {
        return Vec::new();
    }
    plain
        .windows(wanted.len())
        .filter(|window| window.iter().zip(wanted).all(|((_, word), wanted)| word == wanted))
        .map(|window| window[0].0)
        .collect()
}
