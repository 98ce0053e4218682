//! What reading a project of requirements costs at the least: walk, read, check that it is UTF-8 and
//! find the line breaks, on all cores, and nothing kept. `cargo xtask bench` holds the cold build of
//! the graph against it.
#![expect(clippy::disallowed_methods, reason = "it uses nothing of ours on purpose")]

use std::path::{Path, PathBuf};

use rayon::prelude::*;

fn main() {
    let Some(directory) = std::env::args().nth(1) else { return };
    let mut found = Vec::new();
    walk(Path::new(&directory), &mut found);
    let lines: usize = found.par_iter().map(|path| lines_of(path)).sum();
    // Used, so that nothing of it can be left out.
    if lines == usize::MAX {
        std::process::abort();
    }
}

fn walk(directory: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(directory) else { return };
    for entry in entries.flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => walk(&entry.path(), found),
            Ok(kind) if kind.is_file() => found.push(entry.path()),
            _ => {}
        }
    }
}

fn lines_of(path: &Path) -> usize {
    let Ok(bytes) = std::fs::read(path) else { return 0 };
    std::str::from_utf8(&bytes).map_or(0, |it| memchr::memchr_iter(b'\n', it.as_bytes()).count())
}
