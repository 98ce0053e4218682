//! What words tell of a request besides its kind: that it asks for a record, brings or moves
//! something, goes through everything, or says too little.

use super::classify::lead;
use super::grammar::grammar;
use crate::domain::words::Token;

/// Something comes, whatever else is raised.
pub(super) fn brings(words: &[Token]) -> bool {
    words.iter().any(|it| {
        it.is(&["add", "introduce", "replace", "switch", "adopt", "install", "instead", "becomes"])
    })
}

pub(super) fn asks_for_record(words: &[Token]) -> bool {
    words.iter().enumerate().any(|(at, word)| {
        let asked = word.is(&[
            "adr",
            "adrs",
            "architecture",
            "architectural",
            "strategy",
            "strategies",
            "approach",
        ]);
        let record =
            word.word == "decision" && words.get(at + 1).is_some_and(|it| it.stem == "record");
        let refused =
            words[..at].iter().rev().take(3).any(|it| it.is(&["no", "not", "without", "dont"]));
        (asked || record) && !refused
    })
}

/// It asks for a record in so many words.
pub(super) fn names_a_record(words: &[Token]) -> bool {
    words.windows(2).any(|it| {
        it[1].is(&["adr", "adrs"]) || (it[0].word == "decision" && it[1].stem == "record")
    })
}

pub(super) fn moves(words: &[Token]) -> bool {
    words.iter().any(|it| {
        it.within(&grammar().moving) || it.is(&["replace", "rewrite", "adopt", "choose", "pick"])
    })
}

/// It goes through everything: "migrate all modules", "rewrite everything".
pub(super) fn is_cross_cutting(words: &[Token]) -> bool {
    let Some(lead) = lead(words) else { return false };
    let reworks = words[lead].is(&["migrate", "migrating", "convert", "port", "rewrite"]);
    let all = ["all", "every", "everything", "everywhere", "entire", "whole"];
    reworks && words[lead..].iter().any(|it| it.is(&all))
}

/// It speaks of every one of something.
pub(super) fn is_about_all(words: &[Token]) -> bool {
    // "On every keystroke" tells when, and not how much.
    let is_occasion =
        |at: usize| at > 0 && words[at - 1].is(&["on", "at", "after", "before", "upon", "with"]);
    let all = ["all", "every", "each", "everything", "everywhere"];
    words.iter().enumerate().any(|(at, it)| it.is(&all) && !is_occasion(at))
}

/// Fewer than two words besides the verb.
pub(super) fn is_vague(words: &[Token]) -> bool {
    let vague = ["it", "this", "that", "bug", "bugs", "code", "things", "stuff", "something", "up"];
    let telling = words
        .iter()
        .filter(|it| !it.ends_clause() && !it.within(&grammar().polite) && !it.is(&vague));
    telling.count() < 2
}
