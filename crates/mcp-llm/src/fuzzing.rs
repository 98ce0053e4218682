//! What the fuzzer throws bytes at: each function takes any input and panics where a promise breaks.

use crate::redact::redact;

/// Any text: lines keep their numbers, and a line in which nothing was found holds nothing.
pub fn redaction(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let once = redact(&text);
    let lines = |it: &str| it.bytes().filter(|byte| *byte == b'\n').count();
    assert_eq!(lines(&once.text), lines(&text), "the number of lines stays the same");
    // The words we put in may look like the name of a key to what follows on their line.
    for line in once.text.lines().filter(|it| !it.contains("REDACTED_")) {
        assert_eq!(redact(line).text, line, "something was left");
    }
}

/// A name, and what is called with the bytes.
pub type Target = (&'static str, fn(&[u8]));

/// Every target by its name.
pub const TARGETS: &[Target] = &[("redaction", redaction)];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_fuzzer_once_found_worth_keeping_still_holds() {
        plumbline_tests::replay_corpora(TARGETS);
    }
}
