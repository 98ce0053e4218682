//! Declarations of TypeScript and JavaScript.

use std::collections::HashMap;

use tree_sitter::Node;

use super::class::{callable, class, list_after_keyword};
use super::parts::{name_of, type_parameters};
use super::value::{bindings, declarators, variables};
use super::{Local, handed, member, unquoted};
use crate::domain::skeleton::{ExportSymbol, SymbolKind};
use crate::domain::syntax::field::Field;
use crate::domain::syntax::symbols::{Around, MAX_NESTING, inside};
use crate::domain::syntax::table::Role;
use crate::domain::syntax::unit::{Unit, children};

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

    /// The symbol under the name it is exported by.
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
    if unit.table.role(inner.kind_id()) == Role::Variables {
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
            && unit.table.role(ambient_inner(unit, node).kind_id()) == Role::Namespace
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
            Role::Ambient => {
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
            Role::Namespace => {
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
            unit.table.role(it.kind_id()) != Role::None || unit.kind(*it) == "export_statement"
        });
        if let Some(exported) = exported {
            open.push((exported, inner, ambient, depth + 1));
        }
    }
    open[first..].reverse();
}

fn simple(unit: &Unit<'_>, node: Node<'_>, around: &Around) -> Vec<Declared> {
    let symbol = match unit.table.role(node.kind_id()) {
        role @ (Role::Function | Role::FunctionSignature) => {
            let symbol = function(unit, node, around);
            let has_body = role == Role::Function;
            return vec![Declared { symbol, has_body, is_signature: !has_body }];
        }
        Role::Class => class(unit, node, node, around),
        Role::Interface => interface(unit, node, around),
        Role::Type => alias(unit, node, around),
        Role::Enum => enumeration(unit, node, around),
        Role::ImportAlias => import_alias(unit, node, around),
        Role::Variables => {
            return variables(unit, node, around).into_iter().map(Declared::whole).collect();
        }
        _ => return Vec::new(),
    };
    vec![Declared::whole(symbol)]
}

fn function(unit: &Unit<'_>, node: Node<'_>, around: &Around) -> ExportSymbol {
    let body = unit.child(node, Field::Body);
    let mut symbol = unit.symbol(node, SymbolKind::Function, &name_of(unit, node), around);
    symbol.signature = unit.head(node, node.start_byte(), body);
    callable(unit, node, &mut symbol);
    symbol
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
        if let Some((named, written)) = made_of(unit, value) {
            symbol.extends = named.into_iter().map(|it| unit.clean(it)).collect();
            symbol.members =
                written.into_iter().flat_map(|it| member::type_members(unit, it)).collect();
        }
    }
    symbol
}

/// The types that an object type takes in by name, and those that are written out: `A & Pick<B, "c"> & { d }`.
/// Nothing where it is another kind of type.
fn made_of<'tree>(
    unit: &Unit<'_>,
    value: Node<'tree>,
) -> Option<(Vec<Node<'tree>>, Vec<Node<'tree>>)> {
    let (mut named, mut written) = (Vec::new(), Vec::new());
    let mut open = vec![value];
    while let Some(node) = open.pop() {
        match unit.kind(node) {
            "object_type" => written.push(node),
            "intersection_type" | "parenthesized_type" => {
                let parts = children(node).into_iter().filter(Node::is_named);
                open.extend(parts.filter(|it| unit.kind(*it) != "comment").rev());
            }
            // Alone it is only another name.
            "type_identifier" | "nested_type_identifier" | "generic_type" if node != value => {
                named.push(node);
            }
            _ => return None,
        }
    }
    Some((named, written))
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
