//! The text of a file as tokens whose brackets know each other: as much of a language as facts need, the
//! same for all of them, so that a framework is a row of words rather than a walk through a grammar.

mod lexer;

/// How the text of a language falls into tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    Script,
    Python,
    Java,
    Kotlin,
    CSharp,
    Go,
    Rust,
    Php,
    Ruby,
}

impl Dialect {
    /// By the word that the table of a language has for it.
    pub(crate) fn of(language: &str) -> Option<Self> {
        Some(match language {
            "typescript" | "javascript" | "vue" | "svelte" | "astro" => Self::Script,
            "python" => Self::Python,
            "java" => Self::Java,
            "kotlin" => Self::Kotlin,
            "csharp" | "c-sharp" => Self::CSharp,
            "go" => Self::Go,
            "rust" => Self::Rust,
            "php" => Self::Php,
            "ruby" => Self::Ruby,
            _ => return None,
        })
    }

    fn has_hash_comments(self) -> bool {
        matches!(self, Self::Python | Self::Ruby | Self::Php)
    }

    fn has_slash_comments(self) -> bool {
        !matches!(self, Self::Python | Self::Ruby)
    }

    /// Whether either quote begins a text.
    pub(crate) fn quotes_alike(self) -> bool {
        matches!(self, Self::Script | Self::Python | Self::Php | Self::Ruby)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Word,
    Number,
    /// With its quotes and whatever stands before them.
    Text,
    Mark,
    Open,
    Close,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    /// It is the first on its line.
    pub(crate) is_first: bool,
    start: u32,
    end: u32,
    /// The bracket that belongs to this one; itself for everything else and where there is none.
    pub(crate) mate: u32,
    pub(crate) line: u32,
    /// The innermost bracket around it; itself where there is none.
    parent: u32,
    /// Blanks before the first token of the line.
    pub(crate) indent: u32,
}

pub(crate) struct Tokens<'a> {
    pub(crate) text: &'a str,
    pub(crate) dialect: Dialect,
    all: Vec<Token>,
}

/// Longer texts are cut: nobody reads them, and hostile ones end here.
const MAX_SHOWN: usize = 2_000;

impl<'a> Tokens<'a> {
    pub(crate) fn read(text: &'a str, dialect: Dialect) -> Self {
        Self { text, dialect, all: lexer::tokens(text, dialect) }
    }

    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    pub(crate) fn get(&self, at: usize) -> Option<&Token> {
        self.all.get(at)
    }

    pub(crate) fn kind(&self, at: usize) -> Option<Kind> {
        self.all.get(at).map(|it| it.kind)
    }

    /// The text of a token; empty past the end.
    pub(crate) fn word(&self, at: usize) -> &'a str {
        let token = self.all.get(at);
        token.and_then(|it| self.text.get(it.start as usize..it.end as usize)).unwrap_or_default()
    }

    pub(crate) fn is(&self, at: usize, word: &str) -> bool {
        // Asked for nearly every token, and the length alone answers most of it.
        self.all.get(at).map_or(word.is_empty(), |it| {
            let (start, end) = (it.start as usize, it.end as usize);
            end - start == word.len()
                && self.text.as_bytes().get(start..end) == Some(word.as_bytes())
        })
    }

    pub(crate) fn is_word(&self, at: usize) -> bool {
        self.kind(at) == Some(Kind::Word)
    }

    pub(crate) fn is_text(&self, at: usize) -> bool {
        self.kind(at) == Some(Kind::Text)
    }

    pub(crate) fn is_open(&self, at: usize) -> bool {
        self.kind(at) == Some(Kind::Open)
    }

    pub(crate) fn line(&self, at: usize) -> usize {
        self.all.get(at).map_or(0, |it| it.line as usize)
    }

    /// The other bracket.
    pub(crate) fn mate(&self, at: usize) -> usize {
        self.all.get(at).map_or(at, |it| it.mate as usize)
    }

    /// The innermost bracket that is open at a token.
    pub(crate) fn parent(&self, at: usize) -> Option<usize> {
        let parent = self.all.get(at)?.parent as usize;
        (parent != at).then_some(parent)
    }

    /// What stands between the quotes of a text.
    pub(crate) fn inside(&self, at: usize) -> Option<&'a str> {
        self.is_text(at).then(|| between_quotes(self.word(at)))
    }

    /// What follows a token: past its other bracket where it opens something.
    pub(crate) fn after(&self, at: usize) -> usize {
        if self.is_open(at) { self.mate(at).max(at) + 1 } else { at + 1 }
    }

    /// Tokens on one line, written in the one way that layout cannot change.
    pub(crate) fn shown(&self, range: std::ops::Range<usize>) -> String {
        self.shown_up_to(range, MAX_SHOWN)
    }

    /// The same, ended by the token that goes past a limit.
    pub(crate) fn shown_up_to(&self, range: std::ops::Range<usize>, limit: usize) -> String {
        let mut out = String::new();
        let end = range.end.min(self.len());
        for at in range {
            if at >= end || out.len() > limit {
                break;
            }
            let word = self.word(at);
            let is_last_comma =
                word == "," && at + 1 < end && self.kind(at + 1) == Some(Kind::Close)
                    || word == ";";
            if is_last_comma {
                continue;
            }
            let is_bare = |it: char| it.is_alphanumeric() || matches!(it, '_' | '$' | '\'' | '"');
            let glue = out.chars().next_back().is_some_and(is_bare);
            let begins = word.chars().next().is_some_and(is_bare);
            let is_spread = matches!(
                word,
                "=" | "=>"
                    | "->"
                    | "||"
                    | "??"
                    | "&&"
                    | "=="
                    | "==="
                    | "!="
                    | "!=="
                    | "+"
                    | "?"
                    | "|"
                    | ":="
            );
            if glue && begins || is_spread && !out.is_empty() && !out.ends_with(' ') {
                out.push(' ');
            }
            match self.inside(at) {
                Some(inside)
                    if self.dialect.quotes_alike() && !inside.contains(['\'', '"', '\n']) =>
                {
                    out.push('\'');
                    out.push_str(inside);
                    out.push('\'');
                }
                _ => out.push_str(word),
            }
            if word == "," || word == ":" || is_spread {
                out.push(' ');
            }
        }
        out.truncate(out.trim_end().len());
        out
    }
}

/// A text without its quotes and what stands before them.
fn between_quotes(text: &str) -> &str {
    let quote = text.find(['"', '\'', '`']).unwrap_or(0);
    if text.starts_with(':') && !text[1..].starts_with(['"', '\'']) {
        return &text[1..];
    }
    let rest = &text[quote..];
    for triple in ["\"\"\"", "'''"] {
        if let Some(inner) = rest.strip_prefix(triple) {
            return inner.strip_suffix(triple).unwrap_or(inner);
        }
    }
    let rest = rest.trim_end_matches('#');
    let mut letters = rest.chars();
    letters.next();
    letters.next_back();
    letters.as_str()
}
