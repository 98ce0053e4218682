//! What no lint sees: which layer imports what, that files say what they are and stay small.

mod circles;
mod documents;
mod paths;
mod sources;
mod walls;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use plumbline_tests::bins::workspace;

use sources::{Source, sources};

/// Longer files are made of two things.
const MAX_LINES: usize = 500;

/// Names that say nothing about what is inside.
const EMPTY_NAMES: [&str; 7] = ["utils", "util", "helpers", "common", "misc", "types", "models"];

/// Fails with every place at once, so that one run is enough to fix them all.
#[track_caller]
fn none(complaints: &[String]) {
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

/// The crates below `crates/`, by name.
fn crates() -> Vec<String> {
    let entries = fs::read_dir(workspace().join("crates")).expect("the crates").flatten();
    let mut names: Vec<String> =
        entries.map(|it| it.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// The servers among them.
fn servers() -> Vec<String> {
    crates().into_iter().filter(|it| !["mcp-core", "mcp-llm"].contains(&it.as_str())).collect()
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
    let rules: [(&str, &[&str]); 7] = [
        ("open_ambient_dir", &["crates/mcp-core/src/sandbox/root.rs"]),
        ("Root::ambient", &["crates/mcp-core/src/sandbox/doors.rs"]),
        ("cap_std", &["crates/mcp-core/src/sandbox"]),
        ("cap_tempfile", &["crates/mcp-core/src/sandbox"]),
        ("serde_saphyr", &["crates/mcp-core/src/yaml.rs"]),
        // The server that others are measured against is built as rmcp's guide does.
        ("axum", &["crates/mcp-core/src/transport", "crates/mcp-core/examples/bare_http"]),
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
    }
    none(&complaints);
}

/// Features that open a crate to tests and nothing else; a build without them is the product.
const SEAMS: [&str; 2] = ["faults", "fuzzing"];

/// A feature that stands for one language of reverse-spec, by the grammar it brings; `default` is all.
fn is_language(manifest: &str, feature: &str) -> bool {
    let brings = format!("{feature} = [\"dep:tree-sitter-{feature}");
    feature == "default" && manifest.contains("dep:tree-sitter-") || manifest.contains(&brings)
}

/// `mcp-core = { workspace = true, features = ["faults"] }`: tests may ask for one.
fn opens_a_seam(line: &str) -> bool {
    let asked = line.split_once("= { workspace = true, features = [").map(|it| it.1);
    let asked = asked.and_then(|it| it.strip_suffix("] }"));
    asked.is_some_and(|it| it.split(',').all(|one| SEAMS.contains(&one.trim().trim_matches('"'))))
}

/// The names below `[features]`.
fn features(manifest: &str) -> Vec<&str> {
    let below = manifest.split("[features]\n").nth(1).unwrap_or_default();
    let lines = below.lines().take_while(|line| !line.starts_with('['));
    lines.filter_map(|line| Some(line.split_once('=')?.0.trim())).collect()
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
        for feature in features(&source.text) {
            if !SEAMS.contains(&feature) && !is_language(&source.text, feature) {
                complaints.push(format!("{}: has a feature `{feature}`", source.path));
            }
        }
        let mut section = "";
        for line in source.text.lines() {
            if line.starts_with('[') {
                section = line;
                continue;
            }
            let inherits = line.ends_with(".workspace = true")
                || line.ends_with(" = { workspace = true, optional = true }")
                || section == "[dev-dependencies]" && opens_a_seam(line);
            let is_entry = !line.trim().is_empty() && !line.starts_with('#');
            if section.ends_with("dependencies]") && is_entry && !inherits {
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
        if source.path.ends_with("wire/tidy/mod.rs") {
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
