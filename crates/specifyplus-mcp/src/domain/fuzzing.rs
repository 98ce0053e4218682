//! What the fuzzer throws bytes at: each function takes any input and panics where a promise breaks.

use crate::domain::Command;
use crate::domain::dialect::Dialect;
use crate::domain::format::{Format, pointed_agent};

/// A file, a zero byte, and input: what is filled in is the input, to the byte, and nothing in it
/// becomes a placeholder.
pub fn substitution(bytes: &[u8]) {
    let end = bytes.iter().position(|it| *it == 0).unwrap_or(bytes.len());
    let text = String::from_utf8_lossy(&bytes[..end]);
    let input = String::from_utf8_lossy(bytes.get(end + 1..).unwrap_or_default());
    let Ok((command, _)) = Command::parse("fuzzed", &text) else { return };
    let Ok(filled) = command.render(&*input) else { return };
    let Ok(marked) = command.render(MARK) else { return };
    assert_eq!(filled, marked.replace(MARK, &input), "the input stands in every place");
}

/// A text that no file of ours holds.
const MARK: &str = "\u{0}\u{1}\u{0}";

/// Any text as a file of a command.
pub fn command(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok((command, _)) = Command::parse("fuzzed", &text) {
        assert_eq!(command.takes_input(), command.render("a").ok() != command.render("b").ok());
    }
}

/// Any text as a file of each format, in the widest dialect, with input filled in.
pub fn formats(bytes: &[u8]) {
    let end = bytes.iter().position(|it| *it == 0).unwrap_or(bytes.len());
    let text = String::from_utf8_lossy(&bytes[..end]);
    let input = String::from_utf8_lossy(bytes.get(end + 1..).unwrap_or_default());
    let dialect = Dialect::of(["$ARGUMENTS", "$ARGUMENTS[0]", "$1", "${input:name}", "{{args}}"]);
    let formats = [
        Format::Plain,
        Format::Markdown(dialect.clone()),
        Format::Skill(dialect),
        Format::Toml,
        Format::Recipe,
    ];
    drop(pointed_agent(&text));
    for format in formats {
        let Ok((command, _)) = format.read("fuzzed", &text, None) else { continue };
        let Ok(kept) = command.render_losing_nothing(&input) else { continue };
        assert!(
            input.split_whitespace().all(|word| kept.contains(word)),
            "a word of the input was lost"
        );
    }
}

/// A name, and what is called with the bytes.
pub type Target = (&'static str, fn(&[u8]));

/// Every target by its name.
pub const TARGETS: &[Target] = &[
    ("specifyplus_substitution", substitution),
    ("specifyplus_command", command),
    ("specifyplus_formats", formats),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_fuzzer_once_found_worth_keeping_still_holds() {
        plumbline_tests::replay_corpora(TARGETS);
    }
}
