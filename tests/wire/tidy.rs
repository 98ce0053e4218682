//! What no lint sees: which layer imports what, that files say what they are and stay small.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use plumbline_tests::bins::workspace;

/// Longer files are made of two things.
const MAX_LINES: usize = 500;

/// Names that say nothing about what is inside.
const EMPTY_NAMES: [&str; 7] = ["utils", "util", "helpers", "common", "misc", "types", "models"];

struct Source {
    /// Relative to the workspace, with slashes.
    path: String,
    text: String,
}

fn files_below(directory: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).expect("a directory of the workspace").flatten() {
        let path = entry.path();
        let name = entry.file_name();
        if path.is_dir() {
            if name != "target" && name != "node_modules" {
                files_below(&path, extension, found);
            }
        } else if path.extension().is_some_and(|it| it == extension) {
            found.push(path);
        }
    }
}

fn sources(extension: &str) -> Vec<Source> {
    let mut found = Vec::new();
    for directory in ["crates", "tests", "xtask", "fuzz"] {
        files_below(&workspace().join(directory), extension, &mut found);
    }
    found.sort();
    found
        .into_iter()
        .map(|path| Source {
            path: path
                .strip_prefix(workspace())
                .expect("the file lies in the workspace")
                .to_string_lossy()
                .replace('\\', "/"),
            text: fs::read_to_string(&path).expect("sources are UTF-8"),
        })
        .collect()
}

/// Fails with every place at once, so that one run is enough to mend them all.
#[track_caller]
fn none(complaints: &[String]) {
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

/// The lines of the file that hold `word` as a path or a whole word, comments aside.
fn lines_with<'a>(source: &'a Source, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    source.text.lines().enumerate().filter_map(move |(index, line)| {
        let code = line.split("//").next().unwrap_or_default();
        let found = code.match_indices(word).any(|(at, _)| {
            let before = code[..at].chars().next_back();
            let after = code[at + word.len()..].chars().next();
            let part_of_name =
                |it: Option<char>| it.is_some_and(|it| it.is_alphanumeric() || it == '_');
            !part_of_name(before) && !part_of_name(after)
        });
        found.then_some(index + 1)
    })
}

#[test]
fn every_file_says_what_it_is_and_stays_readable() {
    let mut complaints = Vec::new();
    for source in sources("rs") {
        if !source.text.starts_with("//! ") {
            complaints.push(format!("{}: opens without a `//!` line", source.path));
        }
        let lines = source.text.lines().count();
        if lines > MAX_LINES {
            complaints.push(format!("{}: {lines} lines, {MAX_LINES} at most", source.path));
        }
        let stem = Path::new(&source.path).file_stem().unwrap().to_string_lossy().into_owned();
        if EMPTY_NAMES.contains(&stem.as_str()) {
            complaints.push(format!("{}: a name that says nothing", source.path));
        }
    }
    none(&complaints);
}

#[test]
fn each_layer_imports_only_what_it_may() {
    // A word, and where it may stand.
    let rules: [(&str, &[&str]); 5] = [
        ("cap_std", &["crates/mcp-core/src/sandbox"]),
        ("cap_tempfile", &["crates/mcp-core/src/sandbox"]),
        ("serde_saphyr", &["crates/mcp-core/src/yaml.rs"]),
        ("axum", &["crates/mcp-core/src/transport"]),
        ("reqwest", &["crates/mcp-llm/src/http.rs", "crates/mcp-llm/src/config.rs"]),
    ];
    let mut complaints = Vec::new();
    for source in sources("rs").iter().filter(|it| it.path.starts_with("crates/")) {
        for (word, places) in rules {
            if places.iter().any(|place| source.path.starts_with(place)) {
                continue;
            }
            for line in lines_with(source, word) {
                complaints.push(format!("{}:{line}: `{word}` belongs in {places:?}", source.path));
            }
        }
        complaints.extend(misplaced_protocol(source));
    }
    none(&complaints);
}

/// In a server, the protocol is known to the table and the tools, not to the domain.
fn misplaced_protocol(source: &Source) -> Vec<String> {
    let Some((name, inside)) =
        source.path.strip_prefix("crates/").and_then(|it| it.split_once("/src/"))
    else {
        return Vec::new();
    };
    let knows_protocol =
        |it: &str| inside == format!("{it}.rs") || inside.starts_with(&format!("{it}/"));
    let edge = ["main", "lib", "server", "tools", "prompts", "resources", "tests", "cli"];
    // The client of a language model waits for a network, so it is no domain.
    if ["mcp-core", "mcp-llm"].contains(&name) || edge.iter().any(|it| knows_protocol(it)) {
        return Vec::new();
    }
    let mut complaints = Vec::new();
    for word in ["rmcp", "mcp_core::server", "mcp_core::transport", "tokio", "schemars"] {
        for line in lines_with(source, word) {
            complaints.push(format!("{}:{line}: `{word}` in the domain", source.path));
        }
    }
    complaints
}

#[test]
fn manifests_take_versions_features_and_lints_from_the_workspace() {
    let mut complaints = Vec::new();
    for source in sources("toml") {
        let member = source.path.ends_with("/Cargo.toml") && !source.path.starts_with("fuzz/");
        if !member {
            continue;
        }
        if !source.text.contains("[lints]\nworkspace = true") {
            complaints.push(format!("{}: does not inherit the lints", source.path));
        }
        if source.text.contains("[features]") {
            complaints.push(format!("{}: has features of its own", source.path));
        }
        let mut section = "";
        for line in source.text.lines() {
            if line.starts_with('[') {
                section = line;
            } else if section.ends_with("dependencies]")
                && !line.trim().is_empty()
                && !line.starts_with('#')
                && !line.ends_with(".workspace = true")
            {
                complaints.push(format!("{}: `{line}` names a version", source.path));
            }
        }
    }
    none(&complaints);
}

#[test]
fn only_the_servers_that_ask_a_language_model_link_its_client() {
    let may = ["mcp-llm", "preflights-mcp", "elspais-mcp", "reverse-spec-mcp"];
    let linking: Vec<String> = sources("toml")
        .into_iter()
        .filter(|it| it.text.contains("mcp-llm") && it.path.starts_with("crates/"))
        .map(|it| it.path)
        .filter(|path| !may.iter().any(|it| path.starts_with(&format!("crates/{it}/"))))
        .collect();
    none(&linking);
}

#[test]
fn no_source_file_is_left_out_of_its_crate() {
    let all = sources("rs");
    let declared: BTreeSet<String> = all
        .iter()
        .flat_map(|source| source.text.lines())
        .filter_map(|line| {
            let line = line.trim().trim_start_matches("pub ").trim_start_matches("pub(super) ");
            let line = line.trim_start_matches("pub(crate) ");
            Some(line.strip_prefix("mod ")?.strip_suffix(';')?.to_owned())
        })
        .collect();
    let roots = ["lib", "main", "build"];
    let mut complaints = Vec::new();
    for source in &all {
        let path = Path::new(&source.path);
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        let module = if stem == "mod" {
            path.parent().unwrap().file_name().unwrap().to_string_lossy().into_owned()
        } else {
            stem
        };
        let entry = source.path.contains("/examples/") || source.path.starts_with("fuzz/");
        if !roots.contains(&module.as_str()) && !entry && !declared.contains(&module) {
            complaints.push(format!("{}: no `mod {module};` names it", source.path));
        }
    }
    none(&complaints);
}

#[test]
fn nothing_is_left_for_later_in_the_code() {
    let mut complaints = Vec::new();
    for source in sources("rs") {
        if source.path.ends_with("wire/tidy.rs") {
            continue;
        }
        let comments: String =
            source.text.lines().filter_map(|line| Some(line.split_once("//")?.1)).collect();
        let in_comments = ["TODO", "FIXME", "XXX"].iter().filter(|it| comments.contains(**it));
        let in_code = ["todo!(", "unimplemented!(", "#[ignore"].iter();
        for mark in in_comments.chain(in_code.filter(|it| source.text.contains(**it))) {
            complaints.push(format!("{}: holds `{mark}`", source.path));
        }
    }
    none(&complaints);
}
