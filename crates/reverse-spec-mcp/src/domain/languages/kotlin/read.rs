//! Kotlin: everything that is not said to be private or internal, nested types under the name of the
//! outer one, what a companion holds with the class itself.

mod member;

use std::sync::Arc;

use tree_sitter::Node;

use crate::domain::languages::Scope;
use crate::domain::skeleton::{
    CodeSkeleton, ExportSymbol, ImportReference, ImportType, SymbolKind, Visibility,
};
use crate::domain::syntax::comment::Doc;
use crate::domain::syntax::field::Field;
use crate::domain::syntax::symbols::{Around, MAX_NESTING, inside};
use crate::domain::syntax::table::Role;
use crate::domain::syntax::unit::{Unit, children, start_line};

/// Fills in declarations, imports and tests.
pub(super) fn read(unit: &Unit<'_>, root: Node<'_>, scope: Scope, skeleton: &mut CodeSkeleton) {
    let package = unit.child_of_kind(root, "package_header").and_then(|it| it.named_child(0));
    let package = package.map(|it| unit.clean(it));
    let mut open = vec![Level { node: root, namespace: None, is_public: true, depth: 0 }];
    while let Some(level) = open.pop() {
        let mut nested = Vec::new();
        level.read(unit, package.as_deref(), scope, skeleton, &mut nested);
        open.extend(nested.into_iter().rev());
    }
    let is_mark = |line: &&str| {
        line.trim() == "@Test"
            || line.trim().starts_with("@Test ")
            || line.trim().starts_with("@ParameterizedTest")
    };
    skeleton.tests = unit.text.lines().filter(is_mark).count();
}

/// A place where something is declared: the file, or the body of a type.
struct Level<'tree> {
    node: Node<'tree>,
    namespace: Option<String>,
    is_public: bool,
    depth: usize,
}

impl Level<'_> {
    fn read(
        &self,
        unit: &Unit<'_>,
        package: Option<&str>,
        scope: Scope,
        skeleton: &mut CodeSkeleton,
        nested: &mut Vec<Self>,
    ) {
        let is_top = self.depth == 0;
        let mut doc = Doc::default();
        let mut cursor = self.node.walk();
        for node in self.node.named_children(&mut cursor) {
            if doc.take(unit, node, "") {
                continue;
            }
            let around = Around {
                doc: doc.of_next(unit, node),
                decorators: annotations(unit, node),
                namespace: self.namespace.clone(),
                modifiers: modifiers(unit, node),
            };
            let mut symbols = match unit.table.role(node.kind_id()) {
                Role::Import => {
                    skeleton.imports.extend(import(unit, node).map(Arc::new));
                    continue;
                }
                Role::Class | Role::Record => vec![class(unit, node, &around)],
                Role::Function if is_top => vec![function(unit, node, &around)],
                Role::Field if is_top => properties(unit, node, &around),
                Role::Type if is_top => vec![alias(unit, node, &around)],
                _ => continue,
            };
            let shown = visibility(unit, node);
            let exported =
                self.is_public && matches!(shown, Visibility::Public | Visibility::Protected);
            if let Some(first) = symbols.first()
                && matches!(unit.table.role(node.kind_id()), Role::Class | Role::Record)
                && self.depth < MAX_NESTING
                && let Some(body) = body_of(unit, node)
            {
                nested.push(Self {
                    node: body,
                    namespace: Some(inside(self.namespace.as_deref(), ".", &first.name)),
                    is_public: exported,
                    depth: self.depth + 1,
                });
            }
            for symbol in &mut symbols {
                symbol.visibility = Some(shown);
                if exported && let Some(package) = package {
                    let name = inside(self.namespace.as_deref(), ".", &symbol.name);
                    symbol.paths = Some(vec![format!("{package}.{name}")]);
                }
            }
            if exported {
                skeleton.exports.extend(symbols.into_iter().map(Arc::new));
            } else if scope == Scope::WithInternals {
                skeleton.internals.extend(symbols.into_iter().map(Arc::new));
            }
        }
    }
}

fn body_of<'tree>(unit: &Unit<'_>, node: Node<'tree>) -> Option<Node<'tree>> {
    unit.child_of_kind(node, "class_body").or_else(|| unit.child_of_kind(node, "enum_class_body"))
}

fn class(unit: &Unit<'_>, node: Node<'_>, around: &Around) -> ExportSymbol {
    let has = |word: &str| around.modifiers.iter().any(|it| it == word);
    let kind = if unit.has_token(node, "interface") {
        SymbolKind::Interface
    } else if has("enum") {
        SymbolKind::Enum
    } else if has("annotation") {
        SymbolKind::Annotation
    } else {
        SymbolKind::Class
    };
    let name = unit.field(node, Field::Name).unwrap_or_default();
    let mut symbol = unit.symbol(node, kind, &name, around);
    let body = body_of(unit, node);
    symbol.signature = signature(unit, node, body);
    // What is not said to be open is closed.
    if kind == SymbolKind::Class && !["open", "abstract", "sealed"].iter().any(|it| has(it)) {
        symbol.modifiers.push("final".to_owned());
    }
    symbol.type_parameters = type_parameters(unit, node);
    symbol.where_clause = unit.child_of_kind(node, "type_constraints").map(|it| unit.clean(it));
    if let Some(list) = unit.child_of_kind(node, "delegation_specifiers") {
        bases(unit, list, &mut symbol);
    }
    if let Some(constructor) = unit.child_of_kind(node, "primary_constructor") {
        let listed = member::of_constructor(unit, constructor);
        symbol.parameters = Some(listed.parameters);
        symbol.members = listed.properties;
    }
    if let Some(body) = body {
        symbol.members.extend(member::members(unit, body, kind == SymbolKind::Interface));
    }
    symbol
}

/// A base that is called is a class; the rest are interfaces.
fn bases(unit: &Unit<'_>, list: Node<'_>, symbol: &mut ExportSymbol) {
    for node in children(list).into_iter().filter(Node::is_named) {
        let Some(inner) = node.named_child(0) else { continue };
        let named = inner.named_child(0).filter(|_| unit.kind(inner) != "user_type");
        let name = unit.clean(named.unwrap_or(inner));
        let is_class = unit.kind(inner) == "constructor_invocation";
        if is_class || symbol.kind == SymbolKind::Interface {
            symbol.extends.push(name);
        } else {
            symbol.implements.push(name);
        }
    }
}

fn function(unit: &Unit<'_>, node: Node<'_>, around: &Around) -> ExportSymbol {
    let name = unit.field(node, Field::Name).unwrap_or_default();
    let mut symbol = unit.symbol(node, SymbolKind::Function, &name, around);
    let body = unit.child_of_kind(node, "function_body");
    symbol.signature = signature(unit, node, body);
    symbol.parameters = Some(member::parameters(unit, node));
    symbol.return_type = member::returned(unit, node);
    symbol.type_parameters = type_parameters(unit, node);
    symbol.where_clause = unit.child_of_kind(node, "type_constraints").map(|it| unit.clean(it));
    unit.fill_body(&mut symbol, body.as_slice());
    symbol
}

/// `val name: Type = value`, or several names at once.
fn properties(unit: &Unit<'_>, node: Node<'_>, around: &Around) -> Vec<ExportSymbol> {
    let build = |member: crate::domain::skeleton::MemberInfo| {
        let is_fixed = member.modifiers.iter().any(|it| it == "val");
        let kind = if is_fixed { SymbolKind::Const } else { SymbolKind::Variable };
        let mut symbol = unit.symbol(node, kind, &member.name, around);
        symbol.signature = member.signature;
        symbol.modifiers = member.modifiers;
        symbol.value_type = member.value_type;
        symbol.value = member.value;
        symbol.body_hash = member.body_hash;
        symbol.facts = member.facts;
        symbol
    };
    member::properties(unit, node, around).into_iter().map(build).collect()
}

fn alias(unit: &Unit<'_>, node: Node<'_>, around: &Around) -> ExportSymbol {
    let name = unit.field(node, Field::Type).unwrap_or_default();
    let mut symbol = unit.symbol(node, SymbolKind::Type, &name, around);
    symbol.signature = signature(unit, node, None);
    symbol.type_parameters = type_parameters(unit, node);
    if let Some(value) = children(node).into_iter().rfind(Node::is_named) {
        symbol.value_type = Some(unit.clean(value));
        unit.fill_body(&mut symbol, &[value]);
    }
    symbol
}

fn type_parameters(unit: &Unit<'_>, node: Node<'_>) -> Vec<String> {
    let Some(list) = unit.child_of_kind(node, "type_parameters") else { return Vec::new() };
    children(list).into_iter().filter(Node::is_named).map(|it| unit.clean(it)).collect()
}

/// The head of a declaration without annotations and without words about who may see it.
fn signature(unit: &Unit<'_>, node: Node<'_>, end: Option<Node<'_>>) -> String {
    let before = unit.child_of_kind(node, "modifiers");
    let start = before.map_or_else(|| node.start_byte(), |it| it.end_byte());
    let text = unit.head(node, start, end);
    let text = text.trim_end_matches('=').trim_end();
    let words = words(unit, node);
    if words.is_empty() { text.to_owned() } else { format!("{} {text}", words.join(" ")) }
}

fn listed<'tree>(unit: &Unit<'_>, node: Node<'tree>) -> Vec<Node<'tree>> {
    unit.child_of_kind(node, "modifiers").map(children).unwrap_or_default()
}

/// The words that are no visibility: `suspend`, `open`, `data`, `const` …
fn words(unit: &Unit<'_>, node: Node<'_>) -> Vec<String> {
    let words = listed(unit, node).into_iter().filter(|it| {
        unit.kind(*it).ends_with("_modifier") && unit.kind(*it) != "visibility_modifier"
    });
    words.map(|it| unit.text(it).to_owned()).collect()
}

/// The same, with the word that all languages have for what is waited for.
fn modifiers(unit: &Unit<'_>, node: Node<'_>) -> Vec<String> {
    let known = |it: String| if it == "suspend" { "async".to_owned() } else { it };
    words(unit, node).into_iter().map(known).collect()
}

fn visibility(unit: &Unit<'_>, node: Node<'_>) -> Visibility {
    let words = listed(unit, node).into_iter();
    let word = { words }.find(|it| unit.kind(*it) == "visibility_modifier");
    match word.map(|it| unit.text(it)) {
        Some("private") => Visibility::Private,
        Some("protected") => Visibility::Protected,
        Some("internal") => Visibility::Package,
        _ => Visibility::Public,
    }
}

fn annotations(unit: &Unit<'_>, node: Node<'_>) -> Vec<String> {
    let found = listed(unit, node).into_iter().filter(|it| unit.kind(*it) == "annotation");
    let found = found.map(|it| unit.clean(it));
    let ignored = |it: &String| {
        let name = it.split('(').next().unwrap_or_default();
        unit.table.ignored_attributes.iter().any(|ignored| ignored == name)
    };
    found.filter(|it| !ignored(it)).collect()
}

/// `import a.b.C`, `import a.b.*`, `import a.b.C as D`.
fn import(unit: &Unit<'_>, node: Node<'_>) -> Option<ImportReference> {
    let path = unit.clean(unit.child_of_kind(node, "qualified_identifier")?);
    let is_star = unit.text(node).trim_end().ends_with('*');
    let name = path.rsplit('.').next().unwrap_or_default().to_owned();
    Some(ImportReference {
        module_specifier: if is_star { format!("{path}.*") } else { path },
        named_imports: if is_star { Vec::new() } else { vec![name] },
        namespace_import: is_star.then(|| "*".to_owned()),
        import_type: ImportType::Static,
        line: start_line(node),
        file: unit.path.to_owned(),
        ..ImportReference::default()
    })
}
