//! Text written by hand between markers, carried over when a document is written anew.

use super::fence::Fence;
use super::markdown::pieces;
use crate::domain::baseline;

const OPEN: &str = "<!-- keep -->";
const CLOSE: &str = "<!-- /keep -->";

/// A block with its markers, and the headings it stood under.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Kept {
    /// The heading of the second level, as written; none before the first.
    section: Option<String>,
    /// The nearest further heading in that section.
    heading: Option<String>,
    text: String,
}

impl Kept {
    /// Whether it stood in the section of this number.
    pub(super) fn is_in_section(&self, number: usize) -> bool {
        let start = format!("## {number}. ");
        self.section.as_ref().is_some_and(|it| it.starts_with(&start))
    }

    /// Whether somebody wrote something into it.
    pub(super) fn has_text(&self) -> bool {
        let inside = self.text.strip_prefix(OPEN).and_then(|it| it.strip_suffix(CLOSE));
        inside.is_some_and(|it| !it.trim().is_empty())
    }
}

/// An empty one, to be written into.
pub(super) fn empty() -> String {
    format!("{OPEN}\n\n{CLOSE}")
}

/// A marker: in which line, from where to where.
#[derive(Debug, Clone, Copy)]
struct Marker {
    line: usize,
    start: usize,
    end: usize,
    opens: bool,
}

/// Where a block ends.
enum End {
    /// With a marker that belongs to it.
    With(Marker),
    /// Without one: before the next block begins, or before the next section.
    Before(Option<Marker>),
}

/// Finds the blocks of a document, wherever a person put them: on lines of their own, within one
/// line, in a table, around a section, one inside another. One that does not end reaches to the
/// next block or section.
pub(crate) fn blocks(document: &str) -> Vec<Kept> {
    let lines: Vec<&str> = document.lines().collect();
    let markers = markers(&lines);
    let mut blocks = Vec::new();
    let (mut section, mut heading): (Option<String>, Option<String>) = (None, None);
    let mut fence = Fence::default();
    let mut line = 0;
    // The first marker that is not used up.
    let mut next = 0;
    while line < lines.len() {
        while markers.get(next).is_some_and(|it| it.line < line) {
            next += 1;
        }
        fence.see(lines[line]);
        let here = markers.get(next).filter(|it| it.line == line && !fence.is_open());
        let Some(marker) = here.copied() else {
            if !fence.is_open() {
                if lines[line].starts_with("## ") {
                    (section, heading) = (Some(lines[line].to_owned()), None);
                } else if lines[line].starts_with("### ") || lines[line].starts_with("#### ") {
                    heading = Some(lines[line].to_owned());
                }
            }
            line += 1;
            continue;
        };
        next += 1;
        if !marker.opens {
            line =
                if markers.get(next).is_some_and(|it| it.line == line) { line } else { line + 1 };
            continue;
        }
        let (inside, after) = match end_of(&markers, next - 1) {
            End::With(end) => {
                next = markers.iter().position(|it| it.at() > end.at()).unwrap_or(markers.len());
                (between(&lines, marker, Some(end)), end.line)
            }
            End::Before(following) => {
                let until = unclosed(&lines, marker.line, following.map(|it| it.line));
                (between(&lines[..until], marker, None), until.max(line + 1) - 1)
            }
        };
        blocks.push(Kept {
            section: section.clone(),
            heading: heading.clone(),
            text: format!("{OPEN}\n{inside}\n{CLOSE}"),
        });
        // Whatever fence the text left open is no matter of the document.
        fence = Fence::default();
        line = if markers.get(next).is_some_and(|it| it.line == after) { after } else { after + 1 };
    }
    blocks
}

impl Marker {
    fn at(self) -> (usize, usize) {
        (self.line, self.start)
    }
}

/// Every marker that is not part of a span of code.
fn markers(lines: &[&str]) -> Vec<Marker> {
    let mut markers = Vec::new();
    for (line, text) in lines.iter().enumerate() {
        // A baseline is one long line, and what looks like a marker in it is escaped.
        if !text.contains("<!--") || baseline::is_comment(text) {
            continue;
        }
        let mut offset = 0;
        for (piece, is_code) in pieces(text) {
            for (at, _) in piece.match_indices("<!--").filter(|_| !is_code) {
                let Some(length) = piece[at..].find("-->") else { break };
                let opens = match piece[at + "<!--".len()..at + length].trim() {
                    "keep" => true,
                    "/keep" => false,
                    _ => continue,
                };
                let (start, end) = (offset + at, offset + at + length + "-->".len());
                markers.push(Marker { line, start, end, opens });
            }
            offset += piece.len();
        }
    }
    markers
}

/// The end of the block that begins with this marker. Markers may be nested, and a second opening
/// one may end a block where nobody wrote closing ones.
fn end_of(markers: &[Marker], begin: usize) -> End {
    let mut depth = 0_usize;
    for marker in &markers[begin..] {
        depth = if marker.opens { depth + 1 } else { depth.saturating_sub(1) };
        if depth == 0 {
            return End::With(*marker);
        }
    }
    let following = markers.get(begin + 1).copied();
    let closes_next = markers.get(begin + 2).is_some_and(|it| !it.opens);
    match following {
        Some(marker) if marker.opens && closes_next => End::Before(Some(marker)),
        Some(marker) => End::With(marker),
        None => End::Before(None),
    }
}

/// The line that a block without an end reaches to.
fn unclosed(lines: &[&str], begin: usize, following: Option<usize>) -> usize {
    let mut fence = Fence::default();
    let last = following.unwrap_or(lines.len());
    let mut ends = |line: &&str| {
        fence.see(line);
        !fence.is_open() && line.starts_with("## ") || baseline::is_comment(line)
    };
    let length = lines[begin + 1..last.max(begin + 1)].iter().take_while(|it| !ends(it)).count();
    let mut until = begin + 1 + length;
    // The rule before the appendix is the document's own.
    while until > begin + 1 && matches!(lines[until - 1].trim(), "" | "---") {
        until -= 1;
    }
    until
}

/// The text between two markers, which may stand in one line, or up to the end.
fn between(lines: &[&str], open: Marker, close: Option<Marker>) -> String {
    if let Some(close) = close.filter(|close| close.line == open.line) {
        return lines[open.line][open.end..close.start].trim().to_owned();
    }
    let last = close.map_or(lines.len(), |close| close.line);
    let mut inside: Vec<&str> = Vec::new();
    inside.extend(Some(lines[open.line][open.end..].trim()).filter(|it| !it.is_empty()));
    inside.extend(&lines[open.line + 1..last]);
    inside.extend(
        close.map(|close| lines[close.line][..close.start].trim()).filter(|it| !it.is_empty()),
    );
    inside.retain(|line| !baseline::is_comment(line));
    inside.join("\n")
}

/// Puts blocks back under the headings they stood under: at the end of the same part, else of the
/// same section, else of the whole body.
pub(crate) fn put_back(body: &str, blocks: &[Kept]) -> String {
    let lines: Vec<&str> = body.lines().collect();
    let outside = outside_of_code(&lines);
    // Places are those of the body itself: a block may hold headings of its own.
    let mut places: Vec<(usize, &Kept)> = blocks
        .iter()
        .map(|kept| {
            let mut place = place_of(&lines, &outside, kept);
            while place > 0 && lines[place - 1].trim().is_empty() {
                place -= 1;
            }
            (place, kept)
        })
        .collect();
    places.sort_by_key(|(place, _)| *place);
    let mut places = places.into_iter().peekable();
    let mut text = String::with_capacity(body.len());
    for at in 0..=lines.len() {
        while let Some((_, kept)) = places.next_if(|(place, _)| *place == at) {
            text.push('\n');
            text.push_str(&kept.text);
            text.push('\n');
        }
        if let Some(line) = lines.get(at) {
            text.push_str(line);
            text.push('\n');
        }
    }
    text
}

fn place_of(lines: &[&str], outside: &[bool], kept: &Kept) -> usize {
    let find = |from: usize, to: usize, wanted: &str| {
        (from..to).find(|at| outside[*at] && lines[*at] == wanted)
    };
    let next = |from: usize, to: usize, ends: &dyn Fn(&str) -> bool| {
        (from..to).find(|at| outside[*at] && ends(lines[*at])).unwrap_or(to)
    };
    let is_section = |line: &str| line.starts_with("## ") || line == "---";
    let Some(section) = &kept.section else {
        return next(0, lines.len(), &is_section);
    };
    // Sections are known by their number, so a document may change its language.
    let number = section.split(['.', ' ']).nth(1).filter(|it| it.parse::<u8>().is_ok());
    let same = |line: &str| match number {
        Some(number) => line.starts_with(&format!("## {number}. ")),
        None => line == section,
    };
    let Some(start) = (0..lines.len()).find(|at| outside[*at] && same(lines[*at])) else {
        return next(0, lines.len(), &|line| line == "---");
    };
    let end = next(start + 1, lines.len(), &is_section);
    let heading = kept.heading.as_ref().and_then(|wanted| find(start + 1, end, wanted));
    match heading {
        Some(at) => {
            next(at + 1, end, &|line| line.starts_with("### ") || line.starts_with("#### "))
        }
        None => end,
    }
}

/// For each line, whether it stands outside fenced code.
fn outside_of_code(lines: &[&str]) -> Vec<bool> {
    let mut fence = Fence::default();
    lines
        .iter()
        .map(|line| {
            let was_open = fence.is_open();
            fence.see(line);
            !was_open && !fence.is_open()
        })
        .collect()
}
