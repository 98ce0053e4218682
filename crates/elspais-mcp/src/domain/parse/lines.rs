//! A text as lines, with those marked that lie in fenced code or in comments.

use super::Remark;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Line {
    pub(crate) start: usize,
    /// Without the line break.
    pub(crate) end: usize,
    /// Behind the line break.
    pub(crate) next: usize,
    /// In fenced code or an HTML comment: text, never structure.
    pub(crate) hidden: bool,
}

impl Line {
    pub(crate) fn of<'a>(&self, text: &'a str) -> &'a str {
        &text[self.start..self.end]
    }

    pub(crate) fn is_blank(&self, text: &str) -> bool {
        let words = self.of(text);
        // The first byte tells it of nearly all lines.
        !words.as_bytes().first().is_some_and(u8::is_ascii_graphic) && words.trim().is_empty()
    }
}

/// Whether a line certainly begins, blanks aside, with something else than one of these marks.
pub(super) fn begins_otherwise(line: &str, marks: &[u8]) -> bool {
    line.as_bytes().first().is_some_and(|it| it.is_ascii_graphic() && !marks.contains(it))
}

/// A line's number as it is shown.
pub(crate) fn number(index: usize) -> u32 {
    u32::try_from(index + 1).unwrap_or(u32::MAX)
}

/// Splits only: nothing is hidden.
pub(crate) fn split(text: &str) -> Vec<Line> {
    let mut lines = Vec::with_capacity(text.len() / 40 + 1);
    split_into(text, &mut lines);
    lines
}

fn split_into(text: &str, lines: &mut Vec<Line>) {
    lines.clear();
    let bytes = text.as_bytes();
    // A byte-order mark is no part of the first line.
    let mut start = if text.starts_with('\u{feff}') { 3 } else { 0 };
    for at in memchr::memchr_iter(b'\n', bytes) {
        let end = if at > start && bytes[at - 1] == b'\r' { at - 1 } else { at };
        lines.push(Line { start, end, next: at + 1, hidden: false });
        start = at + 1;
    }
    if start < text.len() {
        lines.push(Line { start, end: text.len(), next: text.len(), hidden: false });
    }
}

/// Splits Markdown. A fence or comment that is never closed hides nothing, and is remarked on.
pub(crate) fn split_markdown(text: &str, remarks: &mut Vec<Remark>) -> Vec<Line> {
    let mut lines = Vec::with_capacity(text.len() / 40 + 1);
    split_markdown_into(text, remarks, &mut lines);
    lines
}

/// The same, into a list that may have been used for another text.
pub(super) fn split_markdown_into(text: &str, remarks: &mut Vec<Remark>, lines: &mut Vec<Line>) {
    split_into(text, lines);
    // The shortest run of each fence character that is known to have no end any more.
    let mut unclosed = [usize::MAX; 2];
    let mut open_comment = false;
    let mut index = 0;
    while index < lines.len() {
        let words = lines[index].of(text);
        if words.is_empty() || begins_otherwise(words, b"`~<") {
            index += 1;
            continue;
        }
        if let Some((mark, run)) = opening_fence(words) {
            let slot = usize::from(mark == b'~');
            let end = if run >= unclosed[slot] {
                None
            } else {
                (index + 1..lines.len()).find(|at| closes_fence(lines[*at].of(text), mark, run))
            };
            if let Some(end) = end {
                lines[index..=end].iter_mut().for_each(|line| line.hidden = true);
                index = end + 1;
                continue;
            }
            if unclosed[slot] == usize::MAX {
                remarks.push(Remark {
                    line: number(index),
                    code: "unclosed_fence",
                    message: "this code fence is never closed; what follows is read as text"
                        .to_owned(),
                });
            }
            unclosed[slot] = unclosed[slot].min(run);
        } else if !open_comment && words.trim_start().starts_with("<!--") {
            let opened = lines[index].start + words.find("<!--").unwrap_or(0) + 4;
            if let Some(closed) = memchr::memmem::find(&text.as_bytes()[opened..], b"-->") {
                let closed = opened + closed;
                while index < lines.len() && lines[index].start <= closed {
                    lines[index].hidden = true;
                    index += 1;
                }
                continue;
            }
            open_comment = true;
            remarks.push(Remark {
                line: number(index),
                code: "unclosed_comment",
                message: "this comment is never closed; what follows is read as text".to_owned(),
            });
        }
        index += 1;
    }
}

fn opening_fence(line: &str) -> Option<(u8, usize)> {
    let rest = line.trim_start_matches(' ');
    if line.len() - rest.len() > 3 {
        return None;
    }
    let mark = *rest.as_bytes().first().filter(|it| matches!(it, b'`' | b'~'))?;
    let run = rest.bytes().take_while(|it| *it == mark).count();
    // Text in single backticks on one line is no fence.
    let is_inline = mark == b'`' && rest[run..].contains('`');
    (run >= 3 && !is_inline).then_some((mark, run))
}

fn closes_fence(line: &str, mark: u8, run: usize) -> bool {
    let rest = line.trim_start_matches(' ');
    let length = rest.bytes().take_while(|it| *it == mark).count();
    line.len() - rest.len() <= 3 && length >= run && rest[length..].trim().is_empty()
}
