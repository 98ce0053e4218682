//! What the manifests of a workspace say about its packages.

use globset::{Glob, GlobSet, GlobSetBuilder};
use mcp_core::sandbox::{RelPath, Root};
use serde_json::Value;

use crate::project::manifest;

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
    patterns.extend(toml_members(root, "Cargo.toml", &["workspace"]));
    patterns.extend(go_uses(root));
    patterns.extend(toml_members(root, "pyproject.toml", &["tool", "uv", "workspace"]));
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
    let path = |name: &str| format!("{directory}/{name}");
    let manifests = ["package.json", "Cargo.toml", "go.mod", "pyproject.toml"];
    let has = |name: &&str| RelPath::parse(&path(name)).is_ok_and(|it| root.has_entry(&it));
    manifests.iter().find(|it| has(it))?;
    let mut names = Vec::new();
    names.extend(manifest::json(root, &path("package.json"))["name"].as_str().map(str::to_owned));
    names.extend(toml_name(root, &path("Cargo.toml"), "package"));
    let module = manifest::text(root, &path("go.mod")).unwrap_or_default();
    let module = module.lines().find_map(|line| line.strip_prefix("module "));
    names.extend(module.map(|name| name.trim().to_owned()));
    names.extend(toml_name(root, &path("pyproject.toml"), "project"));
    Some(Package { directory: directory.to_owned(), names })
}

/// As code writes the name of a package: with `_` for `-`.
fn toml_name(root: &Root, path: &str, table: &str) -> Option<String> {
    let name = manifest::toml_at(root, path, &[table, "name"])?;
    Some(name.as_str()?.replace('-', "_"))
}

fn npm_workspaces(root: &Root) -> Vec<String> {
    let value = manifest::json(root, "package.json");
    let listed = match &value["workspaces"] {
        Value::Object(fields) => fields.get("packages").cloned().unwrap_or_default(),
        other => other.clone(),
    };
    strings(&listed)
}

fn pnpm_workspaces(root: &Root) -> Vec<String> {
    let text = manifest::text(root, "pnpm-workspace.yaml").unwrap_or_default();
    let value: Value = mcp_core::yaml::parse(&text).unwrap_or_default();
    strings(&value["packages"])
}

fn strings(value: &Value) -> Vec<String> {
    let list = value.as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter().filter_map(|it| it.as_str().map(str::to_owned)).collect()
}

/// `members` and, each with a `!`, what `exclude` lists.
fn toml_members(root: &Root, path: &str, table: &[&str]) -> Vec<String> {
    let Some(workspace) = manifest::toml_at(root, path, table) else { return Vec::new() };
    let listed = |key: &str| {
        let list = workspace.get(key).and_then(toml::Value::as_array).cloned().unwrap_or_default();
        list.into_iter().filter_map(|it| it.as_str().map(str::to_owned)).collect::<Vec<_>>()
    };
    let mut members = listed("members");
    members.extend(listed("exclude").into_iter().map(|it| format!("!{it}")));
    members
}

/// `use ./a` alone or in parentheses.
fn go_uses(root: &Root) -> Vec<String> {
    let text = manifest::text(root, "go.work").unwrap_or_default();
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
