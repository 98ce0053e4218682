//! Migrations of Rails: words that take what follows them on the line, and blocks of columns.

use super::{MAX_STEP, Step, sql, step};
use crate::domain::facts::blocks::rest;
use crate::domain::facts::code::{Code, ScopeKind, split};
use crate::domain::facts::rows::{Migration, has};

pub(super) fn steps(code: &Code<'_>, row: &Migration) -> Vec<Step> {
    let tokens = &code.tokens;
    let mut found: Vec<Step> = Vec::new();
    // The table whose columns follow: how far in it stands, and its place among the steps.
    let mut table: Option<(u32, usize)> = None;
    for at in 0..tokens.len() {
        let Some(token) = tokens.get(at).filter(|it| it.is_first) else { continue };
        if table.is_some_and(|it| token.indent <= it.0) {
            table = None;
        }
        let back = code.around(at, ScopeKind::Function).is_some_and(|it| has(&row.back, it.name));
        if back {
            continue;
        }
        let parts = split(tokens, rest(code, at));
        let word = tokens.word(at);
        if let Some((_, place)) = table
            && tokens.is(at + 1, ".")
        {
            // `t.string :name, null: false`
            let columns = split(tokens, rest(code, at + 2));
            let names: Vec<&str> = columns
                .iter()
                .filter(|it| it.len() == 1)
                .filter_map(|it| tokens.inside(it.start))
                .collect();
            let called = tokens.word(at + 2);
            let names = if names.is_empty() { called.to_owned() } else { names.join(", ") };
            let words = row.operations.get(called).map(|it| format!("{it} "));
            let gap = if found[place].text.contains(':') { ", " } else { ": " };
            let more = format!("{gap}{}{names}", words.unwrap_or_default());
            if found[place].text.len() < MAX_STEP {
                found[place].text.push_str(&more);
            }
            continue;
        }
        let line = tokens.line(at);
        if let Some(words) = row.operations.get(word) {
            // What opens a block stands in one with the name before it.
            let texts = parts.iter().filter(|it| it.len() == 1 || tokens.is(it.start + 1, "do"));
            let names: Vec<&str> = texts.filter_map(|it| tokens.inside(it.start)).collect();
            let is_whole = words.ends_with("table");
            let what = names.iter().take(if is_whole { 1 } else { 2 });
            let what = what.copied().collect::<Vec<_>>().join(".");
            let opens = rest(code, at).any(|it| tokens.is(it, "do"));
            let skipped = names.len().min(if is_whole { 1 } else { 2 });
            let more: Vec<String> =
                parts.iter().skip(skipped).map(|it| tokens.shown(it.clone())).collect();
            let more = if is_whole && opens { String::new() } else { more.join(", ") };
            found.push(step(line, words, &what, &more));
            if opens {
                table = Some((token.indent, found.len() - 1));
            }
        } else if has(&row.statements, word) {
            let text = parts.first().and_then(|it| tokens.inside(it.start));
            match text.filter(|it| it.contains(' ')) {
                Some(text) => found.extend(sql::steps(text, line)),
                None => found.push(step(line, "runs", "SQL", "")),
            }
        }
    }
    found
}
