//! Queues and topics, what runs by the clock, what answers with which status, and where programs begin.

use std::fmt::Write as _;

use super::code::{Code, ScopeKind};
use super::found::{Found, MAX_TEXT};
use super::marked::Marked;
use super::rows::{Rows, has, role};
use super::tokens::{Dialect, Kind};
use crate::domain::skeleton::EntryKind;

pub(super) fn collect(code: &Code<'_>, rows: &Rows, marked: &[Marked<'_>], found: &mut Found<'_>) {
    topics(code, rows, marked, found);
    jobs(code, rows, marked, found);
    statuses(code, rows, found);
    begins(code, rows, found);
}

fn is_name(text: &str) -> bool {
    text.contains(|it: char| it.is_alphanumeric())
        && text.len() <= MAX_TEXT
        && !text.contains([' ', '\n', '/'])
        || text.starts_with("projects/")
}

fn topic(code: &Code<'_>, name: &str, at: usize, handler: Option<String>, found: &mut Found<'_>) {
    if is_name(name) && !found.all.iter().any(|it| it.kind == EntryKind::Topic && it.name == name) {
        let mut entry = found.entry(EntryKind::Topic, name.to_owned(), code.tokens.line(at));
        entry.handler = handler;
        found.push(entry);
    }
}

fn topics(code: &Code<'_>, rows: &Rows, marked: &[Marked<'_>], found: &mut Found<'_>) {
    let (tokens, row) = (&code.tokens, &rows.topics);
    for one in marked {
        for mark in one.marks.iter().filter(|it| has(&row.marks, it.name)) {
            let named_by = |it: &super::code::Argument<'_>| {
                it.name.is_none_or(|it| {
                    has(&row.keys, it) || matches!(it, "value" | "name" | "destination" | "channel")
                })
            };
            let arguments = mark.open.map(|it| code.arguments(it)).unwrap_or_default();
            let named = arguments.iter().filter(|it| named_by(it));
            let names: Vec<&str> = named.flat_map(|it| code.literals(&it.value)).collect();
            // A constant has the name.
            let constant = arguments
                .iter()
                .find(|it| named_by(it) && tokens.is_word(it.value.start) && it.value.len() <= 3);
            if let Some(constant) = constant.filter(|_| names.is_empty()) {
                let shown = tokens.shown(constant.value.clone());
                topic(code, &shown, mark.at, Some(one.name.to_owned()), found);
                continue;
            }
            if names.is_empty()
                && !matches!(
                    mark.name,
                    "shared_task"
                        | "task"
                        | "actor"
                        | "receiver"
                        | "EventListener"
                        | "TransactionalEventListener"
                )
            {
                continue;
            }
            if names.is_empty() || mark.name == "receiver" {
                let shown =
                    mcp_core::text::cut(&tokens.shown(mark.range.clone()), MAX_TEXT).to_owned();
                let mut entry = found.entry(EntryKind::Topic, shown, tokens.line(mark.at));
                if entry.name == mark.name {
                    one.name.clone_into(&mut entry.name);
                }
                entry.handler = Some(one.name.to_owned());
                found.push(entry);
                continue;
            }
            for name in names {
                topic(code, name, mark.at, Some(one.name.to_owned()), found);
            }
        }
    }
    for call in &code.calls {
        let name = call.name();
        let before = call.parts.len().checked_sub(2).map_or("", |it| call.parts[it].word);
        let is_candidate = tokens.is_text(call.open + 1) && call.may(role::TOPIC);
        if !is_candidate {
            continue;
        }
        let lower = before.to_ascii_lowercase();
        let ends =
            |list: &[String]| list.iter().any(|it| lower.ends_with(&it.to_ascii_lowercase()));
        let is_sent = has(&row.names, name) && (ends(&row.receivers) || lower.ends_with("ch"))
            || has(&row.sent, name) && !before.is_empty() && ends(&row.sent_receivers)
            || has(&row.makers, name)
                && (call.parts.len() == 1 || tokens.is(call.start.saturating_sub(1), "new"))
            || has(&row.makers, &call.path());
        if !is_sent {
            continue;
        }
        let first = code.arguments(call.open).into_iter().next();
        if let Some(first) = first.filter(|it| tokens.is_text(it.value.start)) {
            let text = tokens.inside(first.value.start).unwrap_or_default();
            let is_plain = matches!(
                text,
                "error"
                    | "data"
                    | "end"
                    | "close"
                    | "connection"
                    | "connect"
                    | "disconnect"
                    | "finish"
                    | "exit"
                    | "ready"
                    | "open"
                    | "message"
                    | "listening"
            );
            if !is_plain {
                topic(code, text, call.open, Some(name.to_owned()), found);
            }
        }
    }
    for at in 1..tokens.len().saturating_sub(1) {
        if !tokens.is_text(at + 1) || !matches!(tokens.word(at), ":" | "=" | ":=") {
            continue;
        }
        let key = tokens.word(at - 1);
        let is_key = has(&row.keys, key) && tokens.parent(at).is_some() && !tokens.is(at, ":=");
        let is_constant = super::entities::is_variable(key)
            && row.constants.iter().any(|it| key.ends_with(it.as_str()));
        if is_key || is_constant {
            topic(code, tokens.inside(at + 1).unwrap_or_default(), at, None, found);
        }
    }
}

/// Whether a text says when something runs.
fn is_clock(text: &str) -> bool {
    if text.starts_with('@') {
        return ["@every", "@hourly", "@daily", "@weekly", "@monthly", "@yearly", "@midnight"]
            .iter()
            .any(|it| text.starts_with(it));
    }
    if text.len() > 80 || !text.contains(['*', '?']) {
        return false;
    }
    let parts: Vec<&str> = text.split_whitespace().collect();
    let is_part = |it: &&str| {
        !it.is_empty()
            && it.bytes().all(|it| {
                it.is_ascii_digit() || b"*/,-?LW#".contains(&it) || it.is_ascii_uppercase()
            })
    };
    (5..=7).contains(&parts.len())
        && parts.iter().all(is_part)
        && parts.iter().any(|it| it.contains('*') || it.contains('?'))
}

fn jobs(code: &Code<'_>, rows: &Rows, marked: &[Marked<'_>], found: &mut Found<'_>) {
    let (tokens, row) = (&code.tokens, &rows.jobs);
    let mut told: Vec<usize> = Vec::new();
    for one in marked {
        for mark in one.marks.iter().filter(|it| has(&row.marks, it.name)) {
            let Some(open) = mark.open else { continue };
            told.extend(open..tokens.mate(open));
            let shown = tokens.shown(open + 1..tokens.mate(open));
            let class = code
                .around(one.at, ScopeKind::Class)
                .map(|it| format!("{}.", it.name))
                .unwrap_or_default();
            job(code, format!("{class}{}", one.name), &shown, mark.at, found);
        }
    }
    for call in &code.calls {
        let name = call.name();
        let before = call.parts.len().checked_sub(2).map_or("", |it| call.parts[it].word);
        if !call.may(role::JOB) {
            continue;
        }
        let is_job = has(&row.bare, name) || has(&row.names, name) && has(&row.receivers, before);
        if !is_job || told.contains(&call.open) {
            continue;
        }
        let arguments = code.arguments(call.open);
        let clock: Vec<String> = arguments
            .iter()
            .filter(|it| !code.is_function(&it.value) && !tokens.is(it.value.start, "{"))
            .map(|it| {
                let shown = tokens.shown(it.value.clone());
                it.name.map_or(shown.clone(), |name| format!("{name}={shown}"))
            })
            .collect();
        let is_when = |it: &&String| {
            it.contains('=')
                || it.starts_with(|it: char| it.is_ascii_digit() || matches!(it, '\'' | '"'))
        };
        let when: Vec<String> = clock.iter().filter(is_when).cloned().collect();
        let what = arguments.iter().find(|it| {
            it.name.is_none() && tokens.is_word(it.value.start) && !code.is_function(&it.value)
        });
        let what = what
            .map(|it| tokens.shown(it.value.clone()))
            .or_else(|| key_before(code, call.start))
            .or_else(|| code.bound_to(call.start).map(str::to_owned));
        if name == "setInterval" && when.is_empty() {
            continue;
        }
        told.extend(call.open..tokens.mate(call.open));
        let mut links = String::new();
        if matches!(name, "every" | "Every") {
            for (link, open) in code.followers(call.open) {
                write!(links, ".{link}{}", tokens.shown(open..tokens.mate(open) + 1)).ok();
            }
        }
        let shown =
            if links.is_empty() { when.join(", ") } else { format!("{}{links}", when.join(", ")) };
        if !shown.is_empty() {
            job(code, what.unwrap_or_else(|| name.to_owned()), &shown, call.open, found);
        }
    }
    // Any other text that only a clock reads.
    for at in (0..tokens.len()).filter(|it| tokens.is_text(*it)) {
        let text = tokens.inside(at).unwrap_or_default();
        if is_clock(text) && !told.contains(&at) {
            let owner = key_before(code, at)
                .or_else(|| code.bound_to(at).map(str::to_owned))
                .or_else(|| code.owner(at));
            job(code, owner.unwrap_or_else(|| "(unnamed)".to_owned()), text, at, found);
        }
    }
}

fn key_before(code: &Code<'_>, at: usize) -> Option<String> {
    let tokens = &code.tokens;
    let colon = at.checked_sub(1).filter(|it| tokens.is(*it, ":"))?;
    let key = colon.checked_sub(1)?;
    // `'schedule': crontab()` belongs to the key around it.
    let parent = tokens.parent(key)?;
    let outer =
        parent.checked_sub(2).filter(|_| tokens.is(parent, "{") && tokens.is(parent - 1, ":"));
    let key = outer.unwrap_or(key);
    Some(tokens.inside(key).unwrap_or_else(|| tokens.word(key)).to_owned())
}

fn job(code: &Code<'_>, name: String, when: &str, at: usize, found: &mut Found<'_>) {
    let mut entry = found.entry(EntryKind::Job, name, code.tokens.line(at));
    let plain = when.trim_matches(['\'', '"']);
    let when =
        if plain.contains(['\'', '"']) || plain.len() + 2 != when.len() { when } else { plain };
    entry.details = vec![mcp_core::text::cut(when, MAX_TEXT).to_owned()];
    found.push(entry);
}

/// With which statuses each function answers.
fn statuses(code: &Code<'_>, rows: &Rows, found: &mut Found<'_>) {
    let (tokens, row) = (&code.tokens, &rows.statuses);
    let mut told: Vec<(usize, String)> = Vec::new();
    for at in 1..tokens.len() {
        match tokens.kind(at) {
            Some(Kind::Number) => {
                let word = tokens.word(at);
                let is_status = word.len() == 3
                    && matches!(word.as_bytes()[0], b'1'..=b'5')
                    && word.bytes().all(|it| it.is_ascii_digit());
                if is_status && is_answer(code, row, at) {
                    told.push((at, word.to_owned()));
                }
            }
            Some(Kind::Word) => {
                let word = tokens.word(at);
                let before = if matches!(tokens.word(at - 1), "." | "::") && at >= 2 {
                    tokens.word(at - 2)
                } else {
                    ""
                };
                let is_constant = !before.is_empty()
                    && has(&row.owners, before)
                    && (super::entities::is_variable(word)
                        || matches!(
                            tokens.dialect,
                            Dialect::Rust | Dialect::Java | Dialect::CSharp | Dialect::Kotlin
                        ) && (before != "Response" && before != "status")
                            && is_status_word(word))
                    || before == "http"
                        && word.len() > 6
                        && word.starts_with("Status")
                        && tokens.dialect == Dialect::Go
                    || word.starts_with("HTTP_")
                        && word[5..].starts_with(|it: char| it.is_ascii_digit());
                let is_told = tokens.is(at - 1, "return")
                    && tokens.is(at + 1, "(")
                    && has(&row.words, &word.to_ascii_lowercase().replace('_', ""));
                let is_thrown = tokens.is(at + 1, "(")
                    && (word.starts_with("HttpResponse") && word.len() > 12
                        || word == "Http404"
                        || word.ends_with("Exception")
                            && tokens.is(at - 1, "new")
                            && tokens.dialect == Dialect::Script);
                let is_raised = word == "Http404" && tokens.is(at - 1, "raise");
                if is_constant || is_told || is_thrown || is_raised {
                    told.push((at, word.to_owned()));
                }
            }
            _ => {}
        }
    }
    let mut by_owner: Vec<(String, usize, Vec<String>)> = Vec::new();
    // Who answers is looked for among all functions.
    told.truncate(super::found::MAX_ENTRIES);
    for (at, status) in told {
        let owner = code
            .owner(at)
            .or_else(|| inline(code, found, at))
            .unwrap_or_else(|| "(file)".to_owned());
        match by_owner.iter_mut().find(|it| it.0 == owner) {
            Some(known) => known.2.push(status),
            None => by_owner.push((owner, at, vec![status])),
        }
    }
    for (owner, at, mut statuses) in by_owner {
        statuses.sort();
        statuses.dedup();
        let mut entry = found.entry(EntryKind::Response, owner, tokens.line(at));
        entry.details = statuses;
        found.push(entry);
    }
}

fn is_status_word(word: &str) -> bool {
    let plain: String =
        word.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    matches!(
        plain.as_str(),
        "ok" | "created"
            | "accepted"
            | "nocontent"
            | "badrequest"
            | "unauthorized"
            | "forbidden"
            | "notfound"
            | "conflict"
            | "gone"
            | "unprocessableentity"
            | "toomanyrequests"
            | "internalservererror"
            | "methodnotallowed"
            | "seeother"
            | "found"
            | "movedpermanently"
            | "temporaryredirect"
            | "serviceunavailable"
            | "badgateway"
            | "notimplemented"
            | "paymentrequired"
    )
}

/// The route in whose call an answer is written.
fn inline(code: &Code<'_>, found: &Found<'_>, at: usize) -> Option<String> {
    let tokens = &code.tokens;
    let mut around = tokens.parent(at);
    while let Some(open) = around {
        if tokens.is(open, "(") {
            let line = tokens.line(open);
            let route = found.all.iter().find(|it| it.kind == EntryKind::Route && it.line == line);
            if let Some(route) = route {
                return Some(route.name.clone());
            }
        }
        around = tokens.parent(open);
    }
    None
}

fn is_answer(code: &Code<'_>, row: &super::rows::Statuses, at: usize) -> bool {
    let tokens = &code.tokens;
    let before = tokens.word(at - 1);
    if matches!(before, ":" | "=") && at >= 2 {
        let key = tokens.inside(at - 2).unwrap_or_else(|| tokens.word(at - 2));
        return has(&row.keys, key);
    }
    // `return body, 404`
    if before == ","
        && tokens.dialect == Dialect::Python
        && tokens.parent(at).is_none_or(|it| !tokens.is(it, "("))
    {
        let ends = tokens.get(at + 1).is_none_or(|it| it.is_first) || tokens.is(at + 1, ",");
        let from = (0..at)
            .rev()
            .find(|it| tokens.get(*it).is_some_and(|it| it.is_first) && tokens.is(*it, "return"));
        return ends && from.is_some_and(|it| tokens.line(at) < tokens.line(it) + 12);
    }
    let Some(parent) = tokens.parent(at).filter(|it| tokens.is(*it, "(") && *it > 0) else {
        return false;
    };
    let called = tokens.word(parent - 1);
    has(&row.calls, called)
}

/// `main` and functions that other programs call.
fn begins(code: &Code<'_>, rows: &Rows, found: &mut Found<'_>) {
    let tokens = &code.tokens;
    let mains = code.scopes.iter().filter(|it| {
        it.kind == ScopeKind::Function
            && (it.name == "main" && code.around(it.at, ScopeKind::Function).is_none())
    });
    let is_program = match tokens.dialect {
        Dialect::Go => (0..tokens.len().min(40))
            .any(|it| tokens.is(it, "package") && tokens.is(it + 1, "main")),
        Dialect::Rust | Dialect::Java | Dialect::Kotlin | Dialect::CSharp => true,
        _ => false,
    };
    if is_program && let Some(main) = mains.into_iter().next() {
        let entry = found.entry(EntryKind::Main, "main".to_owned(), tokens.line(main.at));
        found.push(entry);
    }
    if tokens.dialect == Dialect::Python
        && let Some(at) =
            (0..tokens.len()).find(|it| tokens.is(*it, "__name__") && tokens.is(it + 1, "=="))
    {
        let entry = found.entry(EntryKind::Main, "__main__".to_owned(), tokens.line(at));
        found.push(entry);
    }
    for scope in code
        .scopes
        .iter()
        .filter(|it| it.kind == ScopeKind::Function && has(&rows.handlers, it.name))
    {
        let is_exported = tokens.dialect != Dialect::Script
            || (scope.at.saturating_sub(4)..scope.at)
                .any(|it| matches!(tokens.word(it), "export" | "exports"));
        if is_exported
            && code.around(scope.at, ScopeKind::Function).is_none()
            && code.around(scope.at, ScopeKind::Class).is_none()
            && !matches!(tokens.dialect, Dialect::Rust | Dialect::Go)
        {
            let entry = found.entry(EntryKind::Main, scope.name.to_owned(), tokens.line(scope.at));
            found.push(entry);
        }
    }
}
