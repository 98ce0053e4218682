//! TypeScript and JavaScript: what a file exports, in every way the two have for it.

mod assigned;
mod class;
mod commonjs;
mod declare;
mod handed;
mod import;
mod member;
mod parts;
mod value;

use std::collections::{BTreeMap, HashMap};

use tree_sitter::Node;

use crate::domain::languages::Scope;
use crate::domain::skeleton::{CodeSkeleton, ExportSymbol, ReExport, SymbolKind};
use crate::domain::syntax::field::Field;
use crate::domain::syntax::symbols::{Around, shared};
use crate::domain::syntax::table::Role;
use crate::domain::syntax::unit::{Unit, children, start_line, string_content};
use declare::Declared;
use handed::{is_type_star, re_export, re_export_text};

/// Fills in declarations, imports and tests.
pub(super) fn read(unit: &Unit<'_>, root: Node<'_>, scope: Scope, skeleton: &mut CodeSkeleton) {
    let mut file = File::default();
    file.collect(unit, root, skeleton);
    file.resolve(unit, scope, skeleton);
    import::find_calls(unit, root, skeleton);
    skeleton.tests = import::count_tests(unit, root);
}

/// A declaration at the top of a file.
struct Local<'tree> {
    node: Node<'tree>,
    around: Around,
}

/// `export { local as exported }`, to be looked up once everything is known.
struct Named {
    local: String,
    exported: String,
    type_only: bool,
    line: usize,
    doc: Option<String>,
}

#[derive(Default)]
struct File<'tree> {
    locals: Vec<Local<'tree>>,
    exports: Vec<Declared>,
    named: Vec<Named>,
    /// A name in this file, with the module and the name there that it stands for.
    imported: HashMap<String, (String, Option<String>, bool)>,
    /// Whether anything makes it a module rather than a script.
    is_module: bool,
    /// Whether it says what it exports apart from the declarations.
    lists_exports: bool,
}

impl<'tree> File<'tree> {
    fn collect(&mut self, unit: &Unit<'_>, root: Node<'tree>, skeleton: &mut CodeSkeleton) {
        let mut doc: Option<Node<'tree>> = None;
        let mut cursor = root.walk();
        let mut nothing_yet = true;
        for node in root.children(&mut cursor) {
            if unit.kind(node) == "comment" {
                if let Some(opening) = doc.take().filter(|_| nothing_yet) {
                    skeleton.module_doc = unit.doc(opening.start_byte(), opening.end_byte());
                    nothing_yet = false;
                }
                doc = unit.text(node).starts_with("/**").then_some(node);
                continue;
            }
            let comment = doc.take();
            let words = comment.and_then(|it| unit.doc(it.start_byte(), it.end_byte()));
            let around = Around { doc: words, ..Around::default() };
            match unit.kind(node) {
                "import_statement" => {
                    if nothing_yet && around.doc.is_some() {
                        skeleton.module_doc = around.doc;
                    }
                    self.is_module = true;
                    import::read(unit, node, &mut self.imported, &mut skeleton.imports);
                }
                "export_statement" => self.export(unit, node, around, skeleton),
                "expression_statement" => self.statement(unit, node, &around, skeleton),
                "if_statement" => self.branches(unit, node, skeleton),
                _ if unit.table.role(node.kind_id()) != Role::None => {
                    import::requires(unit, node, &mut self.imported, &mut skeleton.imports);
                    self.locals.push(Local { node, around });
                }
                _ => {}
            }
            nothing_yet = false;
        }
    }

    /// `if (production) module.exports = require('a'); else …`
    fn branches(&mut self, unit: &Unit<'_>, node: Node<'tree>, skeleton: &mut CodeSkeleton) {
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            match unit.kind(node) {
                "if_statement" | "else_clause" | "statement_block" => {
                    open.extend(children(node).into_iter().filter(Node::is_named).rev());
                }
                "expression_statement" => {
                    self.statement(unit, node, &Around::default(), skeleton);
                }
                _ => {}
            }
        }
    }

    fn statement(
        &mut self,
        unit: &Unit<'_>,
        node: Node<'tree>,
        around: &Around,
        skeleton: &mut CodeSkeleton,
    ) {
        let Some(inner) = node.named_child(0) else { return };
        if unit.table.role(inner.kind_id()) == Role::Namespace {
            self.locals.push(Local { node: inner, around: around.clone() });
            return;
        }
        let found = commonjs::read(unit, inner, around);
        if !found.is_empty() {
            self.is_module = true;
        }
        for export in found {
            match export {
                commonjs::Export::Whole(symbol) => self.exports.push(Declared::whole(*symbol)),
                commonjs::Export::Local { local, exported } => self.named.push(Named {
                    local,
                    exported,
                    type_only: false,
                    line: start_line(inner),
                    doc: around.doc.clone(),
                }),
                commonjs::Export::Part { object, part, exported } => {
                    let known = self.imported.get(&object);
                    let from = ReExport {
                        module_specifier: known.map(|it| it.0.clone()).unwrap_or_default(),
                        imported_name: Some(part),
                        ..ReExport::default()
                    };
                    let symbol = re_export(unit, inner, &exported, from);
                    self.exports.push(Declared::whole(symbol));
                }
                commonjs::Export::Everything(module_specifier) => {
                    let from = ReExport { module_specifier, is_star: true, ..ReExport::default() };
                    self.exports.push(Declared::whole(re_export(unit, inner, "*", from)));
                }
            }
        }
        import::side_effect(unit, inner, &mut skeleton.imports);
    }

    fn export(
        &mut self,
        unit: &Unit<'_>,
        node: Node<'tree>,
        mut around: Around,
        skeleton: &mut CodeSkeleton,
    ) {
        self.is_module = true;
        self.lists_exports |=
            unit.child(node, Field::Declaration).is_none() && !unit.has_token(node, "namespace");
        around.decorators = parts::decorators(unit, node);
        let source = unit.child(node, Field::Source).map(|it| unquoted(unit, it));
        let type_only = unit.has_token(node, "type") || is_type_star(unit.text(node));
        let is_default = unit.has_token(node, "default");
        if let Some(declaration) = unit.child(node, Field::Declaration) {
            let mut found = declare::declare(unit, declaration, &around);
            for it in &mut found {
                // Nothing but a default export without a name can be called this.
                if is_default || it.symbol.name == "default" {
                    make_default(&mut it.symbol);
                }
            }
            self.exports.append(&mut found);
        } else if let Some(value) = unit.child(node, Field::Value) {
            self.default_value(unit, node, value, &around);
        } else if let Some(clause) = unit.child_of_kind(node, "export_clause") {
            self.clause(unit, clause, source.as_deref(), type_only, around.doc.as_ref());
        } else if let Some(module) = &source {
            let name = unit
                .child_of_kind(node, "namespace_export")
                .and_then(|it| it.named_child(0))
                .map(|it| unquoted(unit, it));
            let star = re_export(
                unit,
                node,
                name.as_deref().unwrap_or("*"),
                ReExport {
                    module_specifier: module.clone(),
                    imported_name: None,
                    is_star: true,
                    is_type_only: type_only,
                },
            );
            self.exports.push(Declared::whole(star));
        } else if unit.has_token(node, "=") {
            // `export = value`
            if let Some(value) = children(node).into_iter().rfind(Node::is_named) {
                self.default_value(unit, node, value, &around);
            }
        } else if unit.has_token(node, "namespace")
            && let Some(name) = children(node).into_iter().rfind(Node::is_named)
        {
            let mut symbol = unit.symbol(node, SymbolKind::Namespace, unit.text(name), &around);
            symbol.signature = unit.head(node, node.start_byte(), None);
            self.exports.push(Declared::whole(symbol));
        }
        if let Some(module) = source {
            let import = import::of_re_export(unit, node, module, type_only);
            skeleton.imports.push(import.into());
        }
    }

    /// `export default value`: a name that is looked up, or a value of its own.
    fn default_value(
        &mut self,
        unit: &Unit<'_>,
        node: Node<'tree>,
        value: Node<'tree>,
        around: &Around,
    ) {
        if unit.kind(value) == "identifier" {
            self.named.push(Named {
                local: unit.text(value).to_owned(),
                exported: "default".to_owned(),
                type_only: false,
                line: start_line(node),
                doc: around.doc.clone(),
            });
            return;
        }
        let mut symbol = value::value_symbol(unit, node, value, "default", around);
        symbol.is_default = true;
        self.exports.push(Declared::whole(symbol));
    }

    fn clause(
        &mut self,
        unit: &Unit<'_>,
        clause: Node<'tree>,
        source: Option<&str>,
        type_only: bool,
        doc: Option<&String>,
    ) {
        for handed::Specifier { node: specifier, local, exported, type_only } in
            handed::specifiers(unit, clause, type_only)
        {
            match source {
                Some(module) => {
                    let from = ReExport {
                        module_specifier: module.to_owned(),
                        imported_name: Some(local),
                        is_star: false,
                        is_type_only: type_only,
                    };
                    let symbol = re_export(unit, specifier, &exported, from);
                    self.exports.push(Declared::whole(symbol));
                }
                None => self.named.push(Named {
                    local,
                    exported,
                    type_only,
                    line: start_line(specifier),
                    doc: doc.cloned(),
                }),
            }
        }
    }

    /// Looks up what was exported by name, then lists the rest where it was asked for.
    fn resolve(mut self, unit: &Unit<'_>, scope: Scope, skeleton: &mut CodeSkeleton) {
        // A declaration file that lists nothing apart exports all it declares.
        let everything = is_declaration_file(unit.path) && !self.lists_exports;
        let mut by_name: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (index, local) in self.locals.iter().enumerate() {
            for name in declare::names(unit, local.node) {
                by_name.entry(name).or_default().push(index);
            }
        }
        // Each statement is read once, however many of its names are exported.
        let mut read: HashMap<usize, HashMap<String, Vec<Declared>>> = HashMap::new();
        let mut exported = vec![false; self.locals.len()];
        for named in std::mem::take(&mut self.named) {
            if let Some(indexes) = by_name.get(&named.local) {
                for index in indexes {
                    exported[*index] = true;
                    let local = &self.locals[*index];
                    let names = read.entry(*index).or_insert_with(|| declare::by_name(unit, local));
                    let found = names.get(&named.local).into_iter().flatten().cloned();
                    self.exports.extend(found.map(|it| it.named(&named.exported)));
                }
            } else {
                let symbol = self.named_elsewhere(unit, &named);
                self.exports.push(Declared::whole(symbol));
            }
        }
        let rest = self.locals.iter().zip(&exported).filter(|(_, exported)| !**exported);
        let mut internals: Vec<Declared> = Vec::new();
        for (local, _) in rest {
            let ambient = unit.kind(local.node) == "ambient_declaration";
            let module = ambient && declare::augments(unit, local.node);
            let is_import = unit.table.role(local.node.kind_id()) == Role::ImportAlias;
            if everything && !is_import || module {
                self.exports.append(&mut declare::declare(unit, local.node, &local.around));
            } else if scope == Scope::WithInternals {
                internals.append(&mut declare::declare(unit, local.node, &local.around));
            }
        }
        skeleton.exports = shared(declare::without_implementations(self.exports));
        skeleton.internals = shared(declare::without_implementations(internals));
    }

    /// A name that is exported but not declared here: imported before, or unknown.
    fn named_elsewhere(&self, unit: &Unit<'_>, named: &Named) -> ExportSymbol {
        let (module, name, type_only) = match self.imported.get(&named.local) {
            Some((module, name, type_only)) => (module.clone(), name.clone(), *type_only),
            None => (String::new(), Some(named.local.clone()), false),
        };
        let from = ReExport {
            module_specifier: module,
            is_star: name.is_none(),
            imported_name: name,
            is_type_only: type_only || named.type_only,
        };
        ExportSymbol {
            name: named.exported.clone(),
            kind: SymbolKind::ReExport,
            signature: re_export_text(&named.exported, &from),
            js_doc: named.doc.clone(),
            start_line: named.line,
            end_line: named.line,
            file: unit.path.to_owned(),
            is_default: named.exported == "default",
            re_export: Some(from.into()),
            ..ExportSymbol::default()
        }
    }
}

fn make_default(symbol: &mut ExportSymbol) {
    if symbol.name != "default" {
        symbol.local_name = Some(std::mem::replace(&mut symbol.name, "default".to_owned()));
    }
    symbol.is_default = true;
}

/// Whether a name needs no quotes.
fn is_word(name: &str) -> bool {
    name.chars().all(|it| it.is_alphanumeric() || matches!(it, '_' | '$'))
}

/// A module's name without its quotes; a plain name stays as it is.
fn unquoted(unit: &Unit<'_>, node: Node<'_>) -> String {
    string_content(unit.text(node)).trim_start_matches('"').to_owned()
}

/// Declarations only, without bodies: `a.d.ts`, `a.d.mts`.
pub(super) fn is_declaration_file(path: &str) -> bool {
    path.contains(".d.")
}
