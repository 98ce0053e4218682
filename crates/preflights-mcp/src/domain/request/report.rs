//! Reports: what is told as it is, with no wish but that it be put right.

use super::grammar::grammar;
use super::sentence;
use crate::domain::words::Token;

/// The sentences, each without the words said out of politeness.
fn sentences(words: &[Token]) -> impl Iterator<Item = &[Token]> {
    let ends = |it: &Token| matches!(it.word.as_str(), "." | "!" | "?" | ";");
    words.split(ends).filter_map(|it| {
        let first = it.iter().position(|it| !it.ends_clause() && !it.within(&grammar().polite))?;
        Some(&it[first..])
    })
}

/// Whether a sentence begins with what shall be done.
fn commands(sentence: &[Token]) -> bool {
    let grammar = grammar();
    let lists = [
        &grammar.making,
        &grammar.deciding,
        &grammar.moving,
        &grammar.adjusting,
        &grammar.reshaping,
        &grammar.renaming,
        &grammar.doing,
    ];
    let told =
        grammar.examining.begin(sentence) || sentence.get(1).is_some_and(|it| it.word == "is");
    !told && sentence.first().is_some_and(|it| lists.iter().any(|list| it.within(list)))
}

/// A defect is told, somewhere a cause is asked for, or a trace is quoted, and nothing is ordered.
pub(super) fn is_a_report(words: &[Token], has_trace: bool) -> bool {
    let grammar = grammar();
    if sentences(words).any(commands) {
        return false;
    }
    let polite = |at: usize| {
        let mut before = words[..at].iter().rev().take_while(|it| !it.ends_clause());
        before.all(|it| it.within(&grammar.polite) || it.is(&["and", "then"]))
    };
    let examines = (0..words.len()).any(|at| grammar.examining.begin(&words[at..]) && polite(at));
    let defect = words.split(|it| matches!(it.word.as_str(), "." | "!" | "?" | ";")).any(|it| {
        // "It looks like" wishes for nothing.
        let wishes = it.iter().any(|it| it.within(&grammar.modal) && it.word != "like");
        !wishes && (0..it.len()).any(|at| is_defect(it, at))
    });
    has_trace || examines || defect
}

/// A word that says that something is wrong; "crash reports" and "error pages" do not.
pub(super) fn is_defect(words: &[Token], at: usize) -> bool {
    let kinds = [
        "report",
        "reports",
        "reporting",
        "reporter",
        "log",
        "logs",
        "logging",
        "tracking",
        "tracker",
        "handling",
        "handler",
        "page",
        "pages",
        "message",
        "messages",
        "rate",
        "rates",
        "state",
        "states",
    ];
    // "Merge duplicates", "find broken links": what is done away with by a feature.
    let seeks = [
        "merge",
        "merging",
        "detect",
        "find",
        "finding",
        "prevent",
        "avoid",
        "skip",
        "flag",
        "warn",
        "combine",
        "deduplicate",
        "spot",
        "list",
        "highlight",
    ];
    let sought = words[..at].iter().rev().take(3).any(|it| it.is(&seeks));
    words[at].within(&grammar().defects)
        && !sought
        && !words.get(at + 1).is_some_and(|it| it.is(&kinds))
}

/// "The README forgets one step. Add it to the list": the document is what is edited.
pub(super) fn is_about_a_document(words: &[Token]) -> bool {
    let Some(first) = words.iter().position(|it| !it.ends_clause()) else { return false };
    let span = sentence::span(words, first);
    let names_one = words[span.clone()]
        .iter()
        .any(|it| it.is(&["readme", "changelog", "contributing", "manpage", "docstring", "docs"]));
    let later = &words[span.end..];
    let mut edits = sentences(later).filter(|it| {
        it[0].is(&["add", "fix", "correct", "mention", "update", "remove", "change", "put"])
    });
    let refers =
        |it: &[Token]| it.get(1).is_some_and(|it| it.is(&["it", "them", "that", "this", "there"]));
    names_one && !commands(&words[span]) && edits.next().is_some_and(refers)
}
