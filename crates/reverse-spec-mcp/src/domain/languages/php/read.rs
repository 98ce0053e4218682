//! PHP: classes, interfaces, traits, enums, functions and constants, all of which others may use.

mod member;

use std::sync::Arc;

use tree_sitter::Node;

use crate::domain::languages::Scope;
use crate::domain::skeleton::{
    CodeSkeleton, ExportSymbol, ImportReference, ImportType, SymbolKind, Visibility,
};
use crate::domain::syntax::comment::Doc;
use crate::domain::syntax::field::Field;
use crate::domain::syntax::symbols::{Around, MAX_NESTING};
use crate::domain::syntax::table::Role;
use crate::domain::syntax::unit::{Unit, children, start_line, string_content};

/// Fills in declarations, imports and tests.
pub(super) fn read(unit: &Unit<'_>, root: Node<'_>, _scope: Scope, skeleton: &mut CodeSkeleton) {
    let mut package = String::new();
    let mut open = vec![(root, 0)];
    while let Some((block, depth)) = open.pop() {
        let mut doc = Doc::default();
        let mut inner = Vec::new();
        for node in children(block).into_iter().filter(Node::is_named) {
            if doc.take(unit, node, "") {
                continue;
            }
            let words = doc.of_next(unit, node);
            let role = unit.table.role(node.kind_id());
            match role {
                Role::Namespace => {
                    package = unit.field(node, Field::Name).unwrap_or_default();
                    inner.extend(unit.child(node, Field::Body));
                }
                Role::Import => {
                    skeleton.imports.extend(imports(unit, node).into_iter().map(Arc::new));
                }
                // A function may be declared only where there is none of its name.
                Role::Branch => inner.push(node),
                Role::Statement => {
                    skeleton.imports.extend(included(unit, node).map(Arc::new));
                    let defined = defined(unit, node);
                    skeleton.exports.extend(defined.map(Arc::new));
                }
                _ => {
                    let around = Around {
                        doc: words,
                        decorators: attributes(unit, node),
                        modifiers: modifiers(unit, node),
                        namespace: None,
                    };
                    for mut symbol in declarations(unit, node, role, &around) {
                        symbol.visibility = Some(Visibility::Public);
                        let start = if package.is_empty() { "" } else { "\\" };
                        symbol.paths = Some(vec![format!("{package}{start}{}", symbol.name)]);
                        skeleton.exports.push(Arc::new(symbol));
                    }
                }
            }
        }
        if depth < MAX_NESTING {
            open.extend(inner.into_iter().rev().map(|it| (it, depth + 1)));
        }
    }
    let is_test = |line: &&str| {
        let line = line.trim();
        line.contains("function test")
            || line.starts_with("#[Test]")
            || line.starts_with("* @test")
            || line.starts_with("it('")
            || line.starts_with("test('")
    };
    skeleton.tests = unit.text.lines().filter(is_test).count();
}

fn declarations(unit: &Unit<'_>, node: Node<'_>, role: Role, around: &Around) -> Vec<ExportSymbol> {
    let kind = match role {
        Role::Class => SymbolKind::Class,
        Role::Interface => SymbolKind::Interface,
        Role::Trait => SymbolKind::Trait,
        Role::Enum => SymbolKind::Enum,
        Role::Function => return vec![function(unit, node, around)],
        Role::Const => {
            let build = |member: crate::domain::skeleton::MemberInfo| {
                let mut symbol = unit.symbol(node, SymbolKind::Const, &member.name, around);
                symbol.signature = member.signature;
                symbol.value_type = member.value_type;
                symbol.value = member.value;
                symbol.body_hash = member.body_hash;
                symbol
            };
            return member::constants(unit, node, around).into_iter().map(build).collect();
        }
        _ => return Vec::new(),
    };
    let name = unit.field(node, Field::Name).unwrap_or_default();
    let mut symbol = unit.symbol(node, kind, &name, around);
    let body = unit.child(node, Field::Body);
    symbol.signature = signature(unit, node, body);
    let listed = |clause: &str| {
        let list = unit.child_of_kind(node, clause).map(children).unwrap_or_default();
        list.into_iter().filter(Node::is_named).map(|it| unit.clean(it)).collect::<Vec<_>>()
    };
    symbol.extends = listed("base_clause");
    symbol.implements = listed("class_interface_clause");
    if let Some(body) = body {
        // What a class takes from traits it has as if it were written there.
        let uses =
            children(body).into_iter().filter(|it| unit.table.role(it.kind_id()) == Role::Use);
        let uses = uses
            .flat_map(children)
            .filter(|it| matches!(unit.kind(*it), "name" | "qualified_name"));
        symbol.extends.extend(uses.map(|it| unit.clean(it)));
        symbol.members = member::members(unit, body, kind == SymbolKind::Interface);
    }
    vec![symbol]
}

fn function(unit: &Unit<'_>, node: Node<'_>, around: &Around) -> ExportSymbol {
    let name = unit.field(node, Field::Name).unwrap_or_default();
    let mut symbol = unit.symbol(node, SymbolKind::Function, &name, around);
    let body = unit.child(node, Field::Body);
    symbol.signature = signature(unit, node, body);
    symbol.parameters = Some(member::parameters(unit, node));
    symbol.return_type = unit.field(node, Field::ReturnType);
    unit.fill_body(&mut symbol, body.as_slice());
    symbol
}

/// `define('NAME', value);`
fn defined(unit: &Unit<'_>, node: Node<'_>) -> Option<ExportSymbol> {
    let call = node.named_child(0).filter(|it| unit.kind(*it) == "function_call_expression")?;
    if unit.child(call, Field::Function).is_none_or(|it| unit.text(it) != "define") {
        return None;
    }
    let given = children(unit.child(call, Field::Arguments)?);
    let mut given = given.into_iter().filter(|it| unit.kind(*it) == "argument");
    let name = given.next().and_then(|it| it.named_child(0))?;
    let name = string_content(unit.text(name)).trim_matches('"').to_owned();
    let mut symbol = unit.symbol(node, SymbolKind::Const, &name, &Around::default());
    symbol.signature = format!("define('{name}')");
    symbol.visibility = Some(Visibility::Public);
    if let Some(value) = given.next() {
        symbol.value = unit.short(value);
        unit.fill_body(&mut symbol, &[value]);
    }
    Some(symbol)
}

/// The head of a declaration without attributes and without words about who may see it.
fn signature(unit: &Unit<'_>, node: Node<'_>, end: Option<Node<'_>>) -> String {
    let is_before = |it: &Node<'_>| {
        let kind = unit.kind(*it);
        kind == "attribute_list" || kind.ends_with("_modifier") || kind == "comment"
    };
    let before = children(node).into_iter().take_while(is_before).last();
    let start = before.map_or_else(|| node.start_byte(), |it| it.end_byte());
    let text = unit.head(node, start, end);
    let words = modifiers(unit, node);
    if words.is_empty() { text } else { format!("{} {text}", words.join(" ")) }
}

/// The words that are no visibility: `abstract`, `final`, `static`, `readonly`.
fn modifiers(unit: &Unit<'_>, node: Node<'_>) -> Vec<String> {
    let words = children(node).into_iter();
    let words = words.filter(|it| {
        matches!(
            unit.kind(*it),
            "abstract_modifier" | "final_modifier" | "static_modifier" | "readonly_modifier"
        )
    });
    words.map(|it| unit.text(it).to_owned()).collect()
}

/// `#[Route('/orders')]`, each by itself.
fn attributes(unit: &Unit<'_>, node: Node<'_>) -> Vec<String> {
    let Some(list) = unit.child(node, Field::Attributes) else { return Vec::new() };
    let groups = children(list).into_iter().filter(|it| unit.kind(*it) == "attribute_group");
    let all = groups.flat_map(children).filter(|it| unit.kind(*it) == "attribute");
    let counts = |it: &Node<'_>| {
        let name = it.named_child(0).map(|it| unit.clean(it)).unwrap_or_default();
        !unit.table.ignored_attributes.contains(&name)
    };
    all.filter(counts).map(|it| format!("#[{}]", unit.clean(it))).collect()
}

/// `use A\B, C as D;` or `use A\{B, C};`, one for each name.
fn imports(unit: &Unit<'_>, node: Node<'_>) -> Vec<ImportReference> {
    let before = unit.child_of_kind(node, "namespace_name").map(|it| unit.clean(it));
    let list = unit.child(node, Field::Body).unwrap_or(node);
    let clauses = children(list).into_iter().filter(|it| unit.kind(*it) == "namespace_use_clause");
    let build = |clause: Node<'_>| {
        let named = children(clause).into_iter();
        let name = { named }.find(|it| matches!(unit.kind(*it), "name" | "qualified_name"))?;
        let name = unit.clean(name);
        let name = name.trim_start_matches('\\');
        let path = before.as_ref().map_or_else(|| name.to_owned(), |it| format!("{it}\\{name}"));
        let last = path.rsplit('\\').next().unwrap_or_default().to_owned();
        Some(ImportReference {
            named_imports: vec![last],
            module_specifier: path,
            import_type: ImportType::Static,
            line: start_line(clause),
            file: unit.path.to_owned(),
            ..ImportReference::default()
        })
    };
    clauses.filter_map(build).collect()
}

/// `require __DIR__ . '/x.php';`
fn included(unit: &Unit<'_>, node: Node<'_>) -> Option<ImportReference> {
    let inner = node.named_child(0)?;
    if !matches!(
        unit.kind(inner),
        "require_expression"
            | "require_once_expression"
            | "include_expression"
            | "include_once_expression"
    ) {
        return None;
    }
    let text = unit.text(inner);
    let start = text.find(['\'', '"'])?;
    let rest = &text[start + 1..];
    let path = &rest[..rest.find(['\'', '"'])?];
    Some(ImportReference {
        module_specifier: path.to_owned(),
        is_relative: true,
        import_type: ImportType::SideEffect,
        line: start_line(node),
        file: unit.path.to_owned(),
        ..ImportReference::default()
    })
}
