//! The fields of classes and the parameters of functions, with the marks on them.

use std::ops::Range;

use super::code::{Code, Scope, ScopeKind};
use super::marked::{MODIFIERS, Mark, mark_at};
use super::tokens::{Dialect, Kind, Tokens};

#[derive(Debug, Clone)]
pub(crate) struct Field<'a> {
    pub(crate) name: &'a str,
    pub(crate) at: usize,
    pub(crate) type_range: Range<usize>,
    pub(crate) value: Range<usize>,
    pub(crate) marks: Vec<Mark<'a>>,
    pub(crate) is_optional: bool,
}

/// The fields that the body of a class declares.
pub(crate) fn fields<'a>(code: &Code<'a>, scope: &Scope<'a>) -> Vec<Field<'a>> {
    match code.tokens.dialect {
        Dialect::Python => python_fields(code, scope),
        Dialect::Go => go_fields(code, scope),
        Dialect::Rust => rust_fields(code, scope),
        Dialect::Ruby | Dialect::Php => Vec::new(),
        _ => braced_fields(code, scope),
    }
}

fn python_fields<'a>(code: &Code<'a>, scope: &Scope<'a>) -> Vec<Field<'a>> {
    let tokens = &code.tokens;
    let mut found = Vec::new();
    let Some(indent) = tokens.get(scope.body.start).map(|it| it.indent) else { return found };
    let mut at = scope.body.start;
    while at < scope.body.end {
        let starts = tokens.get(at).is_some_and(|it| it.is_first && it.indent == indent);
        let next_line = |from: usize| {
            let mut end = tokens.after(from);
            while end < scope.body.end
                && !tokens.get(end).is_some_and(|it| it.is_first && it.indent <= indent)
            {
                end = tokens.after(end);
            }
            end
        };
        let begins_block = matches!(tokens.word(at), "else" | "try" | "finally");
        let is_named = tokens.is_word(at) && !begins_block;
        if starts && is_named && matches!(tokens.word(at + 1), ":" | "=") {
            let end = next_line(at);
            let mut equals = at + 1;
            while equals < end && !tokens.is(equals, "=") {
                equals = tokens.after(equals);
            }
            let typed = if tokens.is(at + 1, ":") { at + 2..equals } else { at..at };
            let value = (equals + 1).min(end)..end;
            found.push(Field {
                name: tokens.word(at),
                at,
                type_range: typed,
                value,
                marks: Vec::new(),
                is_optional: false,
            });
            at = end;
        } else {
            at = tokens.after(at);
        }
    }
    found
}

/// `Name Type` followed by a tag, one on each line.
fn go_fields<'a>(code: &Code<'a>, scope: &Scope<'a>) -> Vec<Field<'a>> {
    let tokens = &code.tokens;
    let mut found = Vec::new();
    let mut at = scope.body.start;
    while at < scope.body.end {
        let mut end = tokens.after(at);
        while end < scope.body.end && !tokens.get(end).is_some_and(|it| it.is_first) {
            end = tokens.after(end);
        }
        let tag = (at..end).rev().find(|it| tokens.is_text(*it));
        let stop = tag.unwrap_or(end);
        if tokens.is_word(at) {
            // What is embedded has its type for a name.
            let is_embedded = stop <= at + 1 || tokens.is(at + 1, ".");
            let typed = if is_embedded { at..stop } else { at + 1..stop };
            found.push(Field {
                name: tokens.word(at),
                at,
                type_range: typed,
                value: tag.map_or(end..end, |it| it..it + 1),
                marks: Vec::new(),
                is_optional: false,
            });
        }
        at = end;
    }
    found
}

/// `name: Type` between commas, with what is attached to it.
fn rust_fields<'a>(code: &Code<'a>, scope: &Scope<'a>) -> Vec<Field<'a>> {
    let tokens = &code.tokens;
    let mut found = Vec::new();
    for range in generic_split(tokens, scope.body.clone()) {
        let mut at = range.start;
        let mut marks = Vec::new();
        while let Some((more, after)) = mark_at(tokens, at) {
            marks.extend(more);
            at = after;
        }
        if tokens.is(at, "pub") {
            at += 1;
            if tokens.is(at, "(") {
                at = tokens.after(at);
            }
        }
        if at >= range.end || !tokens.is_word(at) {
            continue;
        }
        let type_range = if tokens.is(at + 1, ":") { at + 2..range.end } else { at + 1..range.end };
        found.push(Field {
            name: tokens.word(at),
            at,
            is_optional: tokens.is(type_range.start, "Option"),
            type_range,
            value: range.end..range.end,
            marks,
        });
    }
    found
}

/// Like `split`, with commas between `<` and `>` left alone.
fn generic_split(tokens: &Tokens<'_>, range: Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let (mut from, mut at, mut depth) = (range.start, range.start, 0_i32);
    while at < range.end {
        match tokens.word(at) {
            "<" => depth += 1,
            ">" => depth -= 1,
            "," if depth <= 0 => {
                if from < at {
                    found.push(from..at);
                }
                from = at + 1;
            }
            _ => {}
        }
        at = tokens.after(at);
    }
    if from < range.end {
        found.push(from..range.end);
    }
    found
}

/// Fields of Java, Kotlin, C# and TypeScript; parameters of records and of data classes too.
fn braced_fields<'a>(code: &Code<'a>, scope: &Scope<'a>) -> Vec<Field<'a>> {
    let tokens = &code.tokens;
    let mut found = Vec::new();
    if matches!(tokens.dialect, Dialect::Java | Dialect::Kotlin | Dialect::CSharp)
        && let Some(open) = scope.head.clone().find(|it| tokens.is(*it, "("))
        && tokens.is_word(open.saturating_sub(1))
    {
        for range in generic_split(tokens, open + 1..tokens.mate(open)) {
            let mut parsed = field(tokens, range.start, range.end);
            if let Some((found_field, _)) = parsed.take() {
                found.extend(found_field);
            }
        }
    }
    let mut at = scope.body.start;
    while at < scope.body.end {
        match field(tokens, at, scope.body.end) {
            Some((parsed, next)) => {
                found.extend(parsed);
                at = next.max(at + 1);
            }
            None => at = tokens.after(at),
        }
    }
    found
}

/// One member of a body, if it is a field, and where the next begins.
fn field<'a>(tokens: &Tokens<'a>, from: usize, end: usize) -> Option<(Option<Field<'a>>, usize)> {
    let mut at = from;
    let mut marks = Vec::new();
    let mut is_static = false;
    loop {
        if let Some((more, after)) = mark_at(tokens, at) {
            marks.extend(more);
            at = after;
        } else if MODIFIERS.contains(&tokens.word(at))
            && !matches!(tokens.word(at + 1), ":" | "(" | "=" | "?" | ";")
        {
            is_static |= matches!(tokens.word(at), "static" | "const");
            at += 1;
        } else {
            break;
        }
        if at >= end {
            return None;
        }
    }
    // To the end of the member: what it is called, what it is, what it begins with.
    let typed_after = matches!(tokens.dialect, Dialect::Script | Dialect::Kotlin);
    let start = at;
    let (mut name, mut colon, mut equals) = (None, None, None);
    let mut depth = 0_i32;
    while at < end {
        let word = tokens.word(at);
        let token = tokens.get(at)?;
        match word {
            "<" => depth += 1,
            ">" => depth -= 1,
            ";" => break,
            "," if depth <= 0 => break,
            "(" if equals.is_none() && colon.is_none() && depth <= 0 => {
                // A method: on past its body.
                at = tokens.after(at);
                while at < end && !matches!(tokens.word(at), "{" | ";") {
                    if tokens.get(at).is_some_and(|it| it.is_first)
                        && !matches!(tokens.word(at), "." | "throws" | ":")
                        && typed_after
                    {
                        return Some((None, at));
                    }
                    at += 1;
                }
                return Some((None, tokens.after(at)));
            }
            "{" if equals.is_none() && colon.is_none() => {
                // A class inside, or the accessors of a property.
                let next = tokens.after(at);
                if tokens.dialect == Dialect::CSharp && name.is_some() {
                    break;
                }
                return Some((None, next));
            }
            ":" if typed_after && colon.is_none() && equals.is_none() => colon = Some(at),
            "=" if equals.is_none() => equals = Some(at),
            _ if tokens.is_word(at)
                && equals.is_none()
                && depth <= 0
                && !(typed_after && colon.is_some()) =>
            {
                name = Some(at);
            }
            _ => {}
        }
        let next = tokens.after(at);
        // Where a line may end a member.
        let is_over = typed_after
            && next < end
            && tokens.get(next).is_some_and(|it| it.is_first)
            && !matches!(word, "=" | ":" | "|" | "&" | "," | "=>" | "<")
            && !matches!(tokens.word(next), "." | "|" | "&" | "=" | "?" | ":" | "=>" | "?.");
        at = next;
        if is_over {
            break;
        }
        let _ = token;
    }
    let stop = at.min(end);
    let next = if matches!(tokens.word(stop), ";" | ",") || tokens.is(stop, "{") {
        tokens.after(stop)
    } else {
        stop
    };
    let Some(name) = name.filter(|_| !is_static) else { return Some((None, next)) };
    let value = equals.map_or(stop..stop, |it| it + 1..stop);
    let head_end = equals.unwrap_or(stop);
    let type_range = match (typed_after, colon) {
        (true, Some(colon)) => colon + 1..head_end,
        (true, None) => stop..stop,
        (false, _) => start..name,
    };
    if !typed_after && type_range.is_empty() || tokens.kind(name) != Some(Kind::Word) {
        return Some((None, next));
    }
    let is_optional = tokens.is(name + 1, "?") || tokens.is(head_end.saturating_sub(1), "?");
    let name_word = tokens.word(name);
    Some((Some(Field { name: name_word, at: name, type_range, value, marks, is_optional }), next))
}

/// The parameters of a function with what is attached to each.
pub(crate) fn parameters<'a>(code: &Code<'a>, scope: &Scope<'a>) -> Vec<Range<usize>> {
    let tokens = &code.tokens;
    debug_assert!(scope.kind == ScopeKind::Function);
    let open = scope.head.clone().find(|it| tokens.is(*it, "("));
    open.map(|open| generic_split(tokens, open + 1..tokens.mate(open))).unwrap_or_default()
}
