//! What is the same in all languages: syntax errors by place, marks in comments, overload numbers.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, LazyLock};

use regex::Regex;
use tree_sitter::Node;

use crate::domain::reading;
use crate::domain::skeleton::{
    BodyFacts, CodeSkeleton, ExportSymbol, Mark, MemberKind, ParseError,
};
use crate::domain::syntax::table::Traits;
use crate::domain::syntax::unit::{Unit, start_line};
use crate::domain::syntax::visit_at;

pub(super) const MAX_ERRORS: usize = 50;
const MAX_MARKS: usize = 200;

static MARK: LazyLock<Regex> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "the pattern is fixed and tested")]
    Regex::new(&format!(r"(?-u:\b)(?:{})(?-u:\b)", reading::marks().join("|")))
        .expect("the pattern is valid")
});

/// What authors marked as unfinished, in comments only.
pub(super) fn marks(unit: &Unit<'_>, root: Node<'_>) -> Vec<Mark> {
    let places: Vec<usize> = MARK.find_iter(unit.text).map(|it| it.start()).collect();
    let mut marks = Vec::new();
    if places.is_empty() {
        return marks;
    }
    let mut last = None;
    visit_at(root, &places, |node, _| {
        let in_comment = unit.table.traits(node.kind_id()).has(Traits::COMMENT);
        if in_comment && last != Some(node.id()) {
            last = Some(node.id());
            marks_in(unit, node, &mut marks);
        }
        in_comment
    });
    marks
}

fn marks_in(unit: &Unit<'_>, comment: Node<'_>, marks: &mut Vec<Mark>) {
    for (offset, line) in unit.text(comment).lines().enumerate() {
        let Some(found) = MARK.find(line) else { continue };
        if marks.len() == MAX_MARKS {
            return;
        }
        let text = line[found.end()..].trim_end_matches("*/").trim();
        let text = text.trim_start_matches([':', '-']).trim();
        marks.push(Mark {
            kind: found.as_str().to_owned(),
            line: start_line(comment) + offset,
            text: mcp_core::text::one_line(mcp_core::text::cut(text, 200)),
            file: unit.path.to_owned(),
        });
    }
}

/// Every place where the parser had to guess, and the declarations around it.
pub(super) fn parse_errors(
    unit: &Unit<'_>,
    root: Node<'_>,
    skeleton: &CodeSkeleton,
) -> Vec<ParseError> {
    let mut errors = Vec::new();
    visit_faults(root, |node| {
        errors.push(parse_error(unit, node, skeleton));
        errors.len() < MAX_ERRORS
    });
    errors
}

/// How many places there are where the parser had to guess.
pub(super) fn count(root: Node<'_>) -> usize {
    let mut count = 0;
    visit_faults(root, |_| {
        count += 1;
        true
    });
    count
}

/// Whether a file is rather no code of its language than code with a mistake in it: half of it is
/// guessed, or there is a mistake in every hundred lines.
pub(super) fn is_garbled(root: Node<'_>, lines: usize) -> bool {
    let (mut faults, mut bytes) = (0, 0);
    visit_faults(root, |node| {
        faults += 1;
        bytes += node.end_byte() - node.start_byte();
        true
    });
    faults > 0 && (faults * 100 >= lines || bytes * 2 >= root.end_byte() - root.start_byte())
}

fn visit_faults<'tree>(root: Node<'tree>, mut visit: impl FnMut(Node<'tree>) -> bool) {
    if !root.has_error() {
        return;
    }
    let mut cursor = root.walk();
    let mut depth = 0_usize;
    loop {
        let node = cursor.node();
        let wrong = node.is_error() || node.is_missing();
        if wrong && !visit(node) {
            return;
        }
        if !wrong && node.has_error() && cursor.goto_first_child() {
            depth += 1;
            continue;
        }
        loop {
            if depth == 0 {
                return;
            }
            if cursor.goto_next_sibling() {
                break;
            }
            cursor.goto_parent();
            depth -= 1;
        }
    }
}

fn parse_error(unit: &Unit<'_>, node: Node<'_>, skeleton: &CodeSkeleton) -> ParseError {
    let line = start_line(node);
    let start = node.start_byte();
    let line_start = unit.text[..start].rfind('\n').map_or(0, |it| it + 1);
    let column = unit.text[line_start..start].encode_utf16().count();
    let message = if node.is_missing() {
        format!("`{}` is missing", unit.kind(node))
    } else {
        let text = mcp_core::text::one_line(mcp_core::text::cut(unit.text(node), 60));
        if text.is_empty() { "syntax error".to_owned() } else { format!("unexpected `{text}`") }
    };
    let symbols = skeleton.exports.iter().chain(&skeleton.internals);
    let affected = symbols.filter(|it| it.start_line <= line && line <= it.end_line);
    let affected_symbols = affected.take(5).map(|it| it.name.clone()).collect();
    ParseError { line, column, message, affected_symbols, file: unit.path.to_owned() }
}

/// Numbers declarations that share a name, so that each can be told from the others, and keeps facts
/// only of what has a body: a value that calls something does not throw.
pub(super) fn complete(skeleton: &mut CodeSkeleton) {
    let language = skeleton.language;
    for symbols in [&mut skeleton.exports, &mut skeleton.internals] {
        let numbers = overloads(symbols.iter().map(|it| (it.kind, &it.namespace, &it.name)));
        for (symbol, number) in symbols.iter_mut().zip(numbers) {
            // Nobody else has it yet, so nothing is copied.
            let symbol = Arc::make_mut(symbol);
            symbol.language = language;
            complete_symbol(symbol, number);
        }
    }
}

fn complete_symbol(symbol: &mut ExportSymbol, number: Option<usize>) {
    symbol.overload = number;
    if symbol.parameters.is_none() {
        symbol.facts = BodyFacts::default();
    }
    symbol.shrink();
    let members = &mut symbol.members;
    let numbers = overloads(members.iter().map(|it| (it.kind, it.is_static, &it.name)));
    for (member, number) in members.iter_mut().zip(numbers) {
        member.overload = number;
        if member.parameters.is_none() && member.kind != MemberKind::Nested {
            member.facts = BodyFacts::default();
        }
    }
}

/// For each key its place among its equals, or nothing where it has none.
fn overloads<K: Eq + Hash>(keys: impl Iterator<Item = K>) -> Vec<Option<usize>> {
    let mut seen: HashMap<K, (usize, usize)> = HashMap::new();
    let mut numbers = Vec::new();
    for (index, key) in keys.enumerate() {
        let (first, count) = seen.entry(key).or_insert((index, 0));
        if *count == 1 {
            numbers[*first] = Some(0);
        }
        numbers.push((*count > 0).then_some(*count));
        *count += 1;
    }
    numbers
}
