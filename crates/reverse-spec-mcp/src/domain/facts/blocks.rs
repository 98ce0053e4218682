//! Words that take what follows them on the line, and blocks of such words: the way Ruby says where a
//! program is reached, what is kept, and what is checked.

use std::ops::Range;

use super::code::{Code, ScopeKind, split};
use super::found::{Found, MAX_TEXT, joined};
use super::tokens::{Dialect, Kind};
use crate::domain::skeleton::EntryKind;

const VERBS: [&str; 6] = ["get", "post", "put", "patch", "delete", "match"];
/// What a resource answers: the action, the verb, and what follows its address.
const ACTIONS: [(&str, &str, &str); 7] = [
    ("index", "GET", ""),
    ("create", "POST", ""),
    ("new", "GET", "/new"),
    ("show", "GET", "/:id"),
    ("edit", "GET", "/:id/edit"),
    ("update", "PATCH", "/:id"),
    ("destroy", "DELETE", "/:id"),
];
const RELATIONS: [&str; 5] =
    ["belongs_to", "has_many", "has_one", "has_and_belongs_to_many", "enum"];
const CHECKS: [&str; 4] =
    ["validates", "validates_presence_of", "validates_uniqueness_of", "validate"];
const GUARDS: [&str; 5] = [
    "before_action",
    "skip_before_action",
    "before_filter",
    "protect_from_forgery",
    "authorize_resource",
];

/// A block that is open: how far in it stands, and the address of what is inside.
struct Block<'a> {
    indent: u32,
    prefix: String,
    /// Of a table, its name.
    table: Option<&'a str>,
    is_resource: bool,
}

pub(super) fn collect(code: &Code<'_>, found: &mut Found<'_>) {
    let tokens = &code.tokens;
    if tokens.dialect != Dialect::Ruby {
        return;
    }
    let is_routes = found.path.contains("routes") || tokens.text.contains("routes.draw");
    let mut open: Vec<Block<'_>> = Vec::new();
    for at in 0..tokens.len() {
        let Some(token) = tokens.get(at).filter(|it| it.is_first && it.kind == Kind::Word) else {
            continue;
        };
        while open.last().is_some_and(|it| token.indent <= it.indent) {
            open.pop();
        }
        let line = rest(code, at);
        let has_brackets = tokens.is(at + 1, "(");
        let given = if has_brackets { at + 2..tokens.mate(at + 1) } else { line.clone() };
        let parts = split(tokens, given);
        let opens = tokens.is(line.end.saturating_sub(1), "do")
            || line.clone().any(|it| tokens.is(it, "do"));
        let first = parts.first().and_then(|it| tokens.inside(it.start));
        let prefix = open.last().map(|it| it.prefix.clone()).unwrap_or_default();
        let word = tokens.word(at);
        let mut block =
            Block { indent: token.indent, prefix: prefix.clone(), table: None, is_resource: false };
        if is_routes {
            block.prefix = route(code, at, word, &parts, &prefix, open.last(), found);
            block.is_resource = matches!(word, "resources" | "resource");
        } else if VERBS.contains(&word) && opens && first.is_some_and(|it| it.starts_with('/')) {
            // `get '/x' do` of Sinatra.
            let name = format!("{} {}", word.to_ascii_uppercase(), first.unwrap_or_default());
            let entry = found.entry(EntryKind::Route, name, tokens.line(at));
            found.push(entry);
        }
        if word == "create_table" {
            block.table = first;
        }
        if let Some(table) = open.last().and_then(|it| it.table)
            && tokens.is(at + 1, ".")
        {
            column(code, at, table, found);
        }
        declared(code, at, word, &parts, found);
        if opens {
            open.push(block);
        }
    }
}

/// What follows a word, to the end of its statement.
pub(super) fn rest(code: &Code<'_>, at: usize) -> Range<usize> {
    let tokens = &code.tokens;
    let mut end = at + 1;
    while end < tokens.len() {
        let goes_on = matches!(tokens.word(end - 1), "," | "=>" | ".");
        if tokens.get(end).is_some_and(|it| it.is_first) && !goes_on {
            break;
        }
        end = tokens.after(end);
    }
    at + 1..end
}

fn route<'a>(
    code: &Code<'a>,
    at: usize,
    word: &str,
    parts: &[Range<usize>],
    prefix: &str,
    around: Option<&Block<'a>>,
    found: &mut Found<'_>,
) -> String {
    let tokens = &code.tokens;
    let Some(first) = parts.first() else {
        // `member do` is about one of them, `collection do` about all.
        return match word {
            "collection" => prefix.trim_end_matches("/:id").to_owned(),
            _ => prefix.to_owned(),
        };
    };
    let name = tokens.inside(first.start).unwrap_or_default();
    let option = |wanted: &str| {
        let part =
            parts.iter().find(|it| tokens.is(it.start, wanted) && tokens.is(it.start + 1, ":"));
        part.map(|it| it.start + 2..it.end)
    };
    let text = |wanted: &str| option(wanted).and_then(|it| tokens.inside(it.start));
    let line = tokens.line(at);
    match word {
        "namespace" => joined(prefix, name),
        "scope" => {
            let path = text("path").unwrap_or(name);
            if path.is_empty() { prefix.to_owned() } else { joined(prefix, path) }
        }
        "resources" | "resource" => {
            let path = joined(prefix, text("path").unwrap_or(name));
            let words = |range: Range<usize>| -> Vec<&str> {
                range.map(|it| tokens.inside(it).unwrap_or_else(|| tokens.word(it))).collect()
            };
            let (only, except) = (option("only").map(words), option("except").map(words));
            for (action, verb, rest) in ACTIONS {
                let is_kept = only.as_ref().is_none_or(|it| it.contains(&action))
                    && except.as_ref().is_none_or(|it| !it.contains(&action));
                if !is_kept || word == "resource" && action == "index" {
                    continue;
                }
                let rest = if word == "resource" { rest.trim_start_matches("/:id") } else { rest };
                let mut entry = found.entry(EntryKind::Route, format!("{verb} {path}{rest}"), line);
                entry.handler = Some(format!("{name}#{action}"));
                found.push(entry);
            }
            if word == "resources" { format!("{path}/:id") } else { path }
        }
        "root" => {
            let mut entry =
                found.entry(EntryKind::Route, format!("GET {}", joined(prefix, "/")), line);
            entry.handler = text("to").or(Some(name)).map(str::to_owned);
            found.push(entry);
            prefix.to_owned()
        }
        "mount" | "devise_for" | "draw" => {
            let target = tokens.shown(first.clone());
            let path = text("at").or_else(|| first.clone().rev().find_map(|it| tokens.inside(it)));
            let mut entry =
                found.entry(EntryKind::Mount, joined(prefix, path.unwrap_or(name)), line);
            entry.handler = Some(mcp_core::text::cut(&target, MAX_TEXT).to_owned());
            found.push(entry);
            prefix.to_owned()
        }
        _ if VERBS.contains(&word) => {
            let verb = if word == "match" { String::new() } else { word.to_ascii_uppercase() };
            // On all of them where it says so, and below a resource on one.
            let on_all = text("on") == Some("collection");
            let below = around
                .filter(|it| it.is_resource && on_all)
                .map(|_| prefix.trim_end_matches("/:id"));
            let path = joined(below.unwrap_or(prefix), name);
            let mut entry =
                found.entry(EntryKind::Route, format!("{verb} {path}").trim().to_owned(), line);
            let arrow =
                first.clone().find(|it| tokens.is(*it, "=>")).and_then(|it| tokens.inside(it + 1));
            entry.handler = text("to").or(arrow).map(str::to_owned);
            found.push(entry);
            prefix.to_owned()
        }
        _ => prefix.to_owned(),
    }
}

/// `t.string "email", null: false`
fn column(code: &Code<'_>, at: usize, table: &str, found: &mut Found<'_>) {
    let tokens = &code.tokens;
    let kind = tokens.word(at + 2);
    let parts = split(tokens, rest(code, at + 2));
    let Some(name) = parts.first().and_then(|it| tokens.inside(it.start)) else { return };
    let mut entry = found.entry(EntryKind::Field, format!("{table}.{name}"), tokens.line(at));
    entry.details = vec![format!("type {kind}")];
    entry.details.extend(parts.iter().skip(1).map(|it| tokens.shown(it.clone())));
    entry.details.sort();
    found.push(entry);
}

/// What the body of a class declares by words: relations, checks, guards.
fn declared(code: &Code<'_>, at: usize, word: &str, parts: &[Range<usize>], found: &mut Found<'_>) {
    let tokens = &code.tokens;
    let is_check = CHECKS.contains(&word);
    if !is_check && !RELATIONS.contains(&word) && !GUARDS.contains(&word) {
        return;
    }
    let Some(class) = code.around(at, ScopeKind::Class) else { return };
    let named: Vec<&str> =
        parts.iter().filter(|it| it.len() == 1).filter_map(|it| tokens.inside(it.start)).collect();
    let mut options: Vec<String> =
        parts.iter().filter(|it| it.len() > 1).map(|it| tokens.shown(it.clone())).collect();
    options.sort();
    let line = tokens.line(at);
    for name in named {
        let mut entry = if GUARDS.contains(&word) {
            let mut entry =
                found.entry(EntryKind::Middleware, format!("{} {word} {name}", class.name), line);
            entry.details.clone_from(&options);
            entry
        } else {
            let mut entry = found.entry(EntryKind::Field, format!("{}.{name}", class.name), line);
            entry.details = vec![word.to_owned()];
            entry.details.extend(options.iter().cloned());
            entry
        };
        entry.details.dedup();
        found.push(entry);
    }
}
