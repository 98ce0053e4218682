//! Calls, their arguments, and what they stand in, as tokens show them.

use std::collections::HashMap;
use std::ops::Range;

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
    /// Places in `calls` by where they begin, and by their bracket.
    by_start: HashMap<usize, Vec<usize>>,
    by_open: HashMap<usize, usize>,
}

/// Words before a bracket that call nothing.
const NOT_CALLED: [&str; 24] = [
    "if", "for", "while", "switch", "catch", "return", "function", "fn", "func", "def", "in",
    "and", "or", "not", "await", "typeof", "elif", "match", "class", "fun", "foreach", "async",
    "with", "import",
];

impl<'a> Code<'a> {
    pub(crate) fn read(text: &'a str, dialect: Dialect) -> Self {
        let tokens = Tokens::read(text, dialect);
        let (calls, by_start, by_open) = Default::default();
        let scopes = scopes(&tokens);
        let mut code = Self { tokens, calls, scopes, by_start, by_open };
        let brackets = (1..code.tokens.len()).filter(|at| code.tokens.is(*at, "("));
        code.calls = brackets.filter_map(|at| call(&code.tokens, at)).collect();
        for (place, call) in code.calls.iter().enumerate() {
            code.by_start.entry(call.start).or_default().push(place);
            code.by_open.insert(call.open, place);
        }
        code
    }

    /// Calls that begin at a token, the innermost first.
    pub(crate) fn calls_at(&self, start: usize) -> impl Iterator<Item = &Call<'a>> {
        self.by_start.get(&start).into_iter().flatten().map(|it| &self.calls[*it])
    }

    /// Calls whose brackets are in a range, in order.
    pub(crate) fn calls_within(&self, range: &Range<usize>) -> &[Call<'a>] {
        let from = self.calls.partition_point(|it| it.open < range.start);
        let to = self.calls.partition_point(|it| it.open < range.end);
        self.calls.get(from..to).unwrap_or_default()
    }

    /// The call whose arguments begin at a bracket.
    pub(crate) fn call_of(&self, open: usize) -> Option<&Call<'a>> {
        self.by_open.get(&open).map(|it| &self.calls[*it])
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
    Call { parts, start, open }
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

/// Every class and function with a name.
fn scopes<'a>(tokens: &Tokens<'a>) -> Vec<Scope<'a>> {
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
    let body = body(tokens, at + 1, at)?;
    let is_space = matches!(tokens.word(at), "mod" | "namespace" | "module");
    let kind = if is_space { ScopeKind::Space } else { ScopeKind::Class };
    Some(Scope { kind, name: tokens.word(name), at: name, head: at + 1..body.start, body })
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
