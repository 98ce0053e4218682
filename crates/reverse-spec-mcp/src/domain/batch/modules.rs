//! How a project falls into modules: its packages, else its source folders, each small enough to
//! be read.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use super::packages::Package;
use crate::domain::languages;

/// A directory with more source files than this is divided further.
const MOST_FILES: usize = 80;
/// Where directories are packages, one with more files than this is divided into the packages below it,
const MOST_WITH_PACKAGES: usize = 12;
/// unless it has more files of its own than these: each of them would be alone.
const MOST_ALONE: usize = 3;
/// Folders that hold the sources rather than being a module themselves.
const BASES: [&str; 4] = ["src", "lib", "app", "source"];

/// A directory with all source files beneath it, or one file. Where the language puts the beginning of
/// a module into a file beside its directory, that file too.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Module {
    /// Relative to the project root, and what its specification is the specification of.
    pub(crate) path: String,
    /// Its source files, tests left out, by path.
    pub(crate) files: Vec<String>,
    /// What others call it when they import it by name.
    pub(crate) names: Vec<String>,
}

/// Every source file of the project is in exactly one module.
pub(crate) fn find(sources: &[&str], packages: &[Package]) -> Vec<Module> {
    let mut modules = Vec::new();
    let mut rest: BTreeSet<&str> = sources.iter().copied().collect();
    // The innermost first: a package inside another is its own.
    let mut inner_first: Vec<&Package> = packages.iter().collect();
    inner_first.sort_by_key(|package| std::cmp::Reverse(package.directory.matches('/').count()));
    for package in inner_first {
        let inside = take_beneath(&package.directory, &mut rest);
        let first = modules.len();
        fit(&package.directory, &inside, packages, &mut modules);
        for module in &mut modules[first..] {
            module.names.clone_from(&package.names);
        }
    }
    divide("", &rest.into_iter().collect::<Vec<_>>(), packages, &mut modules);
    modules.sort();
    modules
}

/// One module where it is small enough and holds nothing that is a module of its own, else its
/// parts: what a module is called is all that lies beneath it.
fn fit(directory: &str, files: &[&str], packages: &[Package], modules: &mut Vec<Module>) {
    if files.is_empty() {
        return;
    }
    let has_parts = files
        .iter()
        .any(|file| beneath(directory, file).is_some_and(|inside| inside.contains('/')));
    let holds_another = packages.iter().any(|other| beneath(directory, &other.directory).is_some());
    let is_large = files.len() > MOST_FILES && has_parts;
    if holds_another || is_large || holds_packages(directory, files) {
        divide(directory, files, packages, modules);
        return;
    }
    modules.push(module(directory, files));
}

/// Whether a directory is several packages rather than one.
fn holds_packages(directory: &str, files: &[&str]) -> bool {
    if files.len() <= MOST_WITH_PACKAGES {
        return false;
    }
    let is_of_package =
        |file: &&str| languages::of_path(file).is_some_and(|it| it.package_of(file).is_some());
    let folders = || {
        let inside = files.iter().filter_map(|file| beneath(directory, file));
        inside.filter_map(|it| it.split_once('/')).map(|it| it.0)
    };
    let packages: BTreeSet<&str> = folders().collect();
    let alone = files.len() - folders().count();
    packages.len() > 1 && alone <= MOST_ALONE && files.iter().all(is_of_package)
}

/// Its folders each for themselves, looking through one that only holds sources, and its own
/// files each for itself, unless one belongs to a folder.
fn divide(directory: &str, files: &[&str], packages: &[Package], modules: &mut Vec<Module>) {
    let mut folders: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    let mut alone = Vec::new();
    for file in files {
        match beneath(directory, file).and_then(|inside| inside.split_once('/')) {
            Some((folder, _)) => folders.entry(joined(directory, folder)).or_default().push(file),
            None => alone.push(*file),
        }
    }
    for file in alone {
        let folder = languages::directory_of_module(file).and_then(|it| folders.get_mut(it));
        let is_alike = |it: &&str| languages::id_of_path(it) == languages::id_of_path(file);
        match folder {
            Some(inside) if inside.iter().any(is_alike) => inside.push(file),
            _ => modules.push(module(file, &[file])),
        }
    }
    for (folder, inside) in folders {
        let name = folder.rsplit('/').next().unwrap_or(&folder);
        let leads_on = languages::all().any(|it| it.leads_to_packages(&folder, &inside));
        if BASES.contains(&name) || leads_on {
            divide(&folder, &inside, packages, modules);
        } else {
            fit(&folder, &inside, packages, modules);
        }
    }
}

fn module(path: &str, files: &[&str]) -> Module {
    let mut files: Vec<String> = files.iter().map(|&file| file.to_owned()).collect();
    files.sort();
    Module { path: path.to_owned(), files, names: Vec::new() }
}

fn take_beneath<'a>(directory: &str, files: &mut BTreeSet<&'a str>) -> Vec<&'a str> {
    // Paths beneath a directory stand side by side.
    let beginning = if directory.is_empty() { String::new() } else { format!("{directory}/") };
    let further = files.range::<str, _>((Bound::Included(beginning.as_str()), Bound::Unbounded));
    let inside: Vec<&str> = further.copied().take_while(|it| it.starts_with(&beginning)).collect();
    for file in &inside {
        files.remove(file);
    }
    inside
}

/// The rest of a path beneath a directory; the empty one is the project itself.
fn beneath<'a>(directory: &str, path: &'a str) -> Option<&'a str> {
    if directory.is_empty() {
        return Some(path);
    }
    path.strip_prefix(directory)?.strip_prefix('/')
}

fn joined(directory: &str, name: &str) -> String {
    if directory.is_empty() { name.to_owned() } else { format!("{directory}/{name}") }
}

/// Every directory above a file.
pub(crate) fn directories(files: &[&str]) -> Vec<String> {
    let mut all = BTreeSet::new();
    for file in files {
        let mut path = *file;
        while let Some((above, _)) = path.rsplit_once('/') {
            if !all.insert(above.to_owned()) {
                break;
            }
            path = above;
        }
    }
    all.into_iter().collect()
}
