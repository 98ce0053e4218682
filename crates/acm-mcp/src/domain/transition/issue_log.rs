//! The issue log of a brief: which Critical or High rows are still open.

use mcp_core::markdown;

use crate::domain::document;
use crate::domain::heading;
use crate::domain::table::{Table, cell, plain};

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Issues {
    NoLog,
    NoneOpen,
    /// Number, severity and title of each.
    Open(Vec<String>),
    Unclear(String),
}

/// What a row's status says when nobody has to do anything more.
const SETTLED: [&str; 14] = [
    "resolved",
    "closed",
    "done",
    "complete",
    "completed",
    "fixed",
    "deferred",
    "rejected",
    "duplicate",
    "accepted",
    "wontfix",
    "won't fix",
    "invalid",
    "n/a",
];

pub(super) fn read(body: &str) -> Issues {
    let sections = markdown::sections(body);
    let is_log =
        |text: &str| heading::contains(text, "issue log") || heading::contains(text, "issues log");
    let Some(log) = sections.iter().find(|it| is_log(&it.heading.text)) else {
        return Issues::NoLog;
    };
    let log = &body[log.body.clone()];
    let tables = Table::all(log);
    if tables.is_empty() {
        let speaks_of_it = document::lines_outside_fences(log).any(is_severe);
        return if speaks_of_it {
            Issues::Unclear("has no table that can be read".to_owned())
        } else {
            Issues::NoneOpen
        };
    }
    let (mut open, mut unclear) = (Vec::new(), Vec::new());
    for table in &tables {
        let (Some(severity), Some(status)) = (table.column("severity"), table.column("status"))
        else {
            unclear.push("has a table without the columns Severity and Status".to_owned());
            continue;
        };
        for row in table.rows.iter().filter(|row| is_severe(cell(row, severity))) {
            let state = plain(cell(row, status)).to_lowercase();
            let name = title(table, row, severity);
            if state.trim_matches('-').is_empty() {
                unclear.push(format!("gives no status for {name}"));
            } else if !is_settled(&state) {
                open.push(name);
            }
        }
    }
    match (open.is_empty(), unclear.is_empty()) {
        (false, _) => Issues::Open(open),
        (true, false) => Issues::Unclear(unclear.join(", ")),
        (true, true) => Issues::NoneOpen,
    }
}

fn is_severe(text: &str) -> bool {
    heading::contains(text, "critical") || heading::contains(text, "high")
}

/// `Resolved`, `✅ Resolved` and `resolved (cycle 2)` alike.
fn is_settled(state: &str) -> bool {
    let state = state.trim_start_matches(|it: char| !it.is_alphanumeric());
    SETTLED.iter().any(|it| {
        state.strip_prefix(it).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    })
}

fn title(table: &Table, row: &[String], severity: usize) -> String {
    let number = table.column("#").or_else(|| table.column("id"));
    let number = number.map(|it| plain(cell(row, it))).filter(|it| !it.is_empty());
    let what = table.column("issue").or_else(|| table.column("title"));
    let what = what.map(|it| cell(row, it)).filter(|it| !it.is_empty());
    let severity = plain(cell(row, severity));
    match (number, what) {
        (Some(number), Some(what)) => {
            format!("#{} ({severity}) {what}", number.trim_start_matches('#'))
        }
        (Some(number), None) => format!("#{} ({severity})", number.trim_start_matches('#')),
        (None, Some(what)) => format!("({severity}) {what}"),
        (None, None) => format!("a {severity} issue"),
    }
}
