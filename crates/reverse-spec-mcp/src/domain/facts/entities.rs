//! What is kept, sent or checked field by field: classes with marks, models, schemas written as objects,
//! and tables of a database.

mod lists;
mod objects;

use std::ops::Range;

use super::code::{Code, Scope, ScopeKind};
use super::fields::{Field, fields};
use super::found::{Found, MAX_TEXT};
use super::marked::{Mark, Marked};
use super::rows::{Rows, has, role};
use super::tokens::Dialect;
use crate::domain::marks::meaning;
use crate::domain::skeleton::EntryKind;

pub(super) use objects::{is_variable, owner};

/// A mark without what says nothing to a caller, its arguments in one order.
pub(super) fn shown_mark(code: &Code<'_>, mark: &Mark<'_>, rows: &Rows) -> String {
    let end = mark.open.unwrap_or(mark.range.end);
    let name = code.tokens.shown(mark.range.start..end);
    let Some(open) = mark.open else { return name };
    let mut parts: Vec<String> = Vec::new();
    for argument in code.arguments(open) {
        if argument.name.is_some_and(|it| has(&rows.ignored.keys, it)) {
            continue;
        }
        let value = without_ignored(code, &argument.value, rows);
        parts.push(argument.name.map_or(value.clone(), |it| format!("{it}={value}")));
    }
    if parts.is_empty() {
        return name;
    }
    if parts.len() > 1 && parts.iter().all(|it| it.contains('=')) {
        parts.sort();
    }
    format!("{name}({})", mcp_core::text::cut(&parts.join(", "), MAX_TEXT))
}

/// A value; of an object without members that say nothing.
fn without_ignored(code: &Code<'_>, range: &Range<usize>, rows: &Rows) -> String {
    if code.is_function(range) && !code.tokens.is(range.start, "{") {
        let body = (range.start..range.end).find(|it| code.tokens.is(*it, "=>"));
        return body.map_or_else(|| "…".to_owned(), |it| code.tokens.shown(it + 1..range.end));
    }
    if !code.tokens.is(range.start, "{") || code.tokens.dialect != Dialect::Script {
        return code.tokens.shown(range.clone());
    }
    let mut parts: Vec<String> = members(code, range.start, rows);
    parts.sort();
    format!("{{{}}}", parts.join(", "))
}

fn members(code: &Code<'_>, open: usize, rows: &Rows) -> Vec<String> {
    let all = code.members(open).into_iter().filter(|it| !has(&rows.ignored.keys, it.0));
    all.map(|(name, value)| {
        let shown =
            if code.is_function(&value) { "…".to_owned() } else { code.tokens.shown(value) };
        format!("{name}: {}", mcp_core::text::cut(&shown, MAX_TEXT))
    })
    .collect()
}

pub(super) fn collect(code: &Code<'_>, rows: &Rows, marked: &[Marked<'_>], found: &mut Found<'_>) {
    for scope in code.scopes.iter().filter(|it| it.kind == ScopeKind::Class) {
        if found.is_full() {
            return;
        }
        let marks = marked.iter().find(|it| it.is_class && it.at == scope.at);
        class(code, rows, scope, marks.map(|it| it.marks.as_slice()).unwrap_or_default(), found);
    }
    for call in &code.calls {
        if found.is_full() {
            return;
        }
        let is_object = |it: &&super::rows::ObjectCall| {
            has(&it.names, call.name())
                && (it.receivers.is_empty() || has(&it.receivers, call.parts[0].word))
        };
        if call.may(role::OBJECT) && rows.objects.iter().any(|it| is_object(&it)) {
            objects::object(code, rows, call, found);
        }
    }
    objects::checked_inputs(code, rows, found);
    if code.tokens.dialect == Dialect::Rust {
        objects::tables(code, found);
    }
}

fn class(
    code: &Code<'_>,
    rows: &Rows,
    scope: &Scope<'_>,
    marks: &[Mark<'_>],
    found: &mut Found<'_>,
) {
    let tokens = &code.tokens;
    let head: Vec<&str> =
        scope.head.clone().filter(|it| tokens.is_word(*it)).map(|it| tokens.word(it)).collect();
    let extended = |name: &str| {
        // What extends an entity of the same file is one too.
        tokens.dialect == Dialect::Python
            && code.scopes.iter().any(|it| {
                it.kind == ScopeKind::Class
                    && it.name == name
                    && it.at != scope.at
                    && is_model(code, rows, it, 0)
            })
    };
    let is_entity = head.iter().skip(1).any(|it| extended(it))
        || rows.entities.iter().any(|row| {
            let derived = || {
                let words =
                    marks.iter().filter(|it| it.name == "derive").flat_map(|it| it.range.clone());
                words.into_iter().any(|it| has(&row.derives, tokens.word(it)))
            };
            marks.iter().any(|it| it.name != "derive" && has(&row.marks, it.name))
                || head.iter().skip(1).any(|it| has(&row.extends, it))
                || !row.derives.is_empty() && derived()
        });
    if tokens.dialect == Dialect::Php {
        if is_entity {
            lists::collect(code, scope, found);
        }
        if head.iter().skip(1).any(|it| it.ends_with("Request")) {
            lists::checked(code, scope, found);
        }
        return;
    }
    let all = fields(code, scope);
    if tokens.dialect == Dialect::Python {
        turned_away(code, scope, &all, found);
    }
    let is_settings = head.iter().skip(1).any(|it| has(&rows.surroundings.extends, it));
    if is_settings {
        settings_class(code, &all, found);
        return;
    }
    let embeds_model = tokens.dialect == Dialect::Go
        && all.iter().any(|it| tokens.shown(it.type_range.clone()) == "gorm.Model");
    if is_entity && !marks.is_empty() {
        let of_class: Vec<String> = marks
            .iter()
            .filter(|it| !has(&rows.ignored.marks, it.name) && it.name != "derive")
            .map(|it| shown_mark(code, it, rows))
            .collect();
        let mut entry =
            found.entry(EntryKind::Entity, scope.name.to_owned(), tokens.line(scope.at));
        entry.details = of_class;
        entry.details.sort();
        found.push(entry);
    }
    for field in &all {
        let details = field_details(code, rows, field, is_entity || embeds_model);
        if let Some(details) = details {
            let mut entry = found.entry(
                EntryKind::Field,
                format!("{}.{}", scope.name, field.name),
                tokens.line(field.at),
            );
            entry.details = details;
            found.push(entry);
        }
    }
}

/// Whether a class of Python extends a model, itself or through others of the file.
fn is_model(code: &Code<'_>, rows: &Rows, scope: &Scope<'_>, depth: usize) -> bool {
    let tokens = &code.tokens;
    let mut bases =
        scope.head.clone().skip(1).filter(|it| tokens.is_word(*it)).map(|it| tokens.word(it));
    bases.any(|base| {
        rows.entities.iter().any(|it| has(&it.extends, base))
            || depth < 4
                && code.scopes.iter().any(|it| {
                    it.kind == ScopeKind::Class
                        && it.name == base
                        && it.at != scope.at
                        && is_model(code, rows, it, depth + 1)
                })
    })
}

/// Classes of Python that answer requests say who is let in by attributes and by what they extend.
fn turned_away(code: &Code<'_>, scope: &Scope<'_>, all: &[Field<'_>], found: &mut Found<'_>) {
    let tokens = &code.tokens;
    let names = [
        "permission_classes",
        "authentication_classes",
        "throttle_classes",
        "permission_required",
        "http_method_names",
        "decorators",
        "allowed_methods",
    ];
    for field in all.iter().filter(|it| names.contains(&it.name)) {
        let words = field.value.clone().filter(|it| tokens.is_word(*it) || tokens.is_text(*it));
        let mut guards: Vec<String> = words
            .map(|it| tokens.inside(it).unwrap_or_else(|| tokens.word(it)).to_owned())
            .collect();
        guards.sort();
        let mut entry = found.entry(
            EntryKind::Middleware,
            format!("{}.{}", scope.name, field.name),
            tokens.line(field.at),
        );
        entry.guards = guards;
        found.push(entry);
    }
    let mixed =
        scope.head.clone().skip(1).filter(|it| tokens.is_word(*it)).map(|it| tokens.word(it));
    let guards: Vec<String> = mixed
        .filter(|it| {
            it.ends_with("Mixin")
                && ["Required", "Permission", "Test", "Auth"].iter().any(|word| it.contains(word))
        })
        .map(str::to_owned)
        .collect();
    if !guards.is_empty() {
        let mut entry =
            found.entry(EntryKind::Middleware, scope.name.to_owned(), tokens.line(scope.at));
        entry.guards = guards;
        found.push(entry);
    }
}

/// What holds of a field; none where nobody outside would notice it.
fn field_details(
    code: &Code<'_>,
    rows: &Rows,
    field: &Field<'_>,
    is_kept: bool,
) -> Option<Vec<String>> {
    let tokens = &code.tokens;
    let typed = tokens.shown(field.type_range.clone());
    let mut details: Vec<String> = Vec::new();
    match tokens.dialect {
        Dialect::Go => {
            let tag = tokens.inside(field.value.start).unwrap_or_default();
            let keys = [
                "gorm:",
                "binding:",
                "validate:",
                "db:",
                "bson:",
                "bun:",
                "xorm:",
                "pg:",
                "valid:",
            ];
            let is_told = keys.iter().any(|it| tag.contains(it));
            if !is_told && !is_kept || typed == "gorm.Model" {
                return None;
            }
            details.push(format!("type {typed}"));
            details.extend(tags(tag));
        }
        Dialect::Python => {
            let calls =
                !field.value.is_empty() && code.calls_at(field.value.start).next().is_some();
            let is_column = code.calls_at(field.value.start).any(|it| {
                it.name().ends_with("Field")
                    || matches!(
                        it.name(),
                        "Column"
                            | "mapped_column"
                            | "relationship"
                            | "ForeignKey"
                            | "ManyToManyField"
                            | "Relationship"
                            | "Nested"
                            | "field"
                    )
            });
            let is_kept = is_kept || is_column;
            if !is_kept
                || field.name == "model_config"
                || !calls && typed.is_empty() && !field.name.starts_with("__table")
            {
                return None;
            }
            if !typed.is_empty() {
                details.push(format!("type {typed}"));
            }
            if !field.value.is_empty() {
                details.extend(value_details(code, rows, &field.value));
            }
        }
        _ => {
            let shown: Vec<String> = field
                .marks
                .iter()
                .filter(|it| !has(&rows.ignored.marks, it.name))
                .map(|it| shown_mark(code, it, rows))
                .collect();
            let is_told = field.marks.iter().any(|it| {
                meaning(&format!("@{}", it.name)).is_some()
                    || matches!(it.name, "validate" | "serde" | "garde")
            });
            if !is_kept && !is_told {
                return None;
            }
            if !typed.is_empty() {
                details.push(format!("type {typed}"));
            }
            if field.is_optional && tokens.dialect == Dialect::Script {
                details.push("optional".to_owned());
            }
            details.extend(shown);
        }
    }
    details.sort();
    Some(details)
}

/// `gorm:"size:255;not null" json:"a"` part by part.
fn tags(tag: &str) -> Vec<String> {
    let mut found = Vec::new();
    for part in tag.split('"').collect::<Vec<_>>().chunks(2) {
        let [key, value] = part else { continue };
        let key = key.trim().trim_end_matches(':');
        let separator = if key == "gorm" { ';' } else { ',' };
        found.extend(
            value.split(separator).filter(|it| !it.is_empty()).map(|it| format!("{key}: {it}")),
        );
    }
    found
}

/// A value in parts that can be told apart: arguments of a call, members of an object, links of a chain.
fn value_details(code: &Code<'_>, rows: &Rows, range: &Range<usize>) -> Vec<String> {
    let tokens = &code.tokens;
    let cut = |it: String| mcp_core::text::cut(&it, MAX_TEXT).to_owned();
    if tokens.is(range.start, "{") && tokens.mate(range.start) + 1 >= range.end {
        return members(code, range.start, rows);
    }
    let first = code.calls_at(range.start).filter(|it| it.open < range.end);
    let chain: Vec<_> = first.collect();
    if chain.is_empty() {
        return vec![cut(tokens.shown(range.clone()))];
    }
    if tokens.dialect == Dialect::Python {
        let call = chain[0];
        let mut found = vec![call.path()];
        for argument in code.arguments(call.open) {
            if argument.name.is_some_and(|it| has(&rows.ignored.keys, it)) {
                continue;
            }
            // A text given by its place is what people are shown.
            if argument.name.is_none()
                && tokens.is_text(argument.value.start)
                && !found[0].ends_with("Column")
                && !found[0].ends_with("ForeignKey")
                && !found[0].ends_with("relationship")
            {
                continue;
            }
            let shown = tokens.shown(argument.value);
            found.push(cut(argument.name.map_or(shown.clone(), |it| format!("{it}={shown}"))));
        }
        return found;
    }
    let mut found = Vec::new();
    for (place, call) in chain.iter().enumerate() {
        let name = if place == 0 { call.path() } else { call.name().to_owned() };
        if place > 0 && has(&rows.ignored.links, &name) {
            continue;
        }
        let arguments = code.arguments(call.open).into_iter();
        let shown = arguments.filter(|it| {
            // Messages say nothing to a caller.
            let is_message = tokens.is_text(it.value.start) && it.value.start != call.open + 1;
            let is_options = tokens.is(it.value.start, "{")
                && code.member(it.value.start, &["message"]).is_some();
            !is_message && !is_options
        });
        let shown: Vec<String> = shown.map(|it| without_ignored(code, &it.value, rows)).collect();
        found.push(cut(format!("{name}({})", shown.join(", "))));
    }
    found.sort();
    found
}

/// Fields that are variables of the environment: pydantic's settings.
fn settings_class(code: &Code<'_>, all: &[Field<'_>], found: &mut Found<'_>) {
    for field in all.iter().filter(|it| !it.name.starts_with("model_config")) {
        let name = field.name.to_ascii_uppercase();
        let mut entry =
            found.entry(EntryKind::Environment, name.clone(), code.tokens.line(field.at));
        entry.fallback = super::found::fallback(&name, &code.tokens.shown(field.value.clone()));
        let typed = code.tokens.shown(field.type_range.clone());
        entry.details = if typed.is_empty() { Vec::new() } else { vec![format!("type {typed}")] };
        found.push(entry);
    }
}
