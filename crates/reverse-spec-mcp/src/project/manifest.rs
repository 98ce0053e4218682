//! Manifests of packages and workspaces, read as what they are; one that is broken says nothing.

use mcp_core::sandbox::{RelPath, Root};
use serde_json::Value;

/// The text of a file, if there is one.
pub(crate) fn text(root: &Root, path: &str) -> Option<String> {
    root.read_text(&RelPath::parse(path).ok()?).ok()
}

/// A JSON file; null where there is none.
pub(crate) fn json(root: &Root, path: &str) -> Value {
    let text = text(root, path).unwrap_or_default();
    serde_json::from_str(text.trim_start_matches('\u{feff}')).unwrap_or_default()
}

/// What stands under these keys of a TOML file.
pub(crate) fn toml_at(root: &Root, path: &str, keys: &[&str]) -> Option<toml::Value> {
    let mut value: toml::Value = toml::from_str(&text(root, path)?).ok()?;
    for key in keys {
        value = value.as_table_mut()?.remove(*key)?;
    }
    Some(value)
}
