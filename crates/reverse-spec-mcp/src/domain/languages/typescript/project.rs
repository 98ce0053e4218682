//! How scripts name files, and the workspaces of npm and pnpm.

use serde_json::Value;

use crate::domain::languages::files::{ProjectFiles, directory, joined};
use crate::domain::languages::manifest::{Manifest, json, strings};

pub(super) const MANIFESTS: &[Manifest] = &[
    Manifest {
        file: "package.json",
        members: npm_workspaces,
        name: Some(|text| json(text)["name"].as_str().map(str::to_owned)),
        names_imports: false,
    },
    Manifest {
        file: "pnpm-workspace.yaml",
        members: |text| Some(pnpm_workspaces(text)),
        name: None,
        names_imports: false,
    },
];

/// What a path of TypeScript or JavaScript may leave out.
const SCRIPT_ENDS: [&str; 20] = [
    "",
    ".ts",
    ".tsx",
    ".mts",
    ".cts",
    ".d.ts",
    ".d.mts",
    ".d.cts",
    ".js",
    ".jsx",
    ".mjs",
    ".cjs",
    "/index.ts",
    "/index.tsx",
    "/index.mts",
    "/index.d.ts",
    "/index.js",
    "/index.jsx",
    "/index.mjs",
    "/index.cjs",
];
/// How one file may be written for another: `./x.js` for `./x.ts`, `./x.ts` for its declarations.
const SCRIPT_SWAPS: [(&str, &str); 10] = [
    (".js", ".ts"),
    (".js", ".tsx"),
    (".mjs", ".mts"),
    (".cjs", ".cts"),
    (".js", ".d.ts"),
    (".mjs", ".d.mts"),
    (".cjs", ".d.cts"),
    (".ts", ".d.ts"),
    (".mts", ".d.mts"),
    (".cts", ".d.cts"),
];

/// A relative path; what is installed lies elsewhere.
pub(super) fn resolve(files: &ProjectFiles, from: &str, specifier: &str) -> Option<String> {
    if !specifier.starts_with('.') {
        return None;
    }
    let path = joined(directory(from), specifier)?;
    let swapped = SCRIPT_SWAPS
        .iter()
        .filter_map(|(end, instead)| path.strip_suffix(end).map(|stem| format!("{stem}{instead}")));
    let plain = SCRIPT_ENDS.iter().map(|end| format!("{path}{end}"));
    // The root itself has no name before the slash.
    let plain = plain.map(|it| it.trim_start_matches('/').to_owned());
    files.first_of(plain.chain(swapped))
}

fn npm_workspaces(text: &str) -> Option<Vec<String>> {
    match &json(text)["workspaces"] {
        Value::Null => None,
        Value::Object(fields) => Some(fields.get("packages").map(strings).unwrap_or_default()),
        list => Some(strings(list)),
    }
}

fn pnpm_workspaces(text: &str) -> Vec<String> {
    let value: Value = mcp_core::yaml::parse(text).unwrap_or_default();
    strings(&value["packages"])
}
