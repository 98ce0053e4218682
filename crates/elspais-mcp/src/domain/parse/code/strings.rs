//! Strings that go on over several lines: what stands in them is no comment, whatever it looks like.

use std::ops::Range;

use crate::domain::language::{Language, LongString};

/// Where such strings lie, one after the other. One that is never closed hides nothing.
pub(super) fn long(language: &Language, text: &str) -> Vec<Range<usize>> {
    let scanner = Scanner { language, text, bytes: text.as_bytes() };
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        at = scanner.step(at, &mut found);
    }
    found
}

/// Whether a place lies in one of them.
pub(super) fn contain(strings: &[Range<usize>], at: usize) -> bool {
    let next = strings.partition_point(|string| string.end <= at);
    strings.get(next).is_some_and(|string| string.contains(&at))
}

struct Scanner<'a> {
    language: &'a Language,
    text: &'a str,
    bytes: &'a [u8],
}

impl Scanner<'_> {
    /// Goes past one thing: a comment, a string or a byte.
    fn step(&self, at: usize, found: &mut Vec<Range<usize>>) -> usize {
        let byte = self.bytes[at];
        // Letters and blanks begin nothing, apart from the mark of a raw string.
        if byte.is_ascii_whitespace() || (byte.is_ascii_alphanumeric() && byte != b'r') {
            return at + 1;
        }
        let rest = &self.bytes[at..];
        if let Some(end) = self.comment(at, rest) {
            return end;
        }
        let long =
            self.language.long_strings.iter().find(|it| rest.starts_with(it.open.as_bytes()));
        let string = match long {
            Some(form) => self.long_string(at, form),
            None => self.raw_string(at).or_else(|| self.heredoc(at)),
        };
        if let Some(string) = string {
            let end = string.end;
            if memchr::memchr(b'\n', &self.bytes[string.clone()]).is_some() {
                found.push(string);
            }
            return end;
        }
        self.short_string(at).unwrap_or(at + 1)
    }

    fn comment(&self, at: usize, rest: &[u8]) -> Option<usize> {
        let comments = &self.language.comments;
        if rest.starts_with(b"/*") && comments.iter().any(|it| it == "/*") {
            return Some(
                memchr::memmem::find(rest, b"*/").map_or(self.text.len(), |it| at + it + 2),
            );
        }
        let is_line = |it: &&String| matches!(it.as_str(), "#" | "//" | "--");
        let marker = comments.iter().filter(is_line).find(|it| rest.starts_with(it.as_bytes()))?;
        // `$#` and `${#x}` begin no comment in a shell.
        let begins_word = at == 0 || !matches!(self.bytes[at - 1], b'$' | b'{' | b'\\' | b'&');
        (marker != "#" || begins_word).then(|| at + line_length(rest))
    }

    fn long_string(&self, at: usize, form: &LongString) -> Option<Range<usize>> {
        let mark = form.open.as_bytes();
        let mut from = at + mark.len();
        loop {
            let end = from + memchr::memmem::find(&self.bytes[from..], mark)?;
            let hidden = self.bytes[..end].iter().rev().take_while(|it| **it == b'\\').count() % 2;
            if !form.escapes || hidden == 0 {
                return Some(at..end + mark.len());
            }
            from = end + 1;
        }
    }

    /// `r"…"`, `r#"…"#` and so on.
    fn raw_string(&self, at: usize) -> Option<Range<usize>> {
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        if !self.language.raw_strings || self.bytes[at] != b'r' {
            return None;
        }
        if at > 0 && is_name(self.bytes[at - 1]) && self.bytes[at - 1] != b'b' {
            return None;
        }
        let hashes = self.bytes[at + 1..].iter().take_while(|it| **it == b'#').count();
        let open = at + 1 + hashes;
        if self.bytes.get(open) != Some(&b'"') {
            return None;
        }
        let close = format!("\"{}", "#".repeat(hashes));
        let end = memchr::memmem::find(&self.bytes[open + 1..], close.as_bytes())?;
        Some(at..open + 1 + end + close.len())
    }

    /// `<<END` up to a line that says `END` and nothing else.
    fn heredoc(&self, at: usize) -> Option<Range<usize>> {
        // Any byte may be asked about, so the text is cut only where a mark was seen.
        if !self.language.heredocs || !self.bytes[at..].starts_with(b"<<") {
            return None;
        }
        let rest = self.text[at + 2..].trim_start_matches(['-', '~']);
        let rest = rest.trim_start_matches(['\'', '"', '\\']);
        let length =
            rest.bytes().take_while(|it| it.is_ascii_alphanumeric() || *it == b'_').count();
        let word = &rest[..length];
        if !word.starts_with(|it: char| it.is_ascii_alphabetic() || it == '_') {
            return None;
        }
        let from = at + line_length(&self.bytes[at..]);
        let mut line_at = from;
        for line in self.text[from..].split_inclusive('\n') {
            line_at += line.len();
            if line.trim() == word {
                return Some(from..line_at);
            }
        }
        None
    }

    /// A string, or a character, that ends in its line.
    fn short_string(&self, at: usize) -> Option<usize> {
        let mark = self.bytes[at];
        let is_character = mark == b'\'' && self.language.raw_strings;
        if !is_character && !self.language.quotes.contains(&char::from(mark)) {
            return None;
        }
        let mut escaped = false;
        for (length, byte) in self.bytes[at + 1..].iter().enumerate() {
            match byte {
                b'\n' => return None,
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                // A lifetime is no character: what follows its mark is longer.
                _ if is_character && length > 12 => return None,
                byte if *byte == mark => {
                    let inside = &self.text.as_bytes()[at + 1..at + 1 + length];
                    let is_one = inside.first() == Some(&b'\\')
                        || std::str::from_utf8(inside).is_ok_and(|it| it.chars().count() == 1);
                    return (!is_character || is_one).then_some(at + length + 2);
                }
                _ => {}
            }
        }
        None
    }
}

fn line_length(rest: &[u8]) -> usize {
    memchr::memchr(b'\n', rest).map_or(rest.len(), |it| it + 1)
}
