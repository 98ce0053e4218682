//! Ruby: modules and classes with what can be called on them, and what stands at the top of a file.

mod body;
mod member;

use std::collections::HashSet;
use std::sync::Arc;

use tree_sitter::Node;

use crate::domain::languages::Scope;
use crate::domain::skeleton::{
    CodeSkeleton, ExportSymbol, ImportReference, ImportType, MemberInfo, SymbolKind, Visibility,
};
use crate::domain::syntax::comment::Doc;
use crate::domain::syntax::field::Field;
use crate::domain::syntax::symbols::{Around, MAX_NESTING, inside};
use crate::domain::syntax::table::Role;
use crate::domain::syntax::unit::{Unit, children, start_line};

/// Fills in declarations, imports and tests.
pub(super) fn read(unit: &Unit<'_>, root: Node<'_>, scope: Scope, skeleton: &mut CodeSkeleton) {
    let mut hidden: HashSet<String> = HashSet::new();
    let mut open = vec![(root, None::<String>, 0)];
    while let Some((block, namespace, depth)) = open.pop() {
        let mut nested = Vec::new();
        let mut doc = Doc::default();
        for node in children(block).into_iter().filter(Node::is_named) {
            if doc.take(unit, node, "#") {
                continue;
            }
            let around = Around {
                doc: doc.of_next(unit, node),
                namespace: namespace.clone(),
                ..Around::default()
            };
            let role = unit.table.role(node.kind_id());
            let symbol = match role {
                Role::Module | Role::Class => {
                    let symbol = holder(unit, node, role, &around, &mut hidden);
                    let inner = inside(namespace.as_deref(), "::", &symbol.name);
                    nested.extend(
                        unit.child(node, Field::Body).map(|it| (it, Some(inner), depth + 1)),
                    );
                    symbol
                }
                Role::Const => {
                    let Some(symbol) = constant(unit, node, &around) else { continue };
                    symbol
                }
                Role::Method if depth == 0 => {
                    of_member(unit, node, member::method(unit, node, &around), &around)
                }
                Role::Statement if depth == 0 => {
                    skeleton.imports.extend(import(unit, node).map(Arc::new));
                    continue;
                }
                _ => continue,
            };
            let is_shown = !hidden.contains(&inside(namespace.as_deref(), "::", &symbol.name));
            if is_shown {
                skeleton.exports.push(Arc::new(symbol));
            } else if scope == Scope::WithInternals {
                skeleton.internals.push(Arc::new(symbol));
            }
        }
        if depth < MAX_NESTING {
            open.extend(nested.into_iter().rev());
        }
    }
    let is_test = |line: &&str| {
        let line = line.trim_start();
        ["it '", "it \"", "test '", "test \"", "def test_", "specify "]
            .iter()
            .any(|it| line.starts_with(it))
    };
    skeleton.tests = unit.text.lines().filter(is_test).count();
}

/// A class or a module with its members; what is declared in its body by calls stands beside it.
fn holder(
    unit: &Unit<'_>,
    node: Node<'_>,
    role: Role,
    around: &Around,
    hidden: &mut HashSet<String>,
) -> ExportSymbol {
    let kind = if role == Role::Module { SymbolKind::Module } else { SymbolKind::Class };
    let name = unit.field(node, Field::Name).unwrap_or_default();
    let mut symbol = unit.symbol(node, kind, &name, around);
    let word = if role == Role::Module { "module" } else { "class" };
    symbol.signature = format!("{word} {name}");
    if let Some(base) = unit.child(node, Field::Superclass).and_then(|it| it.named_child(0)) {
        let base = unit.clean(base);
        symbol.signature = format!("{} < {base}", symbol.signature);
        symbol.extends.push(base);
    }
    symbol.visibility = Some(Visibility::Public);
    if let Some(body) = unit.child(node, Field::Body) {
        let found = body::read(unit, body);
        symbol.members = found.members;
        symbol.implements = found.included;
        symbol.decorators = found.declared;
        let own = inside(around.namespace.as_deref(), "::", &name);
        hidden.extend(found.hidden.iter().map(|it| inside(Some(&own), "::", it)));
    }
    symbol
}

/// A method at the top of a file as a function.
fn of_member(unit: &Unit<'_>, node: Node<'_>, member: MemberInfo, around: &Around) -> ExportSymbol {
    let mut symbol = unit.symbol(node, SymbolKind::Function, &member.name, around);
    symbol.signature = member.signature;
    symbol.parameters = member.parameters;
    symbol.body_hash = member.body_hash;
    symbol.facts = member.facts;
    symbol.visibility = Some(Visibility::Public);
    symbol
}

/// `NAME = value`, and classes that are made by a call: `Point = Struct.new(:x, :y)`.
fn constant(unit: &Unit<'_>, node: Node<'_>, around: &Around) -> Option<ExportSymbol> {
    let left = unit.child(node, Field::Left).filter(|it| unit.kind(*it) == "constant")?;
    let value = unit.child(node, Field::Right)?;
    let name = unit.clean(left);
    let mut symbol = unit.symbol(node, SymbolKind::Const, &name, around);
    symbol.visibility = Some(Visibility::Public);
    let receiver = unit.child(value, Field::Receiver).map(|it| unit.text(it));
    let made = unit.child(value, Field::Method).map(|it| unit.text(it));
    if matches!((receiver, made), (Some("Struct" | "Data"), Some("new" | "define"))) {
        symbol.kind = SymbolKind::Class;
        symbol.extends.extend(receiver.map(str::to_owned));
        let block = unit.child_of_kind(value, "do_block");
        let block = block.or_else(|| unit.child_of_kind(value, "block"));
        symbol.signature = format!("{name} = {}", unit.head(value, value.start_byte(), block));
        let given = unit.child(value, Field::Arguments).map(children).unwrap_or_default();
        let fields = given.into_iter().filter(|it| unit.kind(*it) == "simple_symbol");
        let fields = fields.map(|it| member::property(unit, it, &Around::default(), ""));
        symbol.members = fields.collect();
        let inner = block.and_then(|it| unit.child(it, Field::Body));
        symbol.members.extend(inner.map(|it| body::read(unit, it).members).unwrap_or_default());
        return Some(symbol);
    }
    symbol.value = unit.short(value);
    symbol.signature = match &symbol.value {
        Some(value) => format!("{name} = {value}"),
        None => name,
    };
    unit.fill_body(&mut symbol, &[value]);
    Some(symbol)
}

/// `require 'a'`, `require_relative 'b'`.
fn import(unit: &Unit<'_>, node: Node<'_>) -> Option<ImportReference> {
    let called = unit.child(node, Field::Method).map(|it| unit.text(it))?;
    if !matches!(called, "require" | "require_relative" | "load")
        || unit.child(node, Field::Receiver).is_some()
    {
        return None;
    }
    let given = unit.child(node, Field::Arguments)?.named_child(0)?;
    let path = unit.text(given).trim_matches(['\'', '"']).to_owned();
    Some(ImportReference {
        module_specifier: path,
        is_relative: called == "require_relative",
        import_type: ImportType::SideEffect,
        line: start_line(node),
        file: unit.path.to_owned(),
        ..ImportReference::default()
    })
}
