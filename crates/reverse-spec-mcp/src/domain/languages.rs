//! The languages that are read: one folder each, and the one trait through which everything else
//! knows them. No other file asks which language something is written in.

mod about;
#[cfg(feature = "c")]
mod c;
#[cfg(feature = "c-sharp")]
mod c_sharp;
#[cfg(feature = "cpp")]
mod cpp;
#[cfg(feature = "dart")]
mod dart;
mod declared;
mod files;
mod go;
mod java;
mod javascript;
#[cfg(feature = "kotlin")]
mod kotlin;
#[cfg(any(feature = "c", feature = "cpp", feature = "dart", feature = "scala", feature = "swift"))]
mod listed;
mod manifest;
#[cfg(feature = "php")]
mod php;
mod python;
#[cfg(feature = "ruby")]
mod ruby;
mod rust;
#[cfg(feature = "scala")]
mod scala;
#[cfg(feature = "swift")]
mod swift;
#[cfg(test)]
pub(crate) mod tests;
#[cfg(test)]
mod toy;
mod typescript;

use tree_sitter::Node;

use super::signature::Names;
use super::skeleton::{CodeSkeleton, ExportSymbol, ImportReference, LanguageId, MemberInfo};
use super::syntax::table::Table;
use super::syntax::unit::Unit;

pub(crate) use about::About;
pub(crate) use files::ProjectFiles;
pub(crate) use manifest::Manifest;

/// Every language, in the order in which they are named.
const LANGUAGES: &[&dyn Language] = &[
    &typescript::TypeScript,
    &javascript::JavaScript,
    &rust::Rust,
    &python::Python,
    &go::Go,
    &java::Java,
    #[cfg(feature = "c-sharp")]
    &c_sharp::CSharp,
    #[cfg(feature = "kotlin")]
    &kotlin::Kotlin,
    #[cfg(feature = "php")]
    &php::Php,
    #[cfg(feature = "ruby")]
    &ruby::Ruby,
    #[cfg(feature = "c")]
    &c::C,
    #[cfg(feature = "cpp")]
    &cpp::CPP,
    #[cfg(feature = "swift")]
    &swift::SWIFT,
    #[cfg(feature = "scala")]
    &scala::SCALA,
    #[cfg(feature = "dart")]
    &dart::DART,
    &declared::Prisma,
    &declared::Settings,
    &declared::Statements,
];

/// Those that only tests know.
#[cfg(test)]
const TOYS: &[&dyn Language] = &[&toy::Toy];
#[cfg(not(test))]
const TOYS: &[&dyn Language] = &[];

/// One language: its facts, how its declarations are read, and where it differs from others.
pub(crate) trait Language: Sync {
    /// What its table says about it.
    fn about(&self) -> &'static About;

    /// The grammar for a file; dialects differ by extension.
    fn grammar(&self, path: &str) -> &'static Grammar;

    /// Whether a file holds declarations only, without bodies.
    fn is_declaration_file(&self, _path: &str) -> bool {
        false
    }

    /// The text of a file with everything that is in another language blanked out, so that lines and
    /// columns stay what they are; none where all of it is in this one.
    fn own_part(&self, _path: &str, _text: &str) -> Option<String> {
        None
    }

    /// Whether a file may offer anything to others: a look at its text that spares reading it twice.
    fn may_export(&self, _text: &str) -> bool {
        true
    }

    /// Fills in declarations, imports and tests. Everything else is the same for all languages.
    fn read(&self, unit: &Unit<'_>, root: Node<'_>, scope: Scope, skeleton: &mut CodeSkeleton);

    /// The files by which packages and workspaces are declared.
    fn manifests(&self) -> &'static [Manifest] {
        &[]
    }

    /// The file of the project that an import leads to.
    fn resolve(
        &self,
        _files: &ProjectFiles,
        _from: &str,
        _import: &ImportReference,
    ) -> Option<String> {
        None
    }

    /// The file of a module that is imported by name from another: `from package import module`.
    fn submodule(
        &self,
        _files: &ProjectFiles,
        _from: &str,
        _specifier: &str,
        _name: &str,
    ) -> Option<String> {
        None
    }

    /// What a file belongs to, and is seen by, without any import.
    fn package_of(&self, _file: &str) -> Option<String> {
        None
    }

    /// The directory with the rest of the module that a file begins.
    fn directory_of_module<'a>(&self, _file: &'a str) -> Option<&'a str> {
        None
    }

    /// Whether a folder only leads to the packages below it, rather than being a module.
    fn leads_to_packages(&self, _folder: &str, _files: &[&str]) -> bool {
        false
    }

    /// The files that a library shows to its users, each with the name they have for it; none where
    /// nothing declares a library.
    fn entries(&self, _files: &ProjectFiles) -> Option<Vec<Entry>> {
        None
    }

    /// The file of the module that a name is handed on from.
    fn home_of(&self, files: &ProjectFiles, from: &str, specifier: &str) -> Option<String> {
        let import = ImportReference {
            module_specifier: specifier.to_owned(),
            is_relative: specifier.starts_with('.'),
            ..ImportReference::default()
        };
        self.resolve(files, from, &import)
    }

    /// Puts a symbol into the one form that stands for all that mean the same to a caller. Names of
    /// type parameters are replaced after that.
    fn restate(&self, _symbol: &mut ExportSymbol) {}

    /// The type parameters a member has from what is around it, if not from its type.
    fn names_around(&self, _member: &MemberInfo) -> Option<Names> {
        None
    }

    /// A type, parameter or head in the one form that stands for all that mean the same.
    fn plain_type(&self, text: String) -> String {
        text
    }

    /// The last step of restating, when names of type parameters are replaced.
    fn finish_restated(&self, _symbol: &mut ExportSymbol) {}

    /// Whether other generators never recorded such a symbol.
    fn is_unrecorded(&self, _symbol: &ExportSymbol) -> bool {
        false
    }
}

/// A file that a library shows to its users.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    /// What comes before the names in it, with what separates them.
    pub(crate) prefix: String,
    pub(crate) file: String,
    /// What the paths of everything in the library begin with.
    pub(crate) realm: String,
}

/// A grammar with its table.
pub(crate) struct Grammar {
    pub(crate) language: tree_sitter::Language,
    pub(crate) table: Table,
    /// As it is written.
    #[cfg(test)]
    words: &'static str,
}

impl Grammar {
    fn new(language: impl Into<tree_sitter::Language>, table: &'static str) -> Self {
        let language = language.into();
        Self {
            table: Table::read(table, &language),
            language,
            #[cfg(test)]
            words: table,
        }
    }
}

/// What is listed besides exports.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Scope {
    /// Nothing, unless a file exports nothing.
    #[default]
    Exports,
    /// Top-level items that are not exported too.
    WithInternals,
}

/// Every language that is read.
pub(crate) fn all() -> impl Iterator<Item = &'static dyn Language> {
    LANGUAGES.iter().chain(TOYS).copied()
}

/// The language of a file by the end of its name.
pub(crate) fn of_path(path: &str) -> Option<&'static dyn Language> {
    let name = files::file_name(path);
    let (stem, extension) = name.rsplit_once('.')?;
    if stem.is_empty() {
        return None;
    }
    all().find(|it| it.about().has_file(path, extension))
}

/// None for what another generator wrote about a language that is not read here.
pub(crate) fn of(id: LanguageId) -> Option<&'static dyn Language> {
    all().find(|it| it.about().id() == id)
}

/// What is known of a language; of one that is not read, what holds for most.
pub(crate) fn about(id: LanguageId) -> &'static About {
    of(id).map_or_else(About::unknown, Language::about)
}

/// The id of a language by the word that stands for it in a baseline.
pub(crate) fn id_of(word: &str) -> LanguageId {
    let named = all().map(|it| it.about().id()).find(|it| it.as_str() == word);
    named.unwrap_or_default()
}

/// The id of a file's language.
pub(crate) fn id_of_path(path: &str) -> Option<LanguageId> {
    of_path(path).map(|it| it.about().id())
}

/// Whether a file tests others rather than being used by them.
pub(crate) fn is_test(path: &str) -> bool {
    of_path(path).is_some_and(|it| it.about().is_test(path))
}

/// Whether what looks like a test in this file is one that a tool would run.
pub(crate) fn may_hold_tests(path: &str) -> bool {
    of_path(path).is_some_and(|it| it.about().is_test(path) || it.about().tests_in_sources)
}

/// What a file belongs to, and is seen by, without any import.
pub(crate) fn package_of(skeleton: &CodeSkeleton) -> Option<String> {
    of(skeleton.language)?.package_of(&skeleton.file_path)
}

/// The directory with the rest of the module that a file begins.
pub(crate) fn directory_of_module(file: &str) -> Option<&str> {
    of_path(file)?.directory_of_module(file)
}

/// Every extension that is read, for messages.
pub(crate) fn extensions() -> Vec<&'static str> {
    let all = LANGUAGES.iter().flat_map(|it| &it.about().extensions);
    all.map(String::as_str).collect()
}

/// The names of all languages, for messages.
pub(crate) fn names() -> Vec<&'static str> {
    LANGUAGES.iter().map(|it| it.about().name.as_str()).collect()
}

/// The names of these languages, each once, in the order of the list above.
pub(crate) fn names_of(ids: impl Iterator<Item = LanguageId>) -> Vec<&'static str> {
    let ids: Vec<LanguageId> = ids.collect();
    let mut names: Vec<&str> = all()
        .map(Language::about)
        .filter(|it| ids.contains(&it.id()))
        .map(|it| &*it.name)
        .collect();
    if ids.iter().any(|it| of(*it).is_none()) {
        names.push(&About::unknown().name);
    }
    names
}

/// Every file by which a package or a workspace is declared, each once.
pub(crate) fn manifests() -> Vec<&'static Manifest> {
    let mut found: Vec<&Manifest> = Vec::new();
    for manifest in all().flat_map(Language::manifests) {
        if found.iter().all(|it| it.file != manifest.file) {
            found.push(manifest);
        }
    }
    found
}
