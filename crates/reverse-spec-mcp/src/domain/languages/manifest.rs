//! Files that declare packages and workspaces, read as what they are; one that is broken says
//! nothing.

use serde_json::Value;

/// One kind of such a file.
pub(crate) struct Manifest {
    pub(crate) file: &'static str,
    /// Patterns of the directories of a workspace, with a `!` before those that are left out. None
    /// where the text declares no workspace.
    pub(crate) members: fn(&str) -> Option<Vec<String>>,
    /// What others call the package in imports; none where such a file declares no package.
    pub(crate) name: Option<fn(&str) -> Option<String>>,
    /// Paths of imports begin with that name.
    pub(crate) names_imports: bool,
    /// What the package offers to others, where it says so.
    pub(crate) offer: Option<fn(&str) -> Option<Offer>>,
}

/// What the manifest of a package says about its users.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Offer {
    /// Under which name which files are imported, each from the directory of the manifest. Several
    /// files may stand for the same: what was compiled, its types, its source.
    pub(crate) entries: Vec<(String, Vec<String>)>,
    /// What users may switch on.
    pub(crate) features: Option<Vec<String>>,
}

/// For files that declare no workspace.
pub(super) fn no_members(_: &str) -> Option<Vec<String>> {
    None
}

/// A JSON file; null where it is not JSON.
pub(super) fn json(text: &str) -> Value {
    serde_json::from_str(text.trim_start_matches('\u{feff}')).unwrap_or_default()
}

/// The strings of a list.
pub(super) fn strings(value: &Value) -> Vec<String> {
    let list = value.as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter().filter_map(|it| it.as_str().map(str::to_owned)).collect()
}

/// What stands under these keys of a TOML file.
pub(super) fn toml_at(text: &str, keys: &[&str]) -> Option<toml::Value> {
    let mut value: toml::Value = toml::from_str(text).ok()?;
    for key in keys {
        value = value.as_table_mut()?.remove(*key)?;
    }
    Some(value)
}

/// `members` and, each with a `!`, what `exclude` lists.
pub(super) fn toml_members(text: &str, table: &[&str]) -> Option<Vec<String>> {
    let workspace = toml_at(text, table)?;
    let listed = |key: &str| {
        let list = workspace.get(key).and_then(toml::Value::as_array).cloned().unwrap_or_default();
        list.into_iter().filter_map(|it| it.as_str().map(str::to_owned)).collect::<Vec<_>>()
    };
    let mut members = listed("members");
    members.extend(listed("exclude").into_iter().map(|it| format!("!{it}")));
    Some(members)
}

/// As code writes the name of a package: with `_` for `-`.
pub(super) fn toml_name(text: &str, table: &str) -> Option<String> {
    let name = toml_at(text, &[table, "name"])?;
    Some(name.as_str()?.replace('-', "_"))
}
