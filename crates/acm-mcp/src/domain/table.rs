//! Tables in Markdown as rows of cells. Read leniently: people leave blank lines between the head
//! and the rows, which ends the table for a renderer but not for a reader.

use crate::domain::document::lines_outside_fences;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Table {
    pub(crate) head: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
}

impl Table {
    /// All tables of a text, code fences left out.
    pub(crate) fn all(text: &str) -> Vec<Self> {
        let mut tables: Vec<Self> = Vec::new();
        let mut previous: Option<Vec<String>> = None;
        let mut open = false;
        for line in lines_outside_fences(text) {
            if line.trim().is_empty() {
                continue;
            }
            let Some(row) = cells(line) else {
                (previous, open) = (None, false);
                continue;
            };
            let under_head = previous.as_ref().is_some_and(|head| head.len() == row.len());
            if is_delimiter(&row) && under_head {
                // The line before was no row but the head of a table that starts here.
                if open && let Some(last) = tables.last_mut() {
                    last.rows.pop();
                }
                let head = previous.take().unwrap_or_default();
                tables.push(Self { head, rows: Vec::new() });
                open = true;
                continue;
            }
            if open && let Some(table) = tables.last_mut() {
                table.rows.push(row.clone());
            }
            previous = Some(row);
        }
        tables
    }

    /// The column whose head is this word, markup and case aside.
    pub(crate) fn column(&self, name: &str) -> Option<usize> {
        self.head.iter().position(|cell| plain(cell).eq_ignore_ascii_case(name))
    }

    /// The table with only some of its columns.
    pub(crate) fn with_columns(&self, columns: &[usize]) -> Self {
        let pick = |row: &[String]| {
            columns.iter().map(|column| cell(row, *column).to_owned()).collect::<Vec<_>>()
        };
        Self { head: pick(&self.head), rows: self.rows.iter().map(|row| pick(row)).collect() }
    }

    pub(crate) fn render(&self) -> String {
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let mut text = line(&self.head);
        text.push_str(&line(&vec!["---".to_owned(); self.head.len()]));
        for row in &self.rows {
            text.push_str(&line(row));
        }
        text
    }
}

/// A cell of a row; rows may be shorter than the head.
pub(crate) fn cell(row: &[String], column: usize) -> &str {
    row.get(column).map_or("", String::as_str)
}

/// A cell without emphasis and code marks.
pub(crate) fn plain(cell: &str) -> &str {
    cell.trim_matches(|it: char| it.is_whitespace() || matches!(it, '*' | '`' | '_'))
}

fn cells(line: &str) -> Option<Vec<String>> {
    let line = line.trim();
    if !line.contains('|') {
        return None;
    }
    let mut cells = vec![String::new()];
    let mut characters = line.strip_prefix('|').unwrap_or(line).chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\\' if characters.peek() == Some(&'|') => {
                if let Some(cell) = cells.last_mut() {
                    cell.push_str("\\|");
                }
                characters.next();
            }
            '|' => cells.push(String::new()),
            other => {
                if let Some(cell) = cells.last_mut() {
                    cell.push(other);
                }
            }
        }
    }
    if line.len() > 1 && cells.last().is_some_and(|it| it.trim().is_empty()) {
        cells.pop();
    }
    Some(cells.iter().map(|it| it.trim().to_owned()).collect())
}

fn is_delimiter(row: &[String]) -> bool {
    let is_rule = |cell: &String| {
        let dashes = cell.trim_start_matches(':').trim_end_matches(':');
        !dashes.is_empty() && dashes.chars().all(|it| it == '-')
    };
    !row.is_empty() && row.iter().all(is_rule)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_table_has_a_head_and_rows() {
        let tables =
            Table::all("text\n\n| A | **B** |\n|---|:-:|\n| 1 | 2\\|3 |\nend\n| not | one |\n");
        assert_eq!(tables.len(), 1);
        assert_eq!(tables[0].column("b"), Some(1));
        assert_eq!(tables[0].rows, [["1", "2\\|3"]]);
    }

    #[test]
    fn blank_lines_do_not_end_it_and_two_tables_stay_two() {
        let tables = Table::all("|A|B|\n|-|-|\n\n|1|2|\n\n|C|D|\n|-|-|\n|3|4|\n");
        let rows: Vec<_> = tables.iter().map(|it| (it.head.join(""), it.rows.len())).collect();
        assert_eq!(rows, [("AB".to_owned(), 1), ("CD".to_owned(), 1)]);
    }

    #[test]
    fn a_fence_holds_no_table() {
        assert_eq!(Table::all("```\n|A|B|\n|-|-|\n```\n"), []);
    }

    #[test]
    fn columns_are_picked_and_rendered() {
        let tables = Table::all("| A | B | C |\n|-|-|-|\n| 1 | 2 | 3 |\n| 4 |\n");
        let picked = tables[0].with_columns(&[0, 2]).render();
        assert_eq!(picked, "| A | C |\n| --- | --- |\n| 1 | 3 |\n| 4 |  |\n");
    }

    proptest! {
        #[test]
        fn reading_never_panics(text in "(\\||-|:|a|\n|\\\\|`| ){0,60}") {
            for table in Table::all(&text) {
                prop_assert!(!table.head.is_empty());
            }
        }
    }
}
