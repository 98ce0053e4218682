//! Where a task may work: real paths, never the records or the archive.

use std::collections::BTreeSet;

use crate::domain::bank::Bank;
use crate::domain::survey::Survey;
use crate::domain::words::phrase;

const MAX_PATHS: usize = 8;

/// Where the code of an ecosystem goes when there is none yet.
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

const MANIFESTS: [&str; 8] = [
    "Cargo.toml",
    "package.json",
    "pyproject.toml",
    "go.mod",
    "pom.xml",
    "Gemfile",
    "composer.json",
    "requirements.txt",
];

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Scope {
    pub(crate) paths: Vec<String>,
    /// The one path does not exist yet.
    pub(crate) is_new: bool,
    /// How many existing files it covers.
    pub(crate) n_files: usize,
    /// The request itself says where.
    pub(crate) is_named: bool,
}

impl Scope {
    /// `decides` widens it to the manifest, where a new library would be named.
    pub(crate) fn of(
        survey: &Survey,
        bank: &Bank,
        topics: &[String],
        intention: &str,
        decides: bool,
    ) -> Self {
        let files: Vec<&str> = survey
            .files
            .iter()
            .map(String::as_str)
            .filter(|path| {
                !path.starts_with("docs/") && !path.starts_with('.') || path.starts_with(".github/")
            })
            .collect();
        let mut paths = named_files(&survey.files, intention);
        let is_named = !paths.is_empty();
        if paths.is_empty() {
            paths = topic_directories(&files, bank, topics);
        }
        if paths.is_empty() {
            paths = matching_files(&files, intention);
        }
        if paths.is_empty() {
            paths = source_directories(&files);
        }
        if paths.is_empty() {
            let ecosystem = survey.ecosystems.first().copied().unwrap_or_default();
            let known = SOURCE.iter().find(|(name, _)| *name == ecosystem);
            let path = known.map_or("src/", |(_, path)| path).to_owned();
            return Self { paths: vec![path], is_new: true, n_files: 0, is_named };
        }
        if decides {
            let manifests = MANIFESTS.iter().filter(|it| files.contains(it));
            paths.extend(manifests.map(|it| (*it).to_owned()));
        }
        let covered = |file: &&&str| paths.iter().any(|path| covers(path, file));
        let n_files = files.iter().filter(covered).count();
        Self { paths, is_new: false, n_files, is_named }
    }

    pub(crate) fn lines(&self) -> Vec<String> {
        let note = if self.is_new { " (new)" } else { "" };
        self.paths.iter().map(|path| format!("`{path}`{note}")).collect()
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

fn covers(path: &str, file: &str) -> bool {
    path == file || (path.ends_with('/') && file.starts_with(path))
}

/// Directories the request names, or else files by their path or file name.
fn named_files(files: &[String], intention: &str) -> Vec<String> {
    let words: BTreeSet<&str> = intention
        .split(|it: char| it.is_whitespace() || matches!(it, ',' | '`' | '"' | '\'' | '(' | ')'))
        .map(|it| it.trim_end_matches(['.', ':', ';', '?', '!']))
        .filter(|it| it.contains('.') || it.contains('/'))
        .collect();
    let directories: BTreeSet<String> = words
        .iter()
        .filter(|it| it.contains('/'))
        .map(|it| format!("{}/", it.trim_matches('/')))
        .filter(|it| !it.starts_with("docs/") && files.iter().any(|file| file.starts_with(it)))
        .collect();
    if !directories.is_empty() {
        return directories.into_iter().filter(|it| !it.contains('`')).take(MAX_PATHS).collect();
    }
    files
        .iter()
        .filter(|file| {
            let name = file.rsplit('/').next().unwrap_or(file);
            words.contains(file.as_str()) || (name.contains('.') && words.contains(name))
        })
        .filter(|file| !file.contains('`'))
        .take(MAX_PATHS)
        .cloned()
        .collect()
}

/// The topmost directories with a part of their name that belongs to a topic.
fn topic_directories(files: &[&str], bank: &Bank, topics: &[String]) -> Vec<String> {
    let words: BTreeSet<String> = topics
        .iter()
        .filter_map(|topic| bank.category(topic))
        .flat_map(|category| category.paths.iter().flat_map(|it| phrase(it)))
        .collect();
    let mut found = BTreeSet::new();
    for file in files {
        let parts: Vec<&str> = file.split('/').collect();
        let directories = &parts[..parts.len() - 1];
        let hit =
            directories.iter().position(|part| phrase(part).iter().any(|it| words.contains(it)));
        if let Some(at) = hit {
            found.insert(format!("{}/", directories[..=at].join("/")));
        }
    }
    found.into_iter().filter(|it| !it.contains('`')).take(MAX_PATHS).collect()
}

/// Files whose name shares a word with the request.
fn matching_files(files: &[&str], intention: &str) -> Vec<String> {
    const COMMON: [&str; 12] = [
        "add", "fix", "the", "index", "main", "mod", "test", "lib", "readm", "from", "with", "for",
    ];
    let wanted: BTreeSet<String> = phrase(intention)
        .into_iter()
        .filter(|it| it.len() > 2 && !COMMON.contains(&it.as_str()))
        .collect();
    files
        .iter()
        .filter(|file| {
            let name = file.rsplit('/').next().unwrap_or(file);
            let stem = name.split('.').next().unwrap_or(name);
            phrase(stem).iter().any(|it| wanted.contains(it))
        })
        .filter(|file| !file.contains('`'))
        .take(MAX_PATHS)
        .map(|file| (*file).to_owned())
        .collect()
}

fn source_directories(files: &[&str]) -> Vec<String> {
    const USUAL: [&str; 9] =
        ["src", "app", "lib", "crates", "packages", "cmd", "internal", "server", "web"];
    let usual: Vec<String> = USUAL
        .iter()
        .map(|it| format!("{it}/"))
        .filter(|directory| files.iter().any(|file| file.starts_with(directory)))
        .collect();
    if !usual.is_empty() {
        return usual;
    }
    let code = |file: &&&str| {
        let ending = file.rsplit_once('.').map_or("", |(_, ending)| ending);
        ["rs", "ts", "tsx", "js", "jsx", "py", "go", "java", "kt", "rb", "php", "cs", "html"]
            .contains(&ending)
    };
    let tops: BTreeSet<String> = files
        .iter()
        .filter(code)
        .map(|file| file.split_once('/').map_or((*file).to_owned(), |(top, _)| format!("{top}/")))
        .collect();
    tops.into_iter().filter(|it| !it.contains('`')).take(MAX_PATHS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope(files: &[&str], topics: &[&str], intention: &str) -> Scope {
        let survey = Survey {
            files: files.iter().map(|it| (*it).to_owned()).collect(),
            ..Survey::default()
        };
        let topics: Vec<String> = topics.iter().map(|it| (*it).to_owned()).collect();
        Scope::of(&survey, Bank::embedded(), &topics, intention, false)
    }

    #[test]
    fn a_topic_leads_to_its_directories() {
        let files = ["src/auth/login.ts", "src/auth/token.ts", "src/ui/a.ts", "docs/auth/x.md"];
        let scope = scope(&files, &["Authentication"], "Add authentication");
        assert_eq!(scope.paths, ["src/auth/"]);
        assert_eq!(scope.n_files, 2);
    }

    #[test]
    fn a_named_file_is_the_scope() {
        let files = ["src/auth/login.ts", "README.md"];
        assert_eq!(scope(&files, &[], "Fix typo in README.md.").paths, ["README.md"]);
    }

    #[test]
    fn a_named_directory_is_the_scope_and_its_files_are_counted() {
        let files = ["src/api/a.ts", "src/api/b.ts", "src/c.ts"];
        let scope = scope(&files, &[], "Paginate the lists in src/api");
        assert_eq!(
            (scope.paths.as_slice(), scope.n_files),
            (["src/api/".to_owned()].as_slice(), 2)
        );
    }

    #[test]
    fn words_of_the_request_lead_to_files() {
        let files = ["src/login_button.tsx", "src/other.tsx"];
        assert_eq!(scope(&files, &[], "Fix typo in login button").paths, ["src/login_button.tsx"]);
    }

    #[test]
    fn the_records_are_never_in_it() {
        let files = ["docs/adr/20250108T143512.237Z-A001_authentication.md", "main.py"];
        let scope = scope(&files, &["Authentication"], "Add authentication");
        assert_eq!(scope.paths, ["main.py"]);
    }

    #[test]
    fn an_empty_repository_gets_a_directory_marked_new() {
        let scope = scope(&[], &["Authentication"], "Add authentication");
        assert_eq!(scope.lines(), ["`src/` (new)"]);
    }
}
