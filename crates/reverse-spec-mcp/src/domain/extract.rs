//! From source text to a skeleton, by tree-sitter. What differs between languages is asked of the
//! language.

mod faults;
mod recover;
mod statements;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use sha2::{Digest as _, Sha256};
use tree_sitter::{Node, Parser};

use super::facts;
use super::hash::hex;
use super::languages::{self, Language, Scope};
use super::reading::{MAX_LINE_BYTES, Unreadable};
use super::skeleton::{CodeSkeleton, SymbolKind};
use super::syntax::scratch::Scratch;
use super::syntax::unit::Unit;

/// What `parserUsed` says.
pub(crate) const PARSER: &str = "tree-sitter";
/// What it says of a file that is read line by line.
const PARSER_OF_LINES: &str = "lines";
/// As many bytes of an old encoding may be in any file.
const MAX_STRAY_BYTES: usize = 16;

/// The text of a file, and what the bytes it came from say besides.
#[derive(Debug)]
pub(crate) struct Source<'a> {
    pub(crate) text: Cow<'a, str>,
    /// Of the bytes, without a byte-order mark.
    hash: String,
    /// Some bytes were no text and were replaced.
    pub(crate) is_damaged: bool,
}

impl<'a> Source<'a> {
    pub(crate) fn decode(bytes: &'a [u8]) -> Result<Self, Unreadable> {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let hash = hex(&Sha256::digest(bytes));
        let (text, is_damaged) = if let Some(text) = wide_text(bytes) {
            (Cow::Owned(readable(text.as_bytes())?.into_owned()), false)
        } else {
            let text = readable(bytes)?;
            let is_damaged = matches!(text, Cow::Owned(_));
            (text, is_damaged)
        };
        Ok(Self { text, hash, is_damaged })
    }
}

/// Parses files one after the other; make one per thread.
pub(crate) struct Extractor {
    parser: Parser,
    scratch: Scratch,
}

impl Extractor {
    pub(crate) fn new() -> Self {
        Self { parser: Parser::new(), scratch: Scratch::default() }
    }

    /// The skeleton of one file. `path` is relative to the project root.
    pub(crate) fn extract(
        &mut self,
        path: &str,
        source: Source<'_>,
        scope: Scope,
    ) -> Result<CodeSkeleton, Unreadable> {
        let language = languages::of_path(path).ok_or(Unreadable::Unsupported)?;
        if language.about().declares_only {
            return Ok(declared(path, language, source));
        }
        let grammar = language.grammar(path);
        self.parser.set_language(&grammar.language).map_err(|_| Unreadable::Unsupported)?;
        let Source { mut text, hash, .. } = source;
        if let Some(part) = language.own_part(path, &text) {
            text = part.into();
        }
        let mut broken = Vec::new();
        let mut tree = self.parser.parse(text.as_bytes(), None).ok_or(Unreadable::Unsupported)?;
        if tree.root_node().has_error() {
            let mending = &grammar.table.mending;
            let mut parsed = None;
            if let Some(mended) = mending.mended(&text, language.is_declaration_file(path))
                && let Some(better) = self.parser.parse(mended.parsed.as_bytes(), None)
                && faults::count(better.root_node()) < faults::count(tree.root_node())
            {
                (text, tree) = (mended.shown.into(), better);
                parsed = Some(mended.parsed);
            }
            let parsed = parsed.as_deref().unwrap_or(&text);
            if tree.root_node().has_error()
                && let Some(found) = recover::recover(&mut self.parser, mending, parsed, &tree)
            {
                (tree, broken) = (found.tree, found.broken);
            }
        }
        let scratch = std::mem::take(&mut self.scratch).into();
        let unit = Unit { text: &text, path, table: &grammar.table, scratch };
        let mut skeleton = CodeSkeleton {
            file_path: path.to_owned(),
            language: language.about().id(),
            loc: memchr::memchr_iter(b'\n', text.as_bytes()).count() + 1,
            hash,
            parser_used: PARSER.to_owned(),
            ..CodeSkeleton::default()
        };
        let root = tree.root_node();
        let scope = if language.may_export(&text) { scope } else { Scope::WithInternals };
        let bare = skeleton.clone();
        read_parts(language, &unit, root, &broken, scope, &mut skeleton);
        let exports_nothing = skeleton.exports.iter().all(|it| it.kind == SymbolKind::Impl);
        if exports_nothing && scope == Scope::Exports {
            // Nothing is offered to others: a program or a script is known by what it holds.
            skeleton = bare;
            let scope = Scope::WithInternals;
            read_parts(language, &unit, root, &broken, scope, &mut skeleton);
        }
        faults::complete(&mut skeleton);
        skeleton.marks = faults::marks(&unit, root);
        if !languages::is_test(path) {
            let found = facts::collect(path, language.about().id().as_str(), &text);
            (skeleton.entry_points, skeleton.outline) = (found.entries, found.outline);
            skeleton.entry_points.extend(statements::of(&unit, root));
        }
        let parts = std::iter::once(root).chain(broken.iter().map(tree_sitter::Tree::root_node));
        let errors = parts.flat_map(|it| faults::parse_errors(&unit, it, &skeleton));
        skeleton.parse_errors = errors.take(faults::MAX_ERRORS).collect();
        skeleton.is_garbled = faults::is_garbled(root, skeleton.loc);
        self.scratch = unit.scratch.into_inner();
        Ok(skeleton)
    }
}

#[cfg(test)]
impl Extractor {
    /// Of bytes as they are, secrets included.
    pub(crate) fn extract_bytes(
        &mut self,
        path: &str,
        bytes: &[u8],
        scope: Scope,
    ) -> Result<CodeSkeleton, Unreadable> {
        self.extract(path, Source::decode(bytes)?, scope)
    }
}

/// A file without code is what facts say of it.
fn declared(path: &str, language: &dyn Language, source: Source<'_>) -> CodeSkeleton {
    let Source { text, hash, .. } = source;
    let id = language.about().id();
    CodeSkeleton {
        file_path: path.to_owned(),
        language: id,
        loc: memchr::memchr_iter(b'\n', text.as_bytes()).count() + 1,
        hash,
        parser_used: PARSER_OF_LINES.to_owned(),
        entry_points: facts::collect(path, id.as_str(), &text).entries,
        ..CodeSkeleton::default()
    }
}

/// Reads a file, and each of its broken parts after it.
fn read_parts(
    language: &dyn Language,
    unit: &Unit<'_>,
    root: Node<'_>,
    broken: &[tree_sitter::Tree],
    scope: Scope,
    skeleton: &mut CodeSkeleton,
) {
    language.read(unit, root, scope, skeleton);
    for part in broken {
        let mut found = CodeSkeleton::default();
        language.read(unit, part.root_node(), scope, &mut found);
        skeleton.exports.append(&mut found.exports);
        skeleton.internals.append(&mut found.internals);
        skeleton.imports.append(&mut found.imports);
        skeleton.hidden_types.append(&mut found.hidden_types);
    }
}

/// The text of a file that was read, for people.
pub(crate) fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    wide_text(bytes).map_or_else(|| String::from_utf8_lossy(bytes), Into::into)
}

/// Text in two bytes a character, which some editors write; its mark says in which order they are.
fn wide_text(bytes: &[u8]) -> Option<String> {
    let (is_little, rest) = match bytes {
        [0xff, 0xfe, rest @ ..] => (true, rest),
        [0xfe, 0xff, rest @ ..] => (false, rest),
        _ => return None,
    };
    let (units, odd) = rest.as_chunks::<2>();
    let unit =
        |it: &[u8; 2]| if is_little { u16::from_le_bytes(*it) } else { u16::from_be_bytes(*it) };
    let units: Vec<u16> = units.iter().map(unit).collect();
    String::from_utf16(&units).ok().filter(|_| odd.is_empty())
}

fn readable(bytes: &[u8]) -> Result<Cow<'_, str>, Unreadable> {
    if bytes.contains(&0) {
        return Err(Unreadable::Binary);
    }
    // A short file has no long line.
    if bytes.len() > MAX_LINE_BYTES {
        let mut lines = bytes.split(|it| *it == b'\n').enumerate();
        if let Some((index, line)) = lines.find(|it| it.1.len() > MAX_LINE_BYTES) {
            return Err(Unreadable::LineTooLong { line: index + 1, length: line.len() });
        }
    }
    // To repair as one goes takes several times as long, and hardly a file needs it.
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Ok(text.into());
    }
    let text = String::from_utf8_lossy(bytes);
    // A stray byte is an old encoding; many of them are no text at all.
    let damaged = text.matches('\u{fffd}').count();
    let is_text = damaged <= MAX_STRAY_BYTES || damaged * 20 < text.len();
    if is_text { Ok(text) } else { Err(Unreadable::Binary) }
}
