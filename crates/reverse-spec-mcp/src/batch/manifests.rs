//! What the manifests of a workspace say about its packages.

use globset::{Glob, GlobSet, GlobSetBuilder};
use mcp_core::sandbox::{RelPath, Root};
use serde_json::Value;

/// A package: where it is, and what others call it when they import it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Package {
    /// Relative to the project root.
    pub(super) directory: String,
    pub(super) names: Vec<String>,
}

/// The packages of every workspace manifest at the project root, among `directories` (all that
/// hold source files or lie above one).
pub(super) fn packages(root: &Root, directories: &[String]) -> Vec<Package> {
    let mut patterns = Vec::new();
    patterns.extend(npm_workspaces(root));
    patterns.extend(pnpm_workspaces(root));
    patterns.extend(cargo_members(root));
    patterns.extend(go_uses(root));
    patterns.extend(uv_members(root));
    let chosen = set(patterns.iter().filter(|it| !it.starts_with('!')).map(String::as_str));
    let left_out = set(patterns.iter().filter_map(|it| it.strip_prefix('!')));
    let mut packages: Vec<Package> = directories
        .iter()
        .filter(|directory| chosen.is_match(directory) && !left_out.is_match(directory))
        .filter_map(|directory| package_at(root, directory))
        .collect();
    packages.sort();
    packages
}

fn set<'a>(patterns: impl Iterator<Item = &'a str>) -> GlobSet {
    let mut builder = GlobSetBuilder::new();
    for pattern in patterns {
        let pattern = pattern.trim_start_matches("./").trim_end_matches('/');
        let glob = Glob::new(pattern).or_else(|_| Glob::new(&globset::escape(pattern)));
        if let Ok(glob) = glob {
            builder.add(glob);
        }
    }
    builder.build().unwrap_or_else(|_| GlobSet::empty())
}

/// A directory with a manifest of its own.
fn package_at(root: &Root, directory: &str) -> Option<Package> {
    let manifest = |name: &str| text(root, &format!("{directory}/{name}"));
    let mut names = Vec::new();
    let mut found = false;
    if let Some(text) = manifest("package.json") {
        found = true;
        let value: Value = serde_json::from_str(&text).unwrap_or_default();
        names.extend(value["name"].as_str().map(str::to_owned));
    }
    if let Some(text) = manifest("Cargo.toml") {
        found = true;
        if let Some(name) = toml_text(&text, &["package", "name"]) {
            names.push(name.replace('-', "_"));
        }
    }
    if let Some(text) = manifest("go.mod") {
        found = true;
        let module = text.lines().find_map(|line| line.strip_prefix("module "));
        names.extend(module.map(|name| name.trim().to_owned()));
    }
    if let Some(text) = manifest("pyproject.toml") {
        found = true;
        if let Some(name) = toml_text(&text, &["project", "name"]) {
            names.push(name.replace('-', "_"));
        }
    }
    found.then(|| Package { directory: directory.to_owned(), names })
}

fn npm_workspaces(root: &Root) -> Vec<String> {
    let value: Value = text(root, "package.json")
        .and_then(|it| serde_json::from_str(&it).ok())
        .unwrap_or_default();
    let listed = match &value["workspaces"] {
        Value::Object(fields) => fields.get("packages").cloned().unwrap_or_default(),
        other => other.clone(),
    };
    strings(&listed)
}

fn pnpm_workspaces(root: &Root) -> Vec<String> {
    let text = text(root, "pnpm-workspace.yaml").unwrap_or_default();
    let value: Value = mcp_core::yaml::parse(&text).unwrap_or_default();
    strings(&value["packages"])
}

fn strings(value: &Value) -> Vec<String> {
    let list = value.as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter().filter_map(|it| it.as_str().map(str::to_owned)).collect()
}

fn cargo_members(root: &Root) -> Vec<String> {
    let text = text(root, "Cargo.toml").unwrap_or_default();
    let mut members = toml_list(&text, &["workspace", "members"]);
    let excluded = toml_list(&text, &["workspace", "exclude"]);
    members.extend(excluded.into_iter().map(|it| format!("!{it}")));
    members
}

fn uv_members(root: &Root) -> Vec<String> {
    let text = text(root, "pyproject.toml").unwrap_or_default();
    let mut members = toml_list(&text, &["tool", "uv", "workspace", "members"]);
    let excluded = toml_list(&text, &["tool", "uv", "workspace", "exclude"]);
    members.extend(excluded.into_iter().map(|it| format!("!{it}")));
    members
}

/// `use ./a` alone or in parentheses.
fn go_uses(root: &Root) -> Vec<String> {
    let text = text(root, "go.work").unwrap_or_default();
    let mut uses = Vec::new();
    let mut listing = false;
    for line in text.lines() {
        let line = line.split("//").next().unwrap_or_default().trim();
        if line == ")" {
            listing = false;
        } else if listing && !line.is_empty() {
            uses.push(line.to_owned());
        } else if let Some(rest) = line.strip_prefix("use") {
            match rest.trim() {
                "(" => listing = true,
                "" => {}
                one => uses.push(one.to_owned()),
            }
        }
    }
    uses.retain(|it| it.trim_start_matches("./") != "." && !it.is_empty());
    uses
}

fn text(root: &Root, path: &str) -> Option<String> {
    root.read_text(&RelPath::parse(path).ok()?).ok()
}

fn toml_at(text: &str, path: &[&str]) -> Option<toml::Value> {
    let mut value: toml::Value = toml::from_str(text).ok()?;
    for key in path {
        value = value.get_mut(*key)?.clone();
    }
    Some(value)
}

fn toml_text(text: &str, path: &[&str]) -> Option<String> {
    toml_at(text, path)?.as_str().map(str::to_owned)
}

fn toml_list(text: &str, path: &[&str]) -> Vec<String> {
    let value = toml_at(text, path);
    let list = value.as_ref().and_then(toml::Value::as_array).map(Vec::as_slice);
    list.unwrap_or_default().iter().filter_map(|it| it.as_str().map(str::to_owned)).collect()
}
