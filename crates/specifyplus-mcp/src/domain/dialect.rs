//! A dialect: which placeholders the agent of a folder fills in, and how.

use std::collections::BTreeMap;

/// The input of a command under a name of its own, as `${input:name}` asks for it.
const NAMED: &str = "${input:name}";

/// Decided per folder and format, because what is a placeholder to one agent is plain text to
/// another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Dialect {
    /// What stands for the whole input, as it was typed.
    pub(super) whole: Vec<String>,
    /// `$ARGUMENTS[0]` is the first word.
    pub(super) indexed: bool,
    /// The number of the first word in `$1`; `None` where a dollar and a digit mean nothing.
    pub(super) first_word: Option<usize>,
    /// `${input:name}` asks for an input of that name.
    pub(super) named: bool,
    /// Whether the command declares its input and gets it at the end of its text, where no
    /// placeholder takes it.
    pub(super) appends: bool,
}

impl Dialect {
    /// `$ARGUMENTS` alone: command files directly in the command directory.
    pub(crate) fn plain() -> Self {
        Self { appends: false, ..Self::of(["$ARGUMENTS"]) }
    }

    /// `{{args}}` alone: files that are not Markdown.
    pub(crate) fn args() -> Self {
        Self::of(["{{args}}"])
    }

    /// A dialect from examples of its placeholders.
    pub(crate) fn of<'a>(examples: impl IntoIterator<Item = &'a str>) -> Self {
        let mut dialect = Self {
            whole: Vec::new(),
            indexed: false,
            first_word: None,
            named: false,
            appends: true,
        };
        for example in examples {
            match example {
                "$ARGUMENTS[0]" => dialect.indexed = true,
                "$0" => dialect.first_word = Some(0),
                "$1" => dialect.first_word = Some(1),
                NAMED => dialect.named = true,
                whole => dialect.whole.push(whole.to_owned()),
            }
        }
        dialect
    }

    /// Every dialect of the table by its name.
    pub(super) fn table(examples: &BTreeMap<String, Vec<String>>) -> BTreeMap<String, Self> {
        let dialects = examples
            .iter()
            .map(|(name, examples)| (name.clone(), Self::of(examples.iter().map(String::as_str))));
        dialects.collect()
    }
}
