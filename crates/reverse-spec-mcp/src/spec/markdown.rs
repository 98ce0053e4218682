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

/// Prose from a comment, as text: nothing in it is markup, a comment or the end of a cell.
pub(crate) fn cell(text: &str) -> String {
    let mut escaped = String::new();
    for c in one_line(text).chars() {
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
    escaped
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
