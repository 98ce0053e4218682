//! Words that name nothing: commands, and the small words of the language.

use super::grammar::grammar;

/// Whether a word names no thing: it commands, or is one of the small words of the language.
pub(crate) fn names_nothing(word: &str) -> bool {
    let grammar = grammar();
    let small = [&grammar.closed, &grammar.english, &grammar.modal, &grammar.articles];
    is_command(word) || small.iter().any(|it| it.contains(word))
}

/// Whether a word commands.
pub(super) fn is_command(word: &str) -> bool {
    let grammar = grammar();
    let lists = [
        &grammar.making,
        &grammar.deciding,
        &grammar.adjusting,
        &grammar.moving,
        &grammar.mending,
        &grammar.reshaping,
        &grammar.polite,
        &grammar.renaming,
        &grammar.fillers,
        &grammar.quickening,
    ];
    let nouns = [
        "log", "cache", "port", "release", "plan", "export", "import", "search", "upload", "share",
        "sync", "merge", "schedule", "archive", "charge", "encrypt", "track", "bill", "backup",
        "filter", "vote", "hook", "display",
    ];
    lists.iter().any(|it| it.contains(word)) && !nouns.contains(&word)
}
