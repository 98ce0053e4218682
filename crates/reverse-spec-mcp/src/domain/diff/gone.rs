//! Files of the old state that are gone, and that no declaration speaks for.

use std::collections::HashSet;

use super::reached::GoneModule;
use super::{Category, ChangeType, DetectedBy, DriftItem, Found, Severity};
use crate::domain::baseline::{Baseline, is_listed_only};
use crate::domain::languages;
use crate::domain::place::Place;
use crate::domain::skeleton::CodeSkeleton;

impl Found {
    /// Files of the baseline that are gone without a declaration or a module that would tell.
    pub(super) fn gone_files(
        &mut self,
        old: &Baseline,
        new: &[CodeSkeleton],
        modules: &[GoneModule<'_>],
    ) {
        let declarations = old.skeleton.exports.iter().chain(&old.skeleton.internals);
        let told: HashSet<&str> = declarations.map(|it| it.file.as_str()).collect();
        let here: HashSet<&str> =
            new.iter().flat_map(|it| [it.file_path.as_str(), it.hash.as_str()]).collect();
        // Where it is known what a library shows, a file without any of it was nobody else's.
        let shows = |path: &str| {
            let Some(id) = languages::id_of_path(path) else { return false };
            let mut own = old.skeleton.exports.iter().filter(|it| it.language == id);
            !languages::about(id).imports_are_names && own.any(|it| it.paths.is_some())
        };
        for file in &old.files {
            let is_here = [&file.path, &file.hash].iter().any(|it| here.contains(it.as_str()));
            let is_known = told.contains(file.path.as_str()) || is_listed_only(&file.path);
            let is_inside = |name: String| modules.iter().any(|it| it.is_around(&name));
            if !is_here && !is_known && !module_of(&file.path).is_some_and(is_inside) {
                self.gone_file(&file.path, shows(&file.path));
            }
        }
    }

    pub(super) fn gone_file(&mut self, path: &str, is_unseen: bool) {
        let module = module_of(path);
        let what = if module.is_some() { "module" } else { "file" };
        let name = module.unwrap_or_else(|| path.to_owned());
        let is_hidden = |it: &str| it.starts_with('_') && !it.starts_with("__");
        let is_internal = is_unseen || what == "module" && name.split('.').any(is_hidden);
        self.items.push(DriftItem {
            id: String::new(),
            severity: if is_internal { Severity::Low } else { Severity::High },
            category: Category::Interface,
            change_type: ChangeType::Removal,
            location: Place::new(path, 1),
            description: format!("The {what} `{name}` is gone"),
            symbol_name: name,
            old_value: Some(path.to_owned()),
            new_value: None,
            proposed_update: format!("Take `{path}` out of the file list."),
            detected_by: DetectedBy::Structural,
            body: None,
            is_by_mark: false,
        });
    }
}

/// What a file is imported as, in languages where everything in it is found by that name; none for a
/// script that lies in no directory.
fn module_of(path: &str) -> Option<String> {
    let language = languages::id_of_path(path)?;
    let stem = path.rsplit_once('.')?.0.trim_start_matches("src/").trim_end_matches("/__init__");
    let is_module = languages::about(language).imports_are_names && stem.contains('/');
    is_module.then(|| stem.replace('/', "."))
}
