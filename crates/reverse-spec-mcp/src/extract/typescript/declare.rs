//! Declarations of TypeScript and JavaScript.

use std::collections::HashMap;

use tree_sitter::Node;

use super::value::{bindings, declarators, variables};
use super::{Local, handed, member, unquoted};
use crate::extract::field::Field;
use crate::extract::symbols::{Around, MAX_NESTING, inside};
use crate::extract::unit::{Unit, children};
use crate::skeleton::{ExportSymbol, SymbolKind};

/// A symbol, and whether it is the body behind overloads.
#[derive(Clone)]
pub(super) struct Declared {
    pub(super) symbol: ExportSymbol,
    has_body: bool,
    is_signature: bool,
}

impl Declared {
    pub(super) fn whole(symbol: ExportSymbol) -> Self {
        Self { symbol, has_body: false, is_signature: false }
    }

    /// The same under the name it is exported by.
    pub(super) fn named(mut self, exported: &str) -> Self {
        // What a namespace holds keeps its names.
        if self.symbol.namespace.is_some() {
            return self;
        }
        if self.symbol.name != exported {
            self.symbol.local_name =
                Some(std::mem::replace(&mut self.symbol.name, exported.into()));
        }
        self.symbol.is_default = exported == "default";
        self
    }
}

/// Callers see the overloads, not the body behind them; its hash and facts go to the first.
pub(super) fn without_implementations(declared: Vec<Declared>) -> Vec<ExportSymbol> {
    let key = |it: &ExportSymbol| (it.namespace.clone(), it.name.clone());
    let mut first: HashMap<_, usize> = HashMap::new();
    let mut kept: Vec<ExportSymbol> = Vec::with_capacity(declared.len());
    for it in declared {
        if it.is_signature {
            first.entry(key(&it.symbol)).or_insert(kept.len());
        } else if it.has_body
            && let Some(index) = first.get(&key(&it.symbol))
        {
            kept[*index].body_hash = it.symbol.body_hash;
            kept[*index].facts = it.symbol.facts;
            continue;
        }
        kept.push(it.symbol);
    }
    kept
}

/// The names a declaration makes, without reading it whole.
pub(super) fn names(unit: &Unit<'_>, node: Node<'_>) -> Vec<String> {
    let inner = ambient_inner(unit, node);
    if unit.table.role(inner.kind_id()) == "variables" {
        let mut found = Vec::new();
        for declarator in declarators(unit, inner) {
            if let Some(name) = unit.child(declarator, Field::Name) {
                bindings(unit, name, &mut found);
            }
        }
        return found;
    }
    let name = unit.child(inner, Field::Name);
    name.map(|it| unquoted(unit, it)).into_iter().collect()
}

/// What a statement declares, each under the name that is exported: what a namespace holds under the
/// namespace's.
pub(super) fn by_name(unit: &Unit<'_>, local: &Local<'_>) -> HashMap<String, Vec<Declared>> {
    let mut names: HashMap<String, Vec<Declared>> = HashMap::new();
    for declared in declare(unit, local.node, &local.around) {
        let symbol = &declared.symbol;
        let outermost = symbol.namespace.as_deref().and_then(|it| it.split('.').next());
        let name = outermost.unwrap_or(&symbol.name).to_owned();
        names.entry(name).or_default().push(declared);
    }
    names
}

/// Whether an ambient declaration speaks of other modules, whoever imports this file.
pub(super) fn augments(unit: &Unit<'_>, node: Node<'_>) -> bool {
    unit.has_token(node, "global")
        || unit
            .child(ambient_inner(unit, node), Field::Name)
            .is_some_and(|it| unit.kind(it) == "string")
            && unit.table.role(ambient_inner(unit, node).kind_id()) == "namespace"
}

fn ambient_inner<'tree>(unit: &Unit<'_>, node: Node<'tree>) -> Node<'tree> {
    if unit.kind(node) != "ambient_declaration" {
        return node;
    }
    let mut cursor = node.walk();
    let inner = node.named_children(&mut cursor).find(|it| unit.kind(*it) != "comment");
    inner.unwrap_or(node)
}

/// What a declaration declares, nested namespaces included.
pub(super) fn declare(unit: &Unit<'_>, node: Node<'_>, around: &Around) -> Vec<Declared> {
    let mut found = Vec::new();
    // Namespaces hold declarations: a list of what is still to be read instead of recursion.
    let mut open = vec![(node, around.clone(), false, 0_usize)];
    while let Some((node, around, ambient, depth)) = open.pop() {
        match unit.table.role(node.kind_id()) {
            "ambient" => {
                let mut around = around;
                around.modifiers.push("declare".to_owned());
                if let Some(block) = unit.child_of_kind(node, "statement_block") {
                    let mut symbol = unit.symbol(node, SymbolKind::Namespace, "global", &around);
                    "declare global".clone_into(&mut symbol.signature);
                    found.push(Declared::whole(symbol));
                    open_block(unit, block, "global", &around, true, depth, &mut open);
                } else if ambient_inner(unit, node) != node {
                    open.push((ambient_inner(unit, node), around, true, depth));
                }
            }
            "namespace" => {
                let Some(name) = unit.child(node, Field::Name) else { continue };
                let is_module = unit.kind(name) == "string";
                // The table has the grammar read a module there.
                let is_global = unit.text(node).trim_start().starts_with("global");
                let text = if is_global { "global".to_owned() } else { unquoted(unit, name) };
                let kind = if is_module { SymbolKind::Module } else { SymbolKind::Namespace };
                let body = unit.child(node, Field::Body);
                let mut symbol = unit.symbol(node, kind, &text, &around);
                let head = unit.head(node, node.start_byte(), body);
                head.trim_start().clone_into(&mut symbol.signature);
                found.push(Declared::whole(symbol));
                if let Some(body) = body {
                    open_block(unit, body, &text, &around, ambient, depth, &mut open);
                }
            }
            _ if unit.kind(node) == "export_statement" => {
                let handed = handed::read(unit, node, &around);
                found.extend(handed.into_iter().map(Declared::whole));
            }
            _ => found.append(&mut simple(unit, node, &around)),
        }
    }
    found
}

/// Queues what a namespace exports, in the order of the source.
fn open_block<'tree>(
    unit: &Unit<'_>,
    block: Node<'tree>,
    name: &str,
    around: &Around,
    ambient: bool,
    depth: usize,
    open: &mut Vec<(Node<'tree>, Around, bool, usize)>,
) {
    if depth >= MAX_NESTING {
        return;
    }
    let namespace = inside(around.namespace.as_deref(), ".", name);
    let first = open.len();
    let mut doc = None;
    for child in children(block) {
        if unit.kind(child) == "comment" {
            doc = unit.text(child).starts_with("/**").then_some(child);
            continue;
        }
        let words = doc.take().and_then(|it: Node<'_>| unit.doc(it.start_byte(), it.end_byte()));
        let namespace = Some(namespace.clone());
        let inner = Around { doc: words, namespace, ..Around::default() };
        let exported = match unit.kind(child) {
            "export_statement" => {
                let declared = unit.child(child, Field::Declaration);
                declared.or_else(|| Some(child).filter(|_| ambient))
            }
            "expression_statement" => child.named_child(0).filter(|_| ambient),
            _ => Some(child).filter(|_| ambient),
        };
        let exported = exported.filter(|it| {
            !unit.table.role(it.kind_id()).is_empty() || unit.kind(*it) == "export_statement"
        });
        if let Some(exported) = exported {
            open.push((exported, inner, ambient, depth + 1));
        }
    }
    open[first..].reverse();
}

fn simple(unit: &Unit<'_>, node: Node<'_>, around: &Around) -> Vec<Declared> {
    let symbol = match unit.table.role(node.kind_id()) {
        role @ ("function" | "function_signature") => {
            let symbol = function(unit, node, around);
            let has_body = role == "function";
            return vec![Declared { symbol, has_body, is_signature: !has_body }];
        }
        "class" => class(unit, node, node, around),
        "interface" => interface(unit, node, around),
        "type" => alias(unit, node, around),
        "enum" => enumeration(unit, node, around),
        "import_alias" => import_alias(unit, node, around),
        "variables" => {
            return variables(unit, node, around).into_iter().map(Declared::whole).collect();
        }
        _ => return Vec::new(),
    };
    vec![Declared::whole(symbol)]
}

fn name_of(unit: &Unit<'_>, node: Node<'_>) -> String {
    unit.child(node, Field::Name).map_or_else(|| "default".to_owned(), |it| unquoted(unit, it))
}

fn function(unit: &Unit<'_>, node: Node<'_>, around: &Around) -> ExportSymbol {
    let body = unit.child(node, Field::Body);
    let mut symbol = unit.symbol(node, SymbolKind::Function, &name_of(unit, node), around);
    symbol.signature = unit.head(node, node.start_byte(), body);
    callable(unit, node, &mut symbol);
    symbol
}

/// Parameters, result, modifiers and body of anything that can be called.
pub(super) fn callable(unit: &Unit<'_>, node: Node<'_>, symbol: &mut ExportSymbol) {
    symbol.parameters = Some(member::parameters(unit, node));
    symbol.return_type = member::return_type(unit, node);
    symbol.type_parameters = type_parameters(unit, node);
    if unit.has_token(node, "async") {
        symbol.modifiers.push("async".to_owned());
    }
    if unit.has_token(node, "*") {
        symbol.modifiers.push("generator".to_owned());
    }
    if let Some(body) = unit.child(node, Field::Body) {
        fill_callable_body(unit, body, symbol);
    }
}

fn fill_callable_body(unit: &Unit<'_>, body: Node<'_>, symbol: &mut ExportSymbol) {
    let read = member::callable_body(unit, body);
    symbol.body_hash = Some(read.hash);
    symbol.facts = read.facts;
}

pub(super) fn type_parameters(unit: &Unit<'_>, node: Node<'_>) -> Vec<String> {
    let Some(list) = unit.child(node, Field::TypeParameters) else { return Vec::new() };
    let mut start = list.start_byte();
    let mut found = Vec::new();
    for child in children(list) {
        if unit.kind(child) == "type_parameter" {
            // From the separator on: the grammar leaves `in` and `out` outside.
            found.push(unit.clean_between(list, start, child.end_byte()));
        }
        start = child.end_byte();
    }
    found
}

/// `node` is what is declared, `class` the class itself: they differ for a class in a constant.
pub(super) fn class(
    unit: &Unit<'_>,
    node: Node<'_>,
    class: Node<'_>,
    around: &Around,
) -> ExportSymbol {
    let body = unit.child(class, Field::Body);
    let mut symbol = unit.symbol(node, SymbolKind::Class, &name_of(unit, class), around);
    let own = decorators(unit, class);
    symbol.decorators.extend(own);
    let start = children(class).into_iter().find(|it| unit.kind(*it) != "decorator");
    let start = start.map_or_else(|| class.start_byte(), |it| it.start_byte());
    symbol.signature = unit.head(class, start, body);
    fill_class(unit, class, &mut symbol);
    symbol
}

pub(super) fn fill_class(unit: &Unit<'_>, class: Node<'_>, symbol: &mut ExportSymbol) {
    symbol.type_parameters = type_parameters(unit, class);
    if unit.has_token(class, "abstract") {
        symbol.modifiers.push("abstract".to_owned());
    }
    if let Some(heritage) = unit.child_of_kind(class, "class_heritage") {
        for clause in children(heritage) {
            match unit.kind(clause) {
                "extends_clause" => symbol.extends = list_after_keyword(unit, clause),
                "implements_clause" => symbol.implements = list_after_keyword(unit, clause),
                // In plain JavaScript the heritage is the expression itself.
                _ if clause.is_named() => symbol.extends = vec![unit.clean(clause)],
                _ => {}
            }
        }
    }
    if let Some(body) = unit.child(class, Field::Body) {
        symbol.members = member::class_members(unit, body);
    }
}

/// `extends A<B>, C` without its keyword, type arguments kept with their type.
fn list_after_keyword(unit: &Unit<'_>, clause: Node<'_>) -> Vec<String> {
    let mut listed: Vec<String> = Vec::new();
    for child in children(clause).into_iter().filter(Node::is_named) {
        match (unit.kind(child), listed.last_mut()) {
            ("comment", _) => {}
            ("type_arguments", Some(last)) => last.push_str(&unit.clean(child)),
            _ => listed.push(unit.clean(child)),
        }
    }
    listed
}

fn interface(unit: &Unit<'_>, node: Node<'_>, around: &Around) -> ExportSymbol {
    let body = unit.child(node, Field::Body);
    let mut symbol = unit.symbol(node, SymbolKind::Interface, &name_of(unit, node), around);
    symbol.signature = unit.head(node, node.start_byte(), body);
    symbol.type_parameters = type_parameters(unit, node);
    if let Some(clause) = unit.child_of_kind(node, "extends_type_clause") {
        symbol.extends = list_after_keyword(unit, clause);
    }
    if let Some(body) = body {
        symbol.members = member::type_members(unit, body);
    }
    symbol
}

fn alias(unit: &Unit<'_>, node: Node<'_>, around: &Around) -> ExportSymbol {
    let mut symbol = unit.symbol(node, SymbolKind::Type, &name_of(unit, node), around);
    symbol.signature = unit.head(node, node.start_byte(), None);
    symbol.type_parameters = type_parameters(unit, node);
    if let Some(value) = unit.child(node, Field::Value) {
        symbol.value_type = Some(unit.clean(value));
        unit.fill_body(&mut symbol, &[value]);
        if unit.kind(value) == "object_type" {
            symbol.members = member::type_members(unit, value);
        }
    }
    symbol
}

fn enumeration(unit: &Unit<'_>, node: Node<'_>, around: &Around) -> ExportSymbol {
    let body = unit.child(node, Field::Body);
    let mut symbol = unit.symbol(node, SymbolKind::Enum, &name_of(unit, node), around);
    symbol.signature = unit.head(node, node.start_byte(), body);
    if unit.has_token(node, "const") {
        symbol.modifiers.push("const".to_owned());
    }
    if let Some(body) = body {
        symbol.members = member::enum_members(unit, body);
    }
    symbol
}

/// `export import Short = Long.Name`.
fn import_alias(unit: &Unit<'_>, node: Node<'_>, around: &Around) -> ExportSymbol {
    let parts: Vec<Node<'_>> = children(node).into_iter().filter(Node::is_named).collect();
    let name = parts.first().map(|it| unit.text(*it)).unwrap_or_default();
    let mut symbol = unit.symbol(node, SymbolKind::Const, name, around);
    symbol.signature = unit.head(node, node.start_byte(), None);
    symbol.value_type = parts.last().map(|it| unit.clean(*it));
    symbol
}

/// The decorators of a declaration, as they are written.
pub(super) fn decorators(unit: &Unit<'_>, node: Node<'_>) -> Vec<String> {
    let mut cursor = node.walk();
    let decorators = node.children(&mut cursor).filter(|it| unit.kind(*it) == "decorator");
    decorators.map(|it| unit.clean(it)).collect()
}
