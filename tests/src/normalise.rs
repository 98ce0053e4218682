//! Replaces what differs between two runs, so that answers can be compared and snapshotted.

use std::path::Path;
use std::sync::LazyLock;

use regex::{Captures, Regex};

static VARYING: LazyLock<Regex> = LazyLock::new(|| {
    let time = r"\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})";
    let uuid = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}";
    let ulid = r"[0-7][0-9A-HJKMNP-TV-Z]{25}";
    Regex::new(&format!(r"\b(?:(?<time>{time})|(?<id>{uuid}|{ulid}))\b")).expect("a valid pattern")
});

/// Replaces the root path by `<root>`, RFC 3339 times by `<time>`, and each ULID or UUID by
/// `<id-1>`, `<id-2>` and so on: the same id always becomes the same placeholder.
pub fn normalise(text: &str, root: &Path) -> String {
    let root = root.to_string_lossy();
    // JSON doubles the backslashes of a Windows path.
    let text = text.replace(&root.replace('\\', r"\\"), "<root>").replace(&*root, "<root>");
    let mut ids: Vec<String> = Vec::new();
    let replaced = VARYING.replace_all(&text, |found: &Captures<'_>| {
        let Some(id) = found.name("id") else { return "<time>".to_owned() };
        let known = ids.iter().position(|known| known == id.as_str());
        let at = known.unwrap_or_else(|| {
            ids.push(id.as_str().to_owned());
            ids.len() - 1
        });
        format!("<id-{}>", at + 1)
    });
    replaced.into_owned()
}
