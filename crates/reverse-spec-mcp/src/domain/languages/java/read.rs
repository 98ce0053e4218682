//! Java: public types with their members, nested types under the name of the outer one.

mod member;
mod module;

use std::sync::Arc;

use tree_sitter::Node;

use crate::domain::languages::Scope;
use crate::domain::marks;
use crate::domain::skeleton::{
    CodeSkeleton, ExportSymbol, ImportReference, ImportType, SymbolKind, Visibility,
};
use crate::domain::syntax::field::Field;
use crate::domain::syntax::symbols::{Around, MAX_NESTING, inside};
use crate::domain::syntax::table::Role;
use crate::domain::syntax::unit::{Unit, children, start_line};

/// Fills in declarations, imports and tests.
pub(super) fn read(unit: &Unit<'_>, root: Node<'_>, scope: Scope, skeleton: &mut CodeSkeleton) {
    let top = Level { node: root, namespace: None, is_public: true, in_interface: false, depth: 0 };
    let mut open = vec![top];
    while let Some(level) = open.pop() {
        let mut nested = Vec::new();
        read_level(unit, &level, scope, skeleton, &mut nested);
        open.extend(nested.into_iter().rev());
    }
    let marks = ["@Test", "@ParameterizedTest", "@RepeatedTest"];
    let is_mark = |line: &&str| {
        let line = line.trim();
        marks.iter().any(|it| line == *it || line.starts_with(&format!("{it}(")))
    };
    skeleton.tests = unit.text.lines().filter(is_mark).count();
}

/// The last documentation comment: a block, or lines that begin with three slashes.
#[derive(Default)]
struct Doc {
    range: Option<(usize, usize)>,
    /// The row of the last line of Markdown.
    row: Option<usize>,
}

impl Doc {
    /// Whether a node is a comment, which is then remembered.
    fn take(&mut self, unit: &Unit<'_>, node: Node<'_>) -> bool {
        match unit.kind(node) {
            "block_comment" => {
                let is_doc = unit.text(node).starts_with("/**");
                self.range = is_doc.then(|| (node.start_byte(), node.end_byte()));
                self.row = None;
                true
            }
            "line_comment" => {
                if unit.text(node).starts_with("///") {
                    let row = node.start_position().row;
                    let goes_on = self.row.is_some_and(|it| it + 1 == row);
                    let start = self.range.filter(|_| goes_on).map_or(node.start_byte(), |it| it.0);
                    self.range = Some((start, node.end_byte()));
                    self.row = Some(row);
                }
                true
            }
            _ => false,
        }
    }

    fn of_next(&mut self, unit: &Unit<'_>) -> Option<String> {
        self.row = None;
        self.range.take().and_then(|(start, end)| unit.doc(start, end))
    }
}

/// A place where types are declared: the file, or the body of a type.
struct Level<'tree> {
    node: Node<'tree>,
    namespace: Option<String>,
    is_public: bool,
    in_interface: bool,
    depth: usize,
}

fn read_level<'tree>(
    unit: &Unit<'_>,
    level: &Level<'tree>,
    scope: Scope,
    skeleton: &mut CodeSkeleton,
    nested: &mut Vec<Level<'tree>>,
) {
    let mut doc = Doc::default();
    let mut cursor = level.node.walk();
    for node in level.node.named_children(&mut cursor) {
        if doc.take(unit, node) {
            continue;
        }
        let words = doc.of_next(unit);
        match unit.table.role(node.kind_id()) {
            Role::Package => skeleton.module_doc = words,
            Role::Module => module::read(unit, node, words, skeleton),
            Role::Import => skeleton.imports.extend(import(unit, node).map(Arc::new)),
            role @ (Role::Class
            | Role::Interface
            | Role::Enum
            | Role::Record
            | Role::Annotation) => {
                let around = Around {
                    doc: words,
                    decorators: annotations(unit, node),
                    namespace: level.namespace.clone(),
                    modifiers: modifiers(unit, node),
                };
                let shown = visibility(unit, node, level.in_interface);
                let exported = level.is_public
                    && matches!(shown, Visibility::Public | Visibility::Protected)
                    && (level.depth > 0 || shown == Visibility::Public);
                let may_be_reached = level.depth == 0 && shown == Visibility::Package;
                if !exported && !may_be_reached && scope == Scope::Exports {
                    continue;
                }
                let mut symbol = declaration(unit, node, role, &around);
                // A framework finds what is annotated, whoever may name it.
                let exported = exported || may_be_reached && marks::is_reached_type(&symbol);
                if !exported && scope == Scope::Exports {
                    continue;
                }
                symbol.visibility = Some(shown);
                let namespace = Some(inside(level.namespace.as_deref(), ".", &symbol.name));
                if exported {
                    skeleton.exports.push(Arc::new(symbol));
                } else {
                    skeleton.internals.push(Arc::new(symbol));
                }
                if let Some(body) = body_of(unit, node).filter(|_| level.depth < MAX_NESTING) {
                    let in_interface = matches!(role, Role::Interface | Role::Annotation);
                    let depth = level.depth + 1;
                    let is_public = exported;
                    nested.push(Level { node: body, namespace, is_public, in_interface, depth });
                }
            }
            _ => {}
        }
    }
}

/// Where the members are; those of an enum follow its constants.
fn body_of<'tree>(unit: &Unit<'_>, node: Node<'tree>) -> Option<Node<'tree>> {
    let body = unit.child(node, Field::Body)?;
    if unit.kind(body) == "enum_body" {
        return unit.child_of_kind(body, "enum_body_declarations");
    }
    Some(body)
}

fn declaration(unit: &Unit<'_>, node: Node<'_>, role: Role, around: &Around) -> ExportSymbol {
    let kind = match role {
        Role::Interface => SymbolKind::Interface,
        Role::Enum => SymbolKind::Enum,
        Role::Record => SymbolKind::Record,
        Role::Annotation => SymbolKind::Annotation,
        _ => SymbolKind::Class,
    };
    let name = unit.field(node, Field::Name).unwrap_or_default();
    let mut symbol = unit.symbol(node, kind, &name, around);
    let body = unit.child(node, Field::Body);
    symbol.signature = unit.head(node, after_modifiers(unit, node), body);
    if !around.modifiers.is_empty() {
        symbol.signature = format!("{} {}", around.modifiers.join(" "), symbol.signature);
    }
    symbol.type_parameters = type_parameters(unit, node);
    if let Some(superclass) = unit.child(node, Field::Superclass) {
        symbol.extends = type_list(unit, superclass);
    }
    if let Some(interfaces) = unit.child(node, Field::Interfaces) {
        symbol.implements = type_list(unit, interfaces);
    }
    if let Some(extended) = unit.child_of_kind(node, "extends_interfaces") {
        symbol.extends = type_list(unit, extended);
    }
    if kind == SymbolKind::Record {
        symbol.parameters = Some(member::parameters(unit, node));
        symbol.members = member::components(unit, node);
    }
    if let Some(body) = body {
        let in_interface = matches!(kind, SymbolKind::Interface | SymbolKind::Annotation);
        symbol.members.extend(member::members(unit, body, in_interface));
    }
    symbol
}

/// `extends A, B<C>` without the word.
fn type_list(unit: &Unit<'_>, clause: Node<'_>) -> Vec<String> {
    let list = unit.child_of_kind(clause, "type_list").unwrap_or(clause);
    children(list).into_iter().filter(Node::is_named).map(|it| unit.clean(it)).collect()
}

fn type_parameters(unit: &Unit<'_>, node: Node<'_>) -> Vec<String> {
    let Some(list) = unit.child(node, Field::TypeParameters) else { return Vec::new() };
    children(list).into_iter().filter(Node::is_named).map(|it| unit.clean(it)).collect()
}

fn modifier_list<'tree>(unit: &Unit<'_>, node: Node<'tree>) -> Vec<Node<'tree>> {
    unit.child_of_kind(node, "modifiers").map(children).unwrap_or_default()
}

/// Where a declaration begins after its modifiers and annotations.
fn after_modifiers(unit: &Unit<'_>, node: Node<'_>) -> usize {
    unit.child_of_kind(node, "modifiers").map_or_else(|| node.start_byte(), |it| it.end_byte())
}

/// The words that are no visibility: `static`, `final`, `abstract`, `sealed` …
fn modifiers(unit: &Unit<'_>, node: Node<'_>) -> Vec<String> {
    let words = modifier_list(unit, node).into_iter().filter(|it| !it.is_named());
    let words = words.map(|it| unit.text(it).to_owned());
    words.filter(|it| !matches!(it.as_str(), "public" | "protected" | "private")).collect()
}

fn annotations(unit: &Unit<'_>, node: Node<'_>) -> Vec<String> {
    let found =
        modifier_list(unit, node).into_iter().filter(|it| unit.kind(*it).ends_with("annotation"));
    let found = found.map(|it| unit.clean(it));
    let ignored = |it: &String| {
        let name = it.split('(').next().unwrap_or_default();
        unit.table.ignored_attributes.iter().any(|ignored| ignored == name)
    };
    found.filter(|it| !ignored(it)).collect()
}

fn visibility(unit: &Unit<'_>, node: Node<'_>, in_interface: bool) -> Visibility {
    let Some(list) = unit.child_of_kind(node, "modifiers") else {
        return if in_interface { Visibility::Public } else { Visibility::Package };
    };
    if unit.has_token(list, "private") {
        Visibility::Private
    } else if unit.has_token(list, "protected") {
        Visibility::Protected
    } else if unit.has_token(list, "public") || in_interface {
        Visibility::Public
    } else {
        Visibility::Package
    }
}

/// `import [static] a.b.C;` or `import a.b.*;`.
fn import(unit: &Unit<'_>, node: Node<'_>) -> Option<ImportReference> {
    let path = children(node).into_iter().find(|it| unit.kind(*it).ends_with("identifier"))?;
    let path = unit.clean(path).replace(' ', "");
    let star = unit.child_of_kind(node, "asterisk").is_some();
    let is_static = unit.has_token(node, "static");
    let (module, name) = match path.rsplit_once('.') {
        // A static import names a member of a type.
        Some((module, name)) if is_static && !star => (module.to_owned(), Some(name.to_owned())),
        Some((_, name)) if !star => (path.clone(), Some(name.to_owned())),
        _ => (path.clone(), None),
    };
    Some(ImportReference {
        module_specifier: if star && !is_static { format!("{module}.*") } else { module },
        named_imports: name.into_iter().collect(),
        namespace_import: star.then(|| "*".to_owned()),
        import_type: ImportType::Static,
        line: start_line(node),
        file: unit.path.to_owned(),
        ..ImportReference::default()
    })
}
