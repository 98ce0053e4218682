//! How Python names modules, and the workspaces of `pyproject.toml`.

use crate::domain::languages::Entry;
use crate::domain::languages::files::{ProjectFiles, directory, file_name, joined};
use crate::domain::languages::manifest::{Manifest, toml_members, toml_name};

pub(super) const MANIFESTS: &[Manifest] = &[Manifest {
    file: "pyproject.toml",
    members: |text| toml_members(text, &["tool", "uv", "workspace"]),
    name: Some(|text| toml_name(text, "project")),
    names_imports: false,
    offer: None,
}];

/// The file of a module by its name, with dots before it where it is relative.
pub(super) fn resolve(files: &ProjectFiles, from: &str, name: &str) -> Option<String> {
    let dots = name.bytes().take_while(|it| *it == b'.').count();
    let path = name[dots..].replace('.', "/");
    let ends = ["/__init__.py", ".py", ".pyi", "/__init__.pyi"];
    if dots > 0 {
        let mut base = directory(from);
        for _ in 1..dots {
            base = directory(base);
        }
        let path = joined(base, &path).unwrap_or_default();
        let tried = ends.map(|end| format!("{path}{end}").trim_start_matches('/').to_owned());
        return files.first_of(tried);
    }
    // Absolute names begin at any directory above, or at the `src` in one: a package of a workspace
    // may have its own.
    let mut base = directory(from);
    loop {
        let at = |further: &str| {
            let tried = joined(base, further)?;
            files.first_of(ends.map(|end| format!("{tried}{end}")))
        };
        let found = at(&path).or_else(|| at(&format!("src/{path}")));
        if found.is_some() || base.is_empty() {
            return found;
        }
        base = directory(base);
    }
}

/// The modules of packages that no part of their path hides behind an underscore.
pub(super) fn entries(files: &ProjectFiles) -> Vec<Entry> {
    let is_package = |folder: &str| {
        !folder.is_empty()
            && ["__init__.py", "__init__.pyi"]
                .iter()
                .any(|it| files.contains(&format!("{folder}/{it}")))
    };
    let mut found = Vec::new();
    for file in files.all().filter(|it| matches!(it.rsplit('.').next(), Some("py" | "pyi"))) {
        let mut top = directory(file);
        if !is_package(top) {
            continue;
        }
        while is_package(directory(top)) {
            top = directory(top);
        }
        let around = directory(top);
        let start = if around.is_empty() { 0 } else { around.len() + 1 };
        let stem = file[start..].trim_end_matches(".pyi").trim_end_matches(".py");
        let module = stem.trim_end_matches("/__init__");
        let is_hidden = |part: &str| part.starts_with('_') && !part.starts_with("__");
        if file_name(top).starts_with('_') || module.split('/').any(is_hidden) {
            continue;
        }
        let prefix = format!("{}.", module.replace('/', "."));
        found.push(Entry { prefix, file: file.clone(), realm: format!("{top}/") });
    }
    found
}
