//! A toy, to see what adding a language costs: this file, its table and a line in the registry.
//! It has the grammar of Go and other habits: a name that ends in `_` is offered, `text` is another
//! word for `string`, and `toys.txt` declares packages.

use std::sync::{Arc, LazyLock};

use tree_sitter::Node;

use super::manifest::Manifest;
use super::{About, Grammar, Language, ProjectFiles, Scope};
use crate::domain::skeleton::{CodeSkeleton, ImportReference, Parameter, SymbolKind};
use crate::domain::syntax::field::Field;
use crate::domain::syntax::symbols::Around;
use crate::domain::syntax::table::Role;
use crate::domain::syntax::unit::{Unit, children};

const TABLE: &str = include_str!("toy/table.toml");
static ABOUT: LazyLock<About> = LazyLock::new(|| About::read(TABLE));
static GRAMMAR: LazyLock<Grammar> = LazyLock::new(|| Grammar::new(tree_sitter_go::LANGUAGE, TABLE));

pub(super) struct Toy;

impl Language for Toy {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn grammar(&self, _path: &str) -> &'static Grammar {
        &GRAMMAR
    }

    fn read(&self, unit: &Unit<'_>, root: Node<'_>, scope: Scope, skeleton: &mut CodeSkeleton) {
        let functions = children(root).into_iter();
        for node in functions.filter(|it| unit.table.role(it.kind_id()) == Role::Function) {
            let Some(name) = unit.field(node, Field::Name) else { continue };
            let body = unit.child(node, Field::Body);
            let mut symbol = unit.symbol(node, SymbolKind::Function, &name, &Around::default());
            symbol.signature = unit.head(node, node.start_byte(), body);
            symbol.parameters = Some(parameters(unit, node));
            symbol.return_type = unit.field(node, Field::Result);
            symbol.namespace = Some("shelf".to_owned());
            unit.fill_body(&mut symbol, body.as_slice());
            if name.ends_with('_') {
                skeleton.exports.push(Arc::new(symbol));
            } else if scope == Scope::WithInternals {
                skeleton.internals.push(Arc::new(symbol));
            }
        }
    }

    fn manifests(&self) -> &'static [Manifest] {
        &[Manifest {
            file: "toys.txt",
            members: |text| Some(text.lines().map(str::to_owned).collect()),
            name: Some(|text| text.lines().next().map(str::to_owned)),
            names_imports: false,
            offer: None,
        }]
    }

    fn resolve(
        &self,
        files: &ProjectFiles,
        _from: &str,
        import: &ImportReference,
    ) -> Option<String> {
        files.first_of([format!("{}.toy", import.module_specifier)])
    }

    fn plain_type(&self, text: String) -> String {
        text.replace("text", "string")
    }
}

fn parameters(unit: &Unit<'_>, node: Node<'_>) -> Vec<Parameter> {
    let list = unit.child(node, Field::Parameters).map(children).unwrap_or_default();
    let declared = list.into_iter().filter(|it| unit.kind(*it) == "parameter_declaration");
    let parameter = |it: Node<'_>| Parameter {
        name: unit.field(it, Field::Name).unwrap_or_default(),
        type_text: unit.field(it, Field::Type),
        ..Parameter::default()
    };
    declared.map(parameter).collect()
}
