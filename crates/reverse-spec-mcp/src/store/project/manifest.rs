//! The files that declare packages and workspaces, found and handed to their languages to read.

use std::collections::BTreeSet;

use mcp_core::sandbox::{self, RelPath, Root};

use crate::domain::batch::Package;
use crate::domain::languages::{self, ProjectFiles};

/// The text of a file, if there is one.
fn text(root: &Root, path: &str) -> Option<String> {
    root.read_text(&RelPath::parse(path).ok()?).ok()
}

/// Whether a directory holds a workspace by the word of a file in it.
pub(super) fn is_workspace(root: &Root) -> Result<bool, sandbox::Error> {
    for manifest in languages::manifests() {
        let path = RelPath::parse(manifest.file)?;
        if root.has_entry(&path)?
            && text(root, manifest.file).is_some_and(|it| (manifest.members)(&it).is_some())
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Which directories are packages by the word of the workspace at the root: patterns, with a `!`
/// before what is left out.
pub(crate) fn workspace_members(root: &Root) -> Vec<String> {
    let members = languages::manifests().into_iter();
    let members = members.filter_map(|it| (it.members)(&text(root, it.file)?));
    members.flatten().collect()
}

/// The package in a directory that has a manifest of its own.
pub(crate) fn package_at(root: &Root, directory: &str) -> Option<Package> {
    let mut is_package = false;
    let mut names = Vec::new();
    for manifest in languages::manifests() {
        let Some(name) = manifest.name else { continue };
        let Ok(path) = RelPath::parse(&format!("{directory}/{}", manifest.file)) else { continue };
        if root.has_entry(&path).unwrap_or_default() {
            is_package = true;
            names.extend(root.read_text(&path).ok().and_then(|text| name(&text)));
        }
    }
    is_package.then(|| Package { directory: directory.to_owned(), names })
}

/// What imports are looked up in: these files, and the names by which directories are imported.
pub(crate) fn files_of(root: &Root, paths: &mut dyn Iterator<Item = &str>) -> ProjectFiles {
    files_by(&|path| text(root, path), paths)
}

/// The same, with the texts of manifests from wherever they are.
pub(crate) fn files_by(
    manifest_text: &dyn Fn(&str) -> Option<String>,
    paths: &mut dyn Iterator<Item = &str>,
) -> ProjectFiles {
    let paths: BTreeSet<String> = paths.map(str::to_owned).collect();
    let mut packages = Vec::new();
    let mut offers = Vec::new();
    for language in languages::all() {
        let id = language.about().id();
        let asked = language.manifests().iter().filter(|it| it.names_imports || it.offer.is_some());
        for manifest in asked {
            let of_language = |it: &&str| languages::id_of_path(it).is_some_and(|it| it == id);
            for folder in folders(paths.iter().map(String::as_str).filter(of_language)) {
                let slash = if folder.is_empty() { "" } else { "/" };
                let Some(found) = manifest_text(&format!("{folder}{slash}{}", manifest.file))
                else {
                    continue;
                };
                if manifest.names_imports {
                    let named = manifest.name.and_then(|name| name(&found));
                    packages.extend(named.map(|it| (it, folder.to_owned())));
                }
                let offer = manifest.offer.and_then(|offer| offer(&found));
                offers.extend(offer.map(|it| (folder.to_owned(), id, it)));
            }
        }
    }
    ProjectFiles::new(paths, packages).offering(offers)
}

/// Every directory that a file lies in, however far up.
fn folders<'a>(files: impl Iterator<Item = &'a str>) -> BTreeSet<&'a str> {
    let mut folders = BTreeSet::new();
    for file in files {
        let mut path = file;
        while !path.is_empty() {
            path = path.rsplit_once('/').map_or("", |(above, _)| above);
            if !folders.insert(path) {
                break;
            }
        }
    }
    folders
}
