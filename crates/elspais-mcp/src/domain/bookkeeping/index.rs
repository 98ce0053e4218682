//! `INDEX.md`: tables of all requirements, kept in step with them.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::graph::{NodeKind, TraceGraph};

/// One table of the index.
struct Table {
    /// Its first line and the one behind its last.
    lines: (usize, usize),
    headers: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// The index with these requirements as they are now: rows that changed, that are new, and that
/// are gone. `None` where nothing is different, or where there is no table to keep.
pub(crate) fn updated(
    graph: &TraceGraph,
    text: &str,
    directory: &str,
    ids: &BTreeSet<&str>,
) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut tables = tables(&lines);
    let mut touched: BTreeSet<usize> = BTreeSet::new();
    let mut wanted: BTreeMap<&str, Option<BTreeMap<&str, String>>> = BTreeMap::new();
    for id in ids {
        wanted.insert(id, row(graph, id, directory));
    }
    for (nth, table) in tables.iter_mut().enumerate() {
        let headers = table.headers.clone();
        table.rows.retain_mut(|row| {
            let Some(wanted) = row.first().and_then(|id| wanted.remove(id.as_str())) else {
                return true;
            };
            let Some(cells) = wanted else {
                touched.insert(nth);
                return false;
            };
            for (header, cell) in headers.iter().zip(row.iter_mut()) {
                if let Some(value) = cells.get(header.as_str()).filter(|it| *it != cell) {
                    cell.clone_from(value);
                    touched.insert(nth);
                }
            }
            true
        });
    }
    for (id, cells) in wanted.into_iter().filter_map(|(id, cells)| Some((id, cells?))) {
        // Beside its like: the table with most requirements of its level.
        let level = |id: &str| graph.get_node(id).map(|it| it.level().to_lowercase());
        let own = level(id);
        let alike = |table: &Table| {
            table.rows.iter().filter(|row| row.first().is_some_and(|it| level(it) == own)).count()
        };
        let best = (0..tables.len()).max_by_key(|at| (alike(&tables[*at]), usize::MAX - at));
        let Some(best) = best else { continue };
        let table = &mut tables[best];
        let values =
            table.headers.iter().map(|it| cells.get(it.as_str()).cloned().unwrap_or_default());
        let values: Vec<String> = values.collect();
        let at = table.rows.iter().position(|row| row.first().is_some_and(|it| it.as_str() > id));
        table.rows.insert(at.unwrap_or(table.rows.len()), values);
        touched.insert(best);
    }
    if touched.is_empty() {
        return None;
    }
    let ending = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let mut out: Vec<String> = Vec::new();
    let mut from = 0;
    for (nth, table) in tables.iter().enumerate().filter(|(nth, _)| touched.contains(nth)) {
        debug_assert!(touched.contains(&nth));
        out.extend(lines[from..table.lines.0].iter().map(|it| (*it).to_owned()));
        out.extend(drawn(table));
        from = table.lines.1;
    }
    out.extend(lines[from..].iter().map(|it| (*it).to_owned()));
    let mut joined = out.join(ending);
    if text.ends_with('\n') {
        joined.push_str(ending);
    }
    Some(joined)
}

/// The cells of a requirement by the names of their columns; `None` where it is gone.
fn row(graph: &TraceGraph, id: &str, directory: &str) -> Option<BTreeMap<&'static str, String>> {
    let node = graph.get_node(id).filter(|it| it.kind() == NodeKind::Requirement)?;
    let path = node.path();
    let file = path.strip_prefix(directory).map_or(path, |it| it.trim_start_matches('/'));
    Some(BTreeMap::from([
        ("ID", id.to_owned()),
        ("Title", node.title().replace('|', "\\|")),
        ("File", file.to_owned()),
        ("Hash", node.hash().unwrap_or_default().to_owned()),
    ]))
}

fn cells(line: &str) -> Vec<String> {
    let inner = line.trim().trim_start_matches('|').trim_end_matches('|');
    let mut cells = vec![String::new()];
    let mut escaped = false;
    for it in inner.chars() {
        match it {
            '|' if !escaped => cells.push(String::new()),
            it => cells.last_mut().into_iter().for_each(|cell| cell.push(it)),
        }
        escaped = it == '\\' && !escaped;
    }
    cells.into_iter().map(|it| it.trim().to_owned()).collect()
}

fn tables(lines: &[&str]) -> Vec<Table> {
    let mut found = Vec::new();
    let is_row = |at: usize| lines.get(at).is_some_and(|it| it.trim_start().starts_with('|'));
    let mut at = 0;
    while at < lines.len() {
        let headers = if is_row(at) { cells(lines[at]) } else { Vec::new() };
        if headers.first().is_none_or(|it| it != "ID") || !is_row(at + 1) {
            at += 1;
            continue;
        }
        let end = (at + 2..).find(|it| !is_row(*it)).unwrap_or(lines.len());
        let rows = lines[at + 2..end].iter().map(|it| cells(it)).collect();
        found.push(Table { lines: (at, end), headers, rows });
        at = end;
    }
    found
}

fn drawn(table: &Table) -> Vec<String> {
    let width = |column: usize| {
        let all = std::iter::once(&table.headers).chain(&table.rows);
        all.filter_map(|it| it.get(column)).map(|it| it.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..table.headers.len()).map(width).collect();
    let line = |cells: &Vec<String>| {
        let padded = widths.iter().enumerate().map(|(column, width)| {
            let cell = cells.get(column).map_or("", String::as_str);
            format!("{cell}{}", " ".repeat(width.saturating_sub(cell.chars().count())))
        });
        format!("| {} |", padded.collect::<Vec<_>>().join(" | "))
    };
    let rule: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
    let mut lines = vec![line(&table.headers), format!("| {} |", rule.join(" | "))];
    lines.extend(table.rows.iter().map(line));
    lines
}
