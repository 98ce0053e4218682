//! Text written by hand between markers, carried over when a specification is written anew.

use super::fence::Fence;

const OPEN: &str = "<!-- keep -->";
const CLOSE: &str = "<!-- /keep -->";

/// A block with its markers, and the headings it stood under.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Kept {
    /// The heading of the second level, as written; none before the first.
    section: Option<String>,
    /// The nearest further heading in that section.
    heading: Option<String>,
    text: String,
}

/// Finds the blocks of a document. A block ends with `<!-- /keep -->` or a second `<!-- keep -->`;
/// one that does not end reaches to the next section.
pub(super) fn blocks(document: &str) -> Vec<Kept> {
    let mut blocks = Vec::new();
    let (mut section, mut heading): (Option<String>, Option<String>) = (None, None);
    let mut open: Option<Vec<&str>> = None;
    let mut fence = Fence::default();
    for line in document.lines() {
        let mark = line.trim();
        if let Some(lines) = &mut open {
            let ends = mark == CLOSE || mark == OPEN;
            if ends || (line.starts_with("## ") && !fence.is_open()) {
                let mut text = lines.join("\n");
                if ends {
                    text = format!("{text}\n{CLOSE}");
                } else {
                    text = format!("{}\n{CLOSE}", text.trim_end());
                }
                blocks.push(Kept { section: section.clone(), heading: heading.clone(), text });
                open = None;
                if ends {
                    continue;
                }
            } else {
                lines.push(line);
                fence.see(line);
                continue;
            }
        }
        fence.see(line);
        if fence.is_open() {
            continue;
        }
        if mark == OPEN {
            open = Some(vec![OPEN]);
        } else if line.starts_with("## ") {
            (section, heading) = (Some(line.to_owned()), None);
        } else if line.starts_with("### ") || line.starts_with("#### ") {
            heading = Some(line.to_owned());
        }
    }
    if let Some(lines) = open {
        blocks.push(Kept {
            section,
            heading,
            text: format!("{}\n{CLOSE}", lines.join("\n").trim_end()),
        });
    }
    blocks
}

/// Puts blocks back under the headings they stood under: at the end of the same part, else of the
/// same section, else of the whole body.
pub(super) fn put_back(body: &str, blocks: &[Kept]) -> String {
    let mut lines: Vec<String> = body.lines().map(str::to_owned).collect();
    for kept in blocks {
        let place = place_of(&lines, kept);
        let mut place = place;
        while place > 0 && lines[place - 1].trim().is_empty() {
            place -= 1;
        }
        let block = std::iter::once(String::new()).chain(kept.text.lines().map(str::to_owned));
        lines.splice(place..place, block);
    }
    let mut text = lines.join("\n");
    text.push('\n');
    text
}

fn place_of(lines: &[String], kept: &Kept) -> usize {
    let outside = outside_of_code(lines);
    let find = |from: usize, to: usize, wanted: &str| {
        (from..to).find(|at| outside[*at] && lines[*at] == wanted)
    };
    let next = |from: usize, to: usize, ends: &dyn Fn(&str) -> bool| {
        (from..to).find(|at| outside[*at] && ends(&lines[*at])).unwrap_or(to)
    };
    let is_section = |line: &str| line.starts_with("## ") || line == "---";
    let Some(section) = &kept.section else {
        return next(0, lines.len(), &is_section);
    };
    // Sections are known by their number, so a document may change its language.
    let number = section.split(['.', ' ']).nth(1).filter(|it| it.parse::<u8>().is_ok());
    let same = |line: &String| match number {
        Some(number) => line.starts_with(&format!("## {number}. ")),
        None => line == section,
    };
    let Some(start) = (0..lines.len()).find(|at| outside[*at] && same(&lines[*at])) else {
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

/// For each line, whether it stands outside of fenced code.
fn outside_of_code(lines: &[String]) -> Vec<bool> {
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
