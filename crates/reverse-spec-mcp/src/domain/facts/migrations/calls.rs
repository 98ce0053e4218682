//! Migrations that are said by calls: `op.add_column('users', …)`, `Schema::create('users', …)`.

use std::ops::Range;

use super::{Step, sql, step};
use crate::domain::facts::code::{Argument, Call, Code, ScopeKind, split};
use crate::domain::facts::found::MAX_TEXT;
use crate::domain::facts::rows::{Migration, has};

/// Arguments by name that say what a step is about, in the order in which they are put together.
const TABLE_KEYS: [&str; 5] = ["model_name", "table_name", "tableName", "table", "name"];
const COLUMN_KEYS: [&str; 5] = ["name", "old_name", "column_name", "columnName", "column"];

/// What runs forward, by line.
pub(super) fn steps(code: &Code<'_>, row: &Migration) -> Vec<Step> {
    let leads_back: Vec<Range<usize>> = code
        .scopes
        .iter()
        .filter(|it| it.kind == ScopeKind::Function && has(&row.back, it.name))
        .map(|it| it.body.clone())
        .chain(assigned_back(code, row))
        .collect();
    let mut found = Vec::new();
    // What stands inside a step belongs to it.
    let mut told_up_to = 0;
    for call in &code.calls {
        if call.open < told_up_to || leads_back.iter().any(|it| it.contains(&call.open)) {
            continue;
        }
        let name = call.name();
        let line = code.tokens.line(call.open);
        let end = code.tokens.mate(call.open);
        if let Some(words) = row.operations.get(name) {
            let arguments = code.arguments(call.open);
            // A lone call of a common name is somebody else's.
            if call.parts.len() < 2 && arguments.is_empty() {
                continue;
            }
            found.push(told(code, row, words, line, &arguments));
            told_up_to = end;
        } else if has(&row.statements, name) {
            told_up_to = end;
            let texts = code.literals(&(call.open + 1..end));
            let before = found.len();
            for text in texts.iter().filter(|it| it.contains(' ')).take(1) {
                found.extend(sql::steps(text, line));
            }
            if found.len() == before && texts.is_empty() {
                let what = code.tokens.shown_up_to(call.open + 1..end, MAX_TEXT);
                found.push(step(line, "runs", &what, ""));
            }
        }
    }
    found
}

/// `exports.down = …` without a name of its own.
fn assigned_back<'c>(
    code: &'c Code<'_>,
    row: &'c Migration,
) -> impl Iterator<Item = Range<usize>> + 'c {
    let tokens = &code.tokens;
    let starts = (1..tokens.len()).filter(move |at| {
        tokens.is(at + 1, "=")
            && matches!(tokens.word(at - 1), "." | "const" | "let")
            && has(&row.back, tokens.word(*at))
    });
    starts.map(move |at| {
        let end = (at + 2..tokens.len()).find(|it| {
            *it > at + 3
                && tokens.get(*it).is_some_and(|token| token.is_first && token.indent == 0)
                && tokens.is_word(*it)
        });
        at..end.unwrap_or(tokens.len())
    })
}

/// What comes before it, where it says so: `down_revision = '…'`, `dependencies = [('app', '0001')]`.
pub(super) fn after(code: &Code<'_>, row: &Migration) -> Option<String> {
    let tokens = &code.tokens;
    let key = row.after.as_str();
    if key.is_empty() {
        return None;
    }
    let at = (0..tokens.len())
        .find(|it| tokens.is(*it, key) && (tokens.is(it + 1, "=") || tokens.is(it + 1, ":")))?;
    let value = (at + 2..tokens.len().min(at + 12)).find(|it| {
        tokens.is_text(*it) || tokens.is(*it, "[") || tokens.get(*it).is_some_and(|it| it.is_first)
    })?;
    let names = code.literals(&(value..tokens.after(value)));
    (!names.is_empty()).then(|| names.join(", "))
}

fn told(
    code: &Code<'_>,
    row: &Migration,
    words: &str,
    line: usize,
    arguments: &[Argument<'_>],
) -> Step {
    let tokens = &code.tokens;
    let is_whole = words.ends_with("table");
    let by_name = |keys: &[&str]| {
        keys.iter().find_map(|key| {
            let named = arguments.iter().find(|it| it.name == Some(*key))?;
            code.literal(&named.value)
        })
    };
    // `new Table({ name: 'users', columns: […] })`
    let object =
        arguments.iter().find_map(|it| it.value.clone().take(4).find(|at| tokens.is(*at, "{")));
    let of_object = |keys: &[&str]| {
        let value = code.member(object?, keys)?;
        code.literal(&value)
    };
    let texts: Vec<&str> = arguments
        .iter()
        .filter(|it| it.name.is_none() && it.value.len() == 1)
        .filter_map(|it| code.literal(&it.value))
        .collect();
    let table = by_name(&TABLE_KEYS).or(texts.first().copied()).or_else(|| of_object(&["name"]));
    let what = match (table, is_whole) {
        (Some(table), true) => table.to_owned(),
        (Some(table), false) => {
            let keyed = by_name(&COLUMN_KEYS).filter(|it| *it != table);
            let nested = || {
                let call = arguments.iter().find_map(|it| code.calls_at(it.value.start).next());
                let first = code.arguments(call?.open).into_iter().next()?;
                code.literal(&first.value)
            };
            let further = || of_object(&["name"]).filter(|it| *it != table);
            let column = keyed.or(texts.get(1).copied()).or_else(nested).or_else(further);
            column.map_or(table.to_owned(), |it| format!("{table}{}{it}", between(words)))
        }
        (None, _) => {
            let all = arguments.iter().map(|it| tokens.shown_up_to(it.value.clone(), MAX_TEXT));
            all.collect::<Vec<_>>().join(", ")
        }
    };
    let rest = if is_whole {
        inside(code, row, arguments)
    } else {
        let skip = |it: &&Argument<'_>| code.literal(&it.value).is_none() || it.value.len() > 1;
        let more = arguments.iter().filter(skip).filter(|_| table.is_some());
        let more = more.map(|it| {
            let value = tokens.shown_up_to(it.value.clone(), MAX_TEXT);
            it.name
                .filter(|it| *it != "field")
                .map_or(value.clone(), |name| format!("{name}={value}"))
        });
        more.collect::<Vec<_>>().join(", ")
    };
    step(line, words, &what, &rest)
}

/// Indexes and constraints have a name of their own and stand on a table; all else is part of one.
fn between(words: &str) -> &'static str {
    let is_on = ["index", "key", "constraint"].iter().any(|it| words.ends_with(it));
    if is_on { " on " } else { "." }
}

/// The columns that are named inside a table.
fn inside(code: &Code<'_>, row: &Migration, arguments: &[Argument<'_>]) -> String {
    let tokens = &code.tokens;
    let mut names: Vec<String> = Vec::new();
    for argument in arguments {
        let value = &argument.value;
        let calls = code.calls_within(value);
        if code.is_function(value) || calls.first().is_some_and(|it| is_builder(it)) {
            names.extend(built(code, row, calls));
        } else if matches!(argument.name, Some("fields" | "columns"))
            && (tokens.is(value.start, "[") || tokens.is(value.start, "("))
        {
            // `fields=[("id", models.AutoField()), …]`
            let inner = value.start + 1..tokens.mate(value.start);
            let items = split(tokens, inner).into_iter();
            names.extend(items.filter_map(|it| {
                let at = if tokens.is(it.start, "(") { it.start + 1 } else { it.start };
                tokens.inside(at).map(str::to_owned)
            }));
        } else if let Some(call) =
            code.calls_at(value.start + usize::from(tokens.is(value.start, "new"))).next()
        {
            // `sa.Column('id', sa.Integer())`
            if has(&row.columns, call.name()) {
                let first = code.arguments(call.open).into_iter().next();
                names.extend(first.and_then(|it| code.literal(&it.value)).map(str::to_owned));
            } else if let Some(open) = value.clone().take(4).find(|at| tokens.is(*at, "{")) {
                names.extend(objects(code, open));
            }
        } else if tokens.is(value.start, "{") {
            let members = code.members(value.start).into_iter();
            names.extend(members.map(|it| it.0.to_owned()));
        }
    }
    names.join(", ")
}

fn is_builder(call: &Call<'_>) -> bool {
    call.parts.len() == 2 && call.parts[0].word.len() <= 10 && call.parts[0].word.starts_with('$')
}

/// `columns: [{ name: 'id' }, …]`
fn objects(code: &Code<'_>, open: usize) -> Vec<String> {
    let tokens = &code.tokens;
    let Some(list) = code.member(open, &["columns"]) else { return Vec::new() };
    if !tokens.is(list.start, "[") {
        return Vec::new();
    }
    let items = split(tokens, list.start + 1..tokens.mate(list.start)).into_iter();
    let names = items.filter_map(|it| {
        let open = it.clone().take(4).find(|at| tokens.is(*at, "{"))?;
        code.literal(&code.member(open, &["name"])?)
    });
    names.map(str::to_owned).collect()
}

/// What is called on the one thing that a function is given: `$table->string('name')`.
fn built(code: &Code<'_>, row: &Migration, calls: &[Call<'_>]) -> Vec<String> {
    let Some(root) = calls.iter().find(|it| it.parts.len() > 1).map(Call::root) else {
        return Vec::new();
    };
    let mut names = Vec::new();
    for call in calls.iter().filter(|it| it.parts.len() == 2 && it.root() == root) {
        let first = code.arguments(call.open).into_iter().next();
        let text = first.and_then(|it| code.literal(&it.value));
        let called = call.name();
        names.push(match (text, row.operations.get(called)) {
            (Some(text), Some(words)) => format!("{words} {text}"),
            (Some(text), None) => text.to_owned(),
            (None, _) => called.to_owned(),
        });
    }
    names
}
