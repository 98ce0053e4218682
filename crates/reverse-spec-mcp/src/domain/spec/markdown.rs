//! Markdown that says what was meant, whatever the text holds.

use std::fmt::Write as _;

/// Longer texts in a table help nobody.
const CELL_CHARS: usize = 300;

/// A span of code, also where the text holds backticks.
pub(crate) fn code(text: &str) -> String {
    let text = one_line(text);
    if text.is_empty() {
        return String::new();
    }
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// A span of code inside a table, where a bar would end the cell even in code.
pub(crate) fn code_cell(text: &str) -> String {
    code(text).replace('|', "\\|")
}

/// Prose from a comment, as text: nothing in it is markup, a comment or the end of a cell. What it
/// sets as code stays as it is, because there no character could be escaped.
pub(crate) fn cell(text: &str) -> String {
    let line = one_line(text);
    let mut escaped = String::new();
    for (piece, is_code) in pieces(&line) {
        if is_code {
            escaped.push_str(&piece.replace('|', "\\|"));
            continue;
        }
        for c in piece.chars() {
            match c {
                '<' => escaped.push_str("&lt;"),
                '>' => escaped.push_str("&gt;"),
                '|' | '[' | ']' | '*' | '_' | '\\' => {
                    escaped.push('\\');
                    escaped.push(c);
                }
                other => escaped.push(other),
            }
        }
    }
    escaped
}

/// A line in pieces, each with whether it is a span of code. Backticks without a partner are text.
pub(crate) fn pieces(line: &str) -> Vec<(&str, bool)> {
    let mut pieces = Vec::new();
    let ticks = ticks(line);
    // The next run of the same length, which ends a span: looked for from behind, once.
    let mut last: std::collections::HashMap<usize, usize> = std::collections::HashMap::new();
    let mut partner = vec![None; ticks.len()];
    for (place, (_, length)) in ticks.iter().enumerate().rev() {
        partner[place] = last.insert(*length, place);
    }
    let (mut text_from, mut place) = (0, 0);
    while let Some((start, _)) = ticks.get(place) {
        let Some(end) = partner[place] else {
            place += 1;
            continue;
        };
        let after = ticks[end].0 + ticks[end].1;
        pieces.push((&line[text_from..*start], false));
        pieces.push((&line[*start..after], true));
        (text_from, place) = (after, end + 1);
    }
    pieces.push((&line[text_from..], false));
    pieces.retain(|(piece, _)| !piece.is_empty());
    pieces
}

/// Runs of backticks: where each begins, and its length.
fn ticks(line: &str) -> Vec<(usize, usize)> {
    let mut ticks: Vec<(usize, usize)> = Vec::new();
    for (at, _) in line.match_indices('`') {
        match ticks.last_mut() {
            Some((start, length)) if *start + *length == at => *length += 1,
            _ => ticks.push((at, 1)),
        }
    }
    ticks
}

/// Words on one line, cut where they would not end.
fn one_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = mcp_core::text::harmless(&line);
    let cut = mcp_core::text::cut(&line, CELL_CHARS);
    if cut.len() < line.len() { format!("{cut}…") } else { line.into_owned() }
}

/// A table whose cells are Markdown already.
pub(crate) struct Table {
    text: String,
    rows: usize,
}

impl Table {
    pub(crate) fn new(headings: &[&str]) -> Self {
        let mut table = Self { text: String::new(), rows: 0 };
        table.line(headings);
        table.line(&vec!["---"; headings.len()]);
        table
    }

    pub(crate) fn row(&mut self, cells: &[&str]) {
        self.line(cells);
        self.rows += 1;
    }

    fn line(&mut self, cells: &[&str]) {
        writeln!(self.text, "| {} |", cells.join(" | ")).ok();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows == 0
    }

    pub(crate) fn into_text(self) -> String {
        self.text
    }
}
