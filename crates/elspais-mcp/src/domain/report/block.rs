//! Texts of requirements, packed in blocks that the page opens when somebody asks for one.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde::Serialize;

/// Requirements in one block: few enough to open at once, enough to pack well.
pub(super) const PER_BLOCK: usize = 128;

/// What a requirement says, and where it is cited: `[text, [[kind, file, line, labels], …]]`.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Detail(pub(crate) String, pub(crate) Vec<(&'static str, String, u32, String)>);

/// All blocks, each as text that a page can hold.
pub(super) fn pack(details: &[Detail]) -> Vec<String> {
    details.chunks(PER_BLOCK).map(|block| base64(&deflated(block))).collect()
}

fn deflated(block: &[Detail]) -> Vec<u8> {
    let json = serde_json::to_vec(block).unwrap_or_default();
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    // Writing to memory cannot fail.
    if encoder.write_all(&json).is_err() {
        return Vec::new();
    }
    encoder.finish().unwrap_or_default()
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
        let details: Vec<Detail> =
            (0..=PER_BLOCK).map(|n| Detail(format!("{n} {text}"), Vec::new())).collect();
        let blocks = pack(&details);
        assert_eq!(blocks.len(), 2);
        assert!(blocks[0].len() * 5 < text.len() * PER_BLOCK * 2);
    }
}
