//! Secrets in a text replaced by what they are, so that code still parses and nothing leaks.
//!
//! Needs neither a provider nor the network, and looks at a text without secrets only once.

mod pattern;
mod private_key;

use std::borrow::Cow;
use std::ops::Range;

/// A secret that was replaced: what it was, and where.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// As in `GITHUB_TOKEN`; the text now holds `REDACTED_GITHUB_TOKEN` in its place.
    pub kind: &'static str,
    /// Counted from one.
    pub line: usize,
}

/// A text without its secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redacted<'a> {
    pub text: Cow<'a, str>,
    /// In the order of the text.
    pub findings: Vec<Finding>,
}

/// A part of the text to replace.
struct Secret {
    kind: &'static str,
    at: Range<usize>,
    /// Only the first part of a secret that lies in several is reported.
    reported: bool,
}

/// Replaces every secret. The number of lines stays the same.
pub fn redact(text: &str) -> Redacted<'_> {
    let mut secrets = private_key::find(text);
    secrets.extend(pattern::find(text));
    if secrets.is_empty() {
        return Redacted { text: Cow::Borrowed(text), findings: Vec::new() };
    }
    replace(text, secrets)
}

/// Puts the kind in the place of each secret; where two overlap, the kind of the first stands for
/// both.
fn replace(text: &str, mut secrets: Vec<Secret>) -> Redacted<'_> {
    // Stable: of two at the same place the earlier kind stays.
    secrets.sort_by_key(|it| it.at.start);
    let mut kept = String::with_capacity(text.len());
    let mut findings = Vec::new();
    let (mut done, mut line) = (0, 1);
    for secret in secrets {
        if secret.at.start < done {
            // It overlaps the one before: what stands out behind that goes too, but for its lines.
            if let Some(tail) = text.get(done..secret.at.end) {
                kept.extend(tail.chars().filter(|it| *it == '\n'));
                line += tail.bytes().filter(|it| *it == b'\n').count();
                done = secret.at.end;
            }
            continue;
        }
        let before = &text[done..secret.at.start];
        line += before.bytes().filter(|it| *it == b'\n').count();
        kept.push_str(before);
        kept.push_str("REDACTED_");
        kept.push_str(secret.kind);
        if secret.reported {
            findings.push(Finding { kind: secret.kind, line });
        }
        done = secret.at.end;
    }
    kept.push_str(&text[done..]);
    Redacted { text: Cow::Owned(kept), findings }
}

#[cfg(test)]
mod tests;
