//! Decorators, annotations and attributes with what they are attached to.

use std::ops::Range;

use super::code::{Code, split};
use super::tokens::{Dialect, Tokens};

/// One decorator, annotation or attribute.
#[derive(Debug, Clone)]
pub(crate) struct Mark<'a> {
    /// The last part of its name.
    pub(crate) name: &'a str,
    /// What stands before it: `bp` in `@bp.route`.
    pub(crate) root: &'a str,
    pub(crate) at: usize,
    pub(crate) open: Option<usize>,
    /// All of it, the sign before it left out.
    pub(crate) range: Range<usize>,
}

/// Marks one after the other, with what follows them.
#[derive(Debug, Clone)]
pub(crate) struct Marked<'a> {
    pub(crate) marks: Vec<Mark<'a>>,
    pub(crate) is_class: bool,
    pub(crate) name: &'a str,
    /// The name of what is marked.
    pub(crate) at: usize,
}

const CLASSES: [&str; 10] = [
    "class",
    "interface",
    "struct",
    "enum",
    "record",
    "trait",
    "object",
    "namespace",
    "mod",
    "union",
];
const FUNCTIONS: [&str; 5] = ["def", "fn", "fun", "function", "func"];
pub(super) const MODIFIERS: [&str; 30] = [
    "public",
    "private",
    "protected",
    "static",
    "final",
    "async",
    "export",
    "default",
    "pub",
    "abstract",
    "readonly",
    "internal",
    "open",
    "override",
    "suspend",
    "const",
    "unsafe",
    "declare",
    "partial",
    "sealed",
    "virtual",
    "data",
    "transient",
    "volatile",
    "synchronized",
    "required",
    "lateinit",
    "val",
    "var",
    "native",
];

impl<'a> Mark<'a> {
    pub(crate) fn shown(&self, code: &Code<'a>) -> String {
        code.tokens.shown(self.range.clone())
    }
}

/// The mark that begins at a token.
pub(super) fn mark_at<'a>(tokens: &Tokens<'a>, at: usize) -> Option<(Vec<Mark<'a>>, usize)> {
    match tokens.dialect {
        Dialect::Script | Dialect::Java | Dialect::Kotlin | Dialect::Python => {
            let is_mark = tokens.is(at, "@")
                && tokens.is_word(at + 1)
                && !tokens.is(at + 1, "interface")
                && (tokens.dialect != Dialect::Python
                    || tokens.get(at).is_some_and(|it| it.is_first));
            if !is_mark {
                return None;
            }
            let mut first = at + 1;
            // `@field:NotNull` and `@get:Size` of Kotlin.
            if tokens.dialect == Dialect::Kotlin
                && tokens.is(first + 1, ":")
                && tokens.is_word(first + 2)
            {
                first += 2;
            }
            let (mark, end) = one_mark(tokens, first);
            Some((vec![mark], end))
        }
        Dialect::Rust | Dialect::Php => {
            let open =
                if tokens.is(at, "#") && tokens.is(at + 1, "[") { at + 1 } else { return None };
            let end = tokens.mate(open);
            let marks =
                split(tokens, open + 1..end).into_iter().map(|it| one_mark(tokens, it.start).0);
            Some((marks.collect(), end + 1))
        }
        Dialect::CSharp => {
            let is_start = at == 0 || matches!(tokens.word(at - 1), ";" | "{" | "}" | "]");
            if !tokens.is(at, "[") || !is_start || !tokens.is_word(at + 1) {
                return None;
            }
            let end = tokens.mate(at);
            let marks =
                split(tokens, at + 1..end).into_iter().map(|it| one_mark(tokens, it.start).0);
            Some((marks.collect(), end + 1))
        }
        Dialect::Go | Dialect::Ruby => None,
    }
}

fn one_mark<'a>(tokens: &Tokens<'a>, first: usize) -> (Mark<'a>, usize) {
    let mut at = first;
    while matches!(tokens.word(at + 1), "." | "::") && tokens.is_word(at + 2) {
        at += 2;
    }
    let open = Some(at + 1).filter(|it| tokens.is(*it, "("));
    let end = open.map_or(at + 1, |it| tokens.mate(it) + 1);
    let root = if at > first { tokens.word(first) } else { "" };
    (Mark { name: tokens.word(at), root, at: first, open, range: first..end }, end)
}

/// Everything that is marked, wherever it stands; not what is given to calls.
pub(crate) fn marked<'a>(code: &Code<'a>) -> Vec<Marked<'a>> {
    let tokens = &code.tokens;
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let Some((mut marks, mut next)) = mark_at(tokens, at) else {
            at = if tokens.is(at, "(") { tokens.after(at) } else { at + 1 };
            continue;
        };
        while let Some((more, after)) = mark_at(tokens, next) {
            marks.extend(more);
            next = after;
        }
        found.extend(target(tokens, next).map(|(is_class, name)| Marked {
            marks,
            is_class,
            name: tokens.word(name),
            at: name,
        }));
        at = next;
    }
    found
}

/// What a declaration declares, from its first token on: whether a class, and where its name is.
fn target(tokens: &Tokens<'_>, from: usize) -> Option<(bool, usize)> {
    let mut at = from;
    for _ in 0..60 {
        let word = tokens.word(at);
        if CLASSES.contains(&word) && tokens.is_word(at + 1) {
            // `data class`, `enum class`.
            let name = if CLASSES.contains(&tokens.word(at + 1)) { at + 2 } else { at + 1 };
            return Some((true, name));
        }
        if FUNCTIONS.contains(&word) && tokens.is_word(at + 1) {
            return Some((false, at + 1));
        }
        if MODIFIERS.contains(&word) && !matches!(tokens.word(at + 1), ":" | "(" | "=" | ";") {
            at += 1;
            // `pub(crate)`
            if tokens.is(at, "(") && word == "pub" {
                at = tokens.after(at);
            }
            continue;
        }
        if mark_at(tokens, at).is_some() {
            at = mark_at(tokens, at)?.1;
            continue;
        }
        break;
    }
    let mut name = None;
    let mut depth = 0_usize;
    for _ in 0..60 {
        match tokens.word(at) {
            "<" => depth += 1,
            ">" => depth = depth.saturating_sub(1),
            "(" | ";" | "=" | "{" | ":" | "," | "?" | "!" | "}" if depth == 0 => {
                if tokens.is(at, "?") && tokens.is_word(at + 1) {
                    at += 1;
                    continue;
                }
                return name.map(|it| (false, it));
            }
            "" => return name.map(|it| (false, it)),
            _ if tokens.is_word(at) && depth == 0 => name = Some(at),
            "[" => at = tokens.mate(at),
            _ => {}
        }
        at += 1;
    }
    None
}
