//! References in the comments of code and tests, and in the names of tests.

mod strings;

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use regex::Regex;

use super::lines::{Line, number, split};
use super::{Citation, Contents, EdgeKind, Mention, Seen, Sym};
use crate::domain::dialect::Dialect;
use crate::domain::grammar::{self, Grammar};
use crate::domain::language::{self, Language};
use crate::domain::span::Span;

/// How far from a comment the function it belongs to is looked for.
const REACH: usize = 15;
/// How far into a line a comment may begin. Longer lines were written by machines, and looking
/// back from each keyword of one would take forever.
const MAX_INDENT: usize = 4_000;
/// How many items that are no references may stand between two that are.
const MAX_LEFTOVERS: usize = 3;

static KEYWORD: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"(?i)\b(?:(implements|refines|verifies|validates|tests) requirements:|(implements|refines|verifies|validates):|tests:?[ \t]+)";
    Regex::new(pattern).unwrap_or_else(|error| unreachable!("the pattern is valid: {error}"))
});

static BARE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(?:FR|NFR|SC)-\d{2,4}[a-z]?\b")
        .unwrap_or_else(|error| unreachable!("the pattern is valid: {error}"))
});

/// A file of code, or of tests, whose path is `path`.
pub(crate) fn parse(grammar: &Grammar, path: &str, text: &str, is_test: bool) -> Contents {
    let mut contents = Contents::default();
    let name = path.rsplit('/').next().unwrap_or(path);
    // Most files cite nothing: they are looked through once and left alone.
    let mut found = KEYWORD.find_iter(text).peekable();
    bare_references(grammar, text, &mut contents);
    let names_tests = is_test && contains_ignoring_case(text, &format!("{}_", grammar.namespace()));
    if found.peek().is_none() && !names_tests {
        return contents;
    }
    let lines = split(text);
    let languages = language::of_file(name);
    let strings = languages.first().map(|it| strings::long(it, text)).unwrap_or_default();
    let reader = Reader { grammar, languages, text, lines: &lines, is_test };
    let mut mentions: BTreeMap<usize, Vec<Citation>> = BTreeMap::new();
    for keyword in found {
        if strings::contain(&strings, keyword.start()) {
            continue;
        }
        let index = lines.partition_point(|line| line.next <= keyword.start());
        reader.comment(index, keyword.range(), &mut mentions, &mut contents);
    }
    if names_tests {
        reader.test_names(&strings, &mut mentions);
    }
    collect(&reader, path, mentions, &mut contents);
    contents
}

/// Items of spec-kit that are named without their spec belong to several: they are counted, and it
/// is said once a file how to name the one that is meant.
fn bare_references(grammar: &Grammar, text: &str, contents: &mut Contents) {
    let Some(scope) = grammar.scopes().example(Dialect::SpecKit) else { return };
    let mut bare = BARE.find_iter(text).filter(|it| !text[..it.start()].ends_with(['/', '-']));
    let Some(first) = bare.next() else { return };
    let more = bare.count();
    let line = memchr::memchr_iter(b'\n', &text.as_bytes()[..first.start()]).count();
    let item = first.as_str();
    let places = match more {
        0 => format!("`{item}` does not say"),
        more => format!("`{item}` and {more} more do not say"),
    };
    let message = format!(
        "{places} which spec is meant; cite it with the folder of its spec, such as `{scope}/{item}`"
    );
    contents.remark(number(line), "bare_reference", message);
}

struct Reader<'a> {
    grammar: &'a Grammar,
    /// The outer one first.
    languages: Vec<&'a Language>,
    text: &'a str,
    lines: &'a [Line],
    is_test: bool,
}

impl Reader<'_> {
    /// A keyword was found in this line: reads the list behind it, when it stands in a comment.
    fn comment(
        &self,
        index: usize,
        keyword: std::ops::Range<usize>,
        mentions: &mut BTreeMap<usize, Vec<Citation>>,
        contents: &mut Contents,
    ) {
        let Some(line) = self.lines.get(index) else { return };
        if keyword.end > line.end || keyword.start - line.start > MAX_INDENT {
            return;
        }
        let before = &self.text[line.start..keyword.start];
        if !self.opens_comment(before, &self.text[keyword.end..line.end]) {
            return;
        }
        let word = self.text[keyword.clone()].to_ascii_lowercase();
        if word.starts_with("refines") {
            let message =
                "only requirements refine others; code says `Implements:`, a test `Verifies:`";
            contents.remark(number(index), "refines_in_code", message);
            return;
        }
        let kind = if word.starts_with("implements") {
            EdgeKind::Implements
        } else if word.starts_with("validates") {
            EdgeKind::Validates
        } else {
            EdgeKind::Verifies
        };
        let found = self.list(keyword.end, line.end, kind, index, contents);
        if !found.is_empty() {
            mentions.entry(index).or_default().extend(found);
        } else if word.ends_with("requirements:") {
            self.block(index, kind, mentions, contents);
        }
    }

    /// Comment lines below that begin with an id.
    fn block(
        &self,
        above: usize,
        kind: EdgeKind,
        mentions: &mut BTreeMap<usize, Vec<Citation>>,
        contents: &mut Contents,
    ) {
        for index in above + 1..self.lines.len() {
            let line = &self.lines[index];
            let words = line.of(self.text);
            let bare = words.trim_start();
            let Some(rest) = self.after_marker(bare) else { return };
            let rest = rest.trim_start_matches([' ', '\t', '-', '*']);
            let at = line.end - rest.len();
            let found = self.list(at, line.end, kind, index, contents);
            if found.is_empty() {
                return;
            }
            mentions.entry(index).or_default().extend(found);
        }
    }

    fn comments(&self) -> impl Iterator<Item = &str> {
        self.languages.iter().flat_map(|it| &it.comments).map(String::as_str)
    }

    fn after_marker<'t>(&self, line: &'t str) -> Option<&'t str> {
        self.comments().find_map(|marker| line.strip_prefix(marker))
    }

    /// Whether `before` ends with the beginning of a comment; `behind` is the rest of the line.
    fn opens_comment(&self, before: &str, behind: &str) -> bool {
        let bare = before.trim_end_matches([' ', '\t', '!', '/', '*', '#', '-', ';', '%']);
        let opening = before[bare.len()..].trim();
        let opening = match bare.as_bytes().last() {
            Some(b'{') if opening.starts_with('#') => "{#",
            Some(b'<') if opening.starts_with("!--") => "<!--",
            _ => opening,
        };
        if !self.comments().any(|marker| opening.starts_with(marker)) {
            return false;
        }
        matches!(opening, "{#" | "<!--") || !ends_in_string(bare, behind)
    }

    /// References from `from` on, up to the first thing that is not a reference.
    fn list(
        &self,
        from: usize,
        to: usize,
        kind: EdgeKind,
        index: usize,
        contents: &mut Contents,
    ) -> Vec<Citation> {
        let mut found: Vec<Citation> = Vec::new();
        let mut seen = Seen::default();
        let mut at = from;
        while at < to {
            let rest = &self.text[at..to];
            let skipped = rest.len() - rest.trim_start_matches([' ', '\t', ',', '`']).len();
            let rest = &rest[skipped..];
            at += skipped;
            let (target, labels, length) = match self.grammar.reference(rest) {
                Some(it) if self.grammar.begins_like_id(rest) && !it.goes_on(rest) => {
                    (it.id.canonical, it.labels, it.length)
                }
                _ if self.grammar.begins_like_id(rest) => {
                    let word = grammar::word(rest);
                    (word.to_owned(), Vec::new(), word.len())
                }
                _ => match self.next_item(rest).filter(|_| !found.is_empty()) {
                    // Something else stands between two references: they are both meant.
                    Some(next) => {
                        let shown = rest[..next].trim_end_matches([' ', ',']);
                        let shown = mcp_core::text::one_line(mcp_core::text::cut(shown, 60));
                        let message = format!("`{shown}` behind a reference is not read");
                        contents.remark(number(index), "text_behind_reference", message);
                        at += next;
                        continue;
                    }
                    None => break,
                },
            };
            let token = Span::new(at, at + length);
            at += length;
            let (target, labels) = (target.into(), labels.into());
            let (line, sym) = (number(index), Sym::default());
            let citation = Citation { kind, token, target, labels, line, sym };
            if seen.is_new(&citation, &found) {
                found.push(citation);
            }
        }
        found
    }

    /// Where the next reference of a list begins, behind a comma.
    fn next_item(&self, rest: &str) -> Option<usize> {
        rest.match_indices(',').take(MAX_LEFTOVERS).find_map(|(at, _)| {
            let item = rest[at + 1..].trim_start();
            self.grammar.begins_like_id(item).then(|| rest.len() - item.len())
        })
    }

    /// `def test_login_REQ_d00001_A`: the name itself says what is verified.
    fn test_names(
        &self,
        strings: &[std::ops::Range<usize>],
        mentions: &mut BTreeMap<usize, Vec<Citation>>,
    ) {
        for (index, line) in self.lines.iter().enumerate() {
            if strings::contain(strings, line.start) {
                continue;
            }
            let words = line.of(self.text);
            let Some(name) = self.declared(words) else { continue };
            let upper = name.to_ascii_uppercase();
            let wanted = format!("_{}_", self.grammar.namespace().to_ascii_uppercase());
            if !upper.starts_with("TEST") {
                continue;
            }
            let Some(at) = upper.find(&wanted) else { continue };
            let rest = &name[at + 1..];
            let Some(reference) = self.grammar.reference(rest) else { continue };
            let token = Span::within(self.text, &rest[..reference.length]);
            let citation = Citation {
                kind: EdgeKind::Verifies,
                token,
                target: reference.id.canonical.into(),
                labels: reference.labels.into(),
                line: number(index),
                sym: Sym::default(),
            };
            mentions.entry(index).or_default().push(citation);
        }
    }

    fn declared<'t>(&self, line: &'t str) -> Option<&'t str> {
        self.languages.iter().find_map(|language| {
            let found = language.declaration.captures(line)?;
            found.iter().skip(1).flatten().next().map(|it| it.as_str())
        })
    }

    /// The function a comment belongs to: the next one below, or the one it stands in.
    fn owner(&self, index: usize) -> Option<&str> {
        if let Some(name) = self.declared(self.lines[index].of(self.text)) {
            return Some(name);
        }
        let indent = |at: usize| {
            let words = self.lines[at].of(self.text);
            words.len() - words.trim_start().len()
        };
        let below = (index + 1..self.lines.len().min(index + REACH))
            .find_map(|at| Some((at, self.declared(self.lines[at].of(self.text))?)));
        if let Some((at, name)) = below
            && indent(at) >= indent(index)
        {
            return Some(name);
        }
        let above = (index.saturating_sub(200)..index).rev().find_map(|at| {
            let name = self.declared(self.lines[at].of(self.text))?;
            (indent(at) < indent(index)).then_some(name)
        });
        above.or(below.filter(|(at, _)| indent(*at) >= indent(index)).map(|(_, name)| name))
    }
}

fn collect(
    reader: &Reader<'_>,
    path: &str,
    mentions: BTreeMap<usize, Vec<Citation>>,
    contents: &mut Contents,
) {
    let mut tests: HashMap<String, usize> = HashMap::new();
    for (index, citations) in mentions {
        let line = number(index);
        let name = reader.owner(index);
        if !reader.is_test {
            let id = format!("code:{path}:{line}").into();
            contents.codes.push(Mention { id, name: name.map(Into::into), line, citations });
            continue;
        }
        let id = match name {
            Some(name) => format!("test:{path}::{name}"),
            None => format!("test:{path}:{line}"),
        };
        // Several comments above one test are one test.
        if let Some(test) = tests.get(&id).and_then(|at| contents.tests.get_mut(*at)) {
            test.citations.extend(citations);
            continue;
        }
        tests.insert(id.clone(), contents.tests.len());
        let name = name.map(Into::into);
        contents.tests.push(Mention { id: id.into(), name, line, citations });
    }
}

/// Whether a string that opens in `before` closes only in `behind`. A mark without a partner in
/// its line opens none: it is an apostrophe, or the lifetime of a Rust reference.
fn ends_in_string(before: &str, behind: &str) -> bool {
    let (mut rest, behind) = (before.as_bytes(), behind.as_bytes());
    let mut marks = vec![b'"', b'\'', b'`'];
    while let Some((mark, at)) = left_open(rest, &marks) {
        if behind.iter().take(MAX_INDENT).any(|it| *it == mark) {
            return true;
        }
        marks.retain(|it| *it != mark);
        rest = &rest[at + 1..];
    }
    false
}

/// The mark of the string that is open at the end, and where it stands.
fn left_open(text: &[u8], marks: &[u8]) -> Option<(u8, usize)> {
    let mut open = None;
    let mut escaped = false;
    for (at, it) in text.iter().enumerate() {
        match open {
            Some(_) if escaped => escaped = false,
            Some(_) if *it == b'\\' => escaped = true,
            Some((mark, _)) if *it == mark => open = None,
            None if marks.contains(it) => open = Some((*it, at)),
            _ => {}
        }
    }
    open
}

fn contains_ignoring_case(text: &str, wanted: &str) -> bool {
    let wanted = wanted.as_bytes();
    let Some(first) = wanted.first() else { return true };
    let (lower, upper) = (first.to_ascii_lowercase(), first.to_ascii_uppercase());
    memchr::memchr2_iter(lower, upper, text.as_bytes()).any(|at| {
        text.as_bytes().get(at..at + wanted.len()).is_some_and(|it| it.eq_ignore_ascii_case(wanted))
    })
}
