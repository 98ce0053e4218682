//! The skeleton's fields. Those of the public format keep its names; the rest are additions, which
//! readers of that format pass over.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::entries::{EntryPoint, Outlined};
use super::facts::BodyFacts;
use super::language::LanguageId;

/// What one file, or a set of files taken together, declares and uses.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CodeSkeleton {
    /// Relative to the project root, with slashes; of a set, that of the first file.
    pub(crate) file_path: String,
    /// Not taken from a baseline as it stands there: who reads one looks its word up.
    #[serde(skip_deserializing)]
    pub(crate) language: LanguageId,
    /// Lines, the empty one after a final newline included.
    pub(crate) loc: usize,
    /// Shared with the skeleton of the set, which lists everything of all files again.
    pub(crate) exports: Vec<Arc<ExportSymbol>>,
    pub(crate) imports: Vec<Arc<ImportReference>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) parse_errors: Vec<ParseError>,
    /// SHA-256 of the text without its byte-order mark; of a set, of the hashes in order.
    pub(crate) hash: String,
    /// Left out of baselines, which must not change with the time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) analyzed_at: Option<String>,
    pub(crate) parser_used: String,
    /// The comment or docstring the file opens with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) module_doc: Option<String>,
    /// Top-level items that are not exported, of files that export nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) internals: Vec<Arc<ExportSymbol>>,
    /// What authors marked as unfinished.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) marks: Vec<Mark>,
    /// How many tests the file holds.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) tests: usize,
    /// Where the program is reached, and what it takes from its surroundings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) entry_points: Vec<EntryPoint>,
    /// What a library lets its users switch on; none where no manifest says so, or none was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) features: Option<Vec<String>>,
    /// Every function and class of the file, exported or not, a line each.
    #[serde(skip)]
    pub(crate) outline: Vec<Outlined>,
    /// Types that are not exported: members given to them elsewhere are not exported either.
    #[serde(skip)]
    pub(crate) hidden_types: Vec<String>,
    /// The parser had to guess about so much of it that what it found says nothing.
    #[serde(skip)]
    pub(crate) is_garbled: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ExportSymbol {
    /// `default` for a default export; inside a namespace its name follows in `namespace`.
    pub(crate) name: String,
    pub(crate) kind: SymbolKind,
    pub(crate) signature: String,
    /// The documentation comment, as it is written.
    pub(crate) js_doc: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) type_parameters: Vec<String>,
    #[serde(default)]
    pub(crate) is_default: bool,
    pub(crate) start_line: usize,
    pub(crate) end_line: usize,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) members: Vec<MemberInfo>,

    /// Where it is declared, relative to the project root.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) file: String,
    /// Follows from the file, and is known to every symbol all the same: it decides what counts.
    #[serde(skip)]
    pub(crate) language: LanguageId,
    /// What a default export or a renamed one is called inside its file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) local_name: Option<String>,
    /// Which of several declarations of one name it is, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) overload: Option<usize>,
    /// The namespaces or modules of the same file around it: `A.B`, `a::b`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) namespace: Option<String>,
    /// Of whatever can be called, functions kept in constants included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) parameters: Option<Vec<Parameter>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) return_type: Option<String>,
    /// The declared type of a constant or variable; what a type alias stands for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) value_type: Option<String>,
    /// What a constant or variable begins with, where it is short enough to show.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) value: Option<String>,
    /// `async`, `abstract`, `let`, `unsafe`, `const` …, in the order of the source.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) modifiers: Vec<String>,
    /// Decorators, annotations and attributes that mean something to a caller.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) decorators: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) extends: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) implements: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) where_clause: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) visibility: Option<Visibility>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) re_export: Option<Box<ReExport>>,
    /// The names by which a library offers it to others; `<Type>` where only what that has from it can
    /// be reached. None where nothing says what is offered: then every export is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) paths: Option<Vec<String>>,
    /// Over the tokens of the body or initial value, so that layout does not count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) body_hash: Option<String>,
    #[serde(default, skip_serializing_if = "BodyFacts::is_empty")]
    pub(crate) facts: BodyFacts,
}

#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SymbolKind {
    #[default]
    Function,
    Class,
    Interface,
    Type,
    Enum,
    Const,
    Variable,
    Struct,
    Union,
    Trait,
    Record,
    Annotation,
    Namespace,
    Module,
    Macro,
    /// Members given to a type that is declared elsewhere.
    Impl,
    ReExport,
    /// A kind that only another generator knows.
    #[serde(other)]
    Other,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MemberInfo {
    pub(crate) name: String,
    pub(crate) kind: MemberKind,
    pub(crate) signature: String,
    pub(crate) js_doc: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) visibility: Option<Visibility>,
    #[serde(default)]
    pub(crate) is_static: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) is_abstract: bool,

    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) start_line: usize,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) end_line: usize,
    /// Where it is declared, if not in the file of its type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) file: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) overload: Option<usize>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) type_parameters: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) parameters: Option<Vec<Parameter>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) return_type: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) value_type: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) value: Option<String>,
    /// Written `name?` in TypeScript.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) is_optional: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) modifiers: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) decorators: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) where_clause: Option<String>,
    /// The head of the block that gives it to its type, where that has parameters or bounds: Rust's
    /// `impl<T: Clone> Stack<T>`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) given_by: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) body_hash: Option<String>,
    #[serde(default, skip_serializing_if = "BodyFacts::is_empty")]
    pub(crate) facts: BodyFacts,
}

#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub(crate) enum MemberKind {
    #[default]
    Method,
    Property,
    Getter,
    Setter,
    Constructor,
    Classmethod,
    Staticmethod,
    AssociatedFunction,
    /// A type or a constant that belongs to a trait or a type.
    AssociatedItem,
    EnumMember,
    IndexSignature,
    CallSignature,
    ConstructSignature,
    /// A declaration inside a namespace, a class or a module.
    Nested,
    #[serde(other)]
    Other,
}

#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Visibility {
    #[default]
    Public,
    /// Java's default, Rust's `pub(crate)`.
    Package,
    Protected,
    Private,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Parameter {
    pub(crate) name: String,
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub(crate) type_text: Option<String>,
    /// May be left out by a caller: marked so, or with a default.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) optional: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) default: Option<String>,
    /// Takes any number of arguments.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) rest: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReExport {
    pub(crate) module_specifier: String,
    /// The name there; none for everything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) imported_name: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) is_star: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) is_type_only: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ImportReference {
    pub(crate) module_specifier: String,
    #[serde(default)]
    pub(crate) is_relative: bool,
    /// The file of the project it leads to, relative to the project root.
    pub(crate) resolved_path: Option<String>,
    /// The names as the other module calls them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) named_imports: Vec<String>,
    pub(crate) default_import: Option<String>,
    #[serde(default)]
    pub(crate) is_type_only: bool,

    /// The name that stands for the whole module.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) namespace_import: Option<String>,
    /// Those of the names that are types only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) type_only_names: Vec<String>,
    #[serde(default)]
    pub(crate) import_type: ImportType,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) line: usize,
    /// The file that imports, in a set of files.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) file: String,
}

#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ImportType {
    #[default]
    Static,
    Dynamic,
    TypeOnly,
    CommonjsRequire,
    SideEffect,
    /// A part of the same module in a file of its own: Rust's `mod name;`.
    Submodule,
    #[serde(other)]
    Other,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ParseError {
    /// From 1.
    pub(crate) line: usize,
    /// From 0, in characters of UTF-16 as editors count.
    pub(crate) column: usize,
    pub(crate) message: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) affected_symbols: Vec<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) file: String,
}

/// A note in a comment that something is unfinished.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Mark {
    /// One of the words in `assets/reading.toml`.
    pub(crate) kind: String,
    pub(crate) line: usize,
    pub(crate) text: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) file: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl SymbolKind {
    /// Whether members may be given to it in blocks of their own: Rust's `impl`, Go's methods.
    pub(crate) fn takes_blocks(self) -> bool {
        matches!(self, Self::Struct | Self::Enum | Self::Union | Self::Trait | Self::Type)
    }

    /// As it is said in a sentence and written in JSON.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Function => "function",
            Self::Class => "class",
            Self::Interface => "interface",
            Self::Type => "type",
            Self::Enum => "enum",
            Self::Const => "const",
            Self::Variable => "variable",
            Self::Struct => "struct",
            Self::Union => "union",
            Self::Trait => "trait",
            Self::Record => "record",
            Self::Annotation => "annotation",
            Self::Namespace => "namespace",
            Self::Module => "module",
            Self::Macro => "macro",
            Self::Impl => "impl",
            Self::ReExport => "re_export",
            Self::Other => "other",
        }
    }
}

impl MemberInfo {
    /// The head of the block that a member is given by, or that it is itself.
    pub(crate) fn block_head(&self) -> Option<&String> {
        let is_block = self.kind == MemberKind::Nested && self.name.starts_with("impl ");
        if is_block { Some(&self.signature) } else { self.given_by.as_ref() }
    }
}

impl Visibility {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Package => "visible in its package only",
            Self::Protected => "protected",
            Self::Private => "private",
        }
    }
}
