//! Languages of which names, kinds and lines are listed and nothing more: enough to find one's way,
//! too little to judge what a change means to callers. Each is a table and a list of patterns.

mod pattern;

use std::collections::HashSet;
use std::sync::{Arc, LazyLock};

use pattern::ByKind;
use tree_sitter::{Node, TreeCursor};

use super::{About, Grammar, Language, Scope};
use crate::domain::skeleton::{
    CodeSkeleton, ExportSymbol, MemberInfo, MemberKind, SymbolKind, Visibility,
};
use crate::domain::syntax::comment::Doc;
use crate::domain::syntax::field::Field;
use crate::domain::syntax::symbols::{Around, inside, new_member};
use crate::domain::syntax::table::Role;
use crate::domain::syntax::unit::{Unit, children};

/// Parents that are looked at for the whole of a declaration.
const MAX_PARENTS: usize = 8;

/// A grammar with the patterns of what it declares.
pub(super) struct Patterns {
    pub(super) grammar: Grammar,
    declarations: ByKind,
}

/// A language of this kind.
pub(super) struct Listed {
    pub(super) about: &'static LazyLock<About>,
    pub(super) patterns: &'static LazyLock<Patterns>,
}

impl Language for Listed {
    fn about(&self) -> &'static About {
        self.about
    }

    fn grammar(&self, _path: &str) -> &'static Grammar {
        &self.patterns.grammar
    }

    fn read(&self, unit: &Unit<'_>, root: Node<'_>, _scope: Scope, skeleton: &mut CodeSkeleton) {
        self.patterns.read(unit, root, self.about, skeleton);
    }
}

impl Patterns {
    pub(super) fn new(
        language: impl Into<tree_sitter::Language>,
        table: &'static str,
        patterns: &'static str,
    ) -> Self {
        let grammar = Grammar::new(language, table);
        #[expect(clippy::expect_used, reason = "the patterns are part of the program and tested")]
        let declarations =
            ByKind::read(&grammar.language, patterns).expect("the patterns fit the grammar");
        Self { grammar, declarations }
    }

    /// Fills in everything the patterns find, in the order of the source.
    pub(super) fn read(
        &self,
        unit: &Unit<'_>,
        root: Node<'_>,
        about: &About,
        skeleton: &mut CodeSkeleton,
    ) {
        let mut found = self.found(unit, root);
        found.sort_by_key(|it| (it.node.start_byte(), std::cmp::Reverse(it.node.end_byte())));
        let mut symbols: Vec<ExportSymbol> = Vec::new();
        // What is still open around the next one, by its place among the symbols.
        let mut open: Vec<(usize, usize)> = Vec::new();
        let mut seen = HashSet::new();
        for it in found {
            if !seen.insert((it.name.clone(), it.node.start_byte())) {
                continue;
            }
            open.retain(|(_, end)| *end >= it.node.end_byte());
            let around = Around { doc: doc_before(unit, it.node), ..Around::default() };
            let home = open.last().map(|(at, _)| *at);
            match (it.member_kind(), home) {
                (Some(kind), Some(home)) if symbols[home].kind != SymbolKind::Namespace => {
                    let mut member = it.member(unit, kind, &around);
                    member.visibility = Some(Visibility::Public);
                    symbols[home].members.push(member);
                }
                // Of a type without a name.
                _ if it.is_field => {}
                _ => {
                    let mut symbol = unit.symbol(it.node, it.kind, &it.name, &around);
                    symbol.signature = it.signature(unit);
                    symbol.visibility = Some(Visibility::Public);
                    symbol.namespace = home.map(|home| {
                        let outer = &symbols[home];
                        inside(outer.namespace.as_deref(), &about.separator, &outer.name)
                    });
                    if it.holds {
                        open.push((symbols.len(), it.node.end_byte()));
                    }
                    symbols.push(symbol);
                }
            }
        }
        skeleton.exports = symbols.into_iter().map(Arc::new).collect();
    }

    fn found<'tree>(&self, unit: &Unit<'_>, root: Node<'tree>) -> Vec<Found<'tree>> {
        let mut found = Vec::new();
        let mut around = Vec::new();
        self.look(unit, &mut root.walk(), &mut around, &mut found);
        found
    }

    /// Looks at a node and everything below it. What is inside a body is nobody else's.
    fn look<'tree>(
        &self,
        unit: &Unit<'_>,
        cursor: &mut TreeCursor<'tree>,
        around: &mut Vec<Node<'tree>>,
        found: &mut Vec<Found<'tree>>,
    ) {
        // A way down and up again, because a hostile file may be nested deeper than a stack is.
        loop {
            let node = cursor.node();
            for pattern in self.declarations.of(node) {
                let (kind, holds) = kind_of(pattern.word);
                let names = pattern.names(node).into_iter().map(|it| unit.clean(it));
                found.extend(names.filter(|it| !it.is_empty()).map(|name| Found {
                    node: whole(unit, node, around),
                    name,
                    kind,
                    holds,
                    is_constant: pattern.word == "constant",
                    is_field: pattern.word == "property",
                }));
            }
            if unit.table.role(node.kind_id()) != Role::Branch && cursor.goto_first_child() {
                around.push(node);
                continue;
            }
            while !cursor.goto_next_sibling() {
                if around.pop().is_none() || !cursor.goto_parent() {
                    return;
                }
            }
        }
    }
}

struct Found<'tree> {
    node: Node<'tree>,
    name: String,
    kind: SymbolKind,
    /// Whether others may be declared inside.
    holds: bool,
    is_constant: bool,
    /// It belongs to a type, or to nobody.
    is_field: bool,
}

impl Found<'_> {
    /// What it is to the type it is declared in.
    fn member_kind(&self) -> Option<MemberKind> {
        match self.kind {
            _ if self.is_constant => Some(MemberKind::EnumMember),
            SymbolKind::Function => Some(MemberKind::Method),
            SymbolKind::Const | SymbolKind::Variable => Some(MemberKind::Property),
            _ => None,
        }
    }

    fn member(&self, unit: &Unit<'_>, kind: MemberKind, around: &Around) -> MemberInfo {
        let mut member = new_member(self.node, kind, &self.name, around);
        member.signature = self.signature(unit);
        member
    }

    fn signature(&self, unit: &Unit<'_>) -> String {
        let is_body = |it: &Node<'_>| {
            unit.table.role(it.kind_id()) == Role::Branch || unit.kind(*it).ends_with("_body")
        };
        let body = unit.child(self.node, Field::Body);
        let body = body.or_else(|| children(self.node).into_iter().find(is_body));
        let head = unit.head(self.node, self.node.start_byte(), body);
        if head.is_empty() { self.name.clone() } else { head }
    }
}

/// A word of the patterns as a kind, and whether others are declared inside it.
fn kind_of(word: &str) -> (SymbolKind, bool) {
    match word {
        "class" => (SymbolKind::Class, true),
        "struct" => (SymbolKind::Struct, true),
        "union" => (SymbolKind::Union, true),
        "interface" => (SymbolKind::Interface, true),
        "enum" => (SymbolKind::Enum, true),
        "module" => (SymbolKind::Namespace, true),
        "type" => (SymbolKind::Type, false),
        "macro" => (SymbolKind::Macro, false),
        "constant" => (SymbolKind::Const, false),
        "variable" | "property" => (SymbolKind::Variable, false),
        _ => (SymbolKind::Function, false),
    }
}

/// The whole declaration that a node is a part of.
fn whole<'tree>(unit: &Unit<'_>, node: Node<'tree>, around: &[Node<'tree>]) -> Node<'tree> {
    let is_whole = |it: &Node<'tree>| unit.table.role(it.kind_id()) == Role::Statement;
    if is_whole(&node) {
        return node;
    }
    around.iter().rev().take(MAX_PARENTS).copied().find(is_whole).unwrap_or(node)
}

/// The comment right above a declaration.
fn doc_before(unit: &Unit<'_>, node: Node<'_>) -> Option<String> {
    let mut doc = Doc::default();
    let mut above = Vec::new();
    let mut at = node;
    while let Some(before) = at.prev_named_sibling() {
        if !doc.take(unit, before, "///") || above.len() > 200 {
            break;
        }
        above.push(before);
        at = before;
    }
    let mut doc = Doc::default();
    for comment in above.into_iter().rev() {
        doc.take(unit, comment, "///");
    }
    doc.of_next(unit, node)
}
