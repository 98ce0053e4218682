//! Symbols and members as all languages begin them.

use std::sync::Arc;

use tree_sitter::Node;

use super::stream;
use super::unit::{Unit, end_line, start_line};
use crate::domain::skeleton::{ExportSymbol, MemberInfo, MemberKind, SymbolKind};

/// Values longer than this are known by their hash only.
const MAX_VALUE_CHARS: usize = 160;
/// Declarations nested deeper are not listed: no reader follows, and hostile input ends here.
pub(crate) const MAX_NESTING: usize = 32;

/// What stands around a declaration.
#[derive(Debug, Clone, Default)]
pub(crate) struct Around {
    pub(crate) doc: Option<String>,
    pub(crate) decorators: Vec<String>,
    pub(crate) modifiers: Vec<String>,
    pub(crate) namespace: Option<String>,
}

impl Unit<'_> {
    pub(crate) fn symbol(
        &self,
        node: Node<'_>,
        kind: SymbolKind,
        name: &str,
        around: &Around,
    ) -> ExportSymbol {
        ExportSymbol {
            name: name.to_owned(),
            kind,
            js_doc: around.doc.clone(),
            start_line: start_line(node),
            end_line: end_line(node),
            file: self.path.to_owned(),
            namespace: around.namespace.clone(),
            modifiers: around.modifiers.clone(),
            decorators: around.decorators.clone(),
            ..ExportSymbol::default()
        }
    }

    /// Hash and facts of a body.
    pub(crate) fn fill_body(&self, symbol: &mut ExportSymbol, nodes: &[Node<'_>]) {
        if !nodes.is_empty() {
            let body = stream::read(self, nodes);
            symbol.body_hash = Some(body.hash);
            symbol.facts = body.facts;
        }
    }

    /// What a member is set to, which is its body too.
    pub(crate) fn fill_member_value(&self, member: &mut MemberInfo, value: Node<'_>) {
        member.value = self.short(value);
        self.fill_member_body(member, &[value]);
    }

    pub(crate) fn fill_member_body(&self, member: &mut MemberInfo, nodes: &[Node<'_>]) {
        if !nodes.is_empty() {
            let body = stream::read(self, nodes);
            member.body_hash = Some(body.hash);
            member.facts = body.facts;
        }
    }

    /// A value that is short enough to show.
    pub(crate) fn short(&self, node: Node<'_>) -> Option<String> {
        if node.end_byte() - node.start_byte() > 4 * MAX_VALUE_CHARS {
            return None;
        }
        Some(self.clean(node)).filter(|it| it.chars().count() <= MAX_VALUE_CHARS)
    }

    /// The text of a declaration up to its body.
    pub(crate) fn head(&self, node: Node<'_>, start: usize, body: Option<Node<'_>>) -> String {
        let end = body.map_or_else(|| node.end_byte(), |body| body.start_byte());
        let head = self.clean_between(node, start, end);
        head.trim_end_matches([';', ',', ':', '{']).trim_end().to_owned()
    }
}

/// Symbols as a skeleton holds them.
pub(crate) fn shared(symbols: Vec<ExportSymbol>) -> Vec<Arc<ExportSymbol>> {
    // Collecting would keep the allocation of the symbols for the far smaller pointers to them.
    let mut shared = Vec::with_capacity(symbols.len());
    shared.extend(symbols.into_iter().map(Arc::new));
    shared
}

/// A member of a type, to be filled in.
pub(crate) fn new_member(
    node: Node<'_>,
    kind: MemberKind,
    name: &str,
    around: &Around,
) -> MemberInfo {
    MemberInfo {
        name: name.to_owned(),
        kind,
        js_doc: around.doc.clone(),
        start_line: start_line(node),
        end_line: end_line(node),
        decorators: around.decorators.clone(),
        ..MemberInfo::default()
    }
}

/// Joins a namespace and a name in it.
pub(crate) fn inside(namespace: Option<&str>, separator: &str, name: &str) -> String {
    match namespace {
        Some(outer) => format!("{outer}{separator}{name}"),
        None => name.to_owned(),
    }
}
