//! Commands that say all of their line in one text, and settings that are keys of a table.

use std::ops::Range;

use super::code::{Code, split};
use super::entities::is_variable;
use super::found::{Found, MAX_TEXT, fallback};
use super::tokens::Dialect;
use crate::domain::skeleton::EntryKind;

/// Fewer keys are no table of settings.
const MIN_SETTINGS: usize = 3;
/// Members of a setting that say what holds where it is not set.
const DEFAULTS: [&str; 5] = ["default", "Default", "defaultValue", "DefaultValue", "rawValue"];

pub(super) fn collect(code: &Code<'_>, found: &mut Found<'_>) {
    match code.tokens.dialect {
        Dialect::Php => signatures(code, found),
        Dialect::Go => tables(code, found),
        _ => {}
    }
}

/// `protected $signature = 'mail:send {user} {--queue=high : …}'`, `Artisan::command('…', …)`.
fn signatures(code: &Code<'_>, found: &mut Found<'_>) {
    let tokens = &code.tokens;
    let assigned = (0..tokens.len()).filter(|at| {
        tokens.is(*at, "$signature") && tokens.is(at + 1, "=") && tokens.is_text(at + 2)
    });
    let assigned: Vec<usize> = assigned.map(|it| it + 2).collect();
    let given = code.calls.iter().filter(|it| it.name() == "command" && it.root() == "Artisan");
    let given = given.map(|it| it.open + 1).filter(|it| tokens.is_text(*it));
    for at in assigned.into_iter().chain(given) {
        let text = tokens.inside(at).unwrap_or_default();
        let line = tokens.line(at);
        let name = text.split([' ', '\n', '{']).find(|it| !it.is_empty()).unwrap_or_default();
        if name.is_empty() || name.len() > MAX_TEXT {
            continue;
        }
        let entry = found.entry(EntryKind::Command, name.to_owned(), line);
        found.push(entry);
        for part in text.split('{').skip(1) {
            let part = part.split('}').next().unwrap_or_default();
            let said = part.split(" : ").next().unwrap_or(part).trim();
            let (word, default) =
                said.split_once('=').map_or((said, None), |it| (it.0, Some(it.1)));
            let word = word.rsplit('|').next().unwrap_or(word).trim_end_matches(['?', '*']);
            let word = word.trim_start_matches("--");
            let shown =
                if said.starts_with("--") { format!("--{word}") } else { format!("<{word}>") };
            let mut entry = found.entry(EntryKind::Flag, format!("{name} {shown}"), line);
            entry.fallback = default.and_then(|it| fallback(word, it));
            found.push(entry);
        }
    }
}

/// `map[string]option{"PORT": {…}, …}`: where every key is in capitals, each is a setting.
fn tables(code: &Code<'_>, found: &mut Found<'_>) {
    let tokens = &code.tokens;
    let maps = (0..tokens.len()).filter(|at| {
        tokens.is(*at, "map") && tokens.is(at + 1, "[") && tokens.is(at + 2, "string")
    });
    for at in maps {
        let Some(open) = (at + 4..at + 10).find(|it| tokens.is(*it, "{")) else { continue };
        let items = split(tokens, open + 1..tokens.mate(open).max(open + 1));
        let key = |it: &Range<usize>| {
            let name = tokens.inside(it.start).filter(|name| is_variable(name))?;
            let is_item = tokens.is(it.start + 1, ":")
                && (it.start + 2..it.end.min(it.start + 6)).any(|at| tokens.is(at, "{"));
            is_item.then_some(name)
        };
        if items.len() < MIN_SETTINGS || !items.iter().all(|it| key(it).is_some()) {
            continue;
        }
        for item in &items {
            let Some(name) = key(item) else { continue };
            if found.has(EntryKind::Environment, name) {
                continue;
            }
            let inner = item.clone().find(|it| tokens.is(*it, "{"));
            let default = inner.and_then(|it| code.member(it, &DEFAULTS));
            let mut entry =
                found.entry(EntryKind::Setting, name.to_owned(), tokens.line(item.start));
            entry.fallback = default.and_then(|it| fallback(name, &tokens.shown(it)));
            found.push(entry);
        }
    }
}
