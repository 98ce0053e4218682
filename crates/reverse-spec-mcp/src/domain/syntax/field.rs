//! The fields of nodes that are asked for, by number: to look one up by its name compares it with
//! every name that the grammar has.

use tree_sitter::{Language, Node};

macro_rules! fields {
    ($($field:ident = $name:literal,)*) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Field {
            $($field,)*
        }

        impl Field {
            /// In the order of the variants.
            const NAMES: &[&str] = &[$($name,)*];
        }
    };
}

fields! {
    Accessors = "accessors",
    Alias = "alias",
    Argument = "argument",
    Arguments = "arguments",
    Attributes = "attributes",
    Body = "body",
    Bounds = "bounds",
    Condition = "condition",
    Constructor = "constructor",
    Declaration = "declaration",
    DefaultValue = "default_value",
    Definition = "definition",
    Dimensions = "dimensions",
    Function = "function",
    IndexType = "index_type",
    Interfaces = "interfaces",
    Key = "key",
    Left = "left",
    List = "list",
    Macro = "macro",
    Method = "method",
    ModuleName = "module_name",
    Name = "name",
    Object = "object",
    Parameter = "parameter",
    Parameters = "parameters",
    Path = "path",
    Pattern = "pattern",
    Receiver = "receiver",
    Result = "result",
    ReturnType = "return_type",
    Returns = "returns",
    Right = "right",
    Source = "source",
    Superclass = "superclass",
    Superclasses = "superclasses",
    Tag = "tag",
    Trait = "trait",
    Type = "type",
    TypeParameters = "type_parameters",
    Value = "value",
}

/// What a grammar numbers its fields; none for those it does not have.
#[derive(Debug)]
pub(crate) struct Fields(Vec<Option<u16>>);

impl Fields {
    pub(crate) fn of(grammar: &Language) -> Self {
        let number = |name: &&str| grammar.field_id_for_name(name).map(u16::from);
        Self(Field::NAMES.iter().map(number).collect())
    }

    pub(crate) fn child<'tree>(&self, node: Node<'tree>, field: Field) -> Option<Node<'tree>> {
        node.child_by_field_id(self.0[field as usize]?)
    }
}
