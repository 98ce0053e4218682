//! Words and their stems: "caching", "caches" and "cache" are one.

/// A word, or a mark that ends a clause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) word: String,
    pub(crate) stem: String,
    /// Bytes of the text.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// It begins with a capital.
    pub(crate) is_capital: bool,
}

impl Token {
    pub(crate) fn ends_clause(&self) -> bool {
        matches!(self.word.as_str(), "," | "." | ";" | ":" | "!" | "?" | "(" | ")")
    }

    pub(crate) fn is(&self, words: &[&str]) -> bool {
        words.contains(&self.word.as_str())
    }
}

pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut word = String::new();
    let mut start = 0;
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let next = characters.peek().map(|(_, next)| *next);
        let joins = match character {
            '.' => !word.is_empty() && next.is_some_and(char::is_alphanumeric),
            '+' | '#' => !word.is_empty(),
            _ => character.is_alphanumeric(),
        };
        if joins {
            if word.is_empty() {
                start = at;
            }
            word.extend(character.to_lowercase());
            continue;
        }
        if matches!(character, '\'' | '’') && !word.is_empty() {
            // "we're" is "we", and not the past of "are".
            let rest = &text[at + character.len_utf8()..];
            let ends = |it: &str| !it.starts_with(char::is_alphanumeric);
            if rest.strip_prefix("re").is_some_and(ends) {
                push(&mut tokens, text, &mut word, start, at);
                characters.nth(1);
            }
            continue;
        }
        push(&mut tokens, text, &mut word, start, at);
        // A dash between spaces parts clauses.
        let spaced =
            next.is_some_and(char::is_whitespace) && text[..at].ends_with(char::is_whitespace);
        if matches!(character, '-' | '–' | '—') && spaced {
            push(&mut tokens, text, &mut ",".to_owned(), at, at + character.len_utf8());
        }
        if matches!(character, ',' | '.' | ';' | ':' | '!' | '?' | '(' | ')' | '\n') {
            let mark = if character == '\n' { "." } else { &text[at..=at] };
            push(&mut tokens, text, &mut mark.to_owned(), at, at + 1);
        }
    }
    push(&mut tokens, text, &mut word, start, text.len());
    tokens
}

fn push(tokens: &mut Vec<Token>, text: &str, word: &mut String, start: usize, end: usize) {
    if !word.is_empty() {
        let word = std::mem::take(word);
        let spelled = text.get(start..end).unwrap_or_default();
        let is_capital = spelled.chars().next().is_some_and(char::is_uppercase);
        tokens.push(Token { stem: stem(&word), word, start, end, is_capital });
    }
}

/// The stems of a phrase of the bank.
pub(crate) fn phrase(text: &str) -> Vec<String> {
    tokens(text).into_iter().filter(|it| !it.ends_clause()).map(|it| it.stem).collect()
}

/// Takes off the endings that do not change what a word is about.
pub(crate) fn stem(word: &str) -> String {
    if !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return word.to_owned();
    }
    let base = if let Some(base) = word.strip_suffix("ies").filter(|it| it.len() >= 3) {
        format!("{base}y")
    } else if let Some(base) = ["ing", "ed", "er"]
        .iter()
        .find_map(|ending| word.strip_suffix(ending).filter(|it| it.len() >= 4))
        .filter(|it| it.bytes().any(is_vowel))
    {
        undoubled(base)
    } else if let Some(base) = word
        .strip_suffix("es")
        .filter(|it| it.len() >= 3 && it.ends_with(['h', 's', 'x', 'z', 'u']))
    {
        base.to_owned()
    } else if let Some(base) =
        word.strip_suffix('s').filter(|it| it.len() >= 3 && !it.ends_with(['s', 'u', 'i']))
    {
        base.to_owned()
    } else {
        word.to_owned()
    };
    match base.strip_suffix('e') {
        Some(shorter) if shorter.len() >= 3 => shorter.to_owned(),
        _ => base,
    }
}

fn is_vowel(byte: u8) -> bool {
    matches!(byte, b'a' | b'e' | b'i' | b'o' | b'u' | b'y')
}

/// "logg" is "log", but "install" stays.
fn undoubled(base: &str) -> String {
    let bytes = base.as_bytes();
    match bytes {
        [.., before, last] if before == last && !matches!(last, b'l' | b's' | b'z') => {
            base[..base.len() - 1].to_owned()
        }
        _ => base.to_owned(),
    }
}
