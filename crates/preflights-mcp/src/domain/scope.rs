//! Where a task may work: real paths, each with the reason it is there, never the records or the
//! archive. Where nothing points anywhere, that is said.

mod company;
mod find;
mod names;
mod request;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde::Deserialize;

use crate::domain::bank::Bank;
use crate::domain::survey::Survey;
use crate::domain::words::{phrase, tokens};
use find::{by_symbols, named};
use names::{by_words, directories, scoped, settings};
pub(crate) use request::symbols;

const MAX_PATHS: usize = 12;
/// Files found by words or symbols; manifests, schema and tests come besides.
const MAX_FOUND: usize = 7;
/// Below this a file is not said to be the place.
const LEAST: u32 = 20;
/// Of how many files the company is looked for.
const MAX_CERTAIN: usize = 3;
const NAMED: u32 = 100;
const DEFINED: u32 = 60;
const USED: u32 = 16;
/// A symbol in more files than this says nothing.
const COMMON: usize = 15;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Facts {
    never_endings: Vec<String>,
    never_parts: BTreeSet<String>,
    sources: BTreeSet<String>,
    plain: BTreeSet<String>,
    implied: Vec<Implied>,
    alike: Vec<Alike>,
    runtimes: BTreeMap<String, Vec<String>>,
    manifests: Manifests,
}

/// Words that stand for each other in names of files.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Alike {
    words: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Implied {
    when: Vec<String>,
    files: Vec<String>,
    reason: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifests {
    names: Vec<String>,
}

static FACTS: LazyLock<Facts> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "the embedded facts are read by every test")]
    toml::from_str(include_str!("../../assets/scope.toml")).expect("the facts are valid")
});

/// Reads what files are judged by.
pub(crate) fn prepare() {
    LazyLock::force(&FACTS);
}

fn facts() -> &'static Facts {
    &FACTS
}

/// Whether a file may hold symbols that are worth looking for.
pub(crate) fn is_source(path: &str) -> bool {
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    facts().sources.contains(ending) && !is_never(path)
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Scope {
    /// With the reason for each.
    pub(crate) paths: Vec<(String, String)>,
    /// The one path does not exist yet.
    pub(crate) is_new: bool,
    /// Nothing pointed anywhere: the paths are the roots of the sources.
    pub(crate) is_guess: bool,
    /// How many existing files it covers.
    pub(crate) n_files: usize,
    /// The request itself says where.
    pub(crate) is_named: bool,
    /// Files that it names or that define what it names, by their paths.
    certain: Vec<String>,
}

/// What the place is looked for with.
pub(crate) struct Clues<'a> {
    pub(crate) words: String,
    /// Paths and symbols that an agent reads in the request.
    pub(crate) paths: &'a [String],
    pub(crate) topics: &'a [String],
    /// Technologies that come, go or are raised.
    pub(crate) things: Vec<String>,
    /// A dependency comes, goes or is raised.
    pub(crate) changes_dependencies: bool,
    /// Words that command, which match no file.
    pub(crate) verbs: &'a dyn Fn(&str) -> bool,
}

/// Where code goes when there is none yet.
const SOURCE: [(&str, &str); 8] = [
    ("rust", "src/"),
    ("node", "src/"),
    ("python", "src/"),
    ("go", "internal/"),
    ("jvm", "src/main/"),
    ("ruby", "app/"),
    ("php", "src/"),
    ("dotnet", "src/"),
];

#[derive(Default)]
struct Found<'a> {
    by_path: BTreeMap<&'a str, (u32, String)>,
    directories: Vec<(String, String)>,
}

impl<'a> Found<'a> {
    fn add(&mut self, path: &'a str, score: u32, reason: &str) {
        let entry = self.by_path.entry(path).or_insert_with(|| (0, reason.to_owned()));
        // The first reason is the strongest: named, then defined, then used, then words.
        entry.0 += score;
    }
}

impl Scope {
    pub(crate) fn of(survey: &Survey, bank: &Bank, clues: &Clues<'_>) -> Self {
        let files: Vec<&str> = survey.files.iter().map(String::as_str).collect();
        let mut found = Found::default();
        let named = named(&files, clues, &mut found);
        by_symbols(survey, &mut found);
        by_words(&files, clues, &mut found);
        let mut ranked: Vec<(&str, u32, String)> = found
            .by_path
            .into_iter()
            .filter(|(_, (score, _))| *score >= LEAST)
            .map(|(path, (score, reason))| (path, score, reason))
            .collect();
        ranked.sort_by(|one, other| other.1.cmp(&one.1).then(one.0.cmp(other.0)));
        let certain: Vec<String> = ranked
            .iter()
            .filter(|it| it.1 >= DEFINED)
            .take(MAX_CERTAIN)
            .map(|it| it.0.to_owned())
            .collect();
        let mut paths: Vec<(String, String)> = found.directories;
        paths.extend(scoped(&files, &clues.words));
        paths.extend(settings(&files, clues));
        paths.extend(
            ranked.into_iter().take(MAX_FOUND).map(|(path, _, why)| (path.to_owned(), why)),
        );
        if paths.len() < 3 && !named {
            let more = directories(&files, clues);
            paths.extend(
                more.into_iter()
                    .filter(|(it, _)| !paths.iter().any(|(path, _)| covers(it, path)))
                    .collect::<Vec<_>>(),
            );
        }
        if paths.len() < 3 && !named {
            paths.extend(topic_directories(&files, bank, clues.topics));
        }
        let tests: Vec<(String, String)> =
            paths.iter().flat_map(|(path, _)| tests_of(&files, path)).collect();
        paths.extend(tests);
        paths.extend(implied(&files, clues));
        if clues.changes_dependencies {
            paths.extend(manifests_of(survey, &files, clues));
        }
        let is_guess = paths.is_empty();
        if is_guess {
            paths = roots(&files);
        }
        if paths.is_empty() {
            let ecosystem = survey.ecosystems.first().copied().unwrap_or_default();
            let known = SOURCE.iter().find(|(name, _)| *name == ecosystem);
            let path = known.map_or("src/", |(_, path)| path).to_owned();
            let paths = vec![(path, "new".to_owned())];
            return Self {
                paths,
                is_new: true,
                is_guess: false,
                n_files: 0,
                is_named: named,
                certain,
            };
        }
        let mut seen = BTreeSet::new();
        paths.retain(|(path, _)| !path.contains('`') && seen.insert(path.clone()));
        paths.truncate(MAX_PATHS);
        let covered = |file: &&&str| paths.iter().any(|(path, _)| covers(path, file));
        let n_files = files.iter().filter(covered).count();
        Self { paths, is_new: false, is_guess, n_files, is_named: named, certain }
    }

    pub(crate) fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if self.is_guess {
            lines.push("The place of the work could not be derived from the request; these are the roots of the sources. Narrow it down before you edit.".to_owned());
        }
        lines.extend(self.paths.iter().map(|(path, reason)| format!("`{path}` ({reason})")));
        lines
    }

    /// What stays as it is, whatever the task.
    pub(crate) fn forbidden(survey: &Survey) -> Vec<String> {
        let mut forbidden = vec!["`docs/adr/`".to_owned(), "`docs/archive/`".to_owned()];
        forbidden.push(format!("`{}`", crate::domain::projection::PATH));
        if survey.files.iter().any(|it| it == ".env") {
            forbidden.push("`.env`".to_owned());
        }
        forbidden
    }
}

/// Whether a path of a list takes in a file.
pub(crate) fn covers(path: &str, file: &str) -> bool {
    path == file || (path.ends_with('/') && file.starts_with(path))
}

/// Asked of every file of a repository, so nothing is allocated for it.
fn is_never(path: &str) -> bool {
    let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
    let never = |part: &str| {
        facts().never_parts.contains(part)
            || part.bytes().any(|it| it.is_ascii_uppercase())
                && facts().never_parts.contains(part.to_ascii_lowercase().as_str())
            // A catalogue of pictures is a directory: "Assets.xcassets".
            || (part.contains('.') && ends_as(part, &facts().never_endings))
    };
    (path.starts_with('.') && !path.starts_with(".github/"))
        || ends_as(name, &facts().never_endings)
        || directory.split('/').any(never)
}

/// Pictures, lock files and the like, which nobody writes by hand.
fn is_made(path: &str) -> bool {
    ends_as(path, &facts().never_endings)
}

fn ends_as(name: &str, endings: &[String]) -> bool {
    endings.iter().any(|ending| {
        let at = name.len().checked_sub(ending.len() + 1);
        at.and_then(|it| name.get(it..)).is_some_and(|it| {
            it.strip_prefix('.').is_some_and(|it| it.eq_ignore_ascii_case(ending))
        })
    })
}

/// Whether `file` is `path`, or lies somewhere below a directory and is called so.
fn is_called(file: &str, path: &str) -> bool {
    file.strip_suffix(path).is_some_and(|it| it.is_empty() || it.ends_with('/'))
}

/// Words to look for inside of files where no name of a file helps, the longest first.
pub(crate) fn plain_words(survey: &Survey, clues: &Clues<'_>) -> Vec<String> {
    let files: Vec<&str> = survey.files.iter().map(String::as_str).collect();
    let mut found = Found::default();
    let named = named(&files, clues, &mut found);
    by_words(&files, clues, &mut found);
    if named || found.by_path.values().any(|(score, _)| *score >= LEAST) {
        return Vec::new();
    }
    let is_telling = |it: &String| it.len() >= 4 && it.bytes().all(|it| it.is_ascii_alphabetic());
    let mut words: Vec<String> = tokens(&clues.words)
        .into_iter()
        .filter(|it| !facts().plain.contains(&it.word) && !(clues.verbs)(&it.word))
        .map(|it| it.word)
        .filter(is_telling)
        .collect();
    words.sort_by_key(|it| std::cmp::Reverse(it.len()));
    words.dedup();
    words.truncate(6);
    words
}

/// The topmost directories with a part of their name that belongs to a topic.
fn topic_directories(files: &[&str], bank: &Bank, topics: &[String]) -> Vec<(String, String)> {
    let words: BTreeSet<String> = topics
        .iter()
        .filter_map(|topic| bank.category(topic))
        .flat_map(|category| category.paths.iter().flat_map(|it| phrase(it)))
        .collect();
    let mut found = BTreeSet::new();
    let mut seen = "";
    for file in files {
        // Files of one directory stand together.
        let Some((directory, _)) = file.rsplit_once('/').filter(|it| it.0 != seen) else {
            continue;
        };
        if is_never(file) {
            continue;
        }
        seen = directory;
        let parts: Vec<&str> = directory.split('/').collect();
        let hit = parts.iter().position(|part| phrase(part).iter().any(|it| words.contains(it)));
        if let Some(at) = hit {
            found.insert(format!("{}/", parts[..=at].join("/")));
        }
    }
    let reason = topics.first().map_or_else(String::new, |it| format!("where {it} usually lies"));
    found.into_iter().take(6).map(|it| (it, reason.clone())).collect()
}

/// Tests that stand beside a file or carry its name.
fn tests_of(files: &[&str], path: &str) -> Vec<(String, String)> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let Some(stem) = name.split('.').next().filter(|it| it.len() > 3 && !path.ends_with('/'))
    else {
        return Vec::new();
    };
    let stem = stem.to_lowercase();
    let called = ["_test", "_spec", "test", "tests"].map(|it| format!("{stem}{it}"));
    let is_test = |file: &&&str| {
        let name = file.rsplit('/').next().unwrap_or(file);
        let (own, rest) = name.split_once('.').unwrap_or((name, ""));
        let marked = |it: &str| it.eq_ignore_ascii_case("test") || it.eq_ignore_ascii_case("spec");
        let behind = || rest.rsplit_once('.').is_some_and(|(it, _)| it.split('.').any(marked));
        let tests = own.get(..5).is_some_and(|it| it.eq_ignore_ascii_case("test_"))
            && own[5..].eq_ignore_ascii_case(&stem);
        **file != path
            && (tests
                || called.iter().any(|it| own.eq_ignore_ascii_case(it))
                || (own.eq_ignore_ascii_case(&stem) && behind()))
    };
    let tests = files.iter().filter(is_test).take(2);
    tests.map(|it| ((*it).to_owned(), format!("tests `{name}`"))).collect()
}

/// Files that such work touches when they are there.
fn implied(files: &[&str], clues: &Clues<'_>) -> Vec<(String, String)> {
    let stems = phrase(&clues.words);
    let has = |it: &String| {
        let wanted = phrase(it);
        !wanted.is_empty() && stems.windows(wanted.len()).any(|it| it == wanted.as_slice())
    };
    let mut found: Vec<(String, String)> = Vec::new();
    for rule in facts().implied.iter().filter(|it| it.when.iter().any(has)) {
        for wanted in &rule.files {
            let is_it = |file: &&&str| {
                if wanted.ends_with('/') {
                    file.contains(wanted.as_str())
                } else {
                    is_called(file, wanted)
                }
            };
            for file in files.iter().filter(is_it).take(if wanted.ends_with('/') { 1 } else { 2 }) {
                let path = match wanted.ends_with('/').then(|| file.find(wanted.as_str())).flatten()
                {
                    Some(at) => file[..at + wanted.len()].to_owned(),
                    None => (*file).to_owned(),
                };
                if !found.iter().any(|(it, _)| *it == path) {
                    found.push((path, rule.reason.clone()));
                }
            }
        }
    }
    // "Go 1.28": the files that say which version is built with.
    let named: Vec<String> = tokens(&clues.words)
        .windows(2)
        .filter(|it| it[1].word.starts_with(|it: char| it.is_ascii_digit()))
        .map(|it| it[0].word.clone())
        .collect();
    for wanted in named.iter().filter_map(|it| facts().runtimes.get(it)).flatten() {
        let file = files.iter().find(|it| **it == wanted.as_str());
        let directory = wanted.ends_with('/') && files.iter().any(|it| it.starts_with(wanted));
        if file.is_some() || directory {
            found.push((wanted.clone(), "the version is said there".to_owned()));
        }
    }
    found
}

/// Where the technologies in question are named, with the lock files beside them; else the manifests
/// at the top.
fn manifests_of(survey: &Survey, files: &[&str], clues: &Clues<'_>) -> Vec<(String, String)> {
    let names = &facts().manifests.names;
    let reason = "dependencies are named there".to_owned();
    let sources: BTreeSet<&str> =
        clues.things.iter().filter_map(|it| survey.manifest_of(it)).collect();
    let mut found: Vec<String> = Vec::new();
    for source in sources {
        found.push(source.to_owned());
        let directory = source.rsplit_once('/').map_or("", |(directory, _)| directory);
        let beside = |name: &&String| {
            let at = name.len() + usize::from(!directory.is_empty());
            let path = source.len() >= directory.len()
                && files.iter().any(|it| {
                    it.len() == directory.len() + at
                        && it.starts_with(directory)
                        && it.ends_with(name.as_str())
                });
            path && is_lock(name)
        };
        let join = |name: &String| {
            if directory.is_empty() { name.clone() } else { format!("{directory}/{name}") }
        };
        found.extend(names.iter().filter(beside).map(join));
    }
    if found.is_empty() {
        found.extend(names.iter().filter(|it| files.contains(&it.as_str())).cloned());
    }
    found.into_iter().map(|it| (it, reason.clone())).collect()
}

fn is_lock(name: &str) -> bool {
    name.contains("lock") || name == "go.sum"
}

fn roots(files: &[&str]) -> Vec<(String, String)> {
    const USUAL: [&str; 12] = [
        "src", "app", "lib", "crates", "packages", "cmd", "internal", "server", "web", "apps",
        "backend", "frontend",
    ];
    let reason = "sources".to_owned();
    let usual: Vec<(String, String)> = USUAL
        .iter()
        .map(|it| format!("{it}/"))
        .filter(|directory| files.iter().any(|file| file.starts_with(directory)))
        .map(|it| (it, reason.clone()))
        .collect();
    if !usual.is_empty() {
        return usual;
    }
    let tops: BTreeSet<String> = files
        .iter()
        .filter(|it| is_source(it))
        .map(|file| file.split_once('/').map_or((*file).to_owned(), |(top, _)| format!("{top}/")))
        .collect();
    tops.into_iter().take(8).map(|it| (it, reason.clone())).collect()
}
