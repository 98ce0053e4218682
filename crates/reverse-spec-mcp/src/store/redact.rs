//! Secrets taken out of source text before anything else sees it, so that no signature, document,
//! snippet or baseline can hold one. Lines keep their numbers and code still parses.

use std::borrow::Cow;

#[cfg(test)]
mod tests;

/// A secret that was replaced. What it was is not kept.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Redaction {
    pub(crate) line: usize,
    pub(crate) kind: &'static str,
}

#[derive(Debug)]
pub(crate) struct Redacted<'a> {
    pub(crate) text: Cow<'a, str>,
    pub(crate) found: Vec<Redaction>,
}

/// Replaces every secret in `text`, by the same table that guards what a language model is sent.
pub(crate) fn redact(text: &str) -> Redacted<'_> {
    let redacted = mcp_llm::redact::redact(text);
    let found = redacted.findings.into_iter();
    let found = found.map(|it| Redaction { line: it.line, kind: it.kind }).collect();
    Redacted { text: redacted.text, found }
}
