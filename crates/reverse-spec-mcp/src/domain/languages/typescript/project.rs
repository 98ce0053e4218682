//! How scripts name files, and the workspaces of npm and pnpm.

use serde_json::Value;

use crate::domain::languages::Entry;
use crate::domain::languages::files::{ProjectFiles, directory, joined};
use crate::domain::languages::manifest::{Manifest, Offer, json, strings};
use crate::domain::skeleton::LanguageId;

pub(super) const MANIFESTS: &[Manifest] = &[
    Manifest {
        file: "package.json",
        members: npm_workspaces,
        name: Some(|text| json(text)["name"].as_str().map(str::to_owned)),
        names_imports: false,
        offer: Some(offer),
    },
    Manifest {
        file: "pnpm-workspace.yaml",
        members: |text| Some(pnpm_workspaces(text)),
        name: None,
        names_imports: false,
        offer: None,
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

/// Where a script is declared.
const DECLARED: [(&str, &str); 3] = [(".js", ".d.ts"), (".mjs", ".d.mts"), (".cjs", ".d.cts")];

fn is_declaration(path: &str) -> bool {
    [".d.ts", ".d.mts", ".d.cts"].iter().any(|it| path.ends_with(it))
}

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
    // What a declaration file names is declared by another one, whatever else lies beside it.
    let declared = DECLARED.iter().filter(|_| is_declaration(from));
    let declared = declared
        .filter_map(|(end, instead)| path.strip_suffix(end).map(|stem| format!("{stem}{instead}")));
    files.first_of(declared.chain(plain).chain(swapped))
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

/// What a package says that others may import: `exports`, types, or a file for bundlers. A main file
/// alone, as every program has one, declares no library.
fn offer(text: &str) -> Option<Offer> {
    let whole = json(text);
    let word = |key: &str| whole[key].as_str().map(str::to_owned);
    let is_library = !whole["exports"].is_null()
        || ["types", "typings", "module"].iter().any(|it| whole[*it].is_string());
    if !is_library {
        return None;
    }
    let first = ["source", "types", "typings", "module", "main"].into_iter().filter_map(word);
    let mut entries: Vec<(String, Vec<String>)> = vec![(String::new(), first.collect())];
    match &whole["exports"] {
        Value::Object(listed) if listed.keys().any(|it| it.starts_with('.')) => {
            for (name, target) in listed {
                let name = name.trim_start_matches("./").trim_start_matches('.');
                let mut paths = Vec::new();
                paths_in(target, &mut paths);
                match entries.iter_mut().find(|it| it.0 == name) {
                    Some(entry) => entry.1.append(&mut paths),
                    None => entries.push((name.to_owned(), paths)),
                }
            }
        }
        target => paths_in(target, &mut entries[0].1),
    }
    Some(Offer { entries, features: None })
}

fn paths_in(target: &Value, found: &mut Vec<String>) {
    match target {
        Value::String(path) => found.push(path.clone()),
        Value::Array(several) => several.iter().for_each(|it| paths_in(it, found)),
        Value::Object(conditions) => conditions.values().for_each(|it| paths_in(it, found)),
        _ => {}
    }
}

/// The sources of what packages offer. None where one of them does not show its main file.
pub(in crate::domain::languages) fn entries(
    files: &ProjectFiles,
    language: LanguageId,
) -> Option<Vec<Entry>> {
    let mut found = Vec::new();
    for (folder, offer) in files.offers(language) {
        let realm = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        for (name, paths) in &offer.entries {
            let source = paths.iter().find_map(|it| source_of(files, folder, it));
            let usual = || ["src/index", "index"].iter().find_map(|it| existing(files, folder, it));
            let source = source.or_else(|| name.is_empty().then(usual).flatten());
            let prefix = if name.is_empty() { String::new() } else { format!("{name}#") };
            match source {
                Some(file) => found.push(Entry { prefix, file, realm: realm.clone() }),
                None if name.is_empty() => return None,
                None => {}
            }
        }
    }
    Some(found)
}

/// The source of a file that is published: itself, or what has the end of its path in `src`.
fn source_of(files: &ProjectFiles, folder: &str, published: &str) -> Option<String> {
    let path = published.trim_start_matches("./");
    if path.contains('*') {
        return None;
    }
    let ends = [".d.ts", ".d.mts", ".d.cts", ".ts", ".mts", ".cts", ".tsx", ".js", ".mjs", ".cjs"];
    let stem = ends.iter().find_map(|end| path.strip_suffix(end)).unwrap_or(path);
    let parts: Vec<&str> = stem.split('/').collect();
    (0..parts.len()).find_map(|at| {
        let rest = parts[at..].join("/");
        let there = (at == 0).then(|| existing(files, folder, &rest)).flatten();
        there.or_else(|| existing(files, folder, &format!("src/{rest}")))
    })
}

fn existing(files: &ProjectFiles, folder: &str, stem: &str) -> Option<String> {
    let path = joined(folder, stem)?;
    let ends =
        [".ts", ".tsx", ".mts", ".cts", ".d.ts", ".d.mts", ".d.cts", ".js", ".jsx", ".mjs", ".cjs"];
    files.first_of(ends.map(|end| format!("{path}{end}")))
}
