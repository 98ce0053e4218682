//! Finding one word in much text, in any case.
//!
//! Nearly all words are ASCII: for those the rarest of their letters is looked for, which skips
//! most of a text, and the rest of the word is compared where it is found.

use regex::Regex;

pub(super) enum Matcher {
    Word(AsciiWord),
    Pattern(Regex),
}

pub(super) struct AsciiWord {
    word: Vec<u8>,
    /// Where in the word its rarest letter stands.
    rare_at: usize,
}

/// From the most frequent to the rarest in English text.
const BY_FREQUENCY: &[u8] = b"etaoinsrhldcumfpgwybvkxjqz";
/// Digits and marks: rarer than vowels in prose, frequent in ids.
const RANK_OF_OTHERS: usize = 10;

impl AsciiWord {
    /// `None` for what is not ASCII throughout.
    pub(super) fn new(word: &str) -> Option<Self> {
        if word.is_empty() || !word.is_ascii() {
            return None;
        }
        let word = word.to_ascii_lowercase().into_bytes();
        let rank = |byte: u8| {
            let at = BY_FREQUENCY.iter().position(|it| *it == byte);
            at.unwrap_or(RANK_OF_OTHERS)
        };
        let rare_at = (0..word.len()).max_by_key(|at| rank(word[*at])).unwrap_or(0);
        Some(Self { word, rare_at })
    }

    fn find_at(&self, text: &[u8], from: usize) -> Option<usize> {
        let rare = self.word[self.rare_at];
        let first = from + self.rare_at;
        let rest = text.get(first..)?;
        memchr::memchr2_iter(rare, rare.to_ascii_uppercase(), rest)
            .map(|at| first + at - self.rare_at)
            .find(|start| {
                let there = text.get(*start..start + self.word.len());
                there.is_some_and(|it| it.eq_ignore_ascii_case(&self.word))
            })
    }
}

impl Matcher {
    /// Where it begins and ends, from `from` on.
    pub(super) fn find_at(&self, text: &str, from: usize) -> Option<(usize, usize)> {
        match self {
            Self::Word(word) => {
                let start = word.find_at(text.as_bytes(), from)?;
                Some((start, start + word.word.len()))
            }
            Self::Pattern(pattern) => pattern.find_at(text, from).map(|it| (it.start(), it.end())),
        }
    }

    pub(super) fn is_match(&self, text: &str) -> bool {
        match self {
            Self::Word(word) => word.find_at(text.as_bytes(), 0).is_some(),
            Self::Pattern(pattern) => pattern.is_match(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_word_is_found_where_a_pattern_would_find_it(
            word in "[a-zA-Z0-9-]{1,4}", text in "[a-cA-CqQ0-9 é-]{0,60}", from in 0usize..10
        ) {
            let from = from.min(text.len());
            prop_assume!(text.is_char_boundary(from));
            let pattern = format!("(?i-u:{})", regex::escape(&word));
            let pattern = Matcher::Pattern(Regex::new(&pattern).unwrap());
            let quick = Matcher::Word(AsciiWord::new(&word).unwrap());
            prop_assert_eq!(quick.find_at(&text, from), pattern.find_at(&text, from));
            prop_assert_eq!(quick.is_match(&text), pattern.is_match(&text));
        }
    }

    #[test]
    fn other_letters_are_left_to_patterns() {
        assert!(AsciiWord::new("größe").is_none() && AsciiWord::new("").is_none());
    }
}
