//! Variables of the environment and settings that are read by a literal key.

use super::code::{Code, ScopeKind};
use super::entities::is_variable;
use super::found::{Found, fallback};
use super::marked::Marked;
use super::rows::{Rows, has, role};
use super::tokens::Dialect;
use crate::domain::skeleton::EntryKind;

pub(super) fn collect(code: &Code<'_>, rows: &Rows, marked: &[Marked<'_>], found: &mut Found<'_>) {
    by_member(code, found);
    by_call(code, rows, found);
    by_tag(code, found);
    by_mark(code, rows, marked, found);
    by_file(code, rows, found);
}

fn add(
    code: &Code<'_>,
    found: &mut Found<'_>,
    kind: EntryKind,
    name: &str,
    at: usize,
    value: Option<String>,
) {
    let value = value.and_then(|it| fallback(name, &it));
    // One that is read twice is one, with whatever is taken instead.
    if let Some(known) = found.all.iter_mut().find(|it| it.kind == kind && it.name == name) {
        if known.fallback.is_none() {
            known.fallback = value;
        }
        return;
    }
    let mut entry = found.entry(kind, name.to_owned(), code.tokens.line(at));
    entry.fallback = value;
    found.push(entry);
}

/// `process.env.PORT`, `os.environ["PORT"]`, `const { PORT } = process.env`.
fn by_member(code: &Code<'_>, found: &mut Found<'_>) {
    let tokens = &code.tokens;
    for at in 0..tokens.len() {
        if !tokens.is_word(at) || !matches!(tokens.word(at), "env" | "environ" | "ENV") {
            continue;
        }
        let before = at.checked_sub(2).map_or("", |it| tokens.word(it));
        let is_script =
            tokens.dialect == Dialect::Script && matches!(before, "process" | "meta" | "Bun");
        let is_other =
            matches!(tokens.word(at), "environ" | "ENV") && tokens.dialect != Dialect::Script;
        if !is_script && !is_other {
            continue;
        }
        let next = at + 1;
        if matches!(tokens.word(next), "." | "?.")
            && tokens.is_word(next + 1)
            && !tokens.is(next + 2, "(")
        {
            let name = tokens.word(next + 1);
            if is_script && is_variable(name) {
                add(code, found, EntryKind::Environment, name, at, instead(code, next + 2));
            }
        } else if tokens.is(next, "[") {
            if let Some(name) = tokens.inside(next + 1) {
                add(
                    code,
                    found,
                    EntryKind::Environment,
                    name,
                    at,
                    instead(code, tokens.mate(next) + 1),
                );
            }
        } else if is_script && at >= 4 {
            // `= process.env` with names in braces before it.
            let equals = at - 3;
            if tokens.is(equals, "=") && tokens.is(equals - 1, "}") {
                let open = tokens.mate(equals - 1);
                for range in super::code::split(tokens, open + 1..equals - 1) {
                    let name = tokens.word(range.start);
                    let equals = range.clone().find(|it| tokens.is(*it, "="));
                    let value = equals.map(|it| tokens.shown(it + 1..range.end));
                    if is_variable(name) {
                        add(code, found, EntryKind::Environment, name, range.start, value);
                    }
                }
            }
        }
    }
}

/// What follows by which another value is taken: `|| 80`, `?? 80`, `or 80`.
fn instead(code: &Code<'_>, at: usize) -> Option<String> {
    let tokens = &code.tokens;
    let mut at = at;
    if tokens.is(at, "!") {
        at += 1;
    }
    for _ in 0..4 {
        if matches!(tokens.word(at), "||" | "??" | "or" | "?:") {
            return Some(tokens.shown(at + 1..value_end(code, at + 1)));
        }
        if tokens.is(at, ",") {
            // `parseInt(process.env.PORT, 10) || 80`
            let parent = tokens.parent(at)?;
            at = tokens.mate(parent);
        } else if tokens.is(at, ")") {
            at += 1;
        } else {
            return None;
        }
    }
    None
}

/// Where a value ends that begins here.
fn value_end(code: &Code<'_>, from: usize) -> usize {
    let tokens = &code.tokens;
    let mut at = from;
    while at < tokens.len() {
        let is_over = matches!(tokens.word(at), ";" | "," | ")" | "]" | "}" | ":")
            || at > from
                && tokens.get(at).is_some_and(|it| it.is_first)
                && !matches!(tokens.word(at), "." | "||" | "??");
        if is_over {
            break;
        }
        at = tokens.after(at);
    }
    at
}

fn by_call(code: &Code<'_>, rows: &Rows, found: &mut Found<'_>) {
    let tokens = &code.tokens;
    for call in code.calls.iter().filter(|it| tokens.is_text(it.open + 1)) {
        let called = call.name();
        let may_read = call.parts.iter().any(|it| names_environment(it.word))
            || called == "config"
            || call.may(role::SETTING);
        if !may_read {
            continue;
        }
        let arguments = code.arguments(call.open);
        let Some(name) = arguments.first().and_then(|it| code.literal(&it.value)) else { continue };
        let lower = call.path().to_ascii_lowercase().replace("environment", "env");
        let is_decouple =
            called == "config" && call.parts.len() == 1 && tokens.dialect == Dialect::Python;
        let is_read = lower.contains("env") && !lower.contains("setenv") && is_variable(name)
            || is_decouple && is_variable(name);
        let is_setting = call.may(role::SETTING)
            && call.parts.len() > 1
            && has(&rows.surroundings.setting_receivers, call.parts[call.parts.len() - 2].word);
        if !is_read && !is_setting {
            continue;
        }
        let kind =
            if is_read || is_variable(name) { EntryKind::Environment } else { EntryKind::Setting };
        if kind == EntryKind::Setting && (name.starts_with('/') || name.contains(' ')) {
            continue;
        }
        let named =
            arguments.iter().find(|it| it.name == Some("default")).map(|it| it.value.clone());
        let second = arguments.get(1).filter(|it| it.name.is_none()).map(|it| it.value.clone());
        let given =
            named.or(second).filter(|it| !tokens.is(it.start, "{") && !code.is_function(it));
        let value = given.map(|it| tokens.shown(it)).or_else(|| taken_instead(code, call.open));
        let value = value.or_else(|| checked_after(code, call.start, tokens.mate(call.open) + 1));
        add(code, found, kind, name, call.open, value);
    }
}

/// Whether a word has `env` in it, in whatever letters.
fn names_environment(word: &str) -> bool {
    word.as_bytes().windows(3).any(|it| it.eq_ignore_ascii_case(b"env"))
}

/// `.unwrap_or("x")`, `.unwrap_or_else(|_| "x".into())`, `.orElse("x")`, or a mark that says it.
fn taken_instead(code: &Code<'_>, open: usize) -> Option<String> {
    let tokens = &code.tokens;
    let follower = code.followers(open).into_iter().find(|it| {
        matches!(
            it.0,
            "unwrap_or" | "unwrap_or_else" | "orElse" | "getOrElse" | "map_or" | "orElseGet"
        )
    });
    if let Some((_, open)) = follower {
        let inside = open + 1..tokens.mate(open);
        let literal = inside.clone().find(|it| tokens.is_text(*it));
        return Some(literal.map_or_else(|| tokens.shown(inside), |it| tokens.word(it).to_owned()));
    }
    instead(code, tokens.mate(open) + 1)
}

/// `if port == "" { port = "8080" }` after it.
fn checked_after(code: &Code<'_>, start: usize, from: usize) -> Option<String> {
    let tokens = &code.tokens;
    let name = code.bound_to(start)?;
    let end = (from + 40).min(tokens.len());
    let check = (from..end).find(|it| {
        tokens.is(*it, "if")
            && (it + 1..it + 8).any(|at| tokens.is(at, name))
            && (it + 1..it + 8).any(|at| {
                tokens.inside(at) == Some("") || tokens.is(at, "len") || tokens.is(at, "!")
            })
    })?;
    let assigned = (check + 3..check + 40)
        .find(|it| tokens.is(*it, name) && matches!(tokens.word(it + 1), "=" | ":="))?;
    Some(tokens.shown(assigned + 2..value_end(code, assigned + 2)))
}

/// Tags of Go's structures: `env:"PORT" envDefault:"80"`.
fn by_tag(code: &Code<'_>, found: &mut Found<'_>) {
    let tokens = &code.tokens;
    if tokens.dialect != Dialect::Go {
        return;
    }
    for at in
        (0..tokens.len()).filter(|it| tokens.is_text(*it) && tokens.word(*it).starts_with('`'))
    {
        let tag = tokens.inside(at).unwrap_or_default();
        let value = |key: &str| {
            let start = tag.find(&format!("{key}:\""))? + key.len() + 2;
            tag.get(start..)?.split('"').next()
        };
        let name = ["env", "envconfig", "mapstructure"].iter().find_map(|it| value(it));
        let name =
            name.map(|it| it.split(',').next().unwrap_or_default()).filter(|it| is_variable(it));
        if let Some(name) = name {
            let default =
                value("envDefault").or_else(|| value("default")).or_else(|| value("env-default"));
            add(code, found, EntryKind::Environment, name, at, default.map(str::to_owned));
        }
    }
}

/// `@Value("${server.port:8080}")` and other texts with holes; marks with the key of a setting.
fn by_mark(code: &Code<'_>, rows: &Rows, marked: &[Marked<'_>], found: &mut Found<'_>) {
    let tokens = &code.tokens;
    if !matches!(tokens.dialect, Dialect::Java | Dialect::Kotlin | Dialect::Rust) {
        return;
    }
    for at in (0..tokens.len()).filter(|it| tokens.is_text(*it)) {
        let text = tokens.inside(at).unwrap_or_default().replace("\\$", "$");
        for hole in text.split("${").skip(1) {
            let Some((inside, _)) = hole.split_once('}') else { continue };
            let (name, value) =
                inside.split_once(':').map_or((inside, None), |it| (it.0, Some(it.1)));
            let is_key = !name.is_empty()
                && name.bytes().all(|it| it.is_ascii_alphanumeric() || b".-_".contains(&it));
            let in_mark = tokens.dialect == Dialect::Java;
            if is_key && in_mark && (name.contains('.') || is_variable(name)) {
                let kind =
                    if is_variable(name) { EntryKind::Environment } else { EntryKind::Setting };
                add(code, found, kind, name, at, value.map(str::to_owned));
            }
        }
    }
    for mark in marked
        .iter()
        .flat_map(|it| &it.marks)
        .filter(|it| has(&rows.surroundings.setting_marks, it.name))
    {
        let Some(open) = mark.open else { continue };
        let inside = open + 1..tokens.mate(open);
        for name in code
            .literals(&inside)
            .into_iter()
            .filter(|it| it.contains('.') && !it.contains(['$', ' ', '#']))
        {
            add(code, found, EntryKind::Setting, name, mark.at, None);
        }
    }
}

/// Names in capitals at the top of a file of settings.
fn by_file(code: &Code<'_>, rows: &Rows, found: &mut Found<'_>) {
    let tokens = &code.tokens;
    if tokens.dialect != Dialect::Python {
        return;
    }
    let file = found.path.rsplit('/').next().unwrap_or_default();
    let stem = file.strip_suffix(".py").unwrap_or(file);
    let folder = found.path.rsplit('/').nth(1).unwrap_or_default();
    let is_settings =
        matches!(stem, "settings" | "config" | "conf" | "configuration" | "default_settings")
            || matches!(folder, "settings" | "config" | "conf")
                && has(&rows.surroundings.setting_files, stem);
    if !is_settings {
        return;
    }
    let lines = (0..tokens.len()).filter(|it| {
        tokens.get(*it).is_some_and(|token| token.is_first)
            && is_variable(tokens.word(*it))
            && tokens.is(it + 1, "=")
    });
    let lines: Vec<usize> = lines.collect();
    for at in lines {
        let in_function = code.around(at, ScopeKind::Function).is_some();
        if in_function || found.has(EntryKind::Environment, tokens.word(at)) {
            continue;
        }
        let value = at + 2..line_end(code, at + 2);
        let name = tokens.word(at);
        let is_guard = has(&rows.surroundings.guards, name);
        let shown = tokens.shown(value.clone());
        let owner =
            code.around(at, ScopeKind::Class).map(|it| format!("{}.", it.name)).unwrap_or_default();
        let kind = if is_guard { EntryKind::Middleware } else { EntryKind::Setting };
        let mut entry = found.entry(kind, format!("{owner}{name}"), tokens.line(at));
        if is_guard {
            entry.guards = code.literals(&value).into_iter().map(str::to_owned).collect();
        } else {
            entry.fallback = fallback(name, &shown);
        }
        found.push(entry);
    }
}

fn line_end(code: &Code<'_>, from: usize) -> usize {
    let tokens = &code.tokens;
    let mut at = from;
    while at < tokens.len() && !(at > from && tokens.get(at).is_some_and(|it| it.is_first)) {
        at = tokens.after(at);
    }
    at
}
