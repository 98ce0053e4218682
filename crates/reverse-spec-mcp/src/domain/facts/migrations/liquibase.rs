//! Changesets of Liquibase as XML: elements by their names, without a parser for the rest.

use super::{Step, step, tell};
use crate::domain::facts::found::Found;

/// Changes, and what is said of each.
const CHANGES: [(&str, &str); 16] = [
    ("createTable", "creates table"),
    ("dropTable", "drops table"),
    ("renameTable", "renames table"),
    ("addColumn", "adds to"),
    ("dropColumn", "drops column"),
    ("renameColumn", "renames column"),
    ("modifyDataType", "changes column"),
    ("addNotNullConstraint", "makes required"),
    ("dropNotNullConstraint", "makes optional"),
    ("addForeignKeyConstraint", "adds foreign key to"),
    ("addUniqueConstraint", "adds unique constraint to"),
    ("addPrimaryKey", "adds primary key to"),
    ("createIndex", "creates index on"),
    ("dropIndex", "drops index of"),
    ("insert", "inserts rows into"),
    ("sql", "runs SQL"),
];

pub(super) fn collect(text: &str, found: &mut Found<'_>) {
    for (start, mark) in text.match_indices("<changeSet") {
        let start = start + mark.len();
        let part = &text[start..];
        let body = part.split("</changeSet").next().unwrap_or(part);
        let id = attribute(body, "id").unwrap_or("(unnamed)");
        let forward = body.split("<rollback").next().unwrap_or(body);
        let mut steps: Vec<Step> = Vec::new();
        let line_at = |at: usize| {
            memchr::memchr_iter(b'\n', &text.as_bytes()[..(start + at).min(text.len())]).count() + 1
        };
        for (at, _) in forward.match_indices('<') {
            let element = &forward[at + 1..];
            let name = element.split([' ', '>', '/', '\n', '\t', '\r']).next().unwrap_or_default();
            let element = element.split('>').next().unwrap_or(element);
            if let Some((_, words)) = CHANGES.iter().find(|it| it.0 == name) {
                let table = attribute(element, "tableName")
                    .or_else(|| attribute(element, "baseTableName"))
                    .or_else(|| attribute(element, "oldTableName"))
                    .unwrap_or_default();
                let column = attribute(element, "columnName")
                    .or_else(|| attribute(element, "columnNames"))
                    .or_else(|| attribute(element, "oldColumnName"))
                    .or_else(|| attribute(element, "baseColumnNames"));
                let what = column.map_or(table.to_owned(), |it| format!("{table}.{it}"));
                steps.push(step(line_at(at), words, &what, ""));
            } else if name == "column"
                && let (Some(step), Some(column)) = (steps.last_mut(), attribute(element, "name"))
            {
                let gap = if step.text.contains(':') { ", " } else { ": " };
                step.text.push_str(gap);
                step.text.push_str(column);
            }
        }
        if steps.is_empty() {
            steps.push(step(line_at(0), "does what is not read here", "", ""));
        }
        tell(id.to_owned(), None, steps, found);
    }
}

/// The value of an attribute in the first element of a text.
fn attribute<'t>(element: &'t str, name: &str) -> Option<&'t str> {
    let head = element.split('>').next().unwrap_or(element);
    for quote in ['"', '\''] {
        let start = format!("{name}={quote}");
        let found = head
            .match_indices(&start)
            .find(|(at, _)| head[..*at].ends_with(|it: char| it.is_whitespace()) || *at == 0);
        if let Some((at, _)) = found {
            return head[at + start.len()..].split(quote).next();
        }
    }
    None
}
