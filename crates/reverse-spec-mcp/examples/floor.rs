//! What reading a project costs at the least: walk, read, hash and parse on all cores, and nothing
//! kept. `cargo xtask bench` holds `prepare` against it.
#![expect(clippy::disallowed_methods, reason = "it uses nothing of ours on purpose")]

use std::path::PathBuf;
use std::sync::Mutex;

use ignore::{WalkBuilder, WalkState};
use rayon::prelude::*;
use sha2::{Digest as _, Sha256};
use tree_sitter::{Language, Parser};

fn main() {
    let Some(directory) = std::env::args().nth(1) else { return };
    let found = Mutex::new(Vec::new());
    WalkBuilder::new(directory).build_parallel().run(|| {
        Box::new(|entry| {
            if let Ok(entry) = entry
                && let Some(language) = language_of(entry.path())
                && let Ok(mut found) = found.lock()
            {
                found.push((entry.into_path(), language));
            }
            WalkState::Continue
        })
    });
    let found = found.into_inner().unwrap_or_default();
    let nodes: u64 = found
        .par_iter()
        .map_init(Parser::new, |parser, (path, language)| parsed(parser, path, language))
        .sum();
    // Used, so that nothing of it can be left out.
    if nodes == u64::MAX {
        std::process::abort();
    }
}

fn parsed(parser: &mut Parser, path: &PathBuf, language: &Language) -> u64 {
    let Ok(bytes) = std::fs::read(path) else { return 0 };
    let first = Sha256::digest(&bytes).first().copied().unwrap_or_default();
    if parser.set_language(language).is_err() {
        return 0;
    }
    let nodes = parser.parse(&bytes, None).map_or(0, |tree| tree.root_node().child_count());
    u64::from(nodes) + u64::from(first)
}

fn language_of(path: &std::path::Path) -> Option<Language> {
    let language = match path.extension()?.to_str()? {
        "ts" | "mts" | "cts" => tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
        "tsx" | "js" | "jsx" | "mjs" | "cjs" => tree_sitter_typescript::LANGUAGE_TSX.into(),
        "rs" => tree_sitter_rust::LANGUAGE.into(),
        "py" | "pyi" => tree_sitter_python::LANGUAGE.into(),
        "go" => tree_sitter_go::LANGUAGE.into(),
        "java" => tree_sitter_java::LANGUAGE.into(),
        _ => return None,
    };
    Some(language)
}
