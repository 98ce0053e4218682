//! The body of a class or a module: methods and who may call them, attributes, and what is declared by
//! calling something with plain values.

use std::collections::HashSet;

use tree_sitter::Node;

use super::member;
use crate::domain::skeleton::{MemberInfo, MemberKind, Visibility};
use crate::domain::syntax::comment::Doc;
use crate::domain::syntax::field::Field;
use crate::domain::syntax::symbols::Around;
use crate::domain::syntax::table::Role;
use crate::domain::syntax::unit::{Unit, children};

/// Longer declarations are known by their beginning.
const MAX_DECLARED: usize = 100;

#[derive(Default)]
pub(super) struct Body {
    pub(super) members: Vec<MemberInfo>,
    /// Modules whose methods it has.
    pub(super) included: Vec<String>,
    /// `has_many :lines, dependent: :destroy`, as it is written.
    pub(super) declared: Vec<String>,
    /// Constants that are private.
    pub(super) hidden: HashSet<String>,
    visibility: Visibility,
    is_function: bool,
}

pub(super) fn read(unit: &Unit<'_>, node: Node<'_>) -> Body {
    let mut body = Body::default();
    body.walk(unit, node, false);
    body
}

impl Body {
    fn walk(&mut self, unit: &Unit<'_>, block: Node<'_>, is_static: bool) {
        let mut doc = Doc::default();
        for node in children(block).into_iter().filter(Node::is_named) {
            if doc.take(unit, node, "#") {
                continue;
            }
            let around = Around { doc: doc.of_next(unit, node), ..Around::default() };
            match unit.table.role(node.kind_id()) {
                Role::Method => self.method(unit, node, &around, is_static),
                Role::Static => {
                    let mut member = member::method(unit, node, &around);
                    member.is_static = true;
                    member.visibility = Some(Visibility::Public);
                    self.members.push(member);
                }
                Role::Namespace if !is_static => {
                    let outside = std::mem::take(&mut self.visibility);
                    if let Some(inner) = unit.child(node, Field::Body) {
                        self.walk(unit, inner, true);
                    }
                    self.visibility = outside;
                }
                Role::ImportAlias => {
                    let name = unit.field(node, Field::Name).unwrap_or_default();
                    let of = unit.field(node, Field::Alias).unwrap_or_default();
                    self.alias(unit, node, &name, &of);
                }
                // A method may be there under a condition only.
                Role::Branch => self.walk(unit, node, is_static),
                Role::Statement => self.call(unit, node, &around, is_static),
                _ if unit.kind(node) == "identifier" => self.word(unit.text(node)),
                _ => {}
            }
        }
    }

    fn method(&mut self, unit: &Unit<'_>, node: Node<'_>, around: &Around, is_static: bool) {
        let mut member = member::method(unit, node, around);
        // Whatever is written before it, nobody calls it by its name.
        let is_made = member.kind == MemberKind::Constructor;
        member.visibility = Some(if is_made { Visibility::Public } else { self.visibility });
        member.is_static = is_static || self.is_function;
        self.members.push(member);
    }

    /// A word alone changes who may call what follows.
    fn word(&mut self, word: &str) {
        match word {
            "private" => self.visibility = Visibility::Private,
            "protected" => self.visibility = Visibility::Protected,
            "public" => self.visibility = Visibility::Public,
            "module_function" => self.is_function = true,
            _ => {}
        }
    }

    fn alias(&mut self, unit: &Unit<'_>, node: Node<'_>, name: &str, of: &str) {
        let name = name.trim_start_matches(':');
        let of = of.trim_start_matches(':');
        let mut member = member::property(unit, node, &Around::default(), "");
        name.clone_into(&mut member.name);
        member.signature = format!("alias {name} {of}");
        if let Some(behind) = self.members.iter().find(|it| it.name == of) {
            member.kind = behind.kind;
            member.parameters.clone_from(&behind.parameters);
            member.visibility = behind.visibility;
            member.is_static = behind.is_static;
        }
        self.members.push(member);
    }

    fn call(&mut self, unit: &Unit<'_>, node: Node<'_>, around: &Around, is_static: bool) {
        let Some(called) = unit.child(node, Field::Method).map(|it| unit.text(it)) else { return };
        if unit.child(node, Field::Receiver).is_some() {
            return;
        }
        let given = unit.child(node, Field::Arguments).map(children).unwrap_or_default();
        let given: Vec<Node<'_>> = given.into_iter().filter(Node::is_named).collect();
        match called {
            "private" | "protected" | "public" | "private_class_method" | "module_function" => {
                self.change(unit, called, &given, around, is_static);
            }
            "private_constant" => {
                let names =
                    given.iter().map(|it| unit.text(*it).trim_start_matches(':').to_owned());
                self.hidden.extend(names);
            }
            "attr_reader" | "attr_writer" | "attr_accessor" | "attr" | "cattr_accessor"
            | "mattr_accessor" | "class_attribute" => {
                for name in given.iter().filter(|it| unit.kind(**it) == "simple_symbol") {
                    let mut member = member::property(unit, *name, around, called);
                    member.visibility = Some(self.visibility);
                    member.is_static = is_static || called.starts_with(['c', 'm']);
                    self.members.push(member);
                }
            }
            "include" | "prepend" | "extend" => {
                self.included.extend(given.iter().map(|it| unit.clean(*it)));
            }
            "alias_method" => {
                if let [name, of, ..] = given.as_slice() {
                    self.alias(unit, node, unit.text(*name), unit.text(*of));
                }
            }
            "require" | "require_relative" => {}
            _ => {
                // What is declared with a block is known by what comes before it.
                let block = unit
                    .child_of_kind(node, "do_block")
                    .or_else(|| unit.child_of_kind(node, "block"));
                let text = unit.head(node, node.start_byte(), block);
                let is_plain = !given.is_empty() && given.iter().all(|it| is_plain(unit, *it));
                if is_plain && text.chars().count() <= MAX_DECLARED {
                    // Brackets around what is given are a matter of taste.
                    let inside = text.strip_prefix(called).and_then(|it| it.strip_prefix('('));
                    let bare = inside.and_then(|it| it.strip_suffix(')'));
                    let bare = bare.map(|it| format!("{called} {}", it.trim()));
                    self.declared.push(bare.unwrap_or(text));
                }
            }
        }
    }

    /// `private :a, :b`, `private def a`, `private attr_reader :a`.
    fn change(
        &mut self,
        unit: &Unit<'_>,
        word: &str,
        given: &[Node<'_>],
        around: &Around,
        is_static: bool,
    ) {
        let visibility = match word {
            "protected" => Visibility::Protected,
            "public" | "module_function" => Visibility::Public,
            _ => Visibility::Private,
        };
        for node in given {
            match unit.kind(*node) {
                "method" | "singleton_method" => {
                    let mut member = member::method(unit, *node, around);
                    member.visibility = Some(visibility);
                    member.is_static = is_static
                        || unit.kind(*node) == "singleton_method"
                        || word == "module_function";
                    self.members.push(member);
                }
                "call" => {
                    let outside = std::mem::replace(&mut self.visibility, visibility);
                    self.call(unit, *node, around, is_static);
                    self.visibility = outside;
                }
                _ => {
                    let name = unit.text(*node).trim_matches([':', '\'', '"']);
                    for member in self.members.iter_mut().filter(|it| it.name == name) {
                        match word {
                            "module_function" => member.is_static = true,
                            _ => member.visibility = Some(visibility),
                        }
                    }
                }
            }
        }
        if given.is_empty() {
            self.word(word);
        }
    }
}

/// Whether a value says all by itself: a text, a number, a symbol, a name, a pair or a list of them.
fn is_plain(unit: &Unit<'_>, node: Node<'_>) -> bool {
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        match unit.kind(node) {
            "string" | "simple_symbol" | "integer" | "float" | "constant" | "scope_resolution"
            | "true" | "false" | "nil" | "hash_key_symbol" | "regex" | "string_array"
            | "symbol_array" | "range" | "lambda" => {}
            "pair" | "array" | "hash" => {
                open.extend(children(node).into_iter().filter(Node::is_named));
            }
            _ => return false,
        }
    }
    true
}
