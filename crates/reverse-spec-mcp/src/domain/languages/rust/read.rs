//! Rust: `pub` items of all kinds, what `impl` blocks give to their types, and what is re-exported.

mod head;
mod homes;
mod item;
mod member;
mod usage;
mod wrapped;

use std::collections::HashMap;
use std::sync::Arc;

use tree_sitter::Node;

use crate::domain::languages::Scope;
use crate::domain::skeleton::{
    CodeSkeleton, ExportSymbol, ImportReference, ImportType, SymbolKind, Visibility,
};
use crate::domain::syntax::field::Field;
use crate::domain::syntax::symbols::{Around, MAX_NESTING, inside, shared};
use crate::domain::syntax::table::{Role, Table};
use crate::domain::syntax::unit::Unit;
use homes::{Homes, Place};
use member::Implementation;
use wrapped::Wrapped;

/// Fills in declarations, imports and tests.
pub(super) fn read(unit: &Unit<'_>, root: Node<'_>, scope: Scope, skeleton: &mut CodeSkeleton) {
    let wrapped = Wrapped::find(unit, root);
    let mut file = File { scope, ..File::default() };
    file.walk(unit, root, &wrapped, skeleton);
    file.group_impls(unit);
    skeleton.exports = shared(file.exports);
    skeleton.internals = shared(file.internals);
    skeleton.hidden_types = file.hidden_types.into_iter().map(|it| it.1).collect();
    skeleton.tests = count_tests(unit.text);
}

#[derive(Default)]
struct File<'tree> {
    scope: Scope,
    exports: Vec<ExportSymbol>,
    internals: Vec<ExportSymbol>,
    impls: Vec<(Node<'tree>, Around, bool)>,
    hidden_types: Vec<Place>,
}

/// A module whose items are still to be read.
struct Block<'tree> {
    node: Node<'tree>,
    namespace: Option<String>,
    is_public: bool,
    depth: usize,
    /// The macro and its attributes that the items are wrapped in.
    wrapping: Vec<String>,
}

impl<'tree> File<'tree> {
    fn walk(
        &mut self,
        unit: &Unit<'_>,
        root: Node<'tree>,
        wrapped: &'tree Wrapped,
        skeleton: &mut CodeSkeleton,
    ) {
        let first =
            Block { node: root, namespace: None, is_public: true, depth: 0, wrapping: Vec::new() };
        let mut open = std::collections::VecDeque::from([first]);
        while let Some(block) = open.pop_front() {
            let mut doc: Option<(usize, usize)> = None;
            let mut attributes: Vec<Node<'tree>> = Vec::new();
            let mut cursor = block.node.walk();
            for node in block.node.named_children(&mut cursor) {
                match unit.kind(node) {
                    "line_comment" | "block_comment" => {
                        let text = unit.text(node);
                        if text.starts_with("//!") || text.starts_with("/*!") {
                            if block.depth == 0 {
                                add_module_doc(unit, node, skeleton);
                            }
                        } else if is_doc(text) {
                            let start = doc.map_or_else(|| node.start_byte(), |it| it.0);
                            doc = Some((start, node.end_byte()));
                        }
                        continue;
                    }
                    "attribute_item" => {
                        attributes.push(node);
                        continue;
                    }
                    _ => {}
                }
                let marked = std::mem::take(&mut attributes);
                let words = doc.take().and_then(|(start, end)| unit.doc(start, end));
                if is_test_only(unit, &marked) {
                    continue;
                }
                let mut decorators = kept_attributes(unit, unit.table, &marked);
                decorators.extend(block.wrapping.iter().cloned());
                for (label, items) in wrapped.of(node) {
                    let mut wrapping = decorators.clone();
                    wrapping.push(label.to_owned());
                    open.push_back(Block {
                        node: items,
                        namespace: block.namespace.clone(),
                        is_public: block.is_public,
                        depth: block.depth + 1,
                        wrapping,
                    });
                }
                let around = Around {
                    doc: words,
                    decorators,
                    namespace: block.namespace.clone(),
                    modifiers: Vec::new(),
                };
                self.item(unit, node, around, &block, &mut open, skeleton);
            }
        }
    }

    fn item(
        &mut self,
        unit: &Unit<'_>,
        node: Node<'tree>,
        around: Around,
        block: &Block<'tree>,
        open: &mut std::collections::VecDeque<Block<'tree>>,
        skeleton: &mut CodeSkeleton,
    ) {
        let visibility = visibility(unit, node);
        let is_public = block.is_public && visibility == Visibility::Public;
        match unit.table.role(node.kind_id()) {
            Role::None => {}
            Role::Use => {
                if is_public {
                    let found = usage::re_exports(unit, node, &around);
                    self.exports.extend(found);
                }
                skeleton.imports.extend(usage::imports(unit, node).into_iter().map(Arc::new));
            }
            Role::ExternCrate => {
                if is_public {
                    self.exports.extend(usage::re_exported_crate(unit, node, &around));
                }
                skeleton.imports.extend(usage::extern_crate(unit, node).map(Arc::new));
            }
            Role::Impl => self.impls.push((node, around, block.is_public)),
            Role::Module => self.module(unit, node, &around, block, is_public, open, skeleton),
            Role::Foreign => {
                if let Some(body) = unit.child(node, Field::Body) {
                    open.push_back(Block {
                        node: body,
                        namespace: block.namespace.clone(),
                        is_public: block.is_public,
                        depth: block.depth + 1,
                        wrapping: block.wrapping.clone(),
                    });
                }
            }
            role => {
                let exported = if role == Role::Macro {
                    around.decorators.iter().any(|it| it.starts_with("#[macro_export"))
                } else {
                    is_public
                };
                if !exported
                    && matches!(
                        role,
                        Role::Struct | Role::Enum | Role::Union | Role::Trait | Role::Type
                    )
                {
                    let name = unit.field(node, Field::Name);
                    self.hidden_types.extend(name.map(|it| (block.namespace.clone(), it)));
                }
                if !exported && self.scope == Scope::Exports {
                    return;
                }
                let Some(mut symbol) = item::symbol(unit, node, role, &around) else { return };
                symbol.visibility = Some(if exported { Visibility::Public } else { visibility });
                if exported {
                    self.exports.push(symbol);
                } else {
                    self.internals.push(symbol);
                }
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "one step of the walk, with all of its state")]
    fn module(
        &mut self,
        unit: &Unit<'_>,
        node: Node<'tree>,
        around: &Around,
        block: &Block<'tree>,
        is_public: bool,
        open: &mut std::collections::VecDeque<Block<'tree>>,
        skeleton: &mut CodeSkeleton,
    ) {
        let Some(name) = unit.field(node, Field::Name) else { return };
        let body = unit.child(node, Field::Body);
        if body.is_none() {
            skeleton.imports.push(Arc::new(ImportReference {
                module_specifier: inside(block.namespace.as_deref(), "::", &name),
                is_relative: true,
                import_type: ImportType::Submodule,
                line: node.start_position().row + 1,
                file: unit.path.to_owned(),
                ..ImportReference::default()
            }));
        }
        if is_public {
            let mut symbol = unit.symbol(node, SymbolKind::Module, &name, around);
            symbol.signature = unit.head(node, node.start_byte(), body);
            symbol.visibility = Some(Visibility::Public);
            self.exports.push(symbol);
        }
        if let Some(body) = body.filter(|_| block.depth < MAX_NESTING) {
            let namespace = Some(inside(block.namespace.as_deref(), "::", &name));
            let depth = block.depth + 1;
            let wrapping = Vec::new();
            open.push_back(Block { node: body, namespace, is_public, depth, wrapping });
        }
    }

    /// Puts what `impl` blocks hold beside the fields of their type.
    fn group_impls(&mut self, unit: &Unit<'_>) {
        let homes = Homes::new(&self.exports, &self.internals, &self.hidden_types);
        let mut elsewhere: HashMap<Place, usize> = HashMap::new();
        for (node, around, in_public) in std::mem::take(&mut self.impls) {
            let block = Implementation::new(unit, node, around);
            match homes.of(&block.place).filter(|_| !block.is_elsewhere) {
                Some(homes::Home::Exported(home)) => block.give_to(unit, &mut self.exports[home]),
                Some(homes::Home::Internal(home)) => block.give_to(unit, &mut self.internals[home]),
                Some(homes::Home::Hidden) => {}
                None if !in_public || !block.says_something(unit) => {}
                None => {
                    if let Some(home) = elsewhere.get(&block.place) {
                        block.give_to(unit, &mut self.exports[*home]);
                    } else {
                        elsewhere.insert(block.place.clone(), self.exports.len());
                        self.exports.push(block.into_symbol(unit));
                    }
                }
            }
        }
    }
}

fn add_module_doc(unit: &Unit<'_>, node: Node<'_>, skeleton: &mut CodeSkeleton) {
    let Some(words) = unit.doc(node.start_byte(), node.end_byte()) else { return };
    match &mut skeleton.module_doc {
        Some(doc) if doc.len() < 4_000 => {
            doc.push('\n');
            doc.push_str(&words);
        }
        Some(_) => {}
        none => *none = Some(words),
    }
}

fn is_doc(text: &str) -> bool {
    text.starts_with("///") && !text.starts_with("////")
        || text.starts_with("/**") && text.len() > 4
}

/// It comes before everything else, so that nothing else has to be looked at.
pub(super) fn visibility_modifier<'tree>(
    unit: &Unit<'_>,
    node: Node<'tree>,
) -> Option<Node<'tree>> {
    node.child(0).filter(|it| unit.kind(*it) == "visibility_modifier")
}

pub(super) fn visibility(unit: &Unit<'_>, node: Node<'_>) -> Visibility {
    match visibility_modifier(unit, node).map(|it| unit.text(it)) {
        Some("pub") => Visibility::Public,
        Some("pub(self)") | None => Visibility::Private,
        Some(_) => Visibility::Package,
    }
}

const HIDDEN: &str = "#[doc(hidden)]";

fn attribute_path<'a>(unit: &Unit<'a>, attribute: Node<'_>) -> &'a str {
    let text = unit.text(attribute).trim_start_matches("#[").trim_start();
    let end = text.find(|it: char| !(it.is_alphanumeric() || it == '_' || it == ':'));
    &text[..end.unwrap_or(text.len())]
}

fn is_test_only(unit: &Unit<'_>, attributes: &[Node<'_>]) -> bool {
    attributes.iter().any(|it| {
        let path = attribute_path(unit, *it);
        path == "test"
            || path.ends_with("::test")
            || path == "cfg" && needs_test(&unit.clean(*it).replace(' ', ""))
    })
}

/// Whether a `#[cfg(…)]` without blanks holds in tests alone: `all` needs each of its parts, `not`
/// and `any` need none of them.
fn needs_test(attribute: &str) -> bool {
    let Some(mut rest) = attribute.strip_prefix("#[cfg(") else { return false };
    while let Some(inner) = rest.strip_prefix("all(") {
        rest = inner;
    }
    let mut depth = 0_usize;
    let mut start = 0;
    for (at, byte) in rest.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b',' | b')' => {
                if depth == 0 && &rest[start..at] == "test" {
                    return true;
                }
                if byte == b')' {
                    depth = depth.saturating_sub(1);
                }
                if depth == 0 {
                    start = at + 1;
                }
            }
            _ => {}
        }
    }
    false
}

pub(super) fn kept_attributes(
    unit: &Unit<'_>,
    table: &Table,
    attributes: &[Node<'_>],
) -> Vec<String> {
    let kept = attributes.iter().filter(|it| {
        let path = attribute_path(unit, **it);
        // What is hidden from documentation is meant for nobody; what documents is read elsewhere.
        !table.ignored_attributes.iter().any(|ignored| ignored == path)
            || path == "doc" && unit.text(**it).replace(' ', "") == HIDDEN
    });
    kept.map(|it| unit.clean(*it)).collect()
}

/// Attributes that make a function a test: `#[test]`, `#[tokio::test(…)]`, `#[rstest]`.
fn count_tests(text: &str) -> usize {
    let words = memchr::memmem::find_iter(text.as_bytes(), "test");
    let marks = words.filter(|at| {
        let (before, after) = (&text[..*at], &text[at + "test".len()..]);
        before.ends_with("#[") && after.starts_with(']')
            || before.ends_with("::") && after.starts_with([']', '('])
            || before.ends_with("#[r")
    });
    marks.count()
}
