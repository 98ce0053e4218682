//! Commands and flags of command lines.

use std::ops::Range;

use super::code::{Call, Code, ScopeKind};
use super::fields::{Field, fields, parameters};
use super::found::{Found, MAX_TEXT, by_name, fallback};
use super::marked::{Mark, Marked};
use super::rows::{Flag, Rows, has, role};
use super::tokens::Dialect;
use crate::domain::skeleton::EntryKind;

pub(super) fn collect(code: &Code<'_>, rows: &Rows, marked: &[Marked<'_>], found: &mut Found<'_>) {
    for call in &code.calls {
        let is_flag = |it: &&Flag| has(&it.names, call.name());
        if call.may(role::FLAG)
            && let Some(row) = rows.flags.iter().find(is_flag)
        {
            by_call(code, row, call, found);
        }
        if call.may(role::COMMAND) && call.parts.len() > 1 {
            let name = code.arguments(call.open).first().and_then(|it| code.literal(&it.value));
            command(code, name, call.open, found);
        }
    }
    for one in marked {
        for mark in &one.marks {
            by_mark(code, rows, one, mark, found);
        }
    }
    match code.tokens.dialect {
        Dialect::Rust => derived(code, marked, found),
        Dialect::Go => structures(code, found),
        Dialect::Python => {
            typed(code, marked, found);
            managed(found);
        }
        _ => {}
    }
}

fn command(code: &Code<'_>, name: Option<&str>, at: usize, found: &mut Found<'_>) {
    let Some(name) = name.filter(|it| !it.is_empty() && !it.contains('\n') && it.len() <= MAX_TEXT)
    else {
        return;
    };
    let entry = found.entry(EntryKind::Command, name.to_owned(), code.tokens.line(at));
    found.push(entry);
}

/// Whether a text is a flag or an argument rather than anything else that is called so.
fn is_flag(name: &str) -> bool {
    !name.is_empty() && name.len() <= 80 && !name.contains('\n')
}

fn by_call(code: &Code<'_>, row: &Flag, call: &Call<'_>, found: &mut Found<'_>) {
    let tokens = &code.tokens;
    let before = call.parts.len().checked_sub(2).map(|it| call.parts[it]);
    if !row.receivers.is_empty() {
        let is_meant = before.is_some_and(|it| {
            let word =
                if it.open.is_some() { format!("{}()", it.word) } else { it.word.to_owned() };
            has(&row.receivers, &word)
                && (tokens.dialect != Dialect::Go || is_flag_package(code, &word))
        });
        if !is_meant {
            return;
        }
    } else if before.is_none() {
        return;
    }
    // A decorator is read with what it decorates.
    if tokens.dialect == Dialect::Python && tokens.is(call.start.wrapping_sub(1), "@") {
        return;
    }
    let arguments = code.arguments(call.open);
    let texts: Vec<&str> = arguments
        .iter()
        .filter(|it| it.name.is_none())
        .filter_map(|it| code.literal(&it.value))
        .collect();
    let Some(first) = texts.first().filter(|it| is_flag(it)) else { return };
    let mut details = Vec::new();
    let mut default = by_name(code, &arguments, &row.defaults).cloned();
    let name = match tokens.dialect {
        Dialect::Python => {
            let names: Vec<&str> = texts.iter().filter(|it| it.starts_with('-')).copied().collect();
            let is_known = first.starts_with('-')
                || first.bytes().all(|it| it.is_ascii_alphanumeric() || b"_-".contains(&it));
            if !is_known {
                return;
            }
            if names.is_empty() { (*first).to_owned() } else { names.join(", ") }
        }
        Dialect::Go => {
            let place = arguments.iter().position(|it| tokens.is_text(it.value.start)).unwrap_or(0);
            let has_short = call.name().ends_with('P');
            let value = place + if has_short { 2 } else { 1 };
            default =
                arguments.get(value).filter(|_| call.name() != "Var").map(|it| it.value.clone());
            details.push(format!(
                "type {}",
                call.name().trim_end_matches('P').trim_end_matches("Var")
            ));
            format!("--{first}")
        }
        _ => {
            let options = arguments.iter().find(|it| tokens.is(it.value.start, "{"));
            let is_known = first.contains('-')
                || options.is_some()
                || matches!(call.name(), "argument" | "positional");
            if !is_known {
                return;
            }
            if let Some(options) = options {
                for (key, value) in code.members(options.value.start) {
                    if has(&row.defaults, key) {
                        default = Some(value);
                    } else if has(&row.details, key) {
                        details.push(format!("{key}: {}", tokens.shown(value)));
                    }
                }
            } else if first.contains('-') {
                // What follows the description is taken when nothing is given.
                default = arguments
                    .iter()
                    .filter(|it| it.name.is_none())
                    .nth(2)
                    .map(|it| it.value.clone());
                default = default.filter(|it| !code.is_function(it));
            }
            if call.name() == "requiredOption" {
                details.push("required: true".to_owned());
            }
            (*first).to_owned()
        }
    };
    for key in &row.details {
        if let Some(value) = by_name(code, &arguments, std::slice::from_ref(key)) {
            details.push(format!(
                "{key}: {}",
                mcp_core::text::cut(&tokens.shown(value.clone()), MAX_TEXT)
            ));
        }
    }
    flag(code, name, call.open, details, default, found);
}

/// Whether a file of Go knows flags at all.
fn is_flag_package(code: &Code<'_>, receiver: &str) -> bool {
    receiver.contains("lags")
        || code.tokens.text.contains("\"flag\"")
        || code.tokens.text.contains("pflag")
        || code.tokens.text.contains("cobra")
        || code.tokens.text.contains("kingpin")
}

fn flag(
    code: &Code<'_>,
    name: String,
    at: usize,
    mut details: Vec<String>,
    default: Option<Range<usize>>,
    found: &mut Found<'_>,
) {
    details.sort();
    let mut entry = found.entry(EntryKind::Flag, name, code.tokens.line(at));
    entry.fallback = default.and_then(|it| fallback(&entry.name, &code.tokens.shown(it)));
    entry.details = details;
    found.push(entry);
}

fn by_mark(code: &Code<'_>, rows: &Rows, one: &Marked<'_>, mark: &Mark<'_>, found: &mut Found<'_>) {
    let tokens = &code.tokens;
    if let Some(row) = rows.flags.iter().find(|it| has(&it.marks, mark.name))
        && (row.imports.is_empty() || row.imports.iter().any(|it| tokens.text.contains(it)))
        && let Some(open) = mark.open
    {
        let arguments = code.arguments(open);
        let names = by_name(code, &arguments, &["names".to_owned(), "name".to_owned()]);
        let by_place = || {
            arguments
                .iter()
                .filter(|it| it.name.is_none())
                .flat_map(|it| code.literals(&it.value))
                .collect()
        };
        let names = names.map_or_else(by_place, |it| code.literals(it));
        let is_cli = names.iter().any(|it| it.starts_with('-'))
            || matches!(mark.name, "argument" | "Parameters") && tokens.dialect != Dialect::Script;
        if !names.is_empty() && is_cli {
            let names: Vec<&str> = names.into_iter().filter(|it| is_flag(it)).collect();
            let mut details = Vec::new();
            for key in row.details.iter().filter(|it| *it != "names") {
                if let Some(value) = by_name(code, &arguments, std::slice::from_ref(key)) {
                    details.push(format!(
                        "{key}: {}",
                        mcp_core::text::cut(&tokens.shown(value.clone()), MAX_TEXT)
                    ));
                }
            }
            let default = by_name(code, &arguments, &row.defaults).cloned();
            flag(code, names.join(", "), mark.at, details, default, found);
        }
    }
    if rows.commands.iter().any(|it| has(&it.marks, mark.name)) {
        let arguments = mark.open.map(|it| code.arguments(it)).unwrap_or_default();
        let named =
            by_name(code, &arguments, &["name".to_owned(), "value".to_owned(), "key".to_owned()])
                .and_then(|it| code.literal(it));
        let first =
            arguments.first().filter(|it| it.name.is_none()).and_then(|it| code.literal(&it.value));
        let name = named.or(first).map_or_else(|| one.name.replace('_', "-"), str::to_owned);
        command(code, Some(&name), mark.at, found);
    }
}

/// `#[derive(Parser)]` and the like: fields are flags, variants are commands.
fn derived(code: &Code<'_>, marked: &[Marked<'_>], found: &mut Found<'_>) {
    let tokens = &code.tokens;
    for one in marked.iter().filter(|it| it.is_class) {
        let derives = |name: &str| {
            let words =
                one.marks.iter().filter(|it| it.name == "derive").flat_map(|it| it.range.clone());
            words.into_iter().any(|it| tokens.is(it, name))
        };
        let Some(scope) =
            code.scopes.iter().find(|it| it.kind == ScopeKind::Class && it.at == one.at)
        else {
            continue;
        };
        if derives("Subcommand") {
            for variant in fields(code, scope) {
                let named = clap_value(code, &variant.marks, "name");
                let name =
                    named.map_or_else(|| kebab(variant.name), |it| it.trim_matches('"').to_owned());
                command(code, Some(&name), variant.at, found);
                // Its own arguments stand in braces after it.
                if tokens.is(variant.at + 1, "{") {
                    let inner = super::code::Scope {
                        body: variant.at + 2..tokens.mate(variant.at + 1),
                        ..scope.clone()
                    };
                    for field in fields(code, &inner) {
                        clap_field(code, &field, &format!("{name} "), found);
                    }
                }
            }
        } else if derives("Parser")
            || derives("Args")
            || derives("StructOpt")
            || derives("FromArgs")
        {
            for field in fields(code, scope) {
                clap_field(code, &field, "", found);
            }
        }
    }
    // The builder: `Arg::new("port").long("port").default_value("80")`.
    // Programs are started by the same word.
    let is_clap = tokens.text.contains("clap") && !tokens.text.contains("process::Command");
    for call in code.calls.iter().filter(|it| it.name() == "new" && it.parts.len() == 2) {
        let name = code.arguments(call.open).first().and_then(|it| code.literal(&it.value));
        match (call.root(), name) {
            ("Arg", Some(name)) => {
                let links = code.followers(call.open);
                let link = |wanted: &str| {
                    let open = links.iter().find(|it| it.0 == wanted)?.1;
                    Some(open + 1..tokens.mate(open))
                };
                let long = link("long").map(|it| code.literal(&it).unwrap_or(name));
                let shown = long.map_or_else(|| format!("<{name}>"), |it| format!("--{it}"));
                let kept = links.iter().filter(|it| {
                    matches!(
                        it.0,
                        "required"
                            | "short"
                            | "value_parser"
                            | "num_args"
                            | "action"
                            | "env"
                            | "takes_value"
                            | "possible_values"
                    )
                });
                let details = kept
                    .map(|it| format!("{}: {}", it.0, tokens.shown(it.1 + 1..tokens.mate(it.1))))
                    .collect();
                flag(code, shown, call.open, details, link("default_value"), found);
            }
            ("Command" | "App" | "SubCommand", Some(name)) if is_clap => {
                command(code, Some(name), call.open, found);
            }
            _ => {}
        }
    }
}

fn clap_value(code: &Code<'_>, marks: &[Mark<'_>], key: &str) -> Option<String> {
    let marks = marks
        .iter()
        .filter(|it| matches!(it.name, "arg" | "clap" | "command" | "structopt" | "argh"));
    for mark in marks {
        for argument in mark.open.map(|it| code.arguments(it)).unwrap_or_default() {
            if argument.name == Some(key) {
                return Some(code.tokens.shown(argument.value));
            }
            if argument.name.is_none() && code.tokens.is(argument.value.start, key) {
                return Some(String::new());
            }
        }
    }
    None
}

fn clap_field(code: &Code<'_>, field: &Field<'_>, before: &str, found: &mut Found<'_>) {
    let tokens = &code.tokens;
    let is_told =
        field.marks.iter().any(|it| matches!(it.name, "arg" | "clap" | "structopt" | "argh"));
    let is_nested = clap_value(code, &field.marks, "flatten").is_some()
        || clap_value(code, &field.marks, "subcommand").is_some()
        || field.marks.iter().any(|it| it.name == "command");
    if is_nested {
        return;
    }
    let long = clap_value(code, &field.marks, "long");
    let short = clap_value(code, &field.marks, "short");
    let name = match (&long, &short) {
        (Some(long), _) if long.is_empty() => format!("--{}", field.name.replace('_', "-")),
        (Some(long), _) => format!("--{}", long.trim_matches('"')),
        (None, Some(short)) => format!(
            "-{}",
            if short.is_empty() { &field.name[..1] } else { short.trim_matches('\'') }
        ),
        (None, None) => format!("<{}>", field.name),
    };
    let _ = is_told;
    let mut entry = found.entry(EntryKind::Flag, format!("{before}{name}"), tokens.line(field.at));
    let default = ["default_value_t", "default_value", "default_values_t"]
        .iter()
        .find_map(|it| clap_value(code, &field.marks, it));
    entry.fallback = default.and_then(|it| fallback(field.name, &it));
    entry.details = vec![format!("type {}", tokens.shown(field.type_range.clone()))];
    if let Some(variable) = clap_value(code, &field.marks, "env") {
        let named = variable.trim_matches('"').to_owned();
        let name = if named.is_empty() { field.name.to_ascii_uppercase() } else { named };
        entry.details.push(format!("env {name}"));
        let variable = found.entry(EntryKind::Environment, name, tokens.line(field.at));
        found.push(variable);
    }
    found.push(entry);
}

fn kebab(name: &str) -> String {
    let mut out = String::new();
    for (at, letter) in name.chars().enumerate() {
        if letter.is_uppercase() && at > 0 {
            out.push('-');
        }
        out.extend(letter.to_lowercase());
    }
    out.replace('_', "-")
}

/// `cobra.Command{Use: "serve"}`, `cli.StringFlag{Name: "port", Value: "80"}`.
fn structures(code: &Code<'_>, found: &mut Found<'_>) {
    let tokens = &code.tokens;
    for at in (3..tokens.len())
        .filter(|it| tokens.is(*it, "{") && tokens.is_word(it - 1) && tokens.is(it - 2, "."))
    {
        let (package, name) = (tokens.word(at - 3), tokens.word(at - 1));
        match (package, name) {
            ("cobra", "Command") => {
                let used = code.member(at, &["Use"]).and_then(|it| code.literal(&it));
                command(code, used, at, found);
            }
            ("cli", "Command") => {
                let named = code.member(at, &["Name"]).and_then(|it| code.literal(&it));
                command(code, named, at, found);
            }
            ("cli", kind) if kind.ends_with("Flag") => {
                let Some(named) = code.member(at, &["Name"]).and_then(|it| code.literal(&it))
                else {
                    continue;
                };
                let default = code.member(at, &["Value"]);
                let details = vec![format!("type {}", kind.trim_end_matches("Flag"))];
                flag(code, format!("--{named}"), at, details, default, found);
            }
            _ => {}
        }
    }
}

/// Parameters of functions that typer makes commands of.
fn typed(code: &Code<'_>, marked: &[Marked<'_>], found: &mut Found<'_>) {
    let tokens = &code.tokens;
    if !["import typer", "from typer", ", typer"].iter().any(|it| tokens.text.contains(it)) {
        return;
    }
    // A group of click is a function; what is marked by one, or has options in its marks, is click's.
    let is_of_click = |it: &Mark<'_>| {
        it.root == "click"
            || matches!(it.name, "option" | "argument" | "pass_context" | "pass_obj")
            || marked.iter().any(|other| !other.is_class && other.name == it.root)
    };
    let is_command = |it: &Mark<'_>| matches!(it.name, "command" | "callback");
    for one in marked
        .iter()
        .filter(|it| it.marks.iter().any(is_command) && !it.marks.iter().any(is_of_click))
    {
        let Some(scope) =
            code.scopes.iter().find(|it| it.kind == ScopeKind::Function && it.at == one.at)
        else {
            continue;
        };
        for range in parameters(code, scope) {
            let name = tokens.word(range.start);
            if !tokens.is_word(range.start) || name == "ctx" {
                continue;
            }
            let call = code
                .calls_within(&range)
                .iter()
                .find(|it| matches!(it.name(), "Option" | "Argument"));
            let is_option = call.is_none_or(|it| it.name() == "Option");
            let equals = range
                .clone()
                .find(|it| tokens.is(*it, "=") && tokens.parent(*it) == tokens.parent(range.start));
            let arguments = call.map(|it| code.arguments(it.open)).unwrap_or_default();
            let in_default = call.is_some_and(|it| equals.is_some_and(|equals| it.start > equals));
            let default = if in_default {
                arguments.first().filter(|it| it.name.is_none()).map(|it| it.value.clone())
            } else {
                equals.map(|it| it + 1..range.end)
            };
            let texts: Vec<&str> = arguments
                .iter()
                .filter_map(|it| code.literal(&it.value))
                .filter(|it| it.starts_with('-'))
                .collect();
            let shown = if !texts.is_empty() {
                texts.join(", ")
            } else if is_option && default.is_some() {
                format!("--{}", name.replace('_', "-"))
            } else {
                format!("<{name}>")
            };
            flag(
                code,
                format!("{} {shown}", one.name.replace('_', "-")),
                range.start,
                Vec::new(),
                default,
                found,
            );
        }
    }
}

/// Django's commands by where their files lie.
fn managed(found: &mut Found<'_>) {
    let path = found.path.to_owned();
    let name = path.split_once("management/commands/").and_then(|it| it.1.strip_suffix(".py"));
    if let Some(name) = name.filter(|it| *it != "__init__" && !it.contains('/')) {
        let entry = found.entry(EntryKind::Command, name.to_owned(), 1);
        found.push(entry);
    }
}
