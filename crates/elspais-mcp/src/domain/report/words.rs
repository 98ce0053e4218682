//! Words that occur again and again become one byte each before a block is packed.
//!
//! A packer looks back a short way only, so words that fill a whole project cost it a reference
//! each time. Bytes that never stand in JSON name them instead, and the page puts them back.

use std::collections::HashMap;

/// Bytes that no JSON text holds: control characters, and what UTF-8 never uses.
const CODES: [u8; 39] = [
    1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29,
    30, 31, 192, 193, 245, 246, 247, 248, 249, 250, 251, 252, 253,
];
/// Enough text to know a project's words by.
const SAMPLE_BYTES: usize = 4_000_000;
/// Shorter ones are packed as well without us.
const LEAST: usize = 4;

/// The words, each with the byte that stands for it.
#[derive(Debug, Default)]
pub(super) struct Words {
    codes: HashMap<Vec<u8>, u8>,
    /// What the page needs to put the words back.
    pub(super) table: Vec<(u8, String)>,
}

impl Words {
    /// The words that save most, by what these texts say.
    pub(super) fn of<'a>(texts: impl Iterator<Item = &'a str>) -> Self {
        let mut counts: HashMap<&[u8], usize> = HashMap::new();
        let mut seen = 0;
        for text in texts {
            for (start, end) in Runs::of(text.as_bytes()) {
                *counts.entry(&text.as_bytes()[start..end]).or_default() += 1;
            }
            seen += text.len();
            if seen > SAMPLE_BYTES {
                break;
            }
        }
        let mut best: Vec<(&[u8], usize)> = counts.into_iter().filter(|(_, n)| *n > 1).collect();
        let saved = |(word, n): &(&[u8], usize)| (word.len() - 1) * n;
        best.sort_unstable_by(|one, other| saved(other).cmp(&saved(one)).then(one.0.cmp(other.0)));
        let mut words = Self::default();
        for ((word, _), code) in best.into_iter().zip(CODES) {
            words.table.push((code, String::from_utf8_lossy(word).into_owned()));
            words.codes.insert(word.to_vec(), code);
        }
        words
    }

    /// JSON with those words as bytes.
    pub(super) fn shorten(&self, json: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(json.len() / 2);
        let mut done = 0;
        for (start, end) in Runs::of(json) {
            if let Some(code) = self.codes.get(&json[start..end]) {
                out.extend_from_slice(&json[done..start]);
                out.push(*code);
                done = end;
            }
        }
        out.extend_from_slice(&json[done..]);
        out
    }
}

/// Runs of letters, each with the blank before it.
struct Runs<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Runs<'a> {
    fn of(text: &'a [u8]) -> Self {
        Self { text, at: 0 }
    }
}

impl Iterator for Runs<'_> {
    type Item = (usize, usize);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let skipped = self.text[self.at..].iter().position(u8::is_ascii_alphabetic)?;
            let first = self.at + skipped;
            let rest = &self.text[first..];
            let length = rest.iter().position(|it| !it.is_ascii_alphabetic());
            let end = first + length.unwrap_or(rest.len());
            let blank = first > self.at && self.text[first - 1] == b' ';
            self.at = end;
            let start = first - usize::from(blank);
            // `\n` of JSON is no letter of the word behind it.
            let escaped = first > 0 && self.text[first - 1] == b'\\';
            if end - start >= LEAST && !escaped {
                return Some((start, end));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the page does.
    fn restored(words: &Words, bytes: &[u8]) -> String {
        let mut out = Vec::new();
        for byte in bytes {
            match words.table.iter().find(|(code, _)| code == byte) {
                Some((_, word)) => out.extend_from_slice(word.as_bytes()),
                None => out.push(*byte),
            }
        }
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn what_is_shortened_comes_back_as_it_was() {
        let text =
            "The payment SHALL be refused.\nThe payment SHALL wait. Zahlung für König\u{1}\\n";
        let json = serde_json::to_string(&[text, "payment\npayment", "\u{7}SHALL"]).unwrap();
        let words = Words::of([json.as_str()].into_iter());
        let short = words.shorten(json.as_bytes());
        assert!(short.len() < json.len());
        assert_eq!(restored(&words, &short), json);
    }

    #[test]
    fn words_that_save_most_come_first_and_the_order_is_always_the_same() {
        let text = "requirement it requirement it it it it it word word";
        let words = Words::of([text].into_iter());
        let named: Vec<&str> = words.table.iter().map(|(_, word)| word.as_str()).collect();
        assert_eq!(named, [" word"], "{named:?}");
        let text = "a requirement a requirement word word";
        let table = || Words::of([text].into_iter()).table;
        assert_eq!(table()[0].1, " requirement");
        assert_eq!(table(), table());
    }
}
