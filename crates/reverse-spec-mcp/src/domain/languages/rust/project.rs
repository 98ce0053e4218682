//! How Rust names modules, and the workspaces of `Cargo.toml`.

use crate::domain::languages::files::{ProjectFiles, directory, file_name, joined};
use crate::domain::languages::manifest::{Manifest, toml_members, toml_name};

pub(super) const MANIFESTS: &[Manifest] = &[Manifest {
    file: "Cargo.toml",
    members: |text| toml_members(text, &["workspace"]),
    name: Some(|text| toml_name(text, "package")),
    names_imports: false,
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
