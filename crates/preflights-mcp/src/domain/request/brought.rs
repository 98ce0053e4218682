//! Names in a frame that brings something in, whether the bank knows them or not.

use super::frame::{SMALL, ends, is_question, is_swap};
use super::mention;
use crate::domain::words::Token;

const BRINGING: [&str; 13] = [
    "add",
    "use",
    "using",
    "adopt",
    "introduce",
    "install",
    "integrate",
    "try",
    "choose",
    "pick",
    "to",
    "via",
    "with",
];
/// A name the bank may not know, in a frame that brings it in: "use GRDB", "Add Flyway", "replace
/// contentlayer with Velite", "log to mlflow instead of wandb". `text` tells names by their letters.
pub(super) fn brought_in(words: &[Token], text: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (index, word) in words.iter().enumerate() {
        if word.ends_clause() || is_question(words, index) {
            continue;
        }
        let clause = words[..index].iter().rev().take_while(|it| !it.ends_clause());
        let mut before = clause.skip_while(|it| it.is(&SMALL));
        let Some(verb) = before.next().filter(|it| it.is(&BRINGING)) else { continue };
        let spelled = text.get(word.start..word.end).unwrap_or_default();
        let swapped = is_swap(words, index);
        let at_the_start = words[..index].iter().all(|it| it.is(&SMALL) || it.ends_clause());
        let looks_like_a_name = is_name(spelled) && !at_the_start;
        let is_brought = match verb.word.as_str() {
            "to" | "with" | "via" => swapped && (looks_like_a_name || ends(words, index + 1)),
            "install" => true,
            _ => looks_like_a_name && (ends(words, index + 1) || swapped),
        };
        if is_brought && !mention::role(words, index, index + 1, None).is_against() {
            let name = spelled.to_owned();
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names
}

/// A capital or a digit within the word, or parts joined as packages are.
fn is_name(spelled: &str) -> bool {
    spelled.chars().any(|it| it.is_uppercase() || it.is_ascii_digit()) && spelled.len() > 1
}
