//! Lifetimes that Rust fills in by itself where nobody writes them.

use super::names_of_block;
use crate::domain::signature::{Word, texts_of_member, texts_of_symbol, words};
use crate::domain::skeleton::{ExportSymbol, MemberInfo, Parameter};

/// What a lifetime is called that has no name.
const ANONYMOUS: &str = "'_";

pub(super) fn elide_in_symbol(symbol: &mut ExportSymbol) {
    let implied = implied(&Head {
        generics: &symbol.type_parameters,
        parameters: symbol.parameters.as_deref(),
        returned: symbol.return_type.as_deref(),
        bounds: symbol.where_clause.as_deref(),
    });
    if !implied.is_empty() {
        symbol.type_parameters.retain(|it| !implied.contains(it));
        texts_of_symbol(symbol).for_each(|text| drop_all(text, &implied));
    }
    for member in &mut symbol.members {
        elide_in_member(member);
    }
}

fn elide_in_member(member: &mut MemberInfo) {
    let mut implied = implied(&Head {
        generics: &member.type_parameters,
        parameters: member.parameters.as_deref(),
        returned: member.return_type.as_deref(),
        bounds: member.where_clause.as_deref(),
    });
    member.type_parameters.retain(|it| !implied.contains(it));
    implied.extend(implied_by_block(member));
    if !implied.is_empty() {
        texts_of_member(member).for_each(|text| drop_all(text, &implied));
    }
}

/// What stands in the head of a function.
struct Head<'a> {
    generics: &'a [String],
    parameters: Option<&'a [Parameter]>,
    returned: Option<&'a str>,
    bounds: Option<&'a str>,
}

/// Lifetimes that could as well not be written: used for one parameter, with no condition, and
/// returned only where Rust would return that one by itself.
fn implied(head: &Head<'_>) -> Vec<String> {
    let Some(parameters) = head.parameters else { return Vec::new() };
    let bare = head.generics.iter().filter(|it| is_lifetime(it));
    let types = || parameters.iter().filter_map(|it| it.type_text.as_deref());
    let own = parameters.first().filter(|it| it.name == "self");
    let own = own.and_then(|it| it.type_text.as_deref()).filter(|it| it.contains('&'));
    // The one that a reference in the result has if it names none.
    let returned_by_itself = |name: &str| match own {
        Some(own) => uses(own, name) == 1,
        None => types().map(lifetimes_in).sum::<usize>() == 1,
    };
    let others = |name: &str| {
        let lists = head.generics.iter().map(String::as_str).chain(head.bounds);
        lists.map(|it| uses(it, name)).sum::<usize>()
    };
    let is_implied = |name: &&String| {
        types().map(|it| uses(it, name)).sum::<usize>() == 1
            && !types().chain(head.returned).any(|it| is_used_in_callable(it, name))
            && others(name) == 1
            && (head.returned.is_none_or(|it| uses(it, name) == 0) || returned_by_itself(name))
    };
    bare.filter(is_implied).cloned().collect()
}

/// Lifetimes of an `impl` block that the member does not speak of: `impl<'a> S<'a>` is `impl S<'_>`.
fn implied_by_block(member: &mut MemberInfo) -> Vec<String> {
    let Some(head) = member.block_head().cloned() else { return Vec::new() };
    let names = names_of_block(&head);
    let texts: Vec<String> = texts_of_member(member).map(|it| it.clone()).collect();
    // The head is among the texts: declared once, used once.
    let is_implied = |name: &String| {
        uses(&head, name) == 2 && texts.iter().map(|it| uses(it, name)).sum::<usize>() == 2
    };
    names.lifetimes().filter(is_implied).collect()
}

fn is_lifetime(parameter: &str) -> bool {
    let name = parameter.strip_prefix('\'').unwrap_or_default();
    !name.is_empty() && name.chars().all(|it| it.is_alphanumeric() || it == '_')
}

fn uses(text: &str, name: &str) -> usize {
    if !text.contains(name) {
        return 0;
    }
    words(text).iter().filter(|it| it.text == name).count()
}

/// How many lifetimes a type has, written or not.
fn lifetimes_in(text: &str) -> usize {
    let hidden = callables(text);
    let outside = |at: usize| !hidden.iter().any(|(start, end)| (*start..*end).contains(&at));
    let named = words(text);
    let is_named = |it: &&Word<'_>| it.text.starts_with('\'') && it.text != "'static";
    let written = named.iter().filter(is_named).filter(|it| outside(it.start)).count();
    let references = text
        .match_indices('&')
        .filter(|(at, _)| outside(*at) && !text[at + 1..].trim_start().starts_with('\''));
    written + references.count()
}

/// Inside of the type of a function, lifetimes that are not written are that function's own.
fn is_used_in_callable(text: &str, name: &str) -> bool {
    callables(text).iter().any(|(start, end)| uses(&text[*start..*end], name) > 0)
}

/// From where to where the parameters and results of functions reach in a type.
fn callables(text: &str) -> Vec<(usize, usize)> {
    let is_callable = |it: &&Word<'_>| matches!(it.text, "Fn" | "FnMut" | "FnOnce" | "fn");
    let words = words(text);
    let starts = words.iter().filter(is_callable).map(|it| it.end);
    let opened = starts.filter(|end| text[*end..].trim_start().starts_with('('));
    opened.map(|start| (start, end_of_callable(text, start))).collect()
}

fn end_of_callable(text: &str, start: usize) -> usize {
    let mut depth = 0_usize;
    let mut has_result = false;
    for (at, byte) in text.bytes().enumerate().skip(start) {
        match byte {
            b'(' | b'[' | b'<' => depth += 1,
            b'>' if text[..at].ends_with('-') => {}
            b')' | b']' | b'>' | b',' | b'+' | b'=' if depth == 0 => return at,
            b')' | b']' | b'>' => {
                depth -= 1;
                if depth == 0 && !has_result {
                    if !text[at + 1..].trim_start().starts_with("->") {
                        return at + 1;
                    }
                    has_result = true;
                }
            }
            _ => {}
        }
    }
    text.len()
}

/// Takes lifetimes out of a text: `&'a T` becomes `&T`, any other place is left without a name.
fn drop_all(text: &mut String, names: &[String]) {
    if !names.iter().any(|it| text.contains(it.as_str())) {
        return;
    }
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for word in words(text) {
        if names.iter().any(|it| it == word.text) {
            out.push_str(&text[done..word.start]);
            out.push_str(ANONYMOUS);
            done = word.end;
        }
    }
    out.push_str(&text[done..]);
    *text = out;
}

/// Without lifetimes that have no name, where leaving them out says the same.
pub(in crate::domain::languages::rust) fn without_anonymous(text: String) -> String {
    if !text.contains(ANONYMOUS) {
        return text;
    }
    let text = text.replace("&'_ ", "&").replace("'_, ", "").replace(", '_>", ">");
    text.replace("<'_>", "")
}
