//! The part of the repository that a request names before anything else.

use super::grammar::grammar;
use crate::domain::words::Token;

/// Where the words begin behind a part of the repository that is named first: "feat(web): …",
/// "contacts: …". What says the kind of work, as "fix" and "docs" do, counts itself.
pub(super) fn behind_its_part(words: &[Token]) -> usize {
    let grammar = grammar();
    let marks: Vec<&str> = words
        .iter()
        .take(6)
        .map(|it| if it.ends_clause() { it.word.as_str() } else { "_" })
        .collect();
    let end = match marks.as_slice() {
        ["_", "(", "_", ")", ":", ..] => 5,
        ["_", ":", ..] => 2,
        _ => return 0,
    };
    let says = [&grammar.mending, &grammar.reshaping, &grammar.wording, &grammar.defects];
    let is_kind = says.iter().any(|it| words[0].within(it))
        || words[0].within(&grammar.documents)
        || words[0].is(&["perf", "test", "tests", "build", "ci", "style", "revert"]);
    if is_kind || words.len() <= end { 0 } else { end }
}
