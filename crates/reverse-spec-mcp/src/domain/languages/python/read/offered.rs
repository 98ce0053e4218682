//! `__all__`: the names that a module says it offers.

use std::collections::HashSet;

use tree_sitter::Node;

use super::import::Imported;
use super::re_export;
use crate::domain::skeleton::ExportSymbol;
use crate::domain::syntax::field::Field;
use crate::domain::syntax::unit::{Unit, children, start_line, string_content};

pub(super) struct Offered {
    names: Vec<(String, usize)>,
    /// Whether all of it could be read: `other.__all__` names what only the other module knows.
    pub(super) is_complete: bool,
}

impl Offered {
    /// Takes in what a statement says about `__all__`; false where it says nothing about it.
    pub(super) fn read(unit: &Unit<'_>, statement: Node<'_>, offered: &mut Option<Self>) -> bool {
        let field = |field| unit.child(statement, field);
        match unit.kind(statement) {
            kind @ ("assignment" | "augmented_assignment") => {
                if field(Field::Left).is_none_or(|it| unit.text(it) != "__all__") {
                    return false;
                }
                let Some(value) = field(Field::Right) else { return true };
                // What is assigned in one branch counts beside what is assigned in another.
                if kind == "assignment" && offered.is_none() {
                    *offered = Some(Self { names: Vec::new(), is_complete: true });
                }
                Self::known(offered).add(unit, value);
                true
            }
            "call" => {
                let called = field(Field::Function).map(|it| unit.text(it));
                let given = field(Field::Arguments).and_then(|it| it.named_child(0));
                match (called, given) {
                    (Some("__all__.extend" | "__all__.append"), Some(value)) => {
                        Self::known(offered).add(unit, value);
                        true
                    }
                    (Some("__all__.remove"), Some(value)) => {
                        let mut gone = Self { names: Vec::new(), is_complete: true };
                        gone.add(unit, value);
                        let gone = gone.names();
                        Self::known(offered).names.retain(|it| !gone.contains(it.0.as_str()));
                        true
                    }
                    _ => false,
                }
            }
            _ => false,
        }
    }

    /// A list that is added to before it is made came from another module.
    fn known(offered: &mut Option<Self>) -> &mut Self {
        offered.get_or_insert(Self { names: Vec::new(), is_complete: false })
    }

    fn add(&mut self, unit: &Unit<'_>, value: Node<'_>) {
        let mut open = vec![value];
        while let Some(node) = open.pop() {
            match unit.kind(node) {
                "string" => {
                    let content = string_content(unit.text(node));
                    let name = content.split_once('"').map_or(&*content, |it| it.1);
                    self.names.push((name.to_owned(), start_line(node)));
                }
                "list"
                | "tuple"
                | "set"
                | "expression_list"
                | "binary_operator"
                | "parenthesized_expression" => {
                    open.extend(children(node).into_iter().filter(Node::is_named).rev());
                }
                "comment" => {}
                "identifier" if unit.text(node) == "__all__" => {}
                _ => self.is_complete = false,
            }
        }
    }

    pub(super) fn names(&self) -> HashSet<&str> {
        self.names.iter().map(|it| it.0.as_str()).collect()
    }

    /// It is put together at run time: then what counts is what a name begins with.
    pub(super) fn says_nothing(&self) -> bool {
        self.names.is_empty() && !self.is_complete
    }

    /// The names that nothing in the file makes: from a module imported whole, or made at run time.
    pub(super) fn made_elsewhere(
        &self,
        unit: &Unit<'_>,
        known: &HashSet<String>,
        stars: &[Imported],
    ) -> Vec<ExportSymbol> {
        let module = match stars {
            [only] => only.module.clone(),
            _ => String::new(),
        };
        let mut seen = HashSet::new();
        // `__doc__` and the like every module has.
        let elsewhere = self.names.iter().filter(|(name, _)| {
            !known.contains(name) && !name.starts_with("__") && seen.insert(name)
        });
        let build = |(name, line): &(String, usize)| {
            let imported = Imported {
                module: module.clone(),
                name: Some(name.clone()),
                local: name.clone(),
                is_marked: false,
                is_checked_only: false,
                line: *line,
            };
            re_export(unit, imported)
        };
        elsewhere.map(build).collect()
    }
}
