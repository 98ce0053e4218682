//! Private keys in PEM, which span lines: written out, escaped in one string, or put together from
//! many strings.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::Secret;

const KIND: &str = "PRIVATE_KEY";

/// A key without its end is looked at no further than a long key reaches.
const LONGEST: usize = 16 * 1024;

#[expect(clippy::expect_used, reason = "fixed patterns that the tests use")]
static BEGIN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"-----BEGIN [A-Z0-9 ]{0,32}PRIVATE KEY(?: BLOCK)?-----").expect("a valid pattern")
});

/// What may stand between the lines of a key is passed over: escapes before anything else, because
/// the letter of an escape is no part of the key.
#[expect(clippy::expect_used, reason = "fixed patterns that the tests use")]
static PARTS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"REDACTED_PRIVATE_KEY|\\[nrt]|(?P<part>[A-Za-z0-9+/=]+)").expect("a valid pattern")
});

/// Shorter runs between the strings of a key are the code that joins them.
const SHORTEST_IN_CODE: usize = 16;

pub(super) fn find(text: &str) -> Vec<Secret> {
    let mut found = Vec::new();
    let mut ends = text.match_indices("-----END ").map(|(at, _)| at).peekable();
    let mut begins = BEGIN.find_iter(text).peekable();
    while let Some(begin) = begins.next() {
        while ends.next_if(|it| *it < begin.end()).is_some() {}
        let end = ends.peek().copied();
        let last = end.unwrap_or_else(|| cut(text, begin.end() + LONGEST));
        // Another key may begin before this one ended.
        let last = begins.peek().map_or(last, |other| last.min(other.start()));
        found.extend(parts(text, begin.end()..last, end == Some(last)));
    }
    found
}

/// The secret parts of a key. Inside code, or where nothing says where the key ends, only what is
/// long enough to be one.
fn parts(text: &str, body: Range<usize>, ended: bool) -> Vec<Secret> {
    let inside = &text[body.clone()];
    let in_code = !ended || inside.contains(['"', '\'', '`']);
    let mut secrets = Vec::new();
    for captures in PARTS.captures_iter(inside) {
        let Some(part) = captures.name("part") else { continue };
        if in_code && part.len() < SHORTEST_IN_CODE {
            continue;
        }
        let at = body.start + part.start()..body.start + part.end();
        secrets.push(Secret { kind: KIND, at, reported: secrets.is_empty() });
    }
    secrets
}

/// The position itself, or the start of the character it lies in.
fn cut(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
