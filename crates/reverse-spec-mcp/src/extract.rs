//! From source text to a skeleton, by tree-sitter: one module per language behind one trait.

mod faults;
mod field;
mod go;
mod java;
mod mending;
mod python;
mod recover;
mod rust;
mod stream;
mod symbols;
mod table;
mod typescript;
mod unit;

use std::sync::LazyLock;

use sha2::{Digest as _, Sha256};
use tree_sitter::{Node, Parser};

use crate::redact::{Redacted, Redaction, redact};
use crate::skeleton::{CodeSkeleton, LanguageId, SymbolKind};
use stream::Scratch;
use table::Table;
use unit::Unit;
pub(crate) use unit::{CUT, hex};

/// What `parserUsed` says.
pub(crate) const PARSER: &str = "tree-sitter";
/// A line longer than this makes the parser slow and is never written by hand.
const MAX_LINE_BYTES: usize = 256 * 1024;
/// As many bytes of an old encoding may be in any file.
const MAX_STRAY_BYTES: usize = 16;

/// One language: its grammar, its table of node kinds and how declarations are read.
trait Language: Sync {
    /// The grammar for a file; dialects differ by extension.
    fn grammar(&self, path: &str) -> &'static Grammar;

    /// Whether a file may offer anything to others: a look at its text that spares reading it twice.
    fn may_export(&self, _text: &str) -> bool {
        true
    }

    /// Fills in declarations, imports and tests. Everything else is the same for all languages.
    fn read(&self, unit: &Unit<'_>, root: Node<'_>, scope: Scope, skeleton: &mut CodeSkeleton);
}

/// A grammar with its table.
struct Grammar {
    language: tree_sitter::Language,
    table: Table,
}

impl Grammar {
    fn new(language: impl Into<tree_sitter::Language>, table: &'static str) -> Self {
        let language = language.into();
        let table = Table::read(table, &language);
        Self { language, table }
    }
}

/// What is listed besides exports.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Scope {
    /// Nothing, unless a file exports nothing.
    #[default]
    Exports,
    /// Top-level items that are not exported too.
    WithInternals,
}

/// Why a file was not parsed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unreadable {
    #[error("it is binary, not text")]
    Binary,
    #[error("it has {size} bytes, {limit} are parsed at most")]
    TooLarge { size: u64, limit: u64 },
    #[error("line {line} has {length} bytes, {MAX_LINE_BYTES} are parsed at most")]
    LineTooLong { line: usize, length: usize },
    #[error("it was written by a program (it says `{0}`)")]
    Generated(&'static str),
    #[error("it is minified")]
    Minified,
    #[error("no parser reads it")]
    Unsupported,
    #[error("{0}")]
    File(String),
}

/// What was read from one file.
#[derive(Debug)]
pub(crate) struct Extracted {
    pub(crate) skeleton: CodeSkeleton,
    /// Secrets that were replaced before anything was read.
    pub(crate) redactions: Vec<Redaction>,
    /// Some bytes were no text and were replaced.
    pub(crate) is_damaged: bool,
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
        bytes: &[u8],
        scope: Scope,
    ) -> Result<Extracted, Unreadable> {
        let id = crate::project::language_of(path).ok_or(Unreadable::Unsupported)?;
        let language = language(id).ok_or(Unreadable::Unsupported)?;
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let decoded = wide_text(bytes);
        let text = match &decoded {
            Some(text) => readable(text.as_bytes())?,
            None => readable(bytes)?,
        };
        let is_damaged = matches!(text, std::borrow::Cow::Owned(_));
        let Redacted { text, found: redactions } = redact(&text);
        let grammar = language.grammar(path);
        self.parser.set_language(&grammar.language).map_err(|_| Unreadable::Unsupported)?;
        let mut text = text;
        let mut broken = Vec::new();
        let mut tree = self.parser.parse(text.as_bytes(), None).ok_or(Unreadable::Unsupported)?;
        if tree.root_node().has_error() {
            let mut parsed = None;
            if let Some(mended) = grammar.table.mending.mended(&text, path)
                && let Some(better) = self.parser.parse(mended.parsed.as_bytes(), None)
                && faults::count(better.root_node()) < faults::count(tree.root_node())
            {
                (text, tree) = (mended.shown.into(), better);
                parsed = Some(mended.parsed);
            }
            let parsed = parsed.as_deref().unwrap_or(&text);
            if tree.root_node().has_error()
                && let Some(found) =
                    recover::recover(&mut self.parser, &grammar.table.mending, parsed, &tree)
            {
                (tree, broken) = (found.tree, found.broken);
            }
        }
        let scratch = std::mem::take(&mut self.scratch).into();
        let unit = Unit { text: &text, path, table: &grammar.table, scratch };
        let mut skeleton = CodeSkeleton {
            file_path: path.to_owned(),
            language: id,
            loc: memchr::memchr_iter(b'\n', text.as_bytes()).count() + 1,
            hash: hex(&Sha256::digest(bytes)),
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
        let parts = std::iter::once(root).chain(broken.iter().map(tree_sitter::Tree::root_node));
        let errors = parts.flat_map(|it| faults::parse_errors(&unit, it, &skeleton));
        skeleton.parse_errors = errors.take(faults::MAX_ERRORS).collect();
        skeleton.is_garbled = faults::is_garbled(root, skeleton.loc);
        self.scratch = unit.scratch.into_inner();
        Ok(Extracted { skeleton, redactions, is_damaged })
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

fn language(id: LanguageId) -> Option<&'static dyn Language> {
    match id {
        LanguageId::TypeScript | LanguageId::JavaScript => Some(&typescript::TypeScript),
        LanguageId::Rust => Some(&rust::Rust),
        LanguageId::Python => Some(&python::Python),
        LanguageId::Go => Some(&go::Go),
        LanguageId::Java => Some(&java::Java),
        LanguageId::Other => None,
    }
}

/// The text of a file that was read, for people.
pub(crate) fn text_of(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
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

fn readable(bytes: &[u8]) -> Result<std::borrow::Cow<'_, str>, Unreadable> {
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

/// Compiled once, when the first file of a language is read.
static TYPESCRIPT: LazyLock<Grammar> = LazyLock::new(|| {
    let table = include_str!("../assets/languages/typescript.toml");
    Grammar::new(tree_sitter_typescript::LANGUAGE_TYPESCRIPT, table)
});
static TSX: LazyLock<Grammar> = LazyLock::new(|| {
    let table = include_str!("../assets/languages/typescript.toml");
    Grammar::new(tree_sitter_typescript::LANGUAGE_TSX, table)
});

static RUST: LazyLock<Grammar> = LazyLock::new(|| {
    Grammar::new(tree_sitter_rust::LANGUAGE, include_str!("../assets/languages/rust.toml"))
});

static PYTHON: LazyLock<Grammar> = LazyLock::new(|| {
    Grammar::new(tree_sitter_python::LANGUAGE, include_str!("../assets/languages/python.toml"))
});
static GO: LazyLock<Grammar> = LazyLock::new(|| {
    Grammar::new(tree_sitter_go::LANGUAGE, include_str!("../assets/languages/go.toml"))
});
static JAVA: LazyLock<Grammar> = LazyLock::new(|| {
    Grammar::new(tree_sitter_java::LANGUAGE, include_str!("../assets/languages/java.toml"))
});

#[cfg(test)]
mod tests;
