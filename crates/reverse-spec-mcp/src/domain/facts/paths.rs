//! Files that are an address by where they lie.

use super::code::Code;
use super::found::Found;
use super::rows::{Rows, has};
use crate::domain::skeleton::EntryKind;

pub(super) fn collect(code: &Code<'_>, rows: &Rows, found: &mut Found<'_>) {
    let path = found.path.to_owned();
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", &path));
    let stem = file.rsplit_once('.').map_or(file, |it| it.0);
    for row in &rows.files {
        let Some(inside) = inside(folder, &row.below) else { continue };
        if row.name != "*" && row.name != stem || row.name == "*" && stem.starts_with('_') {
            continue;
        }
        if !row.needs.is_empty() && !row.needs.iter().any(|it| code.tokens.text.contains(it)) {
            continue;
        }
        let mut parts: Vec<&str> = inside.split('/').filter(|it| !it.is_empty()).collect();
        let mut verb = row.verb.clone();
        let mut last = stem;
        if row.verb == "suffix" {
            let (name, method) = stem.rsplit_once('.').unwrap_or((stem, ""));
            (last, verb) = (name, method.to_ascii_uppercase());
        }
        if row.name == "*" && last != "index" {
            parts.push(last);
        }
        // `(group)` and `@slot` only sort files.
        let only_sorts = |it: &str| it.starts_with('(') && it.ends_with(')') || it.starts_with('@');
        parts.retain(|it| !only_sorts(it));
        let address = format!("{}/{}", row.kept, parts.join("/"));
        let address = if address.len() > 1 { address.trim_end_matches('/') } else { &address };
        let kind = if verb == "MIDDLEWARE" { EntryKind::Middleware } else { EntryKind::Route };
        if verb != "exports" {
            let name = if verb.is_empty() || kind == EntryKind::Middleware {
                address.to_owned()
            } else {
                format!("{verb} {address}")
            };
            let entry = found.entry(kind, name, 1);
            found.push(entry);
            return;
        }
        let words = if row.words.is_empty() { &rows.exported } else { &row.words };
        for (name, line) in exported(code) {
            if has(words, name) {
                let mut entry = found.entry(EntryKind::Route, format!("{name} {address}"), line);
                entry.handler = Some(name.to_owned());
                found.push(entry);
            }
        }
        return;
    }
    if matches!(stem, "middleware" | "proxy") && matches!(folder, "" | "src") {
        let matcher = code.tokens.text.find("matcher").map(|_| {
            let at = (0..code.tokens.len())
                .find(|it| code.tokens.is(*it, "matcher") && code.tokens.is(it + 1, ":"));
            at.map(|it| it + 2..code.tokens.after(it + 2))
                .map(|it| code.literals(&it))
                .unwrap_or_default()
        });
        let mut entry = found.entry(EntryKind::Middleware, stem.to_owned(), 1);
        entry.guards = matcher.unwrap_or_default().into_iter().map(str::to_owned).collect();
        found.push(entry);
    }
}

/// The rest of a folder below another, at the top of the project or of a package in it.
fn inside<'p>(folder: &'p str, below: &str) -> Option<&'p str> {
    let starts = [below.to_owned(), format!("src/{below}")];
    for start in &starts {
        if let Some(rest) = folder.strip_prefix(start.as_str())
            && (rest.is_empty() || rest.starts_with('/'))
        {
            return Some(rest);
        }
    }
    let marked = format!("/{below}/");
    let whole = format!("/{folder}/");
    let at = whole.find(&marked)?;
    let from = (at + marked.len() - 1).min(folder.len());
    Some(folder.get(from..).unwrap_or_default())
}

/// Functions that a file exports, with their lines.
fn exported<'a>(code: &Code<'a>) -> Vec<(&'a str, usize)> {
    let tokens = &code.tokens;
    let mut found = Vec::new();
    for at in (0..tokens.len()).filter(|it| tokens.is(*it, "export")) {
        let mut name = at + 1;
        while matches!(tokens.word(name), "async" | "function" | "const" | "let" | "default") {
            name += 1;
        }
        if tokens.is(name, "{") {
            for word in (name + 1..tokens.mate(name)).filter(|it| tokens.is_word(*it)) {
                let is_renamed = tokens.is(word + 1, "as");
                if !is_renamed && !tokens.is(word, "as") {
                    found.push((tokens.word(word), tokens.line(word)));
                }
            }
        } else if tokens.is_word(name) {
            found.push((tokens.word(name), tokens.line(name)));
        }
    }
    found
}
