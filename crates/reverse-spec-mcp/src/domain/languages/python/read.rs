//! Python: what a module offers by `__all__`, or else by not beginning with an underscore.

mod class;
mod import;
mod offered;
mod overload;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use tree_sitter::Node;

use crate::domain::languages::Scope;
use crate::domain::skeleton::{
    CodeSkeleton, ExportSymbol, MemberInfo, Parameter, ReExport, SymbolKind, Visibility,
};
use crate::domain::syntax::field::Field;
use crate::domain::syntax::symbols::{Around, MAX_NESTING, inside};
use crate::domain::syntax::table::Role;
use crate::domain::syntax::unit::{Unit, children};
use offered::Offered;
use overload::without_implementations;

/// Fills in declarations, imports and tests.
pub(super) fn read(unit: &Unit<'_>, root: Node<'_>, scope: Scope, skeleton: &mut CodeSkeleton) {
    let mut module = Module::default();
    skeleton.module_doc = docstring(unit, root);
    module.walk(unit, root, skeleton);
    module.finish(unit, scope, skeleton);
    skeleton.tests = count_tests(unit.text);
}

#[derive(Default)]
struct Module {
    symbols: Vec<ExportSymbol>,
    /// What `__all__` says, if it is there.
    offered: Option<Offered>,
    /// What was imported by name, with whether that hands it on.
    imported: Vec<import::Imported>,
}

impl Module {
    fn walk(&mut self, unit: &Unit<'_>, root: Node<'_>, skeleton: &mut CodeSkeleton) {
        for node in branches(unit, root) {
            match unit.table.role(node.kind_id()) {
                Role::Import => {
                    import::plain(unit, node, &mut self.imported, &mut skeleton.imports);
                }
                Role::ImportFrom => {
                    let known = self.imported.len();
                    import::from(unit, node, &mut self.imported, &mut skeleton.imports);
                    // What only type checkers import is not there for anybody else.
                    if is_for_checkers(unit, node) {
                        self.imported[known..].iter_mut().for_each(|it| it.is_checked_only = true);
                    }
                }
                Role::Statement => self.statement(unit, node),
                Role::Function | Role::Class | Role::Decorated => {
                    self.symbols.extend(definitions(unit, node));
                }
                Role::Type => self.symbols.extend(alias(unit, node)),
                _ => {}
            }
        }
    }

    fn statement(&mut self, unit: &Unit<'_>, node: Node<'_>) {
        let Some(inner) = node.named_child(0) else { return };
        let is_said = Offered::read(unit, inner, &mut self.offered);
        if !is_said && unit.kind(inner) == "assignment" {
            self.symbols.extend(assignments(unit, inner));
        }
    }

    fn finish(self, unit: &Unit<'_>, scope: Scope, skeleton: &mut CodeSkeleton) {
        let offered = self.offered.filter(|it| !it.says_nothing());
        let all: Option<HashSet<&str>> = offered.as_ref().map(Offered::names);
        let mut known: HashSet<String> = HashSet::new();
        let symbols = once_each(without_implementations(self.symbols));
        let hidden: HashMap<String, Vec<MemberInfo>> = symbols
            .iter()
            .filter(|it| it.namespace.is_none() && it.name.starts_with('_'))
            .map(|it| (it.name.clone(), it.members.clone()))
            .collect();
        let imported: HashSet<&str> = self.imported.iter().map(|it| it.local.as_str()).collect();
        for mut symbol in symbols {
            take_in_hidden_bases(&mut symbol, &hidden);
            let outer = symbol.namespace.as_deref().unwrap_or(&symbol.name);
            let outermost = outer.split('.').next().unwrap_or_default();
            let exported = match &all {
                Some(all) => all.contains(outermost),
                None => !outermost.starts_with('_') && !is_stand_in(&symbol, &imported),
            };
            if exported || !imported.contains(outermost) {
                known.insert(outermost.to_owned());
            }
            if exported {
                skeleton.exports.push(Arc::new(symbol));
            } else if scope == Scope::WithInternals || all.is_some() && !outermost.starts_with('_')
            {
                // What a module does not list, its package may hand on all the same.
                skeleton.internals.push(Arc::new(symbol));
            }
        }
        let is_package = unit.path.ends_with("__init__.py") || unit.path.ends_with("__init__.pyi");
        let hands_on = |it: &import::Imported| match (&all, &offered) {
            // What cannot be read of `__all__` is mostly that of modules imported whole.
            (Some(all), Some(offered)) => {
                all.contains(it.local.as_str()) || it.local == "*" && !offered.is_complete
            }
            _ => {
                it.is_marked
                    || is_package
                        && !it.is_checked_only
                        && is_own(unit.path, &it.module)
                        && !it.local.starts_with('_')
            }
        };
        let (handed_on, taken): (Vec<_>, Vec<_>) = self.imported.into_iter().partition(hands_on);
        for imported in handed_on {
            if imported.local == "*" || known.insert(imported.local.clone()) {
                skeleton.exports.push(Arc::new(re_export(unit, imported)));
            }
        }
        if let Some(offered) = &offered {
            let stars: Vec<_> = taken.into_iter().filter(|it| it.local == "*").collect();
            let exports = offered.made_elsewhere(unit, &known, &stars);
            skeleton.exports.extend(exports.into_iter().map(Arc::new));
        }
    }
}

/// Whether a name is only given a value where what it is imported from may be missing: it is what is
/// imported, and that is somebody else's.
fn is_stand_in(symbol: &ExportSymbol, imported: &HashSet<&str>) -> bool {
    matches!(symbol.kind, SymbolKind::Const | SymbolKind::Variable)
        && symbol.namespace.is_none()
        && symbol.value.as_deref().is_some_and(|it| it == "None" || it == "False")
        && imported.contains(symbol.name.as_str())
}

/// One of what is assigned in several branches of a condition: only one of them is ever there.
fn once_each(symbols: Vec<ExportSymbol>) -> Vec<ExportSymbol> {
    let is_value = |it: &ExportSymbol| matches!(it.kind, SymbolKind::Const | SymbolKind::Variable);
    let key = |it: &ExportSymbol| (it.namespace.clone(), it.name.clone());
    // What is declared counts before what is assigned.
    let mut seen: HashSet<(Option<String>, String)> =
        symbols.iter().filter(|it| !is_value(it)).map(key).collect();
    let mut kept: Vec<ExportSymbol> = Vec::with_capacity(symbols.len());
    for symbol in symbols.into_iter().rev() {
        if !is_value(&symbol) || seen.insert(key(&symbol)) {
            kept.push(symbol);
        }
    }
    kept.reverse();
    kept
}

/// What a class has from one that nobody outside can name is its own to everybody else.
fn take_in_hidden_bases(symbol: &mut ExportSymbol, hidden: &HashMap<String, Vec<MemberInfo>>) {
    if symbol.name.starts_with('_') || symbol.kind != SymbolKind::Class {
        return;
    }
    let bases = symbol.extends.iter().filter_map(|it| hidden.get(it)).flatten();
    let own: HashSet<String> = symbol.members.iter().map(|it| it.name.clone()).collect();
    let inherited: Vec<MemberInfo> = bases
        .filter(|it| it.visibility == Some(Visibility::Public) && !own.contains(&it.name))
        .cloned()
        .collect();
    symbol.members.extend(inherited);
}

/// The statements of a block, those under `if TYPE_CHECKING:` or `try:` included: a name is declared
/// there all the same.
fn branches<'tree>(unit: &Unit<'_>, block: Node<'tree>) -> Vec<Node<'tree>> {
    let mut found = Vec::new();
    let mut open = vec![block];
    while let Some(node) = open.pop() {
        let is_branch = unit.table.role(node.kind_id()) == Role::Branch;
        if node == block || is_branch && !is_main_guard(unit, node) {
            open.extend(children(node).into_iter().filter(Node::is_named).rev());
        } else {
            found.push(node);
        }
    }
    found
}

fn re_export(unit: &Unit<'_>, imported: import::Imported) -> ExportSymbol {
    let star = imported.name.as_deref() == Some("*");
    let given = imported.name.as_deref().unwrap_or(&imported.module);
    let renamed = if imported.local == given || star {
        String::new()
    } else {
        format!(" as {}", imported.local)
    };
    let signature = match &imported.name {
        Some(name) if imported.module.is_empty() => name.clone(),
        Some(name) => format!("from {} import {name}{renamed}", imported.module),
        None => format!("import {}{renamed}", imported.module),
    };
    ExportSymbol {
        signature,
        name: imported.local,
        kind: SymbolKind::ReExport,
        start_line: imported.line,
        end_line: imported.line,
        file: unit.path.to_owned(),
        re_export: Some(Box::new(ReExport {
            module_specifier: imported.module,
            // A module that is imported whole stands for everything in it.
            is_star: star || imported.name.is_none(),
            imported_name: imported.name.filter(|_| !star),
            is_type_only: false,
        })),
        ..ExportSymbol::default()
    }
}

/// A function or class with whatever decorates it, and the classes inside it.
fn definitions(unit: &Unit<'_>, node: Node<'_>) -> Vec<ExportSymbol> {
    let mut found = Vec::new();
    let mut open = vec![(node, None::<String>, 0)];
    while let Some((node, namespace, depth)) = open.pop() {
        let (inner, decorators) = undecorated(unit, node);
        let doc = body_doc(unit, inner);
        let around = Around { doc, decorators, namespace, ..Around::default() };
        match unit.kind(inner) {
            "function_definition" => found.push(function(unit, inner, &around)),
            "class_definition" => {
                let (symbol, nested) = class::read(unit, inner, &around);
                if depth < MAX_NESTING {
                    let namespace = inside(around.namespace.as_deref(), ".", &symbol.name);
                    let nested = nested.into_iter().rev();
                    open.extend(nested.map(|it| (it, Some(namespace.clone()), depth + 1)));
                }
                found.push(symbol);
            }
            _ => {}
        }
    }
    found
}

fn undecorated<'tree>(unit: &Unit<'_>, node: Node<'tree>) -> (Node<'tree>, Vec<String>) {
    if unit.kind(node) != "decorated_definition" {
        return (node, Vec::new());
    }
    let decorators = children(node).into_iter().filter(|it| unit.kind(*it) == "decorator");
    let decorators = decorators.map(|it| unit.clean(it)).collect();
    (unit.child(node, Field::Definition).unwrap_or(node), decorators)
}

fn function(unit: &Unit<'_>, node: Node<'_>, around: &Around) -> ExportSymbol {
    let name = unit.field(node, Field::Name).unwrap_or_default();
    let mut symbol = unit.symbol(node, SymbolKind::Function, &name, around);
    let body = unit.child(node, Field::Body);
    symbol.signature = unit.head(node, node.start_byte(), body);
    symbol.parameters = Some(parameters(unit, node));
    symbol.return_type = unit.field(node, Field::ReturnType);
    symbol.type_parameters = type_parameters(unit, node);
    if unit.has_token(node, "async") {
        symbol.modifiers.push("async".to_owned());
    }
    symbol.visibility = Some(visibility(&name));
    if let Some(body) = body {
        unit.fill_body(&mut symbol, &statements(unit, body));
    }
    symbol
}

fn alias(unit: &Unit<'_>, node: Node<'_>) -> Option<ExportSymbol> {
    let left = unit.child(node, Field::Left)?;
    let right = unit.child(node, Field::Right)?;
    let name = unit.clean(left);
    let name = name.split('[').next().unwrap_or_default();
    let mut symbol = unit.symbol(node, SymbolKind::Type, name, &Around::default());
    symbol.signature = unit.clean(node);
    symbol.value_type = Some(unit.clean(right));
    unit.fill_body(&mut symbol, &[right]);
    Some(symbol)
}

/// `NAME: type = value`, one symbol per name.
fn assignments(unit: &Unit<'_>, node: Node<'_>) -> Vec<ExportSymbol> {
    let (names, value) = targets(unit, node);
    let declared = unit.field(node, Field::Type);
    let mut found = Vec::new();
    for name in names {
        let upper = !name.chars().any(char::is_lowercase);
        let kind = if upper { SymbolKind::Const } else { SymbolKind::Variable };
        let mut symbol = unit.symbol(node, kind, &name, &Around::default());
        symbol.value_type.clone_from(&declared);
        symbol.visibility = Some(visibility(&name));
        symbol.signature.clone_from(&name);
        if let Some(declared) = &declared {
            symbol.signature = format!("{name}: {declared}");
        }
        if let Some(value) = value {
            symbol.value = unit.short(value);
            unit.fill_body(&mut symbol, &[value]);
            if let Some(value) = &symbol.value {
                symbol.signature = format!("{} = {value}", symbol.signature);
            }
        }
        found.push(symbol);
    }
    found
}

/// The names that an assignment gives a value to, and the value: `a = b = value` has two.
fn targets<'tree>(unit: &Unit<'_>, node: Node<'tree>) -> (Vec<String>, Option<Node<'tree>>) {
    let mut names = Vec::new();
    let mut at = node;
    loop {
        names.extend(unit.child(at, Field::Left).map(|it| bound(unit, it)).unwrap_or_default());
        match unit.child(at, Field::Right) {
            Some(right) if unit.kind(right) == "assignment" => at = right,
            value => return (names, value),
        }
    }
}

/// The plain names on the left of an assignment.
fn bound(unit: &Unit<'_>, left: Node<'_>) -> Vec<String> {
    let mut names = Vec::new();
    let mut open = vec![left];
    while let Some(node) = open.pop() {
        match unit.kind(node) {
            "identifier" => names.push(unit.text(node).to_owned()),
            "pattern_list" | "tuple_pattern" | "list_pattern" | "list_splat_pattern" => {
                open.extend(children(node).into_iter().filter(Node::is_named).rev());
            }
            _ => {}
        }
    }
    names
}

fn parameters(unit: &Unit<'_>, node: Node<'_>) -> Vec<Parameter> {
    let Some(list) = unit.child(node, Field::Parameters) else { return Vec::new() };
    children(list).into_iter().filter_map(|it| parameter(unit, it)).collect()
}

fn parameter(unit: &Unit<'_>, node: Node<'_>) -> Option<Parameter> {
    let default = unit.field(node, Field::Value);
    let type_text = unit.field(node, Field::Type);
    let named = match unit.kind(node) {
        "identifier" | "list_splat_pattern" | "dictionary_splat_pattern" | "tuple_pattern" => {
            unit.clean(node)
        }
        "typed_parameter" => unit.clean(node.named_child(0)?),
        "default_parameter" | "typed_default_parameter" => unit.field(node, Field::Name)?,
        _ => return None,
    };
    let rest = named.starts_with('*');
    Some(Parameter {
        name: named.trim_start_matches('*').to_owned(),
        type_text,
        optional: default.is_some(),
        default,
        rest,
    })
}

fn type_parameters(unit: &Unit<'_>, node: Node<'_>) -> Vec<String> {
    let Some(list) = unit.child(node, Field::TypeParameters) else { return Vec::new() };
    children(list).into_iter().filter(Node::is_named).map(|it| unit.clean(it)).collect()
}

fn visibility(name: &str) -> Visibility {
    let dunder = name.starts_with("__") && name.ends_with("__") && name.len() > 4;
    if dunder || !name.starts_with('_') {
        Visibility::Public
    } else if name.starts_with("__") {
        Visibility::Private
    } else {
        Visibility::Protected
    }
}

/// The statements of a body without its docstring, which is documentation and not code.
fn statements<'tree>(unit: &Unit<'_>, body: Node<'tree>) -> Vec<Node<'tree>> {
    let mut all = children(body);
    let first = all.iter().position(|it| unit.kind(*it) != "comment");
    if let Some(first) = first.filter(|at| is_docstring(unit, all[*at])) {
        all.remove(first);
    }
    all
}

fn is_docstring(unit: &Unit<'_>, statement: Node<'_>) -> bool {
    unit.table.role(statement.kind_id()) == Role::Statement
        && statement.named_child_count() == 1
        && statement.named_child(0).is_some_and(|it| unit.kind(it) == "string")
}

/// The documentation inside a function or class.
fn body_doc(unit: &Unit<'_>, node: Node<'_>) -> Option<String> {
    docstring(unit, unit.child(node, Field::Body)?)
}

fn docstring(unit: &Unit<'_>, body: Node<'_>) -> Option<String> {
    let first = children(body).into_iter().find(|it| unit.kind(*it) != "comment")?;
    let string = is_docstring(unit, first).then(|| first.named_child(0)).flatten()?;
    unit.doc(string.start_byte(), string.end_byte())
}

fn is_main_guard(unit: &Unit<'_>, node: Node<'_>) -> bool {
    let condition = unit.child(node, Field::Condition).map(|it| unit.text(it));
    condition.is_some_and(|it| it.contains("__name__"))
}

/// Whether a statement stands under `if TYPE_CHECKING:`.
fn is_for_checkers(unit: &Unit<'_>, node: Node<'_>) -> bool {
    let around = node.parent().and_then(|it| it.parent());
    let branch = around.filter(|it| unit.kind(*it) == "if_statement");
    let condition = branch.and_then(|it| unit.child(it, Field::Condition));
    condition.is_some_and(|it| unit.text(it).ends_with("TYPE_CHECKING"))
}

fn count_tests(text: &str) -> usize {
    let lines = text.lines().map(str::trim_start);
    lines.filter(|it| it.starts_with("def test") || it.starts_with("async def test")).count()
}

/// Whether a module lies in the package that a file is part of.
fn is_own(path: &str, module: &str) -> bool {
    let outermost = module.split('.').next().unwrap_or_default();
    let folder = path.rsplit_once('/').map_or("", |it| it.0);
    module.starts_with('.') || folder.split('/').any(|it| it == outermost)
}
