//! Calls, their arguments, and what they stand in, as tokens show them.

mod scopes;

use std::ops::Range;

use super::rows::Rows;
use super::tokens::{Dialect, Kind, Tokens};

/// One part of what is called: `app` and `use` in `app.use(…)`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Part<'a> {
    pub(crate) word: &'a str,
    /// The bracket after it, where it is called itself.
    pub(crate) open: Option<usize>,
}

/// A call by name, in brackets.
#[derive(Debug, Clone)]
pub(crate) struct Call<'a> {
    /// From the first to the last, which is called.
    pub(crate) parts: Vec<Part<'a>>,
    /// The first token of it.
    pub(crate) start: usize,
    pub(crate) open: usize,
    /// What its name may say, by `rows::role`.
    roles: u16,
}

/// What is given to a call.
#[derive(Debug, Clone)]
pub(crate) struct Argument<'a> {
    /// `prefix` in `prefix="/x"`.
    pub(crate) name: Option<&'a str>,
    pub(crate) value: Range<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ScopeKind {
    /// What only holds others: a namespace, a module.
    Space,
    Class,
    Function,
}

/// A class or a function with a name.
#[derive(Debug, Clone)]
pub(crate) struct Scope<'a> {
    pub(crate) kind: ScopeKind,
    pub(crate) name: &'a str,
    /// The name.
    pub(crate) at: usize,
    /// From the name to the body: what it extends, its parameters.
    pub(crate) head: Range<usize>,
    pub(crate) body: Range<usize>,
}

pub(crate) struct Code<'a> {
    pub(crate) tokens: Tokens<'a>,
    pub(crate) calls: Vec<Call<'a>>,
    pub(crate) scopes: Vec<Scope<'a>>,
    /// Where calls begin, with their places in `calls`; sorted.
    by_start: Vec<(usize, usize)>,
}

/// Words before a bracket that call nothing.
const NOT_CALLED: [&str; 24] = [
    "if", "for", "while", "switch", "catch", "return", "function", "fn", "func", "def", "in",
    "and", "or", "not", "await", "typeof", "elif", "match", "class", "fun", "foreach", "async",
    "with", "import",
];

impl<'a> Code<'a> {
    pub(crate) fn read(text: &'a str, dialect: Dialect, rows: &Rows) -> Self {
        let tokens = Tokens::read(text, dialect);
        let scopes = scopes::scopes(&tokens);
        let brackets = (1..tokens.len()).filter(|at| tokens.is(*at, "("));
        let mut calls: Vec<Call<'a>> = brackets.filter_map(|at| call(&tokens, at)).collect();
        for call in &mut calls {
            call.roles = rows.roles(call.name());
        }
        let mut by_start: Vec<(usize, usize)> =
            calls.iter().enumerate().map(|(place, it)| (it.start, place)).collect();
        by_start.sort_unstable();
        Self { tokens, calls, scopes, by_start }
    }

    /// Calls that begin at a token, the innermost first.
    pub(crate) fn calls_at(&self, start: usize) -> impl Iterator<Item = &Call<'a>> {
        let from = self.by_start.partition_point(|it| it.0 < start);
        let there = self.by_start[from..].iter().take_while(move |it| it.0 == start);
        there.map(|it| &self.calls[it.1])
    }

    /// Calls whose brackets are in a range, in order.
    pub(crate) fn calls_within(&self, range: &Range<usize>) -> &[Call<'a>] {
        let from = self.calls.partition_point(|it| it.open < range.start);
        let to = self.calls.partition_point(|it| it.open < range.end);
        self.calls.get(from..to).unwrap_or_default()
    }

    /// The call whose arguments begin at a bracket.
    pub(crate) fn call_of(&self, open: usize) -> Option<&Call<'a>> {
        let at = self.calls.binary_search_by_key(&open, |it| it.open);
        at.ok().map(|it| &self.calls[it])
    }

    pub(crate) fn arguments(&self, open: usize) -> Vec<Argument<'a>> {
        let tokens = &self.tokens;
        let end = tokens.mate(open);
        let ranges = split(tokens, open + 1..end);
        ranges.into_iter().map(|range| self.argument(range)).collect()
    }

    fn argument(&self, range: Range<usize>) -> Argument<'a> {
        let tokens = &self.tokens;
        let is_named = tokens.is_word(range.start)
            && range.len() > 2
            && match tokens.dialect {
                Dialect::Python | Dialect::Java | Dialect::Kotlin | Dialect::Rust => {
                    tokens.is(range.start + 1, "=")
                }
                Dialect::CSharp => {
                    tokens.is(range.start + 1, ":") || tokens.is(range.start + 1, "=")
                }
                Dialect::Php | Dialect::Ruby => tokens.is(range.start + 1, ":"),
                Dialect::Script | Dialect::Go => false,
            };
        if is_named {
            let value = range.start + 2..range.end;
            return Argument { name: Some(tokens.word(range.start)), value };
        }
        Argument { name: None, value: range }
    }

    /// The members of an object in braces, or of a structure: names and values.
    pub(crate) fn members(&self, open: usize) -> Vec<(&'a str, Range<usize>)> {
        let tokens = &self.tokens;
        let mut found = Vec::new();
        for range in split(tokens, open + 1..tokens.mate(open)) {
            let at = range.start;
            let name = tokens.inside(at).unwrap_or_else(|| tokens.word(at));
            if range.len() > 2 && matches!(tokens.word(at + 1), ":" | "=" | "=>") {
                found.push((name, at + 2..range.end));
            } else if tokens.is_word(at) {
                // `{ name }`, and methods of an object.
                found.push((name, range));
            }
        }
        found
    }

    /// The value of one member.
    pub(crate) fn member(&self, open: usize, names: &[&str]) -> Option<Range<usize>> {
        self.members(open).into_iter().find(|it| names.contains(&it.0)).map(|it| it.1)
    }

    /// Calls that follow on the result of one: `.Methods("GET")`.
    pub(crate) fn followers(&self, open: usize) -> Vec<(&'a str, usize)> {
        let tokens = &self.tokens;
        let mut found = Vec::new();
        let mut at = tokens.mate(open) + 1;
        while matches!(tokens.word(at), "." | "->" | "?.") && tokens.is_word(at + 1) {
            let name = at + 1;
            if tokens.is(name + 1, "(") {
                found.push((tokens.word(name), name + 1));
                at = tokens.mate(name + 1) + 1;
            } else {
                at = name + 1;
            }
            if tokens.is(at, "?") {
                at += 1;
            }
        }
        found
    }

    /// The innermost class or function around a token.
    pub(crate) fn around(&self, at: usize, kind: ScopeKind) -> Option<&Scope<'a>> {
        let inside = |it: &&Scope<'_>| it.kind == kind && it.body.contains(&at);
        self.scopes.iter().filter(inside).min_by_key(|it| it.body.len())
    }

    /// The name of the function around a token, with its class.
    pub(crate) fn owner(&self, at: usize) -> Option<String> {
        let class = self.around(at, ScopeKind::Class);
        let function = self.around(at, ScopeKind::Function);
        match (class, function) {
            (Some(class), Some(function)) if class.body.contains(&function.at) => {
                Some(format!("{}.{}", class.name, function.name))
            }
            (_, Some(function)) => Some(function.name.to_owned()),
            (Some(class), None) => Some(class.name.to_owned()),
            (None, None) => None,
        }
    }

    /// What a value is, without what is inside functions.
    pub(crate) fn is_function(&self, range: &Range<usize>) -> bool {
        let tokens = &self.tokens;
        let first = tokens.word(range.start);
        if matches!(first, "function" | "async" | "func" | "lambda" | "move" | "fn" | "||" | "|") {
            return true;
        }
        let mut at = range.start;
        while at < range.end {
            if tokens.is(at, "=>") {
                return true;
            }
            at = tokens.after(at);
        }
        false
    }

    /// A name, a call or a list as it is shown; none for a function that is written out.
    pub(crate) fn named(&self, range: &Range<usize>, limit: usize) -> Option<String> {
        if range.is_empty() || self.is_function(range) {
            return None;
        }
        let text = self.tokens.shown(range.clone());
        Some(mcp_core::text::cut(&text, limit).to_owned())
    }

    /// The text of a value that is one literal, or begins with one.
    pub(crate) fn literal(&self, range: &Range<usize>) -> Option<&'a str> {
        if range.is_empty() {
            return None;
        }
        self.tokens.inside(range.start)
    }

    /// All literal texts in a range, in order.
    pub(crate) fn literals(&self, range: &Range<usize>) -> Vec<&'a str> {
        range.clone().filter_map(|at| self.tokens.inside(at)).collect()
    }

    /// The name that a value is bound to: `name = value`, `name := value`, `name: Type = value`.
    pub(crate) fn bound_to(&self, start: usize) -> Option<&'a str> {
        let tokens = &self.tokens;
        let mut at = start.checked_sub(1)?;
        while matches!(tokens.word(at), "await" | "new" | "&" | "return") {
            if tokens.is(at, "return") {
                return None;
            }
            at = at.checked_sub(1)?;
        }
        if !matches!(tokens.word(at), "=" | ":=") {
            return None;
        }
        let before = at.checked_sub(1)?;
        let first = (0..before).rev().take(12).take_while(|it| {
            let token = tokens.word(*it);
            !matches!(token, ";" | "{" | "}" | "const" | "let" | "var" | "=" | "=>")
        });
        // A type may stand between the name and the mark.
        let colon = first.clone().find(|it| tokens.is(*it, ":"));
        let name = colon.map_or(before, |it| it.saturating_sub(1));
        tokens.is_word(name).then(|| tokens.word(name))
    }
}

impl<'a> Call<'a> {
    pub(crate) fn name(&self) -> &'a str {
        self.parts.last().map_or("", |it| it.word)
    }

    /// Whether its name may say one of these.
    pub(crate) fn may(&self, roles: u16) -> bool {
        self.roles & roles != 0
    }

    /// The first part, where there is more than one.
    pub(crate) fn root(&self) -> &'a str {
        if self.parts.len() > 1 { self.parts[0].word } else { "" }
    }

    /// What stands before the name, with dots: `os.environ`.
    pub(crate) fn receiver(&self) -> String {
        let count = self.parts.len().saturating_sub(1);
        let words = self.parts[..count].iter().map(|it| {
            if it.open.is_some() { format!("{}()", it.word) } else { it.word.to_owned() }
        });
        words.collect::<Vec<_>>().join(".")
    }

    pub(crate) fn path(&self) -> String {
        let receiver = self.receiver();
        if receiver.is_empty() {
            self.name().to_owned()
        } else {
            format!("{receiver}.{}", self.name())
        }
    }
}

/// Parts between commas that are in no bracket.
pub(crate) fn split(tokens: &Tokens<'_>, range: Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let (mut from, mut at) = (range.start, range.start);
    while at < range.end {
        if tokens.is(at, ",") {
            if from < at {
                found.push(from..at);
            }
            from = at + 1;
        }
        at = tokens.after(at);
    }
    if from < range.end {
        found.push(from..range.end);
    }
    found
}

/// The call whose arguments begin at a bracket.
fn call<'a>(tokens: &Tokens<'a>, open: usize) -> Option<Call<'a>> {
    if tokens.mate(open) <= open {
        return None;
    }
    let mut at = open.checked_sub(1)?;
    // Rust's macros, and type arguments.
    if tokens.is(at, "!") && tokens.dialect == Dialect::Rust {
        at = at.checked_sub(1)?;
    } else if tokens.is(at, ">") {
        at = before_type_arguments(tokens, at)?;
    }
    if tokens.is(at, "::") || tokens.is(at, "?.") {
        at = at.checked_sub(1)?;
    }
    if !tokens.is_word(at) || NOT_CALLED.contains(&tokens.word(at)) {
        return None;
    }
    let mut parts = vec![Part { word: tokens.word(at), open: Some(open) }];
    let mut start = at;
    while start >= 2 && matches!(tokens.word(start - 1), "." | "::" | "->" | "?." | "?->") {
        let mut before = start - 2;
        if tokens.is(before, "?") || tokens.is(before, "!") {
            before = before.checked_sub(1)?;
        }
        let mut opened = None;
        while tokens.kind(before) == Some(Kind::Close) {
            let mate = tokens.mate(before);
            if mate >= before || mate == 0 {
                return Some(finished(parts, start, open));
            }
            if tokens.is(mate, "(") {
                opened = Some(mate);
            }
            if tokens.kind(mate - 1) != Some(Kind::Word)
                && tokens.kind(mate - 1) != Some(Kind::Close)
            {
                // `(await x).y()`: nothing is known of what stands before.
                if tokens.is(mate - 1, "!") && mate >= 2 && tokens.is_word(mate - 2) {
                    before = mate - 2;
                    break;
                }
                return Some(finished(parts, mate, open));
            }
            before = mate - 1;
        }
        if !tokens.is_word(before) {
            break;
        }
        parts.push(Part { word: tokens.word(before), open: opened });
        start = before;
    }
    Some(finished(parts, start, open))
}

fn finished(mut parts: Vec<Part<'_>>, start: usize, open: usize) -> Call<'_> {
    parts.reverse();
    Call { parts, start, open, roles: 0 }
}

fn before_type_arguments(tokens: &Tokens<'_>, close: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for at in (close.saturating_sub(60)..=close).rev() {
        match tokens.word(at) {
            ">" => depth += 1,
            "<" => {
                depth -= 1;
                if depth == 0 {
                    let before = at.checked_sub(1)?;
                    return if tokens.is(before, "::") {
                        before.checked_sub(1)
                    } else {
                        Some(before)
                    };
                }
            }
            ";" | "{" | "}" | "&&" | "||" => return None,
            _ => {}
        }
    }
    None
}
