//! What the documentation names exists: paths of the repository, and commands of xtask.

use std::fs;

use plumbline_tests::bins::workspace;

use super::sources::files_below;
use super::{crates, none};

/// This page names the files of the server that it makes.
const MAKES_A_SERVER: &str = "docs/new-server.md";

/// Whether a path lies in a crate that is called like a server and is none of ours.
fn of_another_server(path: &str) -> bool {
    let name = path.strip_prefix("crates/").and_then(|it| it.split('/').next());
    name.is_some_and(|it| it.ends_with("-mcp") && !crates().contains(&it.to_owned()))
}

/// The pages, each with its path in the repository.
fn pages() -> Vec<(String, String)> {
    let mut found = Vec::new();
    files_below(&workspace().join("docs"), "md", &mut found);
    found.extend(
        ["README.md", "CONTRIBUTING.md", "SECURITY.md", "AGENTS.md"].map(|it| workspace().join(it)),
    );
    found.sort();
    let read = |path: std::path::PathBuf| {
        let name = path.strip_prefix(workspace()).expect("a page of the repository");
        (name.display().to_string(), fs::read_to_string(&path).expect("pages are UTF-8"))
    };
    found.into_iter().map(read).collect()
}

/// The words between single backquotes, outside code blocks.
fn quoted(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut in_block = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            in_block = !in_block;
        } else if !in_block {
            words.extend(line.split('`').skip(1).step_by(2));
        }
    }
    words
}

/// Whether a word looks like a path into this repository: it begins with one of its folders and
/// holds nothing that stands for something else.
fn names_a_path(word: &str) -> bool {
    let folders = ["crates/", "docs/", "tests/", "xtask/", "fuzz/", ".ci/"];
    folders.iter().any(|it| word.starts_with(it))
        && !word.contains(['<', '>', '*', '{', '$', ' ', '…'])
}

#[test]
fn every_path_that_the_documentation_names_exists() {
    let mut complaints = Vec::new();
    for (page, text) in pages() {
        for word in quoted(&text).into_iter().filter(|it| names_a_path(it)) {
            let path = word.split(':').next().unwrap_or(word).trim_end_matches('/');
            // A server's page names paths of the user's project too; those that are ours are ours.
            let is_ours = path.starts_with("crates/") || !page.starts_with("docs/");
            if page == MAKES_A_SERVER && of_another_server(path) {
                continue;
            }
            if is_ours && !workspace().join(path).exists() {
                complaints.push(format!("{page}: there is no `{path}`"));
            }
        }
    }
    none(&complaints);
}

#[test]
fn every_link_between_pages_leads_somewhere() {
    let mut complaints = Vec::new();
    for (page, text) in pages() {
        let directory = workspace().join(&page);
        let directory = directory.parent().expect("a page lies in a folder");
        for target in text.split("](").skip(1).filter_map(|it| it.split(')').next()) {
            let target = target.split('#').next().unwrap_or_default();
            let is_page = !target.is_empty() && !target.contains([':', ' ', '<']);
            if is_page && !directory.join(target).exists() {
                complaints.push(format!("{page}: the link to `{target}` leads nowhere"));
            }
        }
    }
    none(&complaints);
}

#[test]
fn every_command_of_xtask_that_the_documentation_names_exists() {
    let known = fs::read_to_string(workspace().join("xtask/src/main.rs")).expect("xtask");
    let mut complaints = Vec::new();
    for (page, text) in pages() {
        for after in text.split("cargo xtask ").skip(1) {
            let command = after.split(|it: char| !it.is_ascii_alphanumeric() && it != '-').next();
            let command = command.unwrap_or_default();
            if !command.is_empty() && !known.contains(&format!("\"{command}\"")) {
                complaints.push(format!("{page}: xtask has no command `{command}`"));
            }
        }
    }
    none(&complaints);
}
