//! What the table of a language says about it, besides the kinds of its nodes.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::files::file_name;
use crate::domain::skeleton::LanguageId;

/// The facts of one language. What is left out holds for most.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is a line of a table")]
pub(crate) struct About {
    id: String,
    /// As people write it.
    pub(crate) name: String,
    /// With the dot, matched as they stand.
    pub(crate) extensions: Vec<String>,
    /// Files that are known by their whole names, with one `*` at most.
    #[serde(default)]
    file_names: Vec<String>,
    /// By ending, folders below which a file is one; with one `*` at most.
    #[serde(default)]
    below: BTreeMap<String, Vec<String>>,
    /// It declares entities or settings line by line, and no code: it is not parsed.
    #[serde(default)]
    pub(crate) declares_only: bool,
    /// Matched against each part of a path.
    #[serde(default)]
    test_directories: Vec<String>,
    /// With one `*` at most, matched against the name of a file.
    #[serde(default)]
    test_files: Vec<String>,
    /// Names, kinds and lines are known, and nothing by which a change could be judged.
    #[serde(default)]
    pub(crate) listed_only: bool,
    /// Tools run what looks like a test in any other file too.
    #[serde(default)]
    pub(crate) tests_in_sources: bool,

    /// Between a namespace and a name in it.
    #[serde(default = "dot")]
    pub(crate) separator: String,
    /// A type may be left out.
    #[serde(default)]
    pub(crate) types_may_be_left_out: bool,
    /// Types are for readers and checkers; nothing fails because of one when it runs.
    #[serde(default)]
    pub(crate) types_are_hints: bool,
    /// The head of a function says more than its parameters and its result.
    #[serde(default = "yes")]
    pub(crate) heads_tell: bool,
    /// Members may be there for subclasses alone.
    #[serde(default = "yes")]
    pub(crate) has_protected: bool,
    /// Errors are returned; nothing is thrown.
    #[serde(default)]
    pub(crate) returns_errors: bool,
    /// A method calls others of its type by their name alone.
    #[serde(default)]
    pub(crate) calls_members_bare: bool,
    /// Between parts of a type whose order says nothing: `A | B`, `Clone + Send`.
    #[serde(default)]
    pub(crate) alternatives: Option<char>,
    /// What follows a colon in a list of type parameters are bounds; elsewhere a colon follows a key.
    #[serde(default)]
    pub(crate) bounds_follow_colons: bool,
    /// Several type parameters may share what follows the last of them.
    #[serde(default)]
    pub(crate) names_share_bounds: bool,
    /// Declarations of one name in one file are parts of one.
    #[serde(default)]
    pub(crate) declarations_join: bool,
    /// Members of an enum have a number by their place.
    #[serde(default)]
    pub(crate) numbers_enum_members: bool,
    /// Whoever calls a function waits for it in another way where it is `async`; elsewhere its type says
    /// so.
    #[serde(default)]
    pub(crate) async_shows: bool,
    /// Callers may give arguments by the names of parameters.
    #[serde(default)]
    pub(crate) callers_name_arguments: bool,
    /// What begins with an underscore is nobody else's.
    #[serde(default)]
    pub(crate) underscores_hide: bool,
    /// Members that a class need not declare where one of these decorators writes them.
    #[serde(default)]
    pub(crate) written_members: Vec<String>,
    #[serde(default)]
    pub(crate) member_writers: Vec<String>,
    /// Members that a class has wherever it has another one.
    #[serde(default)]
    pub(crate) implied_members: BTreeMap<String, String>,
    /// A type is whatever has its members, by whatever name.
    #[serde(default)]
    pub(crate) types_are_shapes: bool,
    /// What a file imports can be imported from it in turn.
    #[serde(default)]
    pub(crate) imports_are_names: bool,
    /// Matches on an enum have to name all of it, and values are written out with all of their fields.
    #[serde(default)]
    pub(crate) counts_parts: bool,
    /// Types that keep what holds them to one thread.
    #[serde(default)]
    pub(crate) bound_to_threads: Vec<String>,
    /// What a constructor assigns is a property; elsewhere it is declared.
    #[serde(default)]
    pub(crate) constructors_declare: bool,
    /// A module may have a file beside the directory that holds the rest of it.
    #[serde(default)]
    pub(crate) modules_beside_directories: bool,
    /// Other generators wrote signatures in a form of their own.
    #[serde(default)]
    pub(crate) recorded_in_other_form: bool,
    /// Other generators recorded the body behind overloads as one more of them.
    #[serde(default)]
    pub(crate) records_overload_bodies: bool,
}

/// The lines below `[about]`. The rest of a table is large, and names are asked for at every start.
fn section(table: &str) -> &str {
    let rest = table.split_once("[about]\n").map_or("", |(_, rest)| rest);
    rest.find("\n[").map_or(rest, |end| &rest[..=end])
}

fn dot() -> String {
    ".".to_owned()
}

fn yes() -> bool {
    true
}

impl About {
    /// Reads the table of a language.
    pub(super) fn read(table: &str) -> Self {
        #[expect(clippy::expect_used, reason = "the tables are part of the program and tested")]
        toml::from_str(section(table)).expect("a language table is well formed")
    }

    /// Of a language that is not read here.
    pub(super) fn unknown() -> &'static Self {
        static UNKNOWN: LazyLock<About> = LazyLock::new(|| {
            About::read(
                "[about]\nid = \"other\"\nname = \"unknown\"\nextensions = []\ntypes_may_be_left_out = true\n",
            )
        });
        &UNKNOWN
    }

    pub(crate) fn id(&'static self) -> LanguageId {
        LanguageId::new(&self.id)
    }

    /// Whether a file of this path, which has this extension, is in the language.
    pub(super) fn has_file(&self, path: &str, extension: &str) -> bool {
        self.extensions.iter().any(|it| &it[1..] == extension)
            || self.file_names.iter().any(|pattern| matches_pattern(file_name(path), pattern))
            || self.below.get(extension).is_some_and(|folders| {
                let mut parts = path.split('/').rev().skip(1);
                parts.any(|part| folders.iter().any(|it| matches_pattern(part, it)))
            })
    }

    /// Whether a file of the language tests others rather than being used by them.
    pub(crate) fn is_test(&self, path: &str) -> bool {
        let name = file_name(path);
        let mut directories = path.split('/').rev().skip(1);
        directories.any(|part| self.test_directories.iter().any(|it| it == part))
            || self.test_files.iter().any(|pattern| matches_pattern(name, pattern))
    }
}

fn matches_pattern(name: &str, pattern: &str) -> bool {
    match pattern.split_once('*') {
        Some((start, end)) => {
            name.len() > start.len() + end.len() && name.starts_with(start) && name.ends_with(end)
        }
        None => name == pattern,
    }
}
