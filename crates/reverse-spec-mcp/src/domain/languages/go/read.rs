//! Go: names with a capital letter, methods grouped under the type they belong to.

mod fields;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use tree_sitter::Node;

use crate::domain::languages::Scope;
use crate::domain::skeleton::{
    CodeSkeleton, ExportSymbol, ImportReference, ImportType, MemberInfo, MemberKind, Parameter,
    SymbolKind, Visibility,
};
use crate::domain::syntax::field::Field;
use crate::domain::syntax::symbols::{Around, new_member, shared};
use crate::domain::syntax::table::Role;
use crate::domain::syntax::unit::{Unit, children, start_line, string_content};

/// Fills in declarations, imports and tests.
pub(super) fn read(unit: &Unit<'_>, root: Node<'_>, scope: Scope, skeleton: &mut CodeSkeleton) {
    let mut file = File { scope, ..File::default() };
    file.walk(unit, root, skeleton);
    file.group_methods(unit);
    skeleton.exports = shared(file.exports);
    skeleton.internals = shared(file.internals);
    skeleton.hidden_types = file.hidden_types;
    let tests = |it: &&str| it.starts_with("func Test") || it.starts_with("func Fuzz");
    skeleton.tests = unit.text.lines().filter(tests).count();
}

#[derive(Default)]
struct File<'tree> {
    scope: Scope,
    /// Nothing can be imported from a program.
    is_program: bool,
    /// Where the file is part of the package: `//go:build linux`.
    constraint: Option<String>,
    exports: Vec<ExportSymbol>,
    internals: Vec<ExportSymbol>,
    methods: Vec<(Node<'tree>, Around)>,
    hidden_types: Vec<String>,
}

impl<'tree> File<'tree> {
    fn walk(&mut self, unit: &Unit<'_>, root: Node<'tree>, skeleton: &mut CodeSkeleton) {
        let mut comments = Comments::default();
        let mut cursor = root.walk();
        for node in root.named_children(&mut cursor) {
            if comments.take(unit, node) {
                if unit.text(node).starts_with("//go:build ") && self.constraint.is_none() {
                    self.constraint = Some(unit.text(node).trim_end().to_owned());
                }
                continue;
            }
            let doc = comments.doc_of(unit, node);
            let around = Around { doc, ..Around::default() };
            match unit.table.role(node.kind_id()) {
                Role::Package => {
                    let name = node.named_child(0).map(|it| unit.text(it));
                    self.is_program = name == Some("main");
                    skeleton.module_doc = around.doc;
                }
                Role::Import => imports(unit, node, &mut skeleton.imports),
                Role::Function => {
                    if let Some(symbol) = function(unit, node, &around) {
                        self.add(symbol);
                    }
                }
                Role::Method => self.methods.push((node, around)),
                Role::Types => self.types(unit, node, &around),
                Role::Constants => self.add_all(constants(unit, node, &around)),
                Role::Variables => self.add_all(variables(unit, node, &around)),
                _ => {}
            }
        }
    }

    fn add_all(&mut self, symbols: Vec<ExportSymbol>) {
        for symbol in symbols {
            self.add(symbol);
        }
    }

    fn add(&mut self, mut symbol: ExportSymbol) {
        let shown = visibility(&symbol.name);
        symbol.visibility = Some(shown);
        symbol.decorators.extend(self.constraint.clone());
        if shown == Visibility::Public && !self.is_program {
            self.exports.push(symbol);
        } else if self.scope == Scope::WithInternals && symbol.name != "_" {
            self.internals.push(symbol);
        }
    }

    fn types(&mut self, unit: &Unit<'_>, node: Node<'tree>, around: &Around) {
        for (spec, doc) in documented(unit, node, &["type_spec", "type_alias"]) {
            let doc = doc.or_else(|| around.doc.clone());
            let around = Around { doc, ..Around::default() };
            let Some(symbol) = fields::type_symbol(unit, spec, &around) else { continue };
            if visibility(&symbol.name) != Visibility::Public || self.is_program {
                self.hidden_types.push(symbol.name.clone());
            }
            self.add(symbol);
        }
    }

    fn group_methods(&mut self, unit: &Unit<'_>) {
        let index = |symbols: &[ExportSymbol]| -> HashMap<String, usize> {
            let named = symbols.iter().enumerate();
            named.map(|(index, it)| (it.name.clone(), index)).collect()
        };
        let (exported, internal) = (index(&self.exports), index(&self.internals));
        let hidden_types: HashSet<&String> = self.hidden_types.iter().collect();
        let mut elsewhere: HashMap<String, usize> = HashMap::new();
        for (node, around) in std::mem::take(&mut self.methods) {
            let Some((receiver, member)) = method(unit, node, &around) else { continue };
            if let Some(home) = exported.get(&receiver) {
                self.exports[*home].members.push(member);
            } else if let Some(home) = internal.get(&receiver) {
                self.internals[*home].members.push(member);
            } else {
                let public = [visibility(&receiver), visibility(&member.name)];
                let hidden = hidden_types.contains(&receiver) || self.is_program;
                if hidden || public.iter().any(|it| *it != Visibility::Public) {
                    continue;
                }
                let place = *elsewhere.entry(receiver.clone()).or_insert_with(|| {
                    let none = Around::default();
                    let mut symbol = unit.symbol(node, SymbolKind::Impl, &receiver, &none);
                    symbol.signature = format!("methods of {receiver}");
                    self.exports.push(symbol);
                    self.exports.len() - 1
                });
                self.exports[place].members.push(member);
            }
        }
    }
}

/// Comments directly above a declaration are its documentation.
#[derive(Default)]
struct Comments {
    start: Option<usize>,
    end: usize,
    last_row: usize,
    /// Where the last declaration ended: a comment in the same row speaks of that one.
    code_row: Option<usize>,
}

impl Comments {
    fn take(&mut self, unit: &Unit<'_>, node: Node<'_>) -> bool {
        if unit.kind(node) != "comment" {
            return false;
        }
        let row = node.start_position().row;
        if self.code_row != Some(row) {
            if self.start.is_none() || row > self.last_row + 1 {
                self.start = Some(node.start_byte());
            }
            self.end = node.end_byte();
            self.last_row = node.end_position().row;
        }
        true
    }

    fn doc_of(&mut self, unit: &Unit<'_>, node: Node<'_>) -> Option<String> {
        self.code_row = Some(node.end_position().row);
        let start = self.start.take()?;
        let adjacent = node.start_position().row == self.last_row + 1;
        adjacent.then(|| unit.doc(start, self.end)).flatten()
    }
}

/// The parts of a group with their documentation: what stands above them, else behind them.
fn documented<'tree>(
    unit: &Unit<'_>,
    group: Node<'tree>,
    kinds: &[&str],
) -> Vec<(Node<'tree>, Option<String>)> {
    let mut comments = Comments::default();
    let mut found: Vec<(Node<'tree>, Option<String>)> = Vec::new();
    for node in children(group) {
        let row = node.start_position().row;
        if comments.take(unit, node) {
            if let Some((_, doc @ None)) = found.last_mut()
                && comments.code_row == Some(row)
            {
                *doc = unit.doc(node.start_byte(), node.end_byte());
            }
        } else if kinds.contains(&unit.kind(node)) {
            found.push((node, comments.doc_of(unit, node)));
        }
    }
    found
}

fn visibility(name: &str) -> Visibility {
    let upper = name.chars().next().is_some_and(char::is_uppercase);
    if upper { Visibility::Public } else { Visibility::Package }
}

fn function(unit: &Unit<'_>, node: Node<'_>, around: &Around) -> Option<ExportSymbol> {
    let name = unit.field(node, Field::Name)?;
    let mut symbol = unit.symbol(node, SymbolKind::Function, &name, around);
    let body = unit.child(node, Field::Body);
    symbol.signature = unit.head(node, node.start_byte(), body);
    symbol.parameters = Some(parameters(unit, unit.child(node, Field::Parameters)));
    symbol.return_type = result(unit, node);
    symbol.type_parameters = type_parameters(unit, node);
    if let Some(body) = body {
        unit.fill_body(&mut symbol, &[body]);
    }
    Some(symbol)
}

/// The type a method belongs to, and the method.
fn method(unit: &Unit<'_>, node: Node<'_>, around: &Around) -> Option<(String, MemberInfo)> {
    let name = unit.field(node, Field::Name)?;
    let receiver = unit.child(node, Field::Receiver)?;
    let receiver = unit.child_of_kind(receiver, "parameter_declaration")?;
    let receiver = unit.field(receiver, Field::Type)?;
    let by_pointer = receiver.starts_with('*');
    let home = receiver.trim_start_matches('*').split('[').next().unwrap_or_default().to_owned();
    let mut member = new_member(node, MemberKind::Method, &name, around);
    let body = unit.child(node, Field::Body);
    member.signature = unit.head(node, node.start_byte(), body);
    member.visibility = Some(visibility(&name));
    member.parameters = Some(parameters(unit, unit.child(node, Field::Parameters)));
    member.return_type = result(unit, node);
    if by_pointer {
        member.modifiers.push("pointer".to_owned());
    }
    if let Some(body) = body {
        unit.fill_member_body(&mut member, &[body]);
    }
    Some((home, member))
}

/// `a, b int` are two parameters.
fn parameters(unit: &Unit<'_>, list: Option<Node<'_>>) -> Vec<Parameter> {
    let mut found = Vec::new();
    for declaration in list.map(children).unwrap_or_default() {
        let rest = unit.kind(declaration) == "variadic_parameter_declaration";
        if !rest && unit.kind(declaration) != "parameter_declaration" {
            continue;
        }
        let type_text = unit.field(declaration, Field::Type);
        let mut cursor = declaration.walk();
        let names = declaration.children_by_field_name("name", &mut cursor);
        let mut names: Vec<String> = names.map(|it| unit.text(it).to_owned()).collect();
        if names.is_empty() {
            names.push("_".to_owned());
        }
        for name in names {
            let type_text = type_text.clone();
            found.push(Parameter { name, type_text, rest, ..Parameter::default() });
        }
    }
    found
}

/// The types a function returns; their names are its own business.
fn result(unit: &Unit<'_>, node: Node<'_>) -> Option<String> {
    let result = unit.child(node, Field::Result)?;
    if unit.kind(result) != "parameter_list" {
        return Some(unit.clean(result));
    }
    let types = parameters(unit, Some(result)).into_iter().filter_map(|it| it.type_text);
    let types: Vec<String> = types.collect();
    match types.as_slice() {
        [only] => Some(only.clone()),
        several => Some(format!("({})", several.join(", "))),
    }
}

fn type_parameters(unit: &Unit<'_>, node: Node<'_>) -> Vec<String> {
    let Some(list) = unit.child(node, Field::TypeParameters) else { return Vec::new() };
    children(list).into_iter().filter(Node::is_named).map(|it| unit.clean(it)).collect()
}

fn constants(unit: &Unit<'_>, node: Node<'_>, around: &Around) -> Vec<ExportSymbol> {
    let mut found = Vec::new();
    // In a group, a constant without a value repeats the last one with the next `iota`.
    let mut repeated: Option<(Node<'_>, Option<String>)> = None;
    for (position, (spec, doc)) in documented(unit, node, &["const_spec"]).into_iter().enumerate() {
        let doc = doc.or_else(|| around.doc.clone());
        let around = Around { doc, ..Around::default() };
        let declared = unit.field(spec, Field::Type);
        let value = unit.child(spec, Field::Value);
        if let Some(value) = value {
            repeated = Some((value, declared.clone()));
        }
        for mut symbol in named_values(unit, spec, SymbolKind::Const, "const", &around) {
            if value.is_none()
                && let Some((first, declared)) = &repeated
            {
                symbol.value = unit.short(*first).map(|it| format!("{it} (iota = {position})"));
                symbol.value_type = symbol.value_type.or_else(|| declared.clone());
            }
            found.push(symbol);
        }
    }
    found
}

fn variables(unit: &Unit<'_>, node: Node<'_>, around: &Around) -> Vec<ExportSymbol> {
    let list = unit.child_of_kind(node, "var_spec_list").unwrap_or(node);
    let mut found = Vec::new();
    for (spec, doc) in documented(unit, list, &["var_spec"]) {
        let doc = doc.or_else(|| around.doc.clone());
        let around = Around { doc, ..Around::default() };
        found.extend(named_values(unit, spec, SymbolKind::Variable, "var", &around));
    }
    found
}

fn named_values(
    unit: &Unit<'_>,
    spec: Node<'_>,
    kind: SymbolKind,
    word: &str,
    around: &Around,
) -> Vec<ExportSymbol> {
    let declared = unit.field(spec, Field::Type);
    let value = unit.child(spec, Field::Value);
    let mut cursor = spec.walk();
    let names: Vec<String> = spec
        .children_by_field_name("name", &mut cursor)
        .filter(Node::is_named)
        .map(|it| unit.text(it).to_owned())
        .collect();
    // `a, b = 1, 2` gives each its own.
    let each: Vec<Node<'_>> =
        value.map(children).unwrap_or_default().into_iter().filter(Node::is_named).collect();
    let paired = each.len() == names.len();
    let build = |(index, name): (usize, &String)| {
        let value = if paired { each.get(index).copied() } else { value };
        let mut symbol = unit.symbol(spec, kind, name, around);
        symbol.value_type.clone_from(&declared);
        symbol.signature = match &declared {
            Some(declared) => format!("{word} {name} {declared}"),
            None => format!("{word} {name}"),
        };
        if let Some(value) = value {
            symbol.value = unit.short(value);
            unit.fill_body(&mut symbol, &[value]);
            if let Some(value) = symbol.value.as_ref().filter(|_| declared.is_none()) {
                symbol.signature = format!("{word} {name} = {value}");
            }
        }
        symbol
    };
    names.iter().enumerate().map(build).collect()
}

fn imports(unit: &Unit<'_>, node: Node<'_>, imports: &mut Vec<Arc<ImportReference>>) {
    let list = unit.child_of_kind(node, "import_spec_list").unwrap_or(node);
    for spec in children(list).into_iter().filter(|it| unit.kind(*it) == "import_spec") {
        let Some(path) = unit.child(spec, Field::Path) else { continue };
        let content = string_content(unit.text(path));
        let module = content.trim_matches(['"', '`']).to_owned();
        let alias = unit.field(spec, Field::Name);
        imports.push(Arc::new(ImportReference {
            is_relative: module.starts_with('.'),
            import_type: match alias.as_deref() {
                Some("_") => ImportType::SideEffect,
                _ => ImportType::Static,
            },
            module_specifier: module,
            namespace_import: alias.filter(|it| it != "_"),
            line: start_line(spec),
            file: unit.path.to_owned(),
            ..ImportReference::default()
        }));
    }
}
