//! The workspace's sources as the checks see them: text without comments, strings and tests.

use std::fs;
use std::path::{Path, PathBuf};

use plumbline_tests::bins::workspace;

pub(super) struct Source {
    /// Relative to the workspace, with slashes.
    pub(super) path: String,
    pub(super) text: String,
}

impl Source {
    /// The crate it belongs to and its path below `src/`; `None` for what is not a crate's source.
    pub(super) fn place(&self) -> Option<(&str, &str)> {
        self.path.strip_prefix("crates/")?.split_once("/src/")
    }

    /// A file of tests, or below one.
    pub(super) fn is_test(&self) -> bool {
        self.path.split('/').any(|part| part == "tests" || part == "tests.rs")
    }

    /// The code alone: comments and the contents of strings are blank, and so is everything that
    /// is compiled for tests only. Line breaks stay where they are.
    pub(super) fn code(&self) -> String {
        without_test_modules(&without_comments_and_strings(&self.text))
    }
}

pub(super) fn sources(extension: &str) -> Vec<Source> {
    let mut found = Vec::new();
    for directory in ["crates", "tests", "xtask", "fuzz"] {
        files_below(&workspace().join(directory), extension, &mut found);
    }
    found.sort();
    let relative = |path: &Path| {
        let inside = path.strip_prefix(workspace()).expect("the file lies in the workspace");
        inside.to_string_lossy().replace('\\', "/")
    };
    let read = |path: PathBuf| Source {
        path: relative(&path),
        text: fs::read_to_string(&path).expect("sources are UTF-8"),
    };
    found.into_iter().map(read).collect()
}

pub(super) fn files_below(directory: &Path, extension: &str, found: &mut Vec<PathBuf>) {
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

/// Replaces comments and what stands between quotes by blanks.
fn without_comments_and_strings(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    let blank = |out: &mut String, it: char| out.push(if it == '\n' { '\n' } else { ' ' });
    while at < chars.len() {
        let end = token_to_blank(&chars, at);
        if end == at {
            out.push(chars[at]);
            at += 1;
        } else {
            chars[at..end].iter().for_each(|it| blank(&mut out, *it));
            at = end;
        }
    }
    out
}

/// The end of the comment, string or character that begins here; `at` itself where none does.
fn token_to_blank(chars: &[char], at: usize) -> usize {
    let starts =
        |text: &str| text.chars().enumerate().all(|(n, it)| chars.get(at + n) == Some(&it));
    if starts("//") {
        return (at..chars.len()).find(|n| chars[*n] == '\n').unwrap_or(chars.len());
    }
    if starts("/*") {
        let end = (at + 2..chars.len()).find(|n| chars[*n - 1] == '*' && chars[*n] == '/');
        return end.map_or(chars.len(), |n| n + 1);
    }
    match chars[at] {
        '"' => quoted_end(chars, at, 0),
        'r' if !part_of_name(chars, at) => {
            let hashes = chars[at + 1..].iter().take_while(|it| **it == '#').count();
            match chars.get(at + 1 + hashes) {
                Some('"') => quoted_end(chars, at + 1 + hashes, hashes.max(1)),
                _ => at,
            }
        }
        // A character, as opposed to a lifetime.
        '\'' if chars.get(at + 1) == Some(&'\\') => {
            (at + 3..chars.len()).find(|n| chars[*n] == '\'').map_or(at, |n| n + 1)
        }
        '\'' if chars.get(at + 2) == Some(&'\'') => at + 3,
        _ => at,
    }
}

fn part_of_name(chars: &[char], at: usize) -> bool {
    at > 0 && (chars[at - 1].is_alphanumeric() || chars[at - 1] == '_')
}

/// The end of a string whose quote is at `open`; raw when it has hashes.
fn quoted_end(chars: &[char], open: usize, hashes: usize) -> usize {
    let raw = hashes > 0;
    let mut at = open + 1;
    while at < chars.len() {
        match chars[at] {
            '\\' if !raw => at += 2,
            '"' => {
                let behind = chars[at + 1..].iter().take_while(|it| **it == '#').count();
                if !raw || behind >= hashes || chars.get(open.wrapping_sub(1)) == Some(&'r') {
                    return if raw { at + 1 + behind.min(hashes) } else { at + 1 };
                }
                at += 1;
            }
            _ => at += 1,
        }
    }
    chars.len()
}

/// Blanks out `#[cfg(test)] mod … { … }`.
fn without_test_modules(code: &str) -> String {
    let mut out = code.to_owned();
    while let Some(start) = out.find("#[cfg(test)]\nmod ").or_else(|| out.find("#[cfg(all(test")) {
        let Some(open) = out[start..].find(['{', ';']).map(|it| it + start) else { break };
        let end = if out.as_bytes()[open] == b';' { open + 1 } else { block_end(&out, open) };
        let kept: String = out[start..end].chars().filter(|it| *it == '\n').collect();
        out.replace_range(start..end, &kept);
    }
    out
}

fn block_end(code: &str, open: usize) -> usize {
    let mut depth = 0_usize;
    for (offset, byte) in code.as_bytes()[open..].iter().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => {
                depth -= 1;
                if depth == 0 {
                    return open + offset + 1;
                }
            }
            _ => {}
        }
    }
    code.len()
}
