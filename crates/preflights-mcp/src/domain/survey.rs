//! What the repository itself shows: its files, ecosystems and dependencies.

mod manifest;
mod others;

use std::collections::BTreeMap;

use super::bank::Question;
pub(crate) use others::{DIRECTORIES as OTHER_DIRECTORIES, OtherRecord};

const MAX_MANIFESTS: usize = 60;

#[derive(Debug, Default)]
pub(crate) struct Survey {
    /// Paths of files, sorted.
    pub(crate) files: Vec<String>,
    /// In the order of `ECOSYSTEMS`, those of the top directory first.
    pub(crate) ecosystems: Vec<&'static str>,
    /// `npm:pg` with the file that names it.
    pub(crate) facts: BTreeMap<String, String>,
    /// Where symbols of the request stand in the sources.
    pub(crate) hits: Vec<Hit>,
    /// Decision records that others keep here, in layouts of their own.
    pub(crate) others: Vec<OtherRecord>,
}

/// A symbol of a request in a source file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hit {
    pub(crate) path: String,
    pub(crate) symbol: String,
    pub(crate) is_definition: bool,
}

/// Whether a word of prose stands in `text`, written small or with a capital.
pub(crate) fn speaks_of(text: &str, word: &str) -> bool {
    let mut letters = word.chars();
    let capital: String =
        letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
    text.contains(word) || text.contains(&capital)
}

/// Where `symbol` stands in `text` as a whole word, and whether a line of it defines it.
pub(crate) fn hit(text: &str, symbol: &str) -> Option<bool> {
    const DEFINING: [&str; 22] = [
        "fn",
        "def",
        "class",
        "struct",
        "enum",
        "trait",
        "interface",
        "type",
        "func",
        "function",
        "const",
        "let",
        "var",
        "val",
        "module",
        "object",
        "variable",
        "resource",
        "protocol",
        "extension",
        "record",
        "static",
    ];
    let is_part = |it: char| it.is_alphanumeric() || it == '_';
    let mut found = None;
    for (at, _) in text.match_indices(symbol) {
        let before = &text[..at];
        let after = &text[at + symbol.len()..];
        if before.ends_with(is_part) || after.starts_with(is_part) {
            continue;
        }
        let line = before.rsplit('\n').next().unwrap_or_default();
        let word = line.trim_end().trim_end_matches('"').trim_end();
        let word = word.rsplit(|it: char| !it.is_alphanumeric()).next().unwrap_or_default();
        let is_method = line.trim_start().starts_with("func (");
        let is_set = line.trim().is_empty()
            && (after.trim_start().starts_with(['=', ':']) && !after.starts_with("::"));
        if DEFINING.contains(&word) || is_method || is_set {
            return Some(true);
        }
        found = Some(false);
    }
    found
}

/// A value the repository shows, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shown {
    pub(crate) value: String,
    pub(crate) source: String,
}

/// The manifests among `files`, those nearest to the top first.
pub(crate) fn manifests(files: &[String]) -> Vec<&str> {
    let mut named: Vec<(usize, &str)> = files
        .iter()
        .filter(|path| manifest::reader(path).is_some())
        .map(|path| (path.matches('/').count(), path.as_str()))
        .collect();
    named.sort_unstable();
    named.into_iter().take(MAX_MANIFESTS).map(|(_, path)| path).collect()
}

/// Endings of the sources of each ecosystem.
const ENDINGS: [(&str, &[&str]); 13] = [
    ("rust", &["rs"]),
    ("node", &["ts", "tsx", "js", "jsx", "mjs", "vue", "svelte"]),
    ("python", &["py"]),
    ("go", &["go"]),
    ("jvm", &["java", "kt", "scala"]),
    ("ruby", &["rb", "erb"]),
    ("php", &["php"]),
    ("dotnet", &["cs", "fs", "razor"]),
    ("swift", &["swift"]),
    ("dart", &["dart"]),
    ("elixir", &["ex", "exs", "heex"]),
    ("terraform", &["tf"]),
    ("cpp", &["c", "cc", "cpp", "h", "hpp", "cu"]),
];
/// A package.json among so many more sources of something else holds tools only.
const FEW: usize = 20;

/// The ecosystem with the most sources comes first; one that has next to none is left out. Without
/// any manifest the sources tell by themselves.
fn by_sources(files: &[String], ecosystems: &mut Vec<&'static str>) {
    let mut by_ending: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, ending) in files.iter().filter_map(|it| it.rsplit_once('.')) {
        if let Some(count) = by_ending.get_mut(ending) {
            *count += 1;
        } else {
            by_ending.insert(ending, 1);
        }
    }
    let count = |name: &str| {
        let endings = ENDINGS.iter().find(|it| it.0 == name).map_or(&[][..], |it| it.1);
        endings.iter().filter_map(|it| by_ending.get(it)).sum::<usize>()
    };
    let mut counted: Vec<(usize, &'static str)> =
        ENDINGS.iter().map(|(name, _)| (count(name), *name)).collect();
    counted.sort_by_key(|it| std::cmp::Reverse(it.0));
    let Some((most, main)) = counted.first().copied().filter(|(most, _)| *most > 0) else { return };
    if ecosystems.is_empty() {
        ecosystems.push(main);
        return;
    }
    let of = |name: &str| counted.iter().find(|it| it.1 == name).map_or(0, |it| it.0);
    ecosystems.sort_by_key(|it| std::cmp::Reverse(of(it)));
    let main_is_known = ecosystems.contains(&main);
    ecosystems.retain(|it| !main_is_known || of(it) * FEW >= most);
}

/// What a manifest names, as `npm:pg`; nothing where the file is none.
pub(crate) fn dependencies(path: &str, text: &str) -> Vec<String> {
    manifest::reader(path).map(|(_, read)| read(text)).unwrap_or_default()
}

impl Survey {
    /// Out of the paths of all files, sorted, and the texts of the [`manifests`] that can be read.
    pub(crate) fn new(files: Vec<String>, texts: &BTreeMap<String, String>) -> Self {
        let mut facts = BTreeMap::new();
        let mut ecosystems = Vec::new();
        for path in manifests(&files) {
            let Some((ecosystem, read)) = manifest::reader(path) else { continue };
            if let Some(ecosystem) = ecosystem
                && !ecosystems.contains(&ecosystem)
            {
                ecosystems.push(ecosystem);
            }
            let Some(text) = texts.get(path) else { continue };
            for fact in read(text) {
                facts.entry(fact).or_insert_with(|| path.to_owned());
            }
        }
        by_sources(&files, &mut ecosystems);
        Self { files, ecosystems, facts, hits: Vec::new(), others: Vec::new() }
    }

    /// The file or directory that shows `fact`.
    fn source_of(&self, fact: &str) -> Option<&str> {
        match fact.strip_prefix("file:") {
            None => self.facts.get(fact).map(String::as_str),
            // Paths are sorted, so that what begins with a path stands in one row.
            Some(wanted) => {
                let from = self.files.partition_point(|it| it.as_str() < wanted);
                let row = self.files[from..].iter().take_while(|it| it.starts_with(wanted));
                let is_it = |rest: &str| rest.is_empty() || rest.starts_with('/');
                row.map(String::as_str).find(|it| is_it(&it[wanted.len()..]))
            }
        }
    }

    /// Values of a question that the repository shows.
    pub(crate) fn shows(&self, question: &Question) -> Vec<Shown> {
        self.matching(&question.found)
    }

    /// Values that it makes likely, or that a record of somebody else's decided on.
    pub(crate) fn suggests(&self, question: &Question) -> Vec<Shown> {
        let mut found = self.matching(&question.suggested);
        for record in self.others.iter().filter(|it| it.counts()) {
            let decided = question.known_values().find(|value| {
                let names = question.names.get(*value).into_iter().flatten().map(String::as_str);
                std::iter::once(*value).chain(names).any(|it| record.speaks_of(it))
            });
            if let Some(value) = decided.filter(|it| !found.iter().any(|shown| shown.value == **it))
            {
                found.push(Shown { value: value.to_owned(), source: record.file.clone() });
            }
        }
        found
    }

    fn matching(&self, table: &BTreeMap<String, Vec<String>>) -> Vec<Shown> {
        table
            .iter()
            .filter_map(|(value, facts)| {
                let source = facts.iter().find_map(|fact| self.source_of(fact))?;
                Some(Shown { value: value.clone(), source: source.to_owned() })
            })
            .collect()
    }

    /// Whether some manifest names this library, written in whatever way.
    pub(crate) fn depends_on(&self, name: &str) -> bool {
        let plain = |it: &str| it.to_lowercase().replace(['-', '_', '.', ' '], "");
        let name = plain(name);
        let ours = |fact: &String| {
            let there = fact.split_once(':').map_or("", |(_, name)| name);
            let last = there.rsplit('/').next().unwrap_or(there);
            plain(there) == name || plain(last) == name
        };
        name.len() > 1 && self.facts.keys().any(ours)
    }

    /// The manifest that names this library, or one of its family: `@angular/core` for "Angular".
    pub(crate) fn manifest_of(&self, name: &str) -> Option<&str> {
        let plain = |it: &str| it.to_lowercase().replace(['-', '_', '.', ' ', '@'], "");
        let name = plain(name);
        let is_it = |fact: &str| {
            let there = fact.split_once(':').map_or("", |(_, name)| name);
            let mut parts = there.split('/');
            plain(there) == name || parts.any(|it| plain(it) == name)
        };
        let found = self.facts.iter().find(|(fact, _)| name.len() > 1 && is_it(fact));
        found.map(|(_, source)| source.as_str())
    }

    /// How this repository runs its tests, where a file shows it.
    pub(crate) fn test_command(&self) -> Option<&'static str> {
        let has = |name: &str| self.files.iter().any(|it| it == name);
        let shows = |fact: &str| self.facts.contains_key(fact);
        if !self.has_tests() && !has("Cargo.toml") {
            return None;
        }
        let node = match (shows("npm:vitest"), shows("npm:jest")) {
            (true, _) => Some("npx vitest run"),
            (false, true) => Some("npx jest"),
            (false, false) => None,
        };
        // The ecosystem with the most sources tells, so that tools of another do not.
        match *self.ecosystems.first()? {
            "rust" => has("Cargo.toml").then_some("cargo test"),
            "go" => Some("go test ./..."),
            "jvm" if has("mvnw") => Some("./mvnw test"),
            "jvm" if has("pom.xml") => Some("mvn test"),
            "jvm" if has("gradlew") => Some("./gradlew test"),
            "ruby" if shows("gem:rspec-rails") || shows("gem:rspec") => Some("bundle exec rspec"),
            "python" if shows("pypi:pytest") => Some("pytest"),
            "python" if has("manage.py") => Some("python manage.py test"),
            "node" => node,
            "dart" => Some("flutter test"),
            "elixir" => Some("mix test"),
            "swift" if has("Package.swift") => Some("swift test"),
            "php" if shows("composer:phpunit/phpunit") => Some("vendor/bin/phpunit"),
            "dotnet" => Some("dotnet test"),
            _ => None,
        }
    }

    /// Whether some file looks like a test.
    pub(crate) fn has_tests(&self) -> bool {
        self.files.iter().any(|path| {
            let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
            let (stem, rest) = name.split_once('.').unwrap_or((name, ""));
            let is_test = |it: &str| {
                ["test", "tests", "spec", "specs"].iter().any(|one| it.eq_ignore_ascii_case(one))
            };
            let parts = || stem.split(['_', '-']);
            let at = |length: usize| stem.len().checked_sub(length).and_then(|it| stem.get(it..));
            let ends = [4, 5]
                .into_iter()
                .filter_map(at)
                .any(|it| it.eq_ignore_ascii_case("test") || it.eq_ignore_ascii_case("tests"));
            directory.split('/').any(is_test)
                || ends
                || rest.split('.').any(is_test)
                || parts()
                    .next()
                    .is_some_and(|it| it.eq_ignore_ascii_case("test") && stem.len() > 4)
                || parts().next_back().is_some_and(|it| it.eq_ignore_ascii_case("spec"))
        })
    }

    pub(crate) fn has_manifest(&self) -> bool {
        !self.ecosystems.is_empty()
    }
}
