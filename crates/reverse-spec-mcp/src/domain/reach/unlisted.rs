//! Names that a module does not list among what it offers, and that another one hands on by name:
//! whoever imports from there has them.

use std::collections::{HashMap, HashSet};

use crate::domain::languages::{Language, ProjectFiles};
use crate::domain::skeleton::CodeSkeleton;

/// Counts among the exports what is handed on from elsewhere.
pub(super) fn offer(files: &ProjectFiles, language: &dyn Language, skeletons: &mut [CodeSkeleton]) {
    if !language.about().imports_are_names {
        return;
    }
    let id = language.about().id();
    let places: HashMap<&str, usize> =
        skeletons.iter().enumerate().map(|(at, it)| (it.file_path.as_str(), at)).collect();
    let mut wanted: HashSet<(usize, String)> = HashSet::new();
    for skeleton in skeletons.iter().filter(|it| it.language == id) {
        for from in skeleton.exports.iter().filter_map(|it| it.re_export.as_ref()) {
            let Some(name) = from.imported_name.as_ref().filter(|it| !it.starts_with('_')) else {
                continue;
            };
            let home = language.home_of(files, &skeleton.file_path, &from.module_specifier);
            if let Some(at) = home.and_then(|it| places.get(it.as_str()).copied())
                && skeletons[at].internals.iter().any(|it| it.name == *name)
            {
                wanted.insert((at, name.clone()));
            }
        }
    }
    drop(places);
    let homes: HashSet<usize> = wanted.iter().map(|it| it.0).collect();
    for (at, skeleton) in skeletons.iter_mut().enumerate().filter(|it| homes.contains(&it.0)) {
        let outermost = |path: &str| path.split('.').next().unwrap_or_default().to_owned();
        let offered: Vec<_> = skeleton
            .internals
            .extract_if(.., |it| {
                let outer = it.namespace.as_deref().unwrap_or(&it.name);
                wanted.contains(&(at, outermost(outer)))
            })
            .collect();
        skeleton.exports.extend(offered);
        skeleton.exports.sort_by_key(|it| it.start_line);
    }
}
