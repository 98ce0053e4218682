//! C#: public types with their members, nested types under the name of the outer one.

mod member;

use std::sync::Arc;

use tree_sitter::Node;

use crate::domain::languages::Scope;
use crate::domain::marks;
use crate::domain::skeleton::{
    CodeSkeleton, ExportSymbol, ImportReference, ImportType, SymbolKind, Visibility,
};
use crate::domain::syntax::comment::Doc;
use crate::domain::syntax::field::Field;
use crate::domain::syntax::symbols::{Around, MAX_NESTING, inside};
use crate::domain::syntax::table::Role;
use crate::domain::syntax::unit::{Unit, children, start_line};

/// What a line of documentation begins with.
const DOC: &str = "///";

/// Fills in declarations, imports and tests.
pub(super) fn read(unit: &Unit<'_>, root: Node<'_>, scope: Scope, skeleton: &mut CodeSkeleton) {
    let top =
        Level { node: root, package: String::new(), namespace: None, is_public: true, depth: 0 };
    let mut open = vec![top];
    while let Some(level) = open.pop() {
        let mut nested = Vec::new();
        level.read(unit, scope, skeleton, &mut nested);
        open.extend(nested.into_iter().rev());
    }
    let marks = ["[Fact", "[Theory", "[Test]", "[Test(", "[TestCase", "[TestMethod"];
    let is_mark = |line: &&str| marks.iter().any(|it| line.trim().starts_with(it));
    skeleton.tests = unit.text.lines().filter(is_mark).count();
}

/// A place where types are declared: the file, a namespace, or the body of a type.
struct Level<'tree> {
    node: Node<'tree>,
    /// The namespace around it, dotted.
    package: String,
    /// The types around it.
    namespace: Option<String>,
    is_public: bool,
    depth: usize,
}

impl<'tree> Level<'tree> {
    fn read(
        &self,
        unit: &Unit<'_>,
        scope: Scope,
        skeleton: &mut CodeSkeleton,
        nested: &mut Vec<Self>,
    ) {
        let mut doc = Doc::default();
        let mut package = self.package.clone();
        let mut cursor = self.node.walk();
        for node in self.node.named_children(&mut cursor) {
            if doc.take(unit, node, DOC) {
                continue;
            }
            let words = doc.of_next(unit, node);
            match unit.table.role(node.kind_id()) {
                Role::Import => skeleton.imports.extend(import(unit, node).map(Arc::new)),
                Role::Package => {
                    package = unit.field(node, Field::Name).unwrap_or_default();
                    // Older grammars have what follows inside.
                    nested.push(Self { node, package: package.clone(), namespace: None, ..*self });
                }
                Role::Namespace => {
                    let name = unit.field(node, Field::Name).unwrap_or_default();
                    let around = Some(package.as_str()).filter(|it| !it.is_empty());
                    let package = inside(around, ".", &name);
                    if let Some(body) = unit.child(node, Field::Body)
                        && self.depth < MAX_NESTING
                    {
                        let depth = self.depth + 1;
                        nested.push(Self { node: body, package, namespace: None, depth, ..*self });
                    }
                }
                role @ (Role::Class
                | Role::Struct
                | Role::Record
                | Role::Interface
                | Role::Enum
                | Role::Type) => {
                    let around = Around {
                        doc: words,
                        decorators: attributes(unit, node),
                        namespace: self.namespace.clone(),
                        modifiers: modifiers(unit, node),
                    };
                    self.declaration(unit, node, role, &around, &package, scope, skeleton, nested);
                }
                _ => {}
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "one step of the walk, with all of its state")]
    fn declaration(
        &self,
        unit: &Unit<'_>,
        node: Node<'tree>,
        role: Role,
        around: &Around,
        package: &str,
        scope: Scope,
        skeleton: &mut CodeSkeleton,
        nested: &mut Vec<Self>,
    ) {
        let is_inner = self.namespace.is_some();
        let usual = if is_inner { Visibility::Private } else { Visibility::Package };
        let in_interface =
            self.node.parent().is_some_and(|it| unit.kind(it) == "interface_declaration");
        let usual = if in_interface { Visibility::Public } else { usual };
        let shown = visibility(unit, node, usual);
        let exported =
            self.is_public && matches!(shown, Visibility::Public | Visibility::Protected);
        let may_be_reached = !is_inner && shown == Visibility::Package;
        if !exported && !may_be_reached && scope == Scope::Exports {
            return;
        }
        let mut symbol = declaration(unit, node, role, around);
        // A framework finds what is marked, whoever may name it.
        let exported = exported || may_be_reached && marks::is_reached_type(&symbol);
        if !exported && scope == Scope::Exports {
            return;
        }
        symbol.visibility = Some(shown);
        let namespace = inside(self.namespace.as_deref(), ".", &symbol.name);
        if !package.is_empty() && exported {
            symbol.paths = Some(vec![format!("{package}.{namespace}")]);
        }
        if exported {
            skeleton.exports.push(Arc::new(symbol));
        } else {
            skeleton.internals.push(Arc::new(symbol));
        }
        if let Some(body) = unit.child(node, Field::Body).filter(|_| self.depth < MAX_NESTING) {
            nested.push(Self {
                node: body,
                package: package.to_owned(),
                namespace: Some(namespace),
                is_public: exported,
                depth: self.depth + 1,
            });
        }
    }
}

fn declaration(unit: &Unit<'_>, node: Node<'_>, role: Role, around: &Around) -> ExportSymbol {
    let kind = match role {
        Role::Interface => SymbolKind::Interface,
        Role::Enum => SymbolKind::Enum,
        Role::Record => SymbolKind::Record,
        Role::Struct => SymbolKind::Struct,
        Role::Type => SymbolKind::Type,
        _ => SymbolKind::Class,
    };
    let name = unit.field(node, Field::Name).unwrap_or_default();
    let mut symbol = unit.symbol(node, kind, &name, around);
    let body = unit.child(node, Field::Body);
    symbol.signature = signature(unit, node, body);
    symbol.type_parameters = type_parameters(unit, node);
    symbol.where_clause = constraints(unit, node);
    if kind != SymbolKind::Enum {
        bases(unit, node, &mut symbol);
    }
    if kind == SymbolKind::Type {
        symbol.parameters = Some(member::parameters(unit, node));
        symbol.return_type = unit.field(node, Field::Type);
        return symbol;
    }
    let in_interface = kind == SymbolKind::Interface;
    if let Some(list) = unit.child_of_kind(node, "parameter_list") {
        let parameters = member::listed(unit, list);
        if kind == SymbolKind::Record {
            symbol.members = member::components(unit, list);
        }
        symbol.parameters = Some(parameters);
    }
    if let Some(body) = body {
        symbol.members.extend(member::members(unit, body, in_interface));
    }
    symbol
}

/// A class has one base at most, and the names of interfaces begin with an `I`.
fn bases(unit: &Unit<'_>, node: Node<'_>, symbol: &mut ExportSymbol) {
    let Some(list) = unit.child_of_kind(node, "base_list") else { return };
    for (at, base) in children(list).into_iter().filter(Node::is_named).enumerate() {
        if unit.kind(base) == "argument_list" {
            continue;
        }
        // `Base(x)` gives the base what it is made of.
        let base = unit
            .child(base, Field::Type)
            .filter(|_| unit.kind(base).starts_with("primary_constructor"))
            .unwrap_or(base);
        let name = unit.clean(base);
        let last = name.rsplit('.').next().unwrap_or(&name);
        let mut letters = last.chars();
        let is_interface =
            letters.next() == Some('I') && letters.next().is_some_and(char::is_uppercase);
        let may_extend = matches!(symbol.kind, SymbolKind::Class | SymbolKind::Record);
        if symbol.kind == SymbolKind::Interface || at == 0 && may_extend && !is_interface {
            symbol.extends.push(name);
        } else {
            symbol.implements.push(name);
        }
    }
}

fn type_parameters(unit: &Unit<'_>, node: Node<'_>) -> Vec<String> {
    let Some(list) = unit.child_of_kind(node, "type_parameter_list") else { return Vec::new() };
    children(list).into_iter().filter(Node::is_named).map(|it| unit.clean(it)).collect()
}

/// Every `where` behind the head of a declaration.
fn constraints(unit: &Unit<'_>, node: Node<'_>) -> Option<String> {
    let found = children(node).into_iter();
    let found = found.filter(|it| unit.kind(*it) == "type_parameter_constraints_clause");
    let found: Vec<String> = found.map(|it| unit.clean(it)).collect();
    (!found.is_empty()).then(|| found.join(" "))
}

/// The head of a declaration without attributes and without words about who may see it.
fn signature(unit: &Unit<'_>, node: Node<'_>, end: Option<Node<'_>>) -> String {
    let before = children(node).into_iter();
    let before =
        before.take_while(|it| matches!(unit.kind(*it), "attribute_list" | "modifier" | "comment"));
    let start = before.last().map_or_else(|| node.start_byte(), |it| it.end_byte());
    let text = unit.head(node, start, end);
    let text = text.trim_end_matches("=>").trim_end();
    let words = modifiers(unit, node);
    if words.is_empty() { text.to_owned() } else { format!("{} {text}", words.join(" ")) }
}

const VISIBILITIES: [&str; 5] = ["public", "protected", "private", "internal", "file"];

fn words<'a>(unit: &Unit<'a>, node: Node<'_>) -> Vec<&'a str> {
    let found = children(node).into_iter().filter(|it| unit.kind(*it) == "modifier");
    found.map(|it| unit.text(it)).collect()
}

/// The words that are no visibility: `static`, `sealed`, `abstract`, `async` …
fn modifiers(unit: &Unit<'_>, node: Node<'_>) -> Vec<String> {
    let all = words(unit, node).into_iter().filter(|it| !VISIBILITIES.contains(it));
    all.map(str::to_owned).collect()
}

fn visibility(unit: &Unit<'_>, node: Node<'_>, usual: Visibility) -> Visibility {
    let words = words(unit, node);
    let has = |word: &str| words.contains(&word);
    if has("public") {
        Visibility::Public
    } else if has("protected") && !has("private") {
        Visibility::Protected
    } else if has("internal") {
        Visibility::Package
    } else if has("private") || has("file") {
        Visibility::Private
    } else {
        usual
    }
}

/// `[HttpGet("{id}")]`, each by itself.
fn attributes(unit: &Unit<'_>, node: Node<'_>) -> Vec<String> {
    let lists = children(node).into_iter().filter(|it| unit.kind(*it) == "attribute_list");
    let all =
        lists.flat_map(|it| children(it).into_iter().filter(|it| unit.kind(*it) == "attribute"));
    let counts = |it: &Node<'_>| {
        let name = unit.field(*it, Field::Name).unwrap_or_default();
        !unit.table.ignored_attributes.contains(&name)
    };
    all.filter(counts).map(|it| format!("[{}]", unit.clean(it))).collect()
}

/// `using [static] A.B;` or `using Name = A.B;`.
fn import(unit: &Unit<'_>, node: Node<'_>) -> Option<ImportReference> {
    let alias = unit.child(node, Field::Name);
    let mut named = children(node).into_iter().filter(|it| it.is_named() && Some(*it) != alias);
    let path = unit.clean(named.next_back()?);
    let is_static = unit.has_token(node, "static");
    let alias = alias.map(|it| unit.clean(it));
    Some(ImportReference {
        module_specifier: path,
        namespace_import: alias.or_else(|| Some("*".to_owned()).filter(|_| !is_static)),
        import_type: ImportType::Static,
        line: start_line(node),
        file: unit.path.to_owned(),
        ..ImportReference::default()
    })
}
