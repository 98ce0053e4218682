//! What a target imports, from the project and from elsewhere.

use std::collections::{BTreeMap, BTreeSet};

use super::facts::Facts;
use crate::domain::skeleton::ImportType;

/// Names taken from one module, and the files that take them.
#[derive(Default)]
pub(super) struct Taken<'a> {
    pub(super) names: BTreeSet<&'a str>,
    pub(super) files: BTreeSet<&'a str>,
}

/// Modules by name, those that most files use first: those of the project by path, the others by
/// how they are imported.
pub(super) struct Imports<'a> {
    pub(super) internal: Vec<&'a str>,
    pub(super) external: Vec<&'a str>,
}

impl<'a> Imports<'a> {
    pub(super) fn of(facts: &Facts<'a>) -> Self {
        let (internal, external) = taken(facts);
        let most_used_first = |modules: ByModule<'a>| {
            let mut modules: Vec<(&str, Taken<'_>)> = modules.into_iter().collect();
            let used = |taken: &Taken<'_>| (taken.files.len(), taken.names.len());
            modules.sort_by_key(|(_, taken)| std::cmp::Reverse(used(taken)));
            modules.into_iter().map(|(module, _)| module).collect()
        };
        Self { internal: most_used_first(internal), external: most_used_first(external) }
    }
}

pub(super) type ByModule<'a> = BTreeMap<&'a str, Taken<'a>>;

/// Modules of the project, and others.
pub(super) fn taken<'a>(facts: &Facts<'a>) -> (ByModule<'a>, ByModule<'a>) {
    let (mut internal, mut external) = (ByModule::new(), ByModule::new());
    for skeleton in facts.skeletons {
        for import in &skeleton.imports {
            if import.import_type == ImportType::Submodule {
                continue;
            }
            let taken = match import.resolved_path.as_deref() {
                Some(path) if facts.is_own(path) => continue,
                Some(path) => internal.entry(path).or_default(),
                // A path within the project that leads to no file is still no package.
                None if import.is_relative => internal.entry(&import.module_specifier).or_default(),
                None => external.entry(&import.module_specifier).or_default(),
            };
            taken.files.insert(&skeleton.file_path);
            taken.names.extend(import.named_imports.iter().map(String::as_str));
            taken.names.extend(import.default_import.as_deref());
            taken.names.extend(import.namespace_import.as_deref());
        }
    }
    (internal, external)
}
