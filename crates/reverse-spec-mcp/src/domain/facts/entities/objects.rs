//! Fields that are written as an object, as a chain of checks, or as a table.

use super::value_details;
use crate::domain::facts::code::{Call, Code, split};
use crate::domain::facts::found::{Found, fallback};
use crate::domain::facts::rows::{Rows, has};
use crate::domain::facts::tokens::{Dialect, Kind};
use crate::domain::skeleton::EntryKind;

/// Fields that are written as an object: `z.object({ … })`, `new Schema({ … })`.
pub(super) fn object(code: &Code<'_>, rows: &Rows, call: &Call<'_>, found: &mut Found<'_>) {
    let tokens = &code.tokens;
    let arguments = code.arguments(call.open);
    let Some(given) = arguments.iter().find(|it| tokens.is(it.value.start, "{")) else { return };
    let open = given.value.start;
    let literal = arguments.first().and_then(|it| code.literal(&it.value));
    let owner = match literal {
        Some(name) => name.to_owned(),
        None if call.name() == "init" => call.root().to_owned(),
        None => owner(code, call.start),
    };
    let all = code.members(open);
    let is_surroundings = !all.is_empty() && all.iter().all(|it| is_variable(it.0));
    for (name, value) in all {
        if value.is_empty() || code.is_function(&value) {
            continue;
        }
        let line = tokens.line(value.start);
        let details = value_details(code, rows, &value);
        let mut entry = if is_surroundings {
            let mut entry = found.entry(EntryKind::Environment, name.to_owned(), line);
            let default = details.iter().find_map(|it| it.strip_prefix("default("));
            entry.fallback = default.and_then(|it| fallback(name, it.trim_end_matches(')')));
            entry
        } else {
            found.entry(EntryKind::Field, format!("{owner}.{name}"), line)
        };
        entry.details = details;
        if is_surroundings {
            entry.details.retain(|it| !it.starts_with("default("));
        }
        entry.details.sort();
        found.push(entry);
    }
}

pub(in crate::domain::facts) fn is_variable(name: &str) -> bool {
    name.len() > 2
        && name.starts_with(|it: char| it.is_ascii_uppercase())
        && name.bytes().all(|it| it.is_ascii_uppercase() || it.is_ascii_digit() || it == b'_')
}

/// What an expression belongs to: the keys around it and the name it is bound to.
pub(in crate::domain::facts) fn owner(code: &Code<'_>, start: usize) -> String {
    let tokens = &code.tokens;
    let mut parts: Vec<&str> = Vec::new();
    let mut at = start;
    for _ in 0..12 {
        let mut before = at.saturating_sub(1);
        while before > 0 && matches!(tokens.word(before), "new" | "await") {
            before -= 1;
        }
        if tokens.is(before, ":") && before > 0 {
            let key = tokens.inside(before - 1).unwrap_or_else(|| tokens.word(before - 1));
            parts.push(key);
        } else if matches!(tokens.word(before), "=" | ":=") {
            parts.extend(code.bound_to(before + 1));
            break;
        }
        let Some(parent) = tokens.parent(at) else { break };
        at = parent;
        // On to the beginning of the call whose arguments these are.
        if tokens.is(parent, "(")
            && let Some(call) = code.call_of(parent)
        {
            at = call.start;
        }
    }
    parts.reverse();
    if parts.is_empty() { "(unnamed)".to_owned() } else { parts.join(".") }
}

/// `body('email').isEmail()` of express-validator.
pub(super) fn checked_inputs(code: &Code<'_>, rows: &Rows, found: &mut Found<'_>) {
    if code.tokens.dialect != Dialect::Script || !code.tokens.text.contains("express-validator") {
        return;
    }
    for call in code.calls.iter().filter(|it| it.parts.len() == 1) {
        if !matches!(call.name(), "body" | "check" | "param" | "query" | "header" | "cookie") {
            continue;
        }
        let Some(name) = code.arguments(call.open).first().and_then(|it| code.literal(&it.value))
        else {
            continue;
        };
        let links =
            code.followers(call.open).into_iter().filter(|it| !has(&rows.ignored.links, it.0));
        let mut details: Vec<String> = links
            .map(|(name, open)| {
                format!("{name}{}", code.tokens.shown(open..code.tokens.mate(open) + 1))
            })
            .collect();
        details.sort();
        let owner = code.owner(call.start).unwrap_or_else(|| owner(code, call.start));
        let line = code.tokens.line(call.open);
        let mut entry =
            found.entry(EntryKind::Field, format!("{owner} {}.{name}", call.name()), line);
        entry.details = details;
        found.push(entry);
    }
}

/// `table! { users (id) { id -> Integer, } }` of diesel.
pub(super) fn tables(code: &Code<'_>, found: &mut Found<'_>) {
    let tokens = &code.tokens;
    for at in (0..tokens.len()).filter(|it| tokens.is(*it, "table") && tokens.is(it + 1, "!")) {
        let open = at + 2;
        let Some(inner) = (open + 1..tokens.mate(open)).find(|it| tokens.is(*it, "{")) else {
            continue;
        };
        let name =
            (open + 1..inner).find(|it| tokens.is_word(*it) && tokens.parent(*it) == Some(open));
        let table = name.map_or("", |it| tokens.word(it));
        for range in split(tokens, inner + 1..tokens.mate(inner)) {
            let Some(arrow) = range.clone().find(|it| tokens.is(*it, "->")) else { continue };
            let column = arrow - 1;
            if tokens.kind(column) != Some(Kind::Word) {
                continue;
            }
            let mut entry = found.entry(
                EntryKind::Field,
                format!("{table}.{}", tokens.word(column)),
                tokens.line(column),
            );
            entry.details = vec![format!("type {}", tokens.shown(arrow + 1..range.end))];
            found.push(entry);
        }
    }
}
