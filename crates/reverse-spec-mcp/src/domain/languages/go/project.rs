//! How Go divides a project: modules by `go.mod`, packages by directory.

use crate::domain::languages::files::{ProjectFiles, joined};
use crate::domain::languages::manifest::{Manifest, no_members};

pub(super) const MANIFESTS: &[Manifest] = &[
    Manifest {
        file: "go.work",
        members: |text| Some(uses(text)),
        name: None,
        names_imports: false,
        offer: None,
    },
    Manifest {
        file: "go.mod",
        members: no_members,
        name: Some(module),
        names_imports: true,
        offer: None,
    },
];

/// The first file of the package that is imported.
pub(super) fn resolve(files: &ProjectFiles, specifier: &str) -> Option<String> {
    let (base, rest) = files.package(specifier)?;
    let folder = joined(base, rest.trim_start_matches('/'))?;
    let is_go = |it: &&String| it.rsplit('.').next() == Some("go");
    files.directly_in(&folder).find(is_go).cloned()
}

/// `use ./a` alone or in parentheses.
fn uses(text: &str) -> Vec<String> {
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

fn module(text: &str) -> Option<String> {
    let module = text.lines().find_map(|line| line.trim().strip_prefix("module "))?;
    Some(module.trim().trim_matches('"').to_owned())
}
