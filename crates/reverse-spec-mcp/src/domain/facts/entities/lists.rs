//! Models of Eloquent: classes that name their fields in lists.

use std::ops::Range;

use crate::domain::facts::code::{Code, Scope, split};
use crate::domain::facts::found::{Found, MAX_TEXT};
use crate::domain::skeleton::{EntryKind, EntryPoint};

/// The lists of a model, and what they say of the fields in them.
const LISTS: [(&str, &str); 5] = [
    ("$fillable", "fillable"),
    ("$guarded", "guarded"),
    ("$hidden", "hidden"),
    ("$casts", "cast"),
    ("casts", "cast"),
];

pub(super) fn collect(code: &Code<'_>, scope: &Scope<'_>, found: &mut Found<'_>) {
    let tokens = &code.tokens;
    let mut entity = found.entry(EntryKind::Entity, scope.name.to_owned(), tokens.line(scope.at));
    let table = scope.body.clone().find(|it| tokens.is(*it, "$table") && tokens.is(it + 1, "="));
    entity.details.extend(table.map(|it| format!("table {}", tokens.shown(it + 2..it + 3))));
    found.push(entity);
    for at in scope.body.clone() {
        let Some((_, what)) = LISTS.iter().find(|it| tokens.is(at, it.0)) else { continue };
        // `$casts = [` or `function casts(): array { return [`
        let is_function = at > 0 && tokens.is(at - 1, "function");
        let open = if is_function {
            (at..scope.body.end.min(at + 12)).find(|it| tokens.is(*it, "["))
        } else {
            Some(at + 2).filter(|it| tokens.is(at + 1, "=") && tokens.is(*it, "["))
        };
        if let Some(open) = open {
            items(code, scope, what, open + 1..tokens.mate(open), found);
        }
    }
}

/// What a request is held to: `function rules() { return ['name' => 'required|string']; }`.
pub(super) fn checked(code: &Code<'_>, scope: &Scope<'_>, found: &mut Found<'_>) {
    let tokens = &code.tokens;
    let is_rules = |at: &usize| tokens.is(*at, "function") && tokens.is(at + 1, "rules");
    let Some(start) = scope.body.clone().find(is_rules) else { return };
    let opens = |at: &usize| tokens.is(*at, "return") && tokens.is(at + 1, "[");
    let Some(open) = (start..scope.body.end).find(opens).map(|it| it + 1) else { return };
    for (name, value) in code.members(open) {
        let mut entry = found.entry(
            EntryKind::Field,
            format!("{}.{name}", scope.name),
            tokens.line(value.start),
        );
        let listed = tokens.is(value.start, "[");
        let each = if listed { value.start + 1..tokens.mate(value.start) } else { value };
        for part in split(tokens, each) {
            let texts = tokens.inside(part.start).filter(|_| part.len() == 1);
            let rules: Vec<String> = match texts {
                Some(text) => text.split('|').map(str::to_owned).collect(),
                None => vec![tokens.shown(part)],
            };
            let rules = rules.iter().map(|it| mcp_core::text::cut(it, MAX_TEXT).to_owned());
            entry.details.extend(rules);
        }
        entry.details.sort();
        found.push(entry);
    }
}

/// `'name', 'email'` or `'at' => 'datetime'`.
fn items(
    code: &Code<'_>,
    scope: &Scope<'_>,
    what: &str,
    range: Range<usize>,
    found: &mut Found<'_>,
) {
    let tokens = &code.tokens;
    let mut at = range.start;
    while at < range.end {
        let mut end = at;
        while end < range.end && !tokens.is(end, ",") {
            end = tokens.after(end);
        }
        let end = end.min(range.end);
        if let Some(name) = tokens.inside(at).filter(|_| tokens.is_text(at)) {
            let value = tokens.shown((at + 2).min(end)..end);
            let detail = if value.is_empty() { what.to_owned() } else { format!("{what} {value}") };
            let name = format!("{}.{name}", scope.name);
            let detail = mcp_core::text::cut(&detail, MAX_TEXT).to_owned();
            // A field in several lists is one field.
            let is_same = |it: &&mut EntryPoint| it.kind == EntryKind::Field && it.name == name;
            if let Some(known) = found.all.iter_mut().find(is_same) {
                known.details.push(detail);
                known.details.sort();
            } else {
                let mut entry = found.entry(EntryKind::Field, name, tokens.line(at));
                entry.details.push(detail);
                found.push(entry);
            }
        }
        at = end + 1;
    }
}
