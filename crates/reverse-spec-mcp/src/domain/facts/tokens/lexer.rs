//! From text to tokens, in one pass.

use super::{Dialect, Kind, Token};

/// Marks of more than one character, the longest first.
const MARKS: [&str; 22] = [
    "...", "===", "!==", "**=", "?->", "=>", "->", "::", "?.", ":=", "==", "!=", "||", "??", "&&",
    "<=", ">=", "+=", "-=", "<<", "**", "?:",
];

/// Every token of a text.
pub(super) fn tokens(text: &str, dialect: Dialect) -> Vec<Token> {
    let lexer = Lexer {
        text,
        bytes: text.as_bytes(),
        dialect,
        at: 0,
        line: 1,
        indent: 0,
        is_first: true,
        line_start: 0,
        all: Vec::with_capacity(text.len() / 5),
        open: Vec::new(),
        depth: 0,
    };
    lexer.run()
}

struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    dialect: Dialect,
    at: usize,
    line: u32,
    line_start: usize,
    indent: u32,
    is_first: bool,
    all: Vec<Token>,
    open: Vec<usize>,
    /// Templates inside of templates.
    depth: usize,
}

/// Templates nested deeper are texts and nothing else.
const MAX_DEPTH: usize = 4;

impl Lexer<'_> {
    fn run(mut self) -> Vec<Token> {
        while self.at < self.bytes.len() {
            self.step();
        }
        self.all
    }

    fn byte(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn rest(&self) -> &[u8] {
        &self.bytes[self.at..]
    }

    fn step(&mut self) {
        match self.byte(0) {
            b'\n' => {
                self.at += 1;
                self.next_line();
            }
            byte if byte.is_ascii_whitespace() => self.at += 1,
            // A line that goes on.
            b'\\' if self.dialect == Dialect::Python => {
                self.skip_line();
                if self.at < self.bytes.len() {
                    self.at += 1;
                    self.next_line();
                    self.is_first = false;
                }
            }
            b'#' if self.dialect.has_hash_comments()
                && !(self.dialect == Dialect::Php && self.byte(1) == b'[') =>
            {
                self.skip_line();
            }
            b'/' if self.dialect.has_slash_comments() && self.byte(1) == b'/' => self.skip_line(),
            b'/' if self.dialect.has_slash_comments() && self.byte(1) == b'*' => self.skip_block(),
            b'"' | b'\'' | b'`' => self.quoted(self.at),
            b'/' if self.dialect == Dialect::Script && self.may_be_pattern() => self.pattern(),
            b':' if self.dialect == Dialect::Ruby && self.is_symbol() => {
                let start = self.at;
                self.at += 1;
                self.skip_word();
                self.push(Kind::Text, start);
            }
            b'(' | b'[' | b'{' => {
                let start = self.at;
                self.at += 1;
                self.open.push(self.all.len());
                self.push(Kind::Open, start);
            }
            b')' | b']' | b'}' => self.close(),
            byte if byte.is_ascii_digit() => {
                let start = self.at;
                while self.byte(0).is_ascii_alphanumeric()
                    || self.byte(0) == b'_'
                    || self.byte(0) == b'.' && self.byte(1).is_ascii_digit()
                {
                    self.at += 1;
                }
                self.push(Kind::Number, start);
            }
            byte if is_letter(byte) => self.word(),
            _ => self.mark(),
        }
    }

    fn next_line(&mut self) {
        self.line += 1;
        self.line_start = self.at;
        self.is_first = true;
    }

    fn push(&mut self, kind: Kind, start: usize) {
        if self.is_first {
            self.indent = u32::try_from(start.saturating_sub(self.line_start)).unwrap_or(u32::MAX);
        }
        let place = self.all.len();
        let number = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
        let token = Token {
            kind,
            is_first: self.is_first,
            start: number(start),
            end: number(self.at),
            mate: number(place),
            line: self.line,
            parent: self
                .open
                .iter()
                .rev()
                .find(|it| **it != place)
                .map_or(number(place), |it| number(*it)),
            indent: self.indent,
        };
        self.all.push(token);
        self.is_first = false;
    }

    fn close(&mut self) {
        let start = self.at;
        self.at += 1;
        let closes = self.bytes[start];
        let place = self.all.len();
        self.push(Kind::Close, start);
        let opens = |it: u8| match it {
            b'(' => b')',
            b'[' => b']',
            _ => b'}',
        };
        // A bracket without a partner is passed over, so that one slip does not spoil the file.
        let found = self
            .open
            .iter()
            .rposition(|it| opens(self.bytes[self.all[*it].start as usize]) == closes);
        if let Some(found) = found {
            let partner = self.open[found];
            self.open.truncate(found);
            self.all[partner].mate = u32::try_from(place).unwrap_or(u32::MAX);
            self.all[place].mate = u32::try_from(partner).unwrap_or(u32::MAX);
        }
    }

    fn skip_line(&mut self) {
        let length = memchr::memchr(b'\n', self.rest()).unwrap_or(self.rest().len());
        self.at += length;
    }

    fn skip_block(&mut self) {
        let mut depth = 0_usize;
        while self.at < self.bytes.len() {
            match (self.byte(0), self.byte(1)) {
                (b'/', b'*') if depth == 0 || self.dialect == Dialect::Rust => {
                    depth += 1;
                    self.at += 2;
                }
                (b'*', b'/') => {
                    self.at += 2;
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return;
                    }
                }
                (b'\n', _) => {
                    self.at += 1;
                    self.next_line();
                }
                _ => self.at += 1,
            }
        }
    }

    fn skip_word(&mut self) {
        while is_letter(self.byte(0)) || self.byte(0).is_ascii_digit() {
            self.at += 1;
        }
        if self.dialect == Dialect::Ruby
            && matches!(self.byte(0), b'?' | b'!')
            && self.byte(1) != b'='
        {
            self.at += 1;
        }
    }

    fn word(&mut self) {
        let start = self.at;
        self.skip_word();
        let word = &self.bytes[start..self.at];
        let next = self.byte(0);
        let begins_text = match self.dialect {
            Dialect::Python => {
                matches!(next, b'"' | b'\'')
                    && word.len() <= 2
                    && word.iter().all(|it| b"rbufRBUF".contains(it))
            }
            Dialect::Rust => {
                matches!(word, b"r" | b"b" | b"br" | b"c" | b"cr") && matches!(next, b'"' | b'#')
            }
            _ => false,
        };
        if begins_text {
            self.quoted(start);
        } else {
            self.push(Kind::Word, start);
        }
    }

    fn mark(&mut self) {
        let start = self.at;
        if matches!(self.dialect, Dialect::CSharp)
            && matches!(self.byte(0), b'@' | b'$')
            && (self.byte(1) == b'"' || matches!(self.byte(1), b'@' | b'$') && self.byte(2) == b'"')
        {
            while self.byte(0) != b'"' {
                self.at += 1;
            }
            self.quoted(start);
            return;
        }
        // Most marks are followed by something else than a mark.
        if !b".=*->:|?&<".contains(&self.byte(1)) {
            self.at += 1;
            self.push(Kind::Mark, start);
            return;
        }
        let is_known = |it: &&&str| **it != "?:" || self.dialect != Dialect::Script;
        let mut marks = MARKS.iter().filter(is_known);
        let long = marks.find(|it| self.rest().starts_with(it.as_bytes()));
        self.at += long.map_or(1, |it| it.len());
        self.push(Kind::Mark, start);
    }

    /// Whether a slash begins a pattern rather than dividing something.
    fn may_be_pattern(&self) -> bool {
        let Some(last) = self.all.last() else { return true };
        let word = self.text.get(last.start as usize..last.end as usize).unwrap_or_default();
        match last.kind {
            Kind::Word => matches!(word, "return" | "typeof" | "case" | "in" | "of" | "void"),
            Kind::Mark => !matches!(word, "++" | "--" | "<"),
            Kind::Open => true,
            _ => false,
        }
    }

    fn pattern(&mut self) {
        let start = self.at;
        let mut in_class = false;
        self.at += 1;
        while self.at < self.bytes.len() {
            match self.byte(0) {
                b'\\' => self.at += 1,
                b'\n' => break,
                b'[' => in_class = true,
                b']' => in_class = false,
                b'/' if !in_class => {
                    self.at += 1;
                    while self.byte(0).is_ascii_alphabetic() {
                        self.at += 1;
                    }
                    break;
                }
                _ => {}
            }
            self.at += 1;
        }
        self.at = self.at.min(self.bytes.len());
        self.push(Kind::Number, start);
    }

    fn is_symbol(&self) -> bool {
        is_letter(self.byte(1)) && (self.at == 0 || self.bytes[self.at - 1] != b':')
    }

    /// A text from its quote on; `start` is where what belongs to it begins.
    fn quoted(&mut self, start: usize) {
        let quote = self.byte(0);
        if self.dialect == Dialect::Rust && start < self.at && self.is_raw_text(start) {
            self.raw_text(start);
            return;
        }
        if quote == b'\'' && !self.dialect.quotes_alike() {
            self.letter(start);
            return;
        }
        if quote == b'`' && self.dialect == Dialect::Script {
            self.template(start);
            return;
        }
        let is_triple = quote != b'`'
            && self.byte(1) == quote
            && self.byte(2) == quote
            && matches!(
                self.dialect,
                Dialect::Python | Dialect::Java | Dialect::Kotlin | Dialect::CSharp
            );
        let first_line = self.line;
        let before = self.at;
        self.at += if is_triple { 3 } else { 1 };
        let spans = is_triple
            || matches!(self.dialect, Dialect::Rust | Dialect::Php | Dialect::Ruby)
            || quote == b'`'
            || self.bytes.get(start) == Some(&b'@');
        let escapes = !(quote == b'`' || self.bytes.get(start) == Some(&b'@'));
        let (mut lines, mut line_start) = (0, self.line_start);
        while self.at < self.bytes.len() {
            let byte = self.byte(0);
            if byte == b'\\' && escapes {
                if self.byte(1) == b'\n' {
                    lines += 1;
                    line_start = self.at + 2;
                }
                self.at += 2;
                continue;
            }
            if byte == b'\n' {
                if !spans {
                    break;
                }
                lines += 1;
                line_start = self.at + 1;
            }
            if byte == quote {
                if !is_triple {
                    self.at += 1;
                    break;
                }
                if self.byte(1) == quote && self.byte(2) == quote {
                    self.at += 3;
                    break;
                }
            }
            self.at += 1;
        }
        self.at = self.at.min(self.bytes.len()).max(before + 1);
        while !self.text.is_char_boundary(self.at) {
            self.at += 1;
        }
        self.push(Kind::Text, start);
        self.line = first_line + lines;
        self.line_start = line_start;
    }

    fn is_raw_text(&self, start: usize) -> bool {
        self.bytes[start..self.at].contains(&b'r')
    }

    fn raw_text(&mut self, start: usize) {
        let hashes = self.rest().iter().take_while(|it| **it == b'#').count();
        let end = [b"\"".as_slice(), &b"#".repeat(hashes)].concat();
        let from = (self.at + hashes + 1).min(self.bytes.len());
        let found = memchr::memmem::find(&self.bytes[from..], &end);
        let stop = found.map_or(self.bytes.len(), |it| from + it + end.len());
        let lines = memchr::memchr_iter(b'\n', &self.bytes[self.at..stop]).count();
        self.at = stop;
        self.push(Kind::Text, start);
        self.line += u32::try_from(lines).unwrap_or(0);
    }

    /// A single letter between quotes, or the name of a lifetime.
    fn letter(&mut self, start: usize) {
        let rest = self.text.get(self.at + 1..).unwrap_or_default();
        let mut letters = rest.char_indices();
        let end = match letters.next() {
            Some((_, '\\')) => {
                let body = rest.get(2..).unwrap_or_default();
                body.char_indices().take(12).find(|it| it.1 == '\'').map(|it| it.0 + 3)
            }
            Some((_, letter)) if letter != '\'' => match letters.next() {
                Some((at, '\'')) => Some(at + 1),
                _ => None,
            },
            _ => None,
        };
        self.at += 1 + end.unwrap_or(0);
        let kind = if end.is_some() { Kind::Text } else { Kind::Mark };
        self.push(kind, start);
    }

    /// A template with the code inside it, which follows in brackets of its own.
    fn template(&mut self, start: usize) {
        let end = template_end(self.bytes, self.at);
        let (first_line, first_start) = (self.line, self.line_start);
        let mut holes = Vec::new();
        let mut at = self.at + 1;
        while at + 1 < end && self.depth < MAX_DEPTH {
            match (self.bytes[at], self.bytes[at + 1]) {
                (b'\\', _) => at += 1,
                (b'$', b'{') => {
                    let close = hole_end(self.bytes, at + 2);
                    holes.push((at + 1, close));
                    at = close;
                }
                _ => {}
            }
            at += 1;
        }
        self.at = end;
        self.push(Kind::Text, start);
        self.depth += 1;
        for (open, close) in holes {
            let lines = memchr::memchr_iter(b'\n', &self.bytes[start..open]).count();
            self.line = first_line + u32::try_from(lines).unwrap_or(0);
            self.at = open;
            while self.at <= close && self.at < end {
                self.step();
            }
        }
        self.depth -= 1;
        self.at = end;
        let lines = memchr::memchr_iter(b'\n', &self.bytes[start..end]).count();
        self.line = first_line + u32::try_from(lines).unwrap_or(0);
        self.line_start = memchr::memrchr(b'\n', &self.bytes[start..end])
            .map_or(first_start, |it| start + it + 1);
        self.is_first = false;
    }
}

/// Past the backtick that ends the template which begins at `at`.
fn template_end(bytes: &[u8], at: usize) -> usize {
    let mut at = at + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            b'`' => return at + 1,
            b'$' if bytes.get(at + 1) == Some(&b'{') => at = hole_end(bytes, at + 2),
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

/// The brace that ends a hole in a template. Templates inside it count as text up to their next
/// backtick, which is as far as anyone nests them.
fn hole_end(bytes: &[u8], from: usize) -> usize {
    let (mut at, mut depth) = (from, 0_usize);
    while at < bytes.len() {
        match bytes[at] {
            b'{' => depth += 1,
            b'}' if depth == 0 => return at,
            b'}' => depth -= 1,
            b'`' => {
                at += 1;
                while at < bytes.len() && bytes[at] != b'`' {
                    at += 1;
                }
            }
            _ => {}
        }
        at += 1;
    }
    bytes.len().saturating_sub(1)
}

fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$') || byte >= 0x80
}
