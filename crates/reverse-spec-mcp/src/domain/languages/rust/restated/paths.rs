//! Paths within a crate: whether a name is imported or written with the way to it, it is the same.

use crate::domain::signature::words;

/// Words with which a path within the own crate begins.
const BEGINNINGS: [&str; 3] = ["crate", "self", "super"];

/// `Error` of `crate::error::Error`.
pub(in crate::domain::languages::rust) fn without_own_paths(text: String) -> String {
    if !text.contains("::") || !BEGINNINGS.iter().any(|it| text.contains(it)) {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for word in words(&text) {
        let begins = BEGINNINGS.contains(&word.text) && !text[..word.start].ends_with("::");
        if !begins || word.start < done || !text[word.end..].starts_with("::") {
            continue;
        }
        let is_path = |it: char| it.is_alphanumeric() || matches!(it, '_' | ':');
        let rest = &text[word.start..];
        let path = &rest[..rest.find(|it: char| !is_path(it)).unwrap_or(rest.len())];
        // Before the arguments of a generic there may be a mark of its own.
        let name = path.trim_end_matches(':').rfind("::").map_or(0, |at| at + 2);
        out.push_str(&text[done..word.start]);
        done = word.start + name;
    }
    out.push_str(&text[done..]);
    out
}
