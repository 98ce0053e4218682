//! One broken declaration must not take the rest of its file with it. The parser finds its way back
//! from most mistakes, but not from a bracket that is never closed: then the file is cut where lines
//! begin declarations, and what does not parse by itself is set aside.

use tree_sitter::{Node, Parser, Point, Range, Tree};

use crate::domain::syntax::mending::Mending;

/// A file that is broken in more places has more than a mistake in it; and each place is read by
/// itself, which looks through the whole text.
const MAX_BROKEN: usize = 20;

/// A file without its broken parts, and those parts.
pub(super) struct Recovered {
    pub(super) tree: Tree,
    pub(super) broken: Vec<Tree>,
}

/// Parses the parts of a file each by itself, where that finds more declarations than `tree` has.
pub(super) fn recover(
    parser: &mut Parser,
    mending: &Mending,
    text: &str,
    tree: &Tree,
) -> Option<Recovered> {
    let pieces = pieces(text, &mending.declaration_starts(text));
    let found = statements(tree.root_node());
    if pieces.len() < 2 || found >= pieces.len() {
        return None;
    }
    let mut rest = text.to_owned();
    let broken = set_aside(parser, text, &pieces, &mut rest);
    // The parser is used for other files after this one.
    parser.set_included_ranges(&[]).ok()?;
    let broken = broken?;
    let tree = parser.parse(rest.as_bytes(), None)?;
    let is_better = statements(tree.root_node()) + broken.len() > found;
    is_better.then_some(Recovered { tree, broken })
}

/// Blanks in `rest` what does not parse by itself; none where that is too much.
fn set_aside(
    parser: &mut Parser,
    text: &str,
    pieces: &[Range],
    rest: &mut String,
) -> Option<Vec<Tree>> {
    let mut broken = Vec::new();
    for range in pieces {
        parser.set_included_ranges(&[*range]).ok()?;
        let piece = parser.parse(text.as_bytes(), None)?;
        if piece.root_node().has_error() {
            if broken.len() == MAX_BROKEN {
                return None;
            }
            let part = range.start_byte..range.end_byte;
            let blank = |it: u8| if it == b'\n' { '\n' } else { ' ' };
            let blank: String = text[part.clone()].bytes().map(blank).collect();
            rest.replace_range(part, &blank);
            broken.push(piece);
        }
    }
    Some(broken)
}

/// How many declarations and statements the parser made out.
fn statements(root: Node<'_>) -> usize {
    if root.is_error() {
        return 0;
    }
    let mut cursor = root.walk();
    let whole = root.named_children(&mut cursor).filter(|it| !it.is_error() && !it.is_extra());
    whole.count()
}

/// From each start to the next; comments and attributes go with what follows them.
fn pieces(text: &str, starts: &[usize]) -> Vec<Range> {
    let mut cuts: Vec<usize> = Vec::with_capacity(starts.len() + 1);
    for start in starts {
        let mut cut = *start;
        let floor = cuts.last().copied().unwrap_or_default();
        while cut > floor {
            let line = text[..cut - 1].rfind('\n').map_or(0, |it| it + 1);
            let is_before = |it: &str| text[line..].trim_start_matches([' ', '\t']).starts_with(it);
            if line < floor || !["//", "/*", "*", "#[", "@"].iter().any(|it| is_before(it)) {
                break;
            }
            cut = line;
        }
        if cut > floor || cuts.is_empty() {
            cuts.push(cut);
        }
    }
    cuts.push(text.len());
    let mut row = 0;
    let mut counted = 0;
    let mut point = |at: usize| {
        row += memchr::memchr_iter(b'\n', &text.as_bytes()[counted..at]).count();
        counted = at;
        Point { row, column: at - text[..at].rfind('\n').map_or(0, |it| it + 1) }
    };
    let mut found = Vec::with_capacity(cuts.len());
    let mut start = cuts.first().map(|it| (*it, point(*it)));
    for end in cuts.iter().skip(1) {
        let next = (*end, point(*end));
        if let Some((start_byte, start_point)) = start.replace(next) {
            found.push(Range { start_byte, end_byte: next.0, start_point, end_point: next.1 });
        }
    }
    found
}
