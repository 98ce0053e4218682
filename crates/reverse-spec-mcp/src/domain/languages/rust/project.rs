//! How Rust names modules, and the workspaces of `Cargo.toml`.

use crate::domain::languages::Entry;
use crate::domain::languages::files::{ProjectFiles, directory, file_name, joined};
use crate::domain::languages::manifest::{Manifest, Offer, toml_at, toml_members, toml_name};
use crate::domain::skeleton::LanguageId;

pub(super) const MANIFESTS: &[Manifest] = &[Manifest {
    file: "Cargo.toml",
    members: |text| toml_members(text, &["workspace"]),
    name: Some(|text| toml_name(text, "package")),
    names_imports: false,
    offer: Some(offer),
}];

/// `src/a` for `src/a.rs`.
pub(super) fn directory_of_module(file: &str) -> Option<&str> {
    let is_root = matches!(file_name(file), "lib.rs" | "main.rs" | "mod.rs" | "build.rs");
    file.strip_suffix(".rs").filter(|_| !is_root)
}

/// `mod name;`, and `use` of a path in the same crate, as far as it names modules, or only if all of
/// it does.
pub(super) fn resolve(
    files: &ProjectFiles,
    from: &str,
    specifier: &str,
    whole: bool,
) -> Option<String> {
    let own = own_directory(from);
    let module = |base: &str, parts: &[&str]| {
        let least = if whole { parts.len() } else { 1 };
        (least.max(1)..=parts.len()).rev().find_map(|taken| {
            let path = joined(base, &parts[..taken].join("/"))?;
            files.first_of([format!("{path}.rs"), format!("{path}/mod.rs")])
        })
    };
    let parts: Vec<&str> = specifier.split("::").collect();
    match parts.as_slice() {
        ["crate", rest @ ..] => {
            let base = crate_directory(files, from)?;
            module(&base, rest)
        }
        ["self", rest @ ..] => module(&own, rest),
        ["super", rest @ ..] => {
            let mut base = directory(&own).to_owned();
            let mut rest = rest;
            while let ["super", further @ ..] = rest {
                directory(&base).to_owned().clone_into(&mut base);
                rest = further;
            }
            let parent = || files.first_of([format!("{base}.rs"), format!("{base}/mod.rs")]);
            module(&base, rest).or_else(|| if whole { None } else { parent() })
        }
        parts => module(&own, parts),
    }
}

/// Where the modules inside a file lie.
fn own_directory(file: &str) -> String {
    let folder = directory(file);
    let name = file_name(file).trim_end_matches(".rs");
    if matches!(name, "mod" | "lib" | "main") {
        folder.to_owned()
    } else if folder.is_empty() {
        name.to_owned()
    } else {
        format!("{folder}/{name}")
    }
}

/// The directory of the crate's first file, upwards from one of its modules.
fn crate_directory(files: &ProjectFiles, file: &str) -> Option<String> {
    let mut base = directory(file).to_owned();
    loop {
        let start = if base.is_empty() { String::new() } else { format!("{base}/") };
        let first = ["lib.rs", "main.rs"].iter().any(|it| files.contains(&format!("{start}{it}")));
        if first || base == "src" || base.ends_with("/src") {
            return Some(base);
        }
        if base.is_empty() {
            return None;
        }
        directory(&base).to_owned().clone_into(&mut base);
    }
}

/// The first file of a library, and the features of the package, those that come with an optional
/// dependency included.
fn offer(text: &str) -> Option<Offer> {
    let whole = toml_at(text, &[])?;
    whole.get("package")?;
    let path = whole.get("lib").and_then(|it| it.get("path")).and_then(toml::Value::as_str);
    let first = path.unwrap_or("src/lib.rs").trim_start_matches("./").to_owned();
    let empty = toml::Table::new();
    let table = |of: &str| whole.get(of).and_then(toml::Value::as_table).unwrap_or(&empty).clone();
    let declared = table("features");
    let used = |name: &str| {
        let by_name = format!("dep:{name}");
        let lists = declared.values().filter_map(toml::Value::as_array).flatten();
        { lists }.any(|it| it.as_str() == Some(&by_name))
    };
    // There is always a default, also where it switches nothing on.
    let named = declared.keys().filter(|it| *it != "default");
    let mut features: Vec<String> = named.cloned().collect();
    for (name, dependency) in table("dependencies") {
        let is_optional = dependency.get("optional").and_then(toml::Value::as_bool);
        if is_optional == Some(true) && !used(&name) && !features.contains(&name) {
            features.push(name);
        }
    }
    features.sort();
    Some(Offer { entries: vec![(String::new(), vec![first])], features: Some(features) })
}

/// Every `lib.rs`, and what a manifest names instead of it.
pub(super) fn entries(files: &ProjectFiles, language: LanguageId) -> Vec<Entry> {
    let mut found: Vec<String> =
        files.all().filter(|it| file_name(it) == "lib.rs").cloned().collect();
    for (directory, offer) in files.offers(language) {
        let listed = offer.entries.iter().flat_map(|it| &it.1);
        let paths = listed.filter_map(|it| joined(directory, it));
        found.extend(paths.filter(|it| files.contains(it)));
    }
    found.sort();
    found.dedup();
    let is_several = found.len() > 1;
    let entry = |file: String| {
        let folder = directory(&file);
        let package = file_name(folder.trim_end_matches("/src"));
        let prefix = if is_several { format!("{package}::") } else { String::new() };
        let realm = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        Entry { prefix, file, realm }
    };
    found.into_iter().map(entry).collect()
}

/// The file of a module, where all of a path names one.
pub(super) fn home_of(files: &ProjectFiles, from: &str, specifier: &str) -> Option<String> {
    let first = |base: &str| {
        let start = if base.is_empty() { String::new() } else { format!("{base}/") };
        files.first_of([format!("{start}lib.rs"), format!("{start}main.rs")])
    };
    let module = |base: &str| {
        files.first_of([format!("{base}.rs"), format!("{base}/mod.rs")]).or_else(|| first(base))
    };
    match specifier {
        "crate" => first(&crate_directory(files, from)?),
        "self" => Some(from.to_owned()),
        "super" => module(directory(&own_directory(from))),
        "super::super" => module(directory(directory(&own_directory(from)))),
        _ => resolve(files, from, specifier, true),
    }
}
