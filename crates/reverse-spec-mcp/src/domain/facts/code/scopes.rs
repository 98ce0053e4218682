//! Classes and functions with a name, as tokens show them.

use std::ops::Range;

use super::{NOT_CALLED, Scope, ScopeKind};
use crate::domain::facts::tokens::{Dialect, Kind, Tokens};

/// Every class and function with a name.
pub(super) fn scopes<'a>(tokens: &Tokens<'a>) -> Vec<Scope<'a>> {
    let mut found = Vec::new();
    for at in 0..tokens.len() {
        if !tokens.is_word(at) {
            continue;
        }
        let word = tokens.word(at);
        let scope = match word {
            "class" | "interface" | "struct" | "enum" | "record" | "trait" | "object" | "impl"
            | "module" | "mod" | "namespace" => class(tokens, at),
            "def" | "fn" | "func" | "function" | "fun" => function(tokens, at),
            _ => method(tokens, at).or_else(|| assigned(tokens, at)),
        };
        found.extend(scope);
    }
    found
}

fn class<'a>(tokens: &Tokens<'a>, at: usize) -> Option<Scope<'a>> {
    let is_declared = at == 0
        || !matches!(tokens.word(at - 1), "." | ":" | "," | "(" | "=" | "::" | "[" | "@")
            && (tokens.kind(at + 1) == Some(Kind::Word)
                || tokens.dialect == Dialect::Go && tokens.is(at + 1, "{"))
        || tokens.is(at, "impl") && tokens.is(at + 1, "<");
    if !is_declared {
        return None;
    }
    // `type Name struct {` of Go has its name before.
    let name = if tokens.dialect == Dialect::Go { at.checked_sub(1)? } else { at + 1 };
    if tokens.dialect == Dialect::Go && !tokens.is_word(name) {
        return None;
    }
    let mut name = name;
    if tokens.is(at, "impl") {
        // `impl Trait for Type`, with parameters of its own.
        let mut look = at + 1;
        while look < tokens.len() && !tokens.is(look, "{") && !tokens.is(look, ";") {
            if tokens.is(look, "for") {
                name = look + 1;
            }
            look += 1;
        }
    }
    let body = match tokens.dialect {
        Dialect::Kotlin => body_or_none(tokens, name + 1),
        _ => body(tokens, at + 1, at)?,
    };
    let is_space = matches!(tokens.word(at), "mod" | "namespace" | "module");
    let kind = if is_space { ScopeKind::Space } else { ScopeKind::Class };
    Some(Scope { kind, name: tokens.word(name), at: name, head: at + 1..body.start, body })
}

/// A class of Kotlin may end with its constructor; then its body is empty, and that of the next is not
/// its own.
fn body_or_none(tokens: &Tokens<'_>, from: usize) -> Range<usize> {
    let mut at = from;
    while at < tokens.len() {
        let goes_on = matches!(tokens.word(at), ":" | "(" | "," | "where" | "constructor")
            || matches!(tokens.word(at - 1), ":" | ",");
        match tokens.word(at) {
            "{" => return at + 1..tokens.mate(at).max(at + 1),
            ";" => break,
            _ if !goes_on && tokens.get(at).is_some_and(|it| it.is_first) => break,
            _ => at = tokens.after(at),
        }
    }
    at..at
}

/// `def name(…)`, `fn name(…)`, `func (r *T) name(…)`.
fn function<'a>(tokens: &Tokens<'a>, at: usize) -> Option<Scope<'a>> {
    let mut name = at + 1;
    if tokens.is(at, "func") && tokens.is(name, "(") {
        name = tokens.mate(name) + 1;
    }
    if tokens.is(name, "*") || tokens.is(name, "self") && tokens.is(name + 1, ".") {
        name += if tokens.is(name, "*") { 1 } else { 2 };
    }
    if !tokens.is_word(name) {
        return None;
    }
    let body = body(tokens, name + 1, at)?;
    let kind = ScopeKind::Function;
    Some(Scope { kind, name: tokens.word(name), at: name, head: name + 1..body.start, body })
}

/// `name(…) {` as methods of classes are written, with a type before it or after it.
fn method<'a>(tokens: &Tokens<'a>, at: usize) -> Option<Scope<'a>> {
    if matches!(
        tokens.dialect,
        Dialect::Python | Dialect::Ruby | Dialect::Go | Dialect::Rust | Dialect::Php
    ) || !tokens.is(at + 1, "(")
        || NOT_CALLED.contains(&tokens.word(at))
        || at > 0
            && matches!(
                tokens.word(at - 1),
                "." | "new" | "=" | "(" | "," | "return" | "=>" | "&&" | "||"
            )
    {
        return None;
    }
    let close = tokens.mate(at + 1);
    if close <= at + 1 {
        return None;
    }
    let mut look = close + 1;
    for _ in 0..24 {
        match tokens.word(look) {
            "{" => {
                let body = look + 1..tokens.mate(look).max(look + 1);
                let head = at + 1..look;
                return Some(Scope {
                    kind: ScopeKind::Function,
                    name: tokens.word(at),
                    at,
                    head,
                    body,
                });
            }
            // The type that is returned, or what may be thrown.
            ":" | "throws" | "<" | ">" | "," | "." | "|" | "[" | "]" => look += 1,
            _ if look > close + 1 && tokens.is_word(look) => look += 1,
            _ => return None,
        }
    }
    None
}

/// `name = (…) => {`, `name = function (…) {`, `name: async (…) => {`.
fn assigned<'a>(tokens: &Tokens<'a>, at: usize) -> Option<Scope<'a>> {
    if tokens.dialect != Dialect::Script || !matches!(tokens.word(at + 1), "=" | ":") {
        return None;
    }
    let mut look = at + 2;
    // Wrapped in one call, as handlers often are: `asyncHandler(async (req, res) => {`.
    if tokens.is_word(look)
        && tokens.is(look + 1, "(")
        && !matches!(tokens.word(look), "async" | "function")
    {
        look += 2;
    }
    if tokens.is(look, "async") {
        look += 1;
    }
    let is_function = tokens.is(look, "function");
    if is_function {
        look += 1;
        if tokens.is_word(look) {
            look += 1;
        }
    }
    let head = look;
    if tokens.is(look, "(") {
        look = tokens.mate(look) + 1;
        // A type may follow.
        if tokens.is(look, ":") {
            let end = (look..look + 30).find(|it| tokens.is(*it, "=>"));
            look = end.unwrap_or(look);
        }
    } else if tokens.is_word(look) {
        look += 1;
    } else {
        return None;
    }
    if !is_function {
        if !tokens.is(look, "=>") {
            return None;
        }
        look += 1;
    }
    let body = if tokens.is(look, "{") {
        look + 1..tokens.mate(look).max(look + 1)
    } else {
        let mut end = look;
        while end < tokens.len()
            && !matches!(tokens.word(end), ";" | ",")
            && tokens.kind(end) != Some(Kind::Close)
        {
            let next = tokens.after(end);
            if next < tokens.len()
                && tokens.get(next).is_some_and(|it| it.is_first && it.indent == 0)
            {
                end = next;
                break;
            }
            end = next;
        }
        look..end
    };
    Some(Scope {
        kind: ScopeKind::Function,
        name: tokens.word(at),
        at,
        head: head..body.start,
        body,
    })
}

/// Where the body of something begins and ends, from its head on.
fn body(tokens: &Tokens<'_>, from: usize, keyword: usize) -> Option<Range<usize>> {
    match tokens.dialect {
        Dialect::Python => {
            let mut at = from;
            while at < tokens.len() && !tokens.is(at, ":") {
                at = tokens.after(at);
            }
            let start = at + 1;
            let indent = tokens.get(keyword)?.indent;
            let mut end = start;
            while let Some(token) = tokens.get(end) {
                if token.is_first && token.indent <= indent {
                    break;
                }
                end = tokens.after(end);
            }
            Some(start..end)
        }
        Dialect::Ruby => {
            // To the `end` that stands as far left.
            let indent = tokens.get(keyword)?.indent;
            let end = (from..tokens.len())
                .find(|at| tokens.get(*at).is_some_and(|it| it.is_first && it.indent <= indent))?;
            Some(from..end)
        }
        _ => {
            let mut at = from;
            for _ in 0..400 {
                match tokens.word(at) {
                    "{" => return Some(at + 1..tokens.mate(at).max(at + 1)),
                    ";" | "" => return None,
                    "=" if tokens.dialect == Dialect::Kotlin => return None,
                    _ => at = tokens.after(at),
                }
            }
            None
        }
    }
}
