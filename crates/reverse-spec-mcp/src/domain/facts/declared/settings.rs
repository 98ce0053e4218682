//! `NAME=value`, `a.b.c=value` and keys of YAML below each other.

use crate::domain::facts::found::{Found, MAX_TEXT, NOT_SHOWN, fallback, is_secret};
use crate::domain::skeleton::EntryKind;

/// One line that gives a setting.
struct Given<'a> {
    line: usize,
    name: String,
    value: &'a str,
    /// A key of YAML without a value of its own.
    is_above_others: bool,
}

pub(super) fn collect(text: &str, found: &mut Found<'_>) {
    for given in all(found.path, text).into_iter().filter(|it| !it.is_above_others) {
        let mut entry = found.entry(EntryKind::Setting, given.name, given.line);
        entry.fallback = fallback(&entry.name, without_quotes(given.value));
        found.push(entry);
    }
}

/// With every value taken out whose name looks like a secret, however many lines it has.
pub(super) fn masked(path: &str, text: &str) -> String {
    let mut given = all(path, text).into_iter().peekable();
    let mut is_hidden = false;
    let mut lines: Vec<String> = Vec::new();
    for (index, line) in text.split('\n').enumerate() {
        let begun = given.next_if(|it| it.line == index + 1);
        let rest = line.trim_start();
        let shown = if let Some(begun) = begun {
            is_hidden = is_secret(&begun.name);
            let at = line.rfind(begun.value).filter(|_| is_hidden && !begun.value.is_empty());
            at.map(|at| &line[..at])
        } else {
            let is_value = is_hidden && !rest.trim_end().is_empty() && !rest.starts_with('#');
            is_value.then(|| &line[..line.len() - rest.len()])
        };
        lines.push(shown.map_or_else(|| line.to_owned(), |it| format!("{it}{NOT_SHOWN}")));
    }
    lines.join("\n")
}

fn all<'a>(path: &str, text: &'a str) -> Vec<Given<'a>> {
    let ending = path.rsplit('.').next();
    if matches!(ending, Some("yml" | "yaml")) { below_each_other(text) } else { one_by_line(text) }
}

fn one_by_line(text: &str) -> Vec<Given<'_>> {
    let mut found = Vec::new();
    let mut goes_on = false;
    for (index, line) in text.lines().enumerate() {
        let is_rest = goes_on;
        let line = line.trim();
        goes_on = line.ends_with('\\');
        if is_rest || line.starts_with(['#', '!']) {
            continue;
        }
        let line = line.strip_prefix("export ").unwrap_or(line);
        let Some(at) = line.find(['=', ':']) else { continue };
        let name = line[..at].trim();
        if is_name(name) {
            let value = line[at + 1..].trim();
            found.push(Given {
                line: index + 1,
                name: name.to_owned(),
                value,
                is_above_others: false,
            });
        }
    }
    found
}

/// Keys of YAML with those above them; what lists hold is part of no key.
fn below_each_other(text: &str) -> Vec<Given<'_>> {
    let mut found = Vec::new();
    let mut above: Vec<(usize, &str)> = Vec::new();
    let mut inside_text: Option<usize> = None;
    for (index, line) in text.lines().enumerate() {
        let rest = line.trim_start();
        let indent = line.len() - rest.len();
        if rest.is_empty() || rest.starts_with('#') {
            continue;
        }
        // Lines of a text that goes on are deeper than its key.
        if inside_text.is_some_and(|it| indent > it) {
            continue;
        }
        inside_text = None;
        if rest.starts_with("---") {
            above.clear();
            continue;
        }
        if rest.starts_with('-') {
            inside_text = Some(indent);
            continue;
        }
        above.retain(|it| it.0 < indent);
        let Some((name, value)) = rest.split_once(':') else { continue };
        let name = without_quotes(name.trim());
        let value = value.split(" #").next().unwrap_or(value).trim();
        if !is_name(name) {
            continue;
        }
        above.push((indent, name));
        if value.starts_with(['|', '>']) {
            inside_text = Some(indent);
        }
        let name = above.iter().map(|it| it.1).collect::<Vec<_>>().join(".");
        found.push(Given { line: index + 1, name, value, is_above_others: value.is_empty() });
    }
    found
}

fn is_name(name: &str) -> bool {
    let is_part = |it: u8| it.is_ascii_alphanumeric() || b"_-./[]".contains(&it);
    !name.is_empty() && name.len() <= MAX_TEXT && name.bytes().all(is_part)
}

fn without_quotes(value: &str) -> &str {
    for quote in ['"', '\''] {
        if let Some(inside) = value.strip_prefix(quote).and_then(|it| it.strip_suffix(quote)) {
            return inside;
        }
    }
    value
}
