//! Changelogs of requirements: `- 2026-01-02 | 1a2b3c4d | - | Name (<address>) | Reason`, the
//! newest first.

use crate::domain::graph::File;
use crate::domain::hash;
use crate::domain::mutate::{Edit, apply};
use crate::domain::parse::Requirement;
use crate::domain::parse::lines::split_markdown;
use crate::domain::parse::spec::heading_words;

/// What a row says beside the hash.
pub(crate) struct Row<'a> {
    /// `2026-01-02`.
    pub(crate) date: &'a str,
    /// `Name (<address>)`.
    pub(crate) author: &'a str,
    pub(crate) reason: &'a str,
}

/// Where the heading of a changelog ends in a text.
fn heading_end(text: &str) -> Option<usize> {
    let is_named =
        |words: &str| words.trim_matches(['*', ':', ' ']).eq_ignore_ascii_case("changelog");
    let lines = split_markdown(text, &mut Vec::new());
    let found = lines
        .iter()
        .find(|line| !line.hidden && heading_words(line.of(text)).is_some_and(is_named));
    found.map(|line| line.end)
}

pub(super) fn is_in(block: &str) -> bool {
    heading_end(block).is_some()
}

/// The text of a file with a row in the changelog of each of these requirements. One without a
/// footer has no place for a hash, and none for a changelog.
pub(crate) fn with_rows(file: &File, ids: &[&str], row: &Row<'_>) -> String {
    let own = file.contents.requirements.iter().filter(|it| ids.contains(&&*it.id));
    let edits = own.filter_map(|it| edit(file, it, row)).collect();
    apply(&file.text, edits).0
}

fn edit(file: &File, requirement: &Requirement, row: &Row<'_>) -> Option<Edit> {
    let (text, ending) = (&*file.text, file.line_ending());
    let footer = requirement.footer?;
    let hash = hash::stored(requirement, text).unwrap_or("-");
    // Bars part the fields of a row, and a row is one line.
    let reason = mcp_core::text::one_line(row.reason).replace('|', "/");
    let line = format!("- {} | {hash} | - | {} | {}", row.date, row.author, reason.trim());
    let inner = requirement.inner;
    if let Some(end) = heading_end(inner.of(text)) {
        let at = inner.from() + end;
        let behind = &text[at..inner.to()];
        let rows = behind.find("- ").filter(|at| behind[..*at].trim().is_empty());
        return Some(match rows {
            Some(first) => Edit::insert(at + first, format!("{line}{ending}")),
            None => Edit::insert(at, format!("{ending}{ending}{line}")),
        });
    }
    let depth = requirement.assertions_heading.map_or("##", |it| {
        let words = it.of(text);
        &words[..words.bytes().take_while(|it| *it == b'#').count()]
    });
    let before = &text[..footer.line.from()];
    let is_parted = before.ends_with("\n\n") || before.ends_with("\n\r\n");
    let lead = if is_parted { "" } else { ending };
    let section = format!("{lead}{depth} Changelog{ending}{ending}{line}{ending}{ending}");
    Some(Edit::insert(footer.line.from(), section))
}
