//! Where a program is reached, and what it takes from its surroundings, as far as calls say it with a
//! literal: addresses that are given to a router, variables of the environment. Which calls those
//! are, the table of the language says.

use std::collections::HashSet;

use tree_sitter::Node;

use crate::domain::skeleton::{EntryKind, EntryPoint};
use crate::domain::syntax::field::Field;
use crate::domain::syntax::table::{Traits, last_name};
use crate::domain::syntax::unit::{Unit, children, start_line};
use crate::domain::syntax::visit_at;

/// A file with more is generated, or a list of something else.
const MAX_ENTRIES: usize = 500;
/// Arguments longer than this are no names.
const MAX_ARGUMENT_CHARS: usize = 80;
const MAX_DEFAULT_CHARS: usize = 60;
/// Names of variables whose values are nobody's business.
const SECRET_WORDS: [&str; 7] =
    ["SECRET", "TOKEN", "PASSWORD", "PASSWD", "KEY", "CREDENTIAL", "DSN"];

pub(super) fn find(unit: &Unit<'_>, root: Node<'_>) -> Vec<EntryPoint> {
    let mut found = routes(unit, root);
    found.extend(variables(unit, root));
    found.sort_by_key(|it| it.line);
    found.truncate(MAX_ENTRIES);
    found
}

/// Calls whose first argument is an address: looked for where a text follows a bracket.
fn routes(unit: &Unit<'_>, root: Node<'_>) -> Vec<EntryPoint> {
    let words = &unit.table.entries;
    if words.routers.is_empty() && words.addresses.is_empty() {
        return Vec::new();
    }
    let brackets = memchr::memchr_iter(b'(', unit.text.as_bytes());
    let mut places: Vec<usize> = brackets.filter_map(|at| address_after(unit, at)).collect();
    places.dedup();
    let mut found = Vec::new();
    visit_at(root, &places, |node, place| {
        if !unit.table.traits(node.kind_id()).has(Traits::CALL) {
            return false;
        }
        let arguments = arguments(unit, node);
        let is_first = arguments.first().is_some_and(|it| it.start_byte() == place);
        if is_first {
            found.extend(route(unit, node, &arguments));
        }
        is_first
    });
    found
}

/// Where an address may begin behind an opening bracket: a look at the text that spares most walks.
fn address_after(unit: &Unit<'_>, bracket: usize) -> Option<usize> {
    let (before, rest) = (&unit.text[..bracket], &unit.text[bracket + 1..]);
    let text = rest.trim_start();
    let inside = text.trim_start_matches('r').strip_prefix(['"', '\'', '`'])?;
    let is_part = |it: char| it.is_alphanumeric() || it == '_';
    let name = &before[before.trim_end_matches(is_part).len()..];
    let words = &unit.table.entries;
    // Behind type arguments the name is further away.
    let may_route = || before.ends_with('>') || words.routers.iter().any(|it| it == name);
    let is_address =
        inside.starts_with('/') && may_route() || words.addresses.iter().any(|it| it == name);
    is_address.then(|| bracket + 1 + (rest.len() - text.len()))
}

fn arguments<'tree>(unit: &Unit<'_>, call: Node<'tree>) -> Vec<Node<'tree>> {
    let Some(list) = unit.child(call, Field::Arguments) else { return Vec::new() };
    let is_argument =
        |it: &Node<'_>| it.is_named() && !unit.table.traits(it.kind_id()).has(Traits::COMMENT);
    children(list).into_iter().filter(is_argument).collect()
}

fn route(unit: &Unit<'_>, call: Node<'_>, arguments: &[Node<'_>]) -> Option<EntryPoint> {
    let words = &unit.table.entries;
    let function = unit.child(call, Field::Function).or_else(|| unit.child(call, Field::Name))?;
    let called = unit.clean(function);
    let (first, rest) = arguments.split_first()?;
    let address = literal(unit.text(*first))?;
    let name = last_name(&called);
    let is_router = called.len() > name.len() && words.routers.iter().any(|it| it == name);
    let is_address = called == name && words.addresses.iter().any(|it| it == name);
    // A router without a handler only looks something up.
    let is_route = is_router && address.starts_with('/') && !rest.is_empty() || is_address;
    if !is_route {
        return None;
    }
    let text = |it: &Node<'_>| {
        let text = unit.clean(*it);
        let is_name = text.chars().count() <= MAX_ARGUMENT_CHARS && !text.contains(['{', '\n']);
        if is_name { text } else { "…".to_owned() }
    };
    let (handler, guards) = rest.split_last()?;
    let verb = if is_address { String::new() } else { format!("{} ", name.to_uppercase()) };
    Some(EntryPoint {
        kind: EntryKind::Route,
        name: format!("{verb}{address}"),
        handler: Some(text(handler)).filter(|it| it != "…"),
        guards: guards.iter().map(text).collect(),
        line: start_line(call),
        file: unit.path.to_owned(),
        ..EntryPoint::default()
    })
}

/// What stands between quotes, if that is all.
fn literal(text: &str) -> Option<&str> {
    let text = text.strip_prefix('r').unwrap_or(text);
    let quote = text.chars().next().filter(|it| matches!(it, '"' | '\'' | '`'))?;
    let inside = text.strip_prefix(quote)?.strip_suffix(quote)?;
    (!inside.contains([quote, '\n'])).then_some(inside)
}

/// Variables of the environment, each once, with what is taken where they are not set.
fn variables(unit: &Unit<'_>, root: Node<'_>) -> Vec<EntryPoint> {
    let mut places: Vec<(usize, usize)> = Vec::new();
    for opening in &unit.table.entries.environment {
        let found = memchr::memmem::find_iter(unit.text.as_bytes(), opening.as_bytes());
        places.extend(found.map(|at| (at, at + opening.len())));
    }
    places.sort_unstable();
    let mut found: Vec<EntryPoint> = Vec::new();
    let mut known = HashSet::new();
    for (start, end) in places {
        let rest = unit.text[end..].trim_start();
        let quoted = rest.starts_with(['"', '\'']);
        let rest = rest.trim_start_matches(['"', '\'']);
        let length = rest.find(|it: char| !it.is_ascii_alphanumeric() && it != '_');
        let name = &rest[..length.unwrap_or(rest.len())];
        let is_name = !name.is_empty() && name.bytes().any(|it| it.is_ascii_uppercase());
        // `process.env[name]` names nothing.
        let is_told = quoted || unit.text[..end].ends_with('.');
        if !is_name || !is_told || known.contains(name) {
            continue;
        }
        let Some(node) = root.descendant_for_byte_range(start, start + 1) else { continue };
        let traits = unit.table.traits(node.kind_id());
        if traits.has(Traits::COMMENT.or(Traits::STRING)) {
            continue;
        }
        known.insert(name);
        let after = rest[name.len()..].trim_start_matches(['"', '\'']);
        found.push(EntryPoint {
            kind: EntryKind::Environment,
            name: name.to_owned(),
            fallback: fallback(name, after),
            line: start_line(node),
            file: unit.path.to_owned(),
            ..EntryPoint::default()
        });
    }
    found
}

/// What is taken instead: a second argument, or what follows `||` and `??`.
fn fallback(name: &str, after: &str) -> Option<String> {
    let after = after.trim_start();
    let written = if let Some(rest) = after.strip_prefix(',') {
        let end = rest.find([')', '\n'])?;
        &rest[..end]
    } else {
        let after = after.trim_start_matches([']', ')']).trim_start();
        let rest = ["||", "??"].iter().find_map(|it| after.strip_prefix(it))?;
        let end = rest.find([';', ',', ')', '}', '\n']).unwrap_or(rest.len());
        &rest[..end]
    };
    let written = written.trim();
    let is_secret = SECRET_WORDS.iter().any(|it| name.contains(it));
    if written.is_empty() {
        None
    } else if is_secret {
        // That there is one is worth knowing; what it is stays where it is.
        Some("(not shown)".to_owned())
    } else {
        Some(mcp_core::text::cut(written, MAX_DEFAULT_CHARS).to_owned())
    }
}
