//! The line an item of spec-kit begins with: `- **FR-003**: …` and its variants.

use std::sync::LazyLock;

use regex::Regex;

static ITEM: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"^(?P<indent> {0,3})(?P<lead>#{2,6}[ \t]+|[-*+][ \t]+(?:\[[ xX]\][ \t]+)?|\d+[.)][ \t]+)?(?P<mark>\*\*|__|`)?(?P<id>(?:FR|NFR|SC)-\d{1,5}[a-z]?)(?P<rest>[^A-Za-z0-9-].*)?$";
    Regex::new(pattern).unwrap_or_else(|error| unreachable!("the pattern is valid: {error}"))
});

/// What may stand between an id and its colon: `(note)`, `[P1]`.
static NOTES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^[ \t]*(?:(?:\([^)]*\)|\[[^\]]*\])[ \t]*)*")
        .unwrap_or_else(|error| unreachable!("the pattern is valid: {error}"))
});

/// Whether a line begins an item.
pub(super) fn begins_item(line: &str) -> bool {
    definition(line).is_some()
}

/// Where id and text of an item lie in its line, and where a title of its own ends.
pub(super) struct Definition {
    pub(super) id: (usize, usize),
    pub(super) text_at: usize,
    pub(super) title_end: Option<usize>,
    pub(super) is_heading: bool,
}

pub(super) fn definition(line: &str) -> Option<Definition> {
    // Asked of every line.
    if !line.contains("FR-") && !line.contains("SC-") {
        return None;
    }
    let found = ITEM.captures(line)?;
    let id = found.name("id")?;
    let lead = found.name("lead").map_or("", |it| it.as_str());
    let is_heading = lead.starts_with('#');
    let (mut at, mut title_end) = (id.end(), None);
    let past_notes = |at: usize| at + NOTES.find(&line[at..]).map_or(0, |it| it.len());
    let past_colon = |at: usize| {
        let bare = line[at..].trim_start();
        let rest = bare.strip_prefix([':', '：'])?;
        Some(line.len() - rest.len())
    };
    if let Some(mark) = found.name("mark") {
        {
            let closed = at + line[at..].find(mark.as_str())?;
            let inside = past_notes(at);
            match past_colon(inside.min(closed)).filter(|it| *it <= closed) {
                // `**FR-001: Signing in** …` has a title of its own.
                Some(colon) if !line[colon..closed].trim().is_empty() => {
                    at = colon;
                    title_end = Some(closed);
                }
                _ => {
                    let behind = past_notes(closed + mark.len());
                    at = past_colon(behind).unwrap_or(behind);
                }
            }
        }
    } else {
        {
            let behind = past_notes(at);
            at = match past_colon(behind) {
                Some(at) => at,
                None if is_heading => {
                    let rest = line[behind..].trim_start_matches([' ', '\t', '-', '–', '—']);
                    line.len() - rest.len()
                }
                None => return None,
            };
        }
    }
    let blanks = line[at..].len() - line[at..].trim_start().len();
    let id = (id.start(), id.end());
    Some(Definition { id, text_at: at + blanks, title_end, is_heading })
}
