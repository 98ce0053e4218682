//! What the fuzzer throws bytes at: each function takes any input and panics where a promise breaks.

use crate::redact::redact;

/// Any text: lines keep their numbers, and a second time there is nothing left to remove.
pub fn redaction(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let once = redact(&text);
    let lines = |it: &str| it.bytes().filter(|byte| *byte == b'\n').count();
    assert_eq!(lines(&once.text), lines(&text), "the number of lines stays the same");
    let twice = redact(&once.text);
    assert_eq!(twice.text, once.text, "something was left");
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
