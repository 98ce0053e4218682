//! Hashes against values computed elsewhere.

use crate::domain::config::{Config, HashMode};
use crate::domain::grammar::Grammar;
use crate::domain::parse::spec;

use super::*;

fn requirement(text: &str) -> Requirement {
    let config = Config::default();
    spec::parse(&Grammar::new(&config).unwrap(), text).requirements.remove(0)
}

const TEXT: &str = "# REQ-d00001: A graph\n**Level**: DEV\n\n## Assertions\n\nA. The tool SHALL build one graph.\nB. Consumers SHALL read the graph directly.\n\n*End* *A graph* | **Hash**: 52c687ab\n";

#[test]
fn the_two_rules_over_assertions_give_the_known_values() {
    let rule = Config::default().hash;
    let requirement = requirement(TEXT);
    assert_eq!(hash(&requirement, TEXT, HashMode::Assertions, rule), "52c687ab");
    assert_eq!(hash(&requirement, TEXT, HashMode::OrderedAssertions, rule), "d05726ce");
    assert_eq!(rule_of(&requirement, TEXT, "d05726ce", rule), Some(HashMode::OrderedAssertions));
    assert_eq!(rule_of(&requirement, TEXT, "11111111", rule), None);
}

#[test]
fn an_empty_text_has_the_hash_of_nothing_and_no_assertions_have_none() {
    let rule = Config::default().hash;
    let text = "# REQ-d00001: Empty\n\n*End* *Empty*\n";
    let requirement = requirement(text);
    assert_eq!(hash(&requirement, text, HashMode::FullText, rule), "e3b0c442");
    assert_eq!(hash(&requirement, text, HashMode::Assertions, rule), "N/A");
}

#[test]
fn order_line_breaks_and_blanks_do_not_change_the_newest_hash() {
    let rule = Config::default().hash;
    let other = TEXT.replace(
        "A. The tool SHALL build one graph.\nB. Consumers SHALL read the graph directly.",
        "B. Consumers SHALL  read\r\n   the graph directly.\nA. The tool SHALL build one graph.",
    );
    assert_eq!(hash(&requirement(&other), &other, HashMode::Assertions, rule), "52c687ab");
    assert_ne!(hash(&requirement(&other), &other, HashMode::OrderedAssertions, rule), "d05726ce");
}

#[test]
fn full_text_counts_metadata_but_neither_title_nor_line_endings() {
    let rule = Config::default().hash;
    let of = |text: &str| hash(&requirement(text), text, HashMode::FullText, rule);
    assert_eq!(of(TEXT), of(&TEXT.replace("A graph", "Another")));
    assert_eq!(of(TEXT), of(&TEXT.replace('\n', "\r\n")));
    assert_ne!(of(TEXT), of(&TEXT.replace("DEV", "OPS")));
}

#[test]
fn placeholders_read_as_no_hash() {
    for word in ["________", "Todo", "todo", "00000000"] {
        let text = TEXT.replace("52c687ab", word);
        assert_eq!(stored(&requirement(&text), &text), None, "{word}");
    }
    assert_eq!(stored(&requirement(TEXT), TEXT), Some("52c687ab"));
}
