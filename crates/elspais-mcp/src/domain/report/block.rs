//! What requirements say, packed in blocks that the page opens when somebody asks for one.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use rayon::iter::ParallelIterator;
use rayon::slice::ParallelSlice;
use serde::Serialize;

use super::words::Words;

/// Requirements in one block: few enough to open at once, enough to pack well.
pub(super) const PER_BLOCK: usize = 128;

/// What a requirement says, and everything that cites it.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Detail {
    pub(crate) text: String,
    pub(crate) assertions: Vec<Assertion>,
    pub(crate) cited: Vec<Cited>,
    /// Why the whole of it is deliberately not implemented.
    pub(crate) excepted: String,
}

/// Where an assertion stands in the text, counted as a browser counts: how far behind the end of the
/// one before it, which is nearly always the same and so costs next to nothing.
#[derive(Debug, Clone, Default)]
pub(crate) struct Assertion {
    pub(crate) label: String,
    pub(crate) gap: i64,
    pub(crate) length: usize,
    pub(crate) retired: bool,
    /// Why it is deliberately not implemented.
    pub(crate) excepted: String,
}

/// One citation. Requirements have no lines: the page shows them by their ids.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cited {
    pub(crate) kind: &'static str,
    /// `code`, `test`, `journey` or `requirement`.
    pub(crate) node: &'static str,
    pub(crate) by: String,
    pub(crate) path: String,
    pub(crate) line: u32,
    pub(crate) labels: String,
    pub(crate) result: &'static str,
    pub(crate) lines: String,
}

/// By place, because fifty thousand of them would repeat the names.
impl Serialize for Assertion {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { label, gap, length, retired, excepted } = self;
        (label, gap, length, u8::from(*retired), excepted).serialize(serializer)
    }
}

impl Serialize for Cited {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { kind, node, by, path, line, labels, result, lines } = self;
        (node, kind, by, path, line, labels, result, lines).serialize(serializer)
    }
}

/// Blocks as text that a page can hold, and the words they were shortened by.
#[derive(Debug, Default)]
pub(super) struct Packed {
    pub(super) blocks: Vec<String>,
    pub(super) words: Words,
}

pub(super) fn pack(details: &[Detail]) -> Packed {
    let words = Words::of(details.iter().map(|it| it.text.as_str()));
    let blocks = details
        .par_chunks(PER_BLOCK)
        .map(|block| {
            let json = serde_json::to_vec(block).unwrap_or_default();
            text_of(&words.shorten(&json))
        })
        .collect();
    Packed { blocks, words }
}

/// Bytes, packed and written as a page can hold them.
pub(super) fn text_of(bytes: &[u8]) -> String {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    // Writing to memory cannot fail.
    if encoder.write_all(bytes).is_err() {
        return String::new();
    }
    base64(&encoder.finish().unwrap_or_default())
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let byte = |at: usize| u32::from(three.get(at).copied().unwrap_or(0));
        let value = byte(0) << 16 | byte(1) << 8 | byte(2);
        for digit in 0..4 {
            let at = (value >> (18 - 6 * digit)) & 63;
            let shown = digit <= three.len();
            text.push(if shown { char::from(DIGITS[at as usize]) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_written_as_browsers_read_them() {
        assert_eq!(base64(b"Man"), "TWFu");
        assert_eq!(
            (base64(b"Ma"), base64(b"M"), base64(b"")),
            ("TWE=".into(), "TQ==".into(), String::new())
        );
    }

    #[test]
    fn a_block_is_much_smaller_than_its_text() {
        let text =
            "A wrong password SHALL be refused, and the refusal SHALL be recorded.\n".repeat(20);
        let details: Vec<Detail> = (0..=PER_BLOCK)
            .map(|n| Detail { text: format!("{n} {text}"), ..Detail::default() })
            .collect();
        let packed = pack(&details);
        assert_eq!(packed.blocks.len(), 2);
        assert!(packed.blocks[0].len() * 5 < text.len() * PER_BLOCK * 2);
    }
}
