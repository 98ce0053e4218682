//! How Python names modules, and the workspaces of `pyproject.toml`.

use crate::domain::languages::files::{ProjectFiles, directory, joined};
use crate::domain::languages::manifest::{Manifest, toml_members, toml_name};

pub(super) const MANIFESTS: &[Manifest] = &[Manifest {
    file: "pyproject.toml",
    members: |text| toml_members(text, &["tool", "uv", "workspace"]),
    name: Some(|text| toml_name(text, "project")),
    names_imports: false,
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
