//! Functions and methods that marks make answer an address, a clock or a message, and classes by where
//! their files lie.

use std::ops::Range;

use super::code::{Code, Scope, ScopeKind};
use super::entities::shown_mark;
use super::fields::parameters;
use super::found::{Found, MAX_TEXT, by_name, joined};
use super::marked::{Mark, Marked};
use super::routes::Routers;
use super::rows::{RouteMark, Rows, has};
use super::tokens::Dialect;
use crate::domain::marks::{Meaning, meaning};
use crate::domain::skeleton::{EntryKind, EntryPoint};

/// Parts of names by which somebody is turned away.
const GUARD_WORDS: [&str; 14] = [
    "auth",
    "guard",
    "role",
    "permission",
    "secur",
    "require",
    "login",
    "valid",
    "limit",
    "throttle",
    "csrf",
    "admin",
    "owner",
    "policy",
];

pub(super) fn collect(
    code: &Code<'_>,
    rows: &Rows,
    marked: &[Marked<'_>],
    routers: &Routers<'_, '_>,
    found: &mut Found<'_>,
) {
    for one in marked {
        if found.is_full() {
            return;
        }
        let class = code.around(one.at, ScopeKind::Class);
        let class_marks =
            class.and_then(|class| marked.iter().find(|it| it.is_class && it.at == class.at));
        for mark in &one.marks {
            let row =
                rows.marks.iter().find(|it| has(&it.names, mark.name) && fits(code, it, one, mark));
            if let Some(row) = row {
                route(code, row, mark, one, class_marks, class, rows, routers, found);
            }
        }
    }
}

fn fits(code: &Code<'_>, row: &RouteMark, one: &Marked<'_>, mark: &Mark<'_>) -> bool {
    let first = || mark.open.and_then(|it| code.arguments(it).first().map(|it| it.value.clone()));
    let has_text = || first().is_some_and(|it| code.tokens.is_text(it.start));
    let named =
        || mark.open.is_some_and(|it| by_name(code, &code.arguments(it), &row.keys).is_some());
    let is_known =
        row.imports.is_empty() || row.imports.iter().any(|it| code.tokens.text.contains(it));
    is_known
        && (!row.needs_text || has_text() || named())
        && (!row.only_functions || !one.is_class)
        && (!one.is_class
            || row.verb == "methods"
            || row.names.iter().any(|it| it.starts_with("Web") || it.starts_with("Server")))
}

/// The addresses that a mark gives; one empty one where it gives none.
fn addresses(code: &Code<'_>, mark: Option<&Mark<'_>>, keys: &[String]) -> Vec<String> {
    let Some(open) = mark.and_then(|it| it.open) else { return vec![String::new()] };
    let arguments = code.arguments(open);
    let value = by_name(code, &arguments, keys)
        .or_else(|| arguments.iter().find(|it| it.name.is_none()).map(|it| &it.value));
    let Some(value) = value else { return vec![String::new()] };
    let texts = if code.tokens.is(value.start, "{") && code.tokens.dialect == Dialect::Script {
        let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        code.member(value.start, &keys).map(|it| code.literals(&it)).unwrap_or_default()
    } else if code.tokens.is_text(value.start) || code.tokens.is_open(value.start) {
        code.literals(value)
    } else {
        // A constant has the address.
        return vec![code.tokens.shown(value.clone())];
    };
    if texts.is_empty() {
        vec![String::new()]
    } else {
        texts.into_iter().map(str::to_owned).collect()
    }
}

#[expect(clippy::too_many_arguments, reason = "a route is what all of them say together")]
fn route(
    code: &Code<'_>,
    row: &RouteMark,
    mark: &Mark<'_>,
    one: &Marked<'_>,
    class_marks: Option<&Marked<'_>>,
    class: Option<&Scope<'_>>,
    rows: &Rows,
    routers: &Routers<'_, '_>,
    found: &mut Found<'_>,
) {
    let of_class = class_marks.map(|it| it.marks.as_slice()).unwrap_or_default();
    let all_keys =
        ["value".to_owned(), "path".to_owned(), "prefix".to_owned(), "template".to_owned()];
    let prefix_mark = of_class.iter().find(|it| has(&row.prefix, it.name));
    let prefixes = addresses(code, prefix_mark, &all_keys);
    let from =
        row.address_from.as_ref().and_then(|name| one.marks.iter().find(|it| it.name == name));
    let own = match (addresses(code, Some(mark), &row.keys), from) {
        (own, Some(from)) if own.iter().all(String::is_empty) => {
            addresses(code, Some(from), &all_keys)
        }
        (own, _) => own,
    };
    let (context, context_guards) = if mark.root.is_empty() {
        Default::default()
    } else {
        routers.context(mark.at, mark.root, 0)
    };
    let mut guards = context_guards;
    for argument in mark.open.map(|it| code.arguments(it)).unwrap_or_default() {
        if matches!(
            argument.name,
            Some("dependencies" | "permission_classes" | "authentication_classes")
        ) {
            guards.extend(routers.each(&argument.value));
        }
    }
    guards.extend(guards_of(code, of_class, mark, rows, true));
    guards.extend(guards_of(code, &one.marks, mark, rows, false));
    let function = code.scopes.iter().find(|it| it.kind == ScopeKind::Function && it.at == one.at);
    let mut details = details(code, mark, &one.marks);
    if let Some(function) = function {
        taken(code, function, &mut guards, &mut details);
    }
    let handler = match class {
        Some(class) if !one.is_class => format!("{}.{}", class.name, one.name),
        _ => one.name.to_owned(),
    };
    for prefix in &prefixes {
        for address in &own {
            let address =
                if address.is_empty() && row.named_by_function { one.name } else { address };
            let whole = joined(&context, &joined(prefix, address));
            let whole = if row.named_by_function && context.is_empty() {
                address.to_owned()
            } else {
                whole
            };
            let whole = tidy(&whole, class.map_or("", |it| it.name), one.name);
            for verb in verbs(code, row, mark, one.is_class) {
                let name = if verb.is_empty() { whole.clone() } else { format!("{verb} {whole}") };
                let mut entry: EntryPoint =
                    found.entry(EntryKind::Route, name, code.tokens.line(mark.at));
                entry.handler = Some(handler.clone());
                entry.guards.clone_from(&guards);
                entry.details.clone_from(&details);
                entry.scope = Some(mark.root.to_owned()).filter(|it| !it.is_empty());
                entry.is_marked = true;
                found.push(entry);
            }
        }
    }
}

/// `[controller]` stands for the name of the class.
fn tidy(address: &str, class: &str, function: &str) -> String {
    let controller = class.strip_suffix("Controller").unwrap_or(class);
    let address = address.replace("[controller]", controller).replace("[action]", function);
    let address = address.replace("//", "/");
    if address.len() > 1 { address.trim_end_matches('/').to_owned() } else { address }
}

fn verbs(code: &Code<'_>, row: &RouteMark, mark: &Mark<'_>, is_class: bool) -> Vec<String> {
    // The methods of a class say what it answers.
    let default = if is_class { "" } else { row.default_verb.as_str() };
    match row.verb.as_str() {
        "name" => {
            let name = mark.name.strip_suffix("Mapping").or_else(|| mark.name.strip_prefix("Http"));
            let name = name.unwrap_or(mark.name);
            vec![if name == "All" { "ANY".to_owned() } else { name.to_ascii_uppercase() }]
        }
        "methods" | "method" => {
            let arguments = mark.open.map(|it| code.arguments(it)).unwrap_or_default();
            let keys = ["methods".to_owned(), "method".to_owned()];
            let Some(value) = by_name(code, &arguments, &keys) else {
                return vec![default.to_owned()];
            };
            let texts = code.literals(value);
            if texts.is_empty() {
                // `RequestMethod.GET`
                let words = value.clone().map(|it| code.tokens.word(it));
                let verbs =
                    words.filter(|it| it.len() > 2 && it.bytes().all(|it| it.is_ascii_uppercase()));
                let verbs: Vec<String> = verbs.map(str::to_owned).collect();
                if verbs.is_empty() { vec![String::new()] } else { verbs }
            } else {
                texts.into_iter().map(str::to_ascii_uppercase).collect()
            }
        }
        other => vec![other.to_owned()],
    }
}

/// Marks through which a request has to go.
fn guards_of(
    code: &Code<'_>,
    marks: &[Mark<'_>],
    route: &Mark<'_>,
    rows: &Rows,
    of_class: bool,
) -> Vec<String> {
    let is_route = |it: &Mark<'_>| {
        rows.marks.iter().any(|row| has(&row.names, it.name) || has(&row.prefix, it.name))
    };
    let is_guard = |it: &&Mark<'_>| {
        if it.at == route.at || has(&rows.ignored.marks, it.name) || is_route(it) {
            return false;
        }
        let lower = it.name.to_ascii_lowercase();
        let by_name = meaning(&format!("@{}", it.name)) == Some(Meaning::Guard)
            || GUARD_WORDS.iter().any(|word| lower.contains(word));
        // In Python whatever is around a function may turn a request away.
        by_name || code.tokens.dialect == Dialect::Python && !of_class
    };
    marks.iter().filter(is_guard).map(|it| shown_mark(code, it, rows)).collect()
}

/// What a mark says about the answer.
fn details(code: &Code<'_>, mark: &Mark<'_>, marks: &[Mark<'_>]) -> Vec<String> {
    let mut found = Vec::new();
    if let Some(open) = mark.open {
        for argument in code.arguments(open) {
            let Some(name) = argument.name else { continue };
            if matches!(
                name,
                "status_code"
                    | "response_model"
                    | "consumes"
                    | "produces"
                    | "params"
                    | "headers"
                    | "response_class"
                    | "data"
                    | "format"
                    | "rank"
                    | "detail"
            ) {
                found.push(format!(
                    "{name}: {}",
                    mcp_core::text::cut(&code.tokens.shown(argument.value), MAX_TEXT)
                ));
            }
        }
    }
    for other in marks.iter().filter(|it| {
        matches!(
            it.name,
            "ResponseStatus"
                | "HttpCode"
                | "Produces"
                | "Consumes"
                | "Redirect"
                | "Header"
                | "ProducesResponseType"
        )
    }) {
        found.push(mcp_core::text::cut(&other.shown(code), MAX_TEXT).to_owned());
    }
    found.sort();
    found
}

/// What a handler takes, by its parameters, and what it gives.
fn taken(
    code: &Code<'_>,
    function: &Scope<'_>,
    guards: &mut Vec<String>,
    details: &mut Vec<String>,
) {
    let tokens = &code.tokens;
    for range in parameters(code, function) {
        for call in code.calls_within(&range) {
            if matches!(call.name(), "Depends" | "Security") {
                guards.push(tokens.shown(call.start..tokens.mate(call.open) + 1));
            }
        }
        let marks: Vec<&str> = (range.start..range.end.saturating_sub(1))
            .filter(|it| tokens.is(*it, "@"))
            .map(|it| tokens.word(it + 1))
            .collect();
        let is_body = marks
            .iter()
            .any(|it| matches!(*it, "RequestBody" | "Body" | "ModelAttribute" | "FromBody"));
        if is_body || marks.contains(&"Valid") || marks.contains(&"Validated") {
            details.push(format!("takes {}", type_of(code, &range)));
        }
        guards.extend(
            marks
                .iter()
                .filter(|it| matches!(**it, "Valid" | "Validated"))
                .map(|it| (*it).to_owned()),
        );
        // What Python declares a type for that is no plain value comes from the request, or from a
        // dependency that has a name of its own.
        if tokens.dialect == Dialect::Python && tokens.is(range.start + 1, ":") {
            let type_word = tokens.word(range.start + 2);
            let lower = type_word.to_ascii_lowercase();
            let is_guard = ["current", "auth", "admin"].iter().any(|it| lower.contains(it));
            if is_guard {
                guards.push(type_word.to_owned());
            } else if type_word.starts_with(|it: char| it.is_uppercase())
                && !matches!(
                    type_word,
                    "Annotated" | "Optional" | "List" | "Request" | "Response" | "Union" | "Any"
                )
            {
                details.push(format!("takes {type_word}"));
            }
        }
    }
    // `-> User`, `: Promise<User>`
    let close = function.head.clone().find(|it| tokens.is(*it, "(")).map(|it| tokens.mate(it));
    if let Some(close) = close
        && matches!(tokens.word(close + 1), "->" | ":")
        && close + 2 < function.body.start
    {
        let end = (close + 2..function.body.start)
            .find(|it| matches!(tokens.word(*it), "{" | ":" | "where"));
        let given = tokens.shown(close + 2..end.unwrap_or(function.body.start));
        if !given.is_empty() {
            details.push(format!("gives {}", mcp_core::text::cut(&given, MAX_TEXT)));
        }
    }
}

/// The type of a parameter, without its marks and its name.
fn type_of(code: &Code<'_>, range: &Range<usize>) -> String {
    let tokens = &code.tokens;
    let colon = range.clone().find(|it| tokens.is(*it, ":"));
    if let Some(colon) = colon {
        return tokens.shown(colon + 1..range.end);
    }
    let mut at = range.start;
    while tokens.is(at, "@") {
        at += 2;
        if tokens.is(at, "(") {
            at = tokens.after(at);
        }
    }
    let at = if tokens.is(at, "final") { at + 1 } else { at };
    tokens.shown(at..range.end.saturating_sub(1).max(at))
}
