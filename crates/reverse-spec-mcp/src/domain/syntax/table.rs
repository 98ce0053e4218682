//! What a language's node kinds mean, read from its table and looked up by number.

use std::collections::{BTreeMap, HashMap};

use serde::Deserialize;
use tree_sitter::Language as Grammar;

use super::field::Fields;
use super::mending::Mending;

/// The node kinds in the table of a language.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    /// Read elsewhere.
    #[serde(rename = "about")]
    _about: serde::de::IgnoredAny,
    comments: Vec<String>,
    #[serde(default)]
    groups: Vec<String>,
    #[serde(default)]
    lone_groups: Vec<String>,
    #[serde(default)]
    nests: Vec<String>,
    #[serde(default)]
    chains: Vec<String>,
    #[serde(default)]
    strings: Vec<String>,
    #[serde(default)]
    atoms: Vec<String>,
    #[serde(default)]
    dotted: Vec<String>,
    #[serde(default)]
    keyed: Vec<String>,
    #[serde(default)]
    joined: Vec<String>,
    #[serde(default)]
    separated: Vec<String>,
    #[serde(default)]
    numbers: Vec<String>,
    #[serde(default)]
    loose_text: Vec<String>,
    #[serde(default)]
    dropped_tokens: Vec<String>,
    #[serde(default)]
    lambdas: Vec<String>,
    #[serde(default)]
    single_blocks_in: Vec<String>,
    #[serde(default)]
    blocks: Vec<String>,
    #[serde(default)]
    enders: Vec<String>,
    #[serde(default)]
    throws: Vec<String>,
    #[serde(default)]
    conditions: Vec<String>,
    #[serde(default)]
    calls: Vec<String>,
    #[serde(default)]
    unwraps: Vec<String>,
    #[serde(default)]
    asserts: Vec<String>,
    #[serde(default)]
    unwrap_calls: Vec<String>,
    #[serde(default)]
    panic_calls: Vec<String>,
    #[serde(default)]
    throw_calls: Vec<String>,
    #[serde(default)]
    ignored_attributes: Vec<String>,
    #[serde(default)]
    mending: Mending,
    #[serde(default)]
    alike: BTreeMap<String, String>,
    /// Kinds of statements that a file may have at its top.
    #[serde(default)]
    statements: Vec<String>,
    declarations: BTreeMap<String, Role>,
}

/// What a node kind is; several can hold at once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Traits(u32);

impl Traits {
    pub(crate) const COMMENT: Self = Self(1 << 0);
    pub(crate) const GROUP: Self = Self(1 << 1);
    pub(crate) const NEST: Self = Self(1 << 2);
    pub(crate) const CHAIN: Self = Self(1 << 3);
    pub(crate) const STRING: Self = Self(1 << 4);
    pub(crate) const NUMBER: Self = Self(1 << 5);
    pub(crate) const LOOSE_TEXT: Self = Self(1 << 6);
    pub(crate) const DROPPED: Self = Self(1 << 7);
    pub(crate) const LAMBDA: Self = Self(1 << 8);
    pub(crate) const SINGLE_BLOCK_INSIDE: Self = Self(1 << 9);
    pub(crate) const BLOCK: Self = Self(1 << 10);
    pub(crate) const ENDER: Self = Self(1 << 11);
    pub(crate) const THROW: Self = Self(1 << 12);
    pub(crate) const CONDITION: Self = Self(1 << 13);
    pub(crate) const CALL: Self = Self(1 << 14);
    pub(crate) const UNWRAP: Self = Self(1 << 15);
    pub(crate) const ASSERT: Self = Self(1 << 16);
    pub(crate) const KEYED: Self = Self(1 << 17);
    pub(crate) const SEPARATED: Self = Self(1 << 18);
    pub(crate) const LONE_GROUP: Self = Self(1 << 19);
    pub(crate) const ATOM: Self = Self(1 << 20);
    pub(crate) const DOTTED: Self = Self(1 << 21);
    pub(crate) const JOINED: Self = Self(1 << 22);

    pub(crate) fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(crate) fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    fn add(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

/// What a node declares. A language gives its own kinds one of these in its table.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Role {
    #[default]
    None,
    Ambient,
    Annotation,
    AssociatedType,
    Branch,
    Class,
    Const,
    Constant,
    Constants,
    Constructor,
    Decorated,
    Enum,
    ExternCrate,
    Field,
    Foreign,
    Function,
    FunctionSignature,
    Future,
    Impl,
    Import,
    ImportAlias,
    ImportFrom,
    Interface,
    Macro,
    Method,
    Module,
    Namespace,
    Package,
    Record,
    Statement,
    Static,
    Struct,
    Trait,
    Type,
    Types,
    Union,
    Use,
    Variables,
}

/// What a call means to whoever calls the code around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Note {
    Unwrap,
    Panic,
    Throw,
}

/// The table of one grammar.
#[derive(Debug)]
pub(crate) struct Table {
    traits: Vec<Traits>,
    names: Vec<Box<str>>,
    /// What a nested node counts as: kinds that mean the same in different places share a name.
    meanings: Vec<Box<str>>,
    pub(crate) fields: Fields,
    roles: Vec<Role>,
    notes: HashMap<String, Note>,
    pub(crate) ignored_attributes: Vec<String>,
    /// Kinds of statements that a file may have at its top.
    pub(crate) statements: Vec<String>,
    /// For files with errors.
    pub(crate) mending: Mending,
}

impl Table {
    /// Reads `text` for `grammar`. A word the grammar does not know is a mistake in the table.
    pub(crate) fn read(text: &'static str, grammar: &Grammar) -> Self {
        #[expect(clippy::expect_used, reason = "the tables are part of the program and tested")]
        let words: Words = toml::from_str(text).expect("a language table is well formed");
        let groups = [
            (Traits::COMMENT, &words.comments),
            (Traits::GROUP, &words.groups),
            (Traits::NEST, &words.nests),
            (Traits::CHAIN, &words.chains),
            (Traits::STRING, &words.strings),
            (Traits::ATOM, &words.atoms),
            (Traits::DOTTED, &words.dotted),
            (Traits::KEYED, &words.keyed),
            (Traits::JOINED, &words.joined),
            (Traits::SEPARATED, &words.separated),
            (Traits::LONE_GROUP, &words.lone_groups),
            (Traits::NUMBER, &words.numbers),
            (Traits::LOOSE_TEXT, &words.loose_text),
            (Traits::DROPPED, &words.dropped_tokens),
            (Traits::LAMBDA, &words.lambdas),
            (Traits::SINGLE_BLOCK_INSIDE, &words.single_blocks_in),
            (Traits::BLOCK, &words.blocks),
            (Traits::ENDER, &words.enders),
            (Traits::THROW, &words.throws),
            (Traits::CONDITION, &words.conditions),
            (Traits::CALL, &words.calls),
            (Traits::UNWRAP, &words.unwraps),
            (Traits::ASSERT, &words.asserts),
        ];
        let noted = |calls: Vec<String>, note| calls.into_iter().map(move |it| (it, note));
        let notes = noted(words.unwrap_calls, Note::Unwrap)
            .chain(noted(words.panic_calls, Note::Panic))
            .chain(noted(words.throw_calls, Note::Throw));
        let count = u16::try_from(grammar.node_kind_count()).unwrap_or(u16::MAX);
        let mut table = Self {
            traits: vec![Traits::default(); usize::from(count)],
            names: vec![Box::default(); usize::from(count)],
            meanings: vec![Box::default(); usize::from(count)],
            fields: Fields::of(grammar),
            roles: vec![Role::None; usize::from(count)],
            notes: notes.collect(),
            ignored_attributes: words.ignored_attributes,
            statements: words.statements,
            mending: words.mending,
        };
        for id in 0..count {
            let name = grammar.node_kind_for_id(id).unwrap_or_default();
            table.names[usize::from(id)] = name.into();
            table.meanings[usize::from(id)] =
                words.alike.get(name).map_or(name, String::as_str).into();
            let traits = &mut table.traits[usize::from(id)];
            for (kind, names) in groups {
                if names.iter().any(|it| it == name) {
                    traits.add(kind);
                }
            }
            let is_flat = traits.has(Traits::GROUP.or(Traits::DOTTED));
            if name.ends_with("_expression") && !is_flat {
                traits.add(Traits::NEST);
            }
            table.roles[usize::from(id)] =
                words.declarations.get(name).copied().unwrap_or_default();
        }
        table
    }

    /// What the grammar calls a node kind: to ask the node for it measures and checks the name anew.
    pub(crate) fn name(&self, kind: u16) -> &str {
        self.names.get(usize::from(kind)).map_or("ERROR", |it| it)
    }

    /// What a nested node counts as.
    pub(crate) fn meaning(&self, kind: u16) -> &str {
        self.meanings.get(usize::from(kind)).map_or("ERROR", |it| it)
    }

    pub(crate) fn traits(&self, kind: u16) -> Traits {
        // The kind of an ERROR node lies beyond the table.
        self.traits.get(usize::from(kind)).copied().unwrap_or_default()
    }

    /// Whether a caller must know of a call, by its last name or the whole: `log.Fatal`.
    pub(crate) fn note(&self, called: &str) -> Option<Note> {
        let last = last_name(called);
        let whole = || self.notes.get(called).filter(|_| last.len() < called.len());
        self.notes.get(last).or_else(whole).copied()
    }

    /// Which declaration a node is.
    pub(crate) fn role(&self, kind: u16) -> Role {
        self.roles.get(usize::from(kind)).copied().unwrap_or_default()
    }

    /// Every word of a table that its grammar does not know.
    #[cfg(test)]
    pub(crate) fn unknown_words(text: &str, grammar: &Grammar) -> Vec<String> {
        let table: toml::Table = toml::from_str(text).unwrap();
        let not_kinds = ["unwrap_calls", "panic_calls", "throw_calls", "ignored_attributes"];
        let mut words: Vec<String> = Vec::new();
        for (name, value) in &table {
            match value {
                toml::Value::Table(_) if ["mending", "about"].contains(&name.as_str()) => {}
                toml::Value::Table(declarations) => words.extend(declarations.keys().cloned()),
                toml::Value::Array(kinds) if !not_kinds.contains(&name.as_str()) => {
                    words.extend(kinds.iter().filter_map(|it| it.as_str()).map(str::to_owned));
                }
                _ => {}
            }
        }
        let known = |word: &str| {
            let count = u16::try_from(grammar.node_kind_count()).unwrap();
            (0..count).any(|id| grammar.node_kind_for_id(id) == Some(word))
        };
        words.retain(|word| !known(word));
        words
    }
}

/// What follows the last dot or colon.
pub(crate) fn last_name(called: &str) -> &str {
    // Both are one byte, and to look for bytes is quicker than for characters.
    let mark = called.bytes().rposition(|it| matches!(it, b'.' | b':'));
    mark.map_or(called, |it| &called[it + 1..])
}
