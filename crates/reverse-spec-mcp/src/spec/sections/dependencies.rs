//! What the module imports, from the project and from elsewhere.

use std::collections::{BTreeMap, BTreeSet};

use super::{Facts, names_cell};
use crate::skeleton::ImportType;
use crate::spec::markdown::{Table, code_cell};
use crate::spec::words::Words;

/// Names taken from one module, and the files that take them.
#[derive(Default)]
struct Taken<'a> {
    names: BTreeSet<&'a str>,
    files: BTreeSet<&'a str>,
}

/// Modules by name, those that most files use first: those of the project by path, the others by
/// how they are imported.
pub(in crate::spec) struct Imports<'a> {
    pub(in crate::spec) internal: Vec<&'a str>,
    pub(in crate::spec) external: Vec<&'a str>,
}

impl<'a> Imports<'a> {
    pub(in crate::spec) fn of(facts: &Facts<'a>) -> Self {
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

type ByModule<'a> = BTreeMap<&'a str, Taken<'a>>;

fn taken<'a>(facts: &Facts<'a>) -> (ByModule<'a>, ByModule<'a>) {
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

pub(super) fn dependencies(facts: &Facts<'_>, words: &Words) -> String {
    let (internal, external) = taken(facts);
    let mut parts = Vec::new();
    for (intro, modules) in [(&words.internal_intro, internal), (&words.external_intro, external)] {
        if modules.is_empty() {
            continue;
        }
        let t = &words.table;
        let mut table = Table::new(&[&t.module, &t.names, &t.used_by]);
        for (module, taken) in modules {
            let names = names_cell(taken.names.iter(), words);
            let files = names_cell(taken.files.iter().map(|file| facts.short(file)), words);
            table.row(&[&code_cell(module), &names, &files]);
        }
        parts.push(format!("{intro}\n\n{}", table.into_text()));
    }
    if parts.is_empty() { format!("{}\n", words.no_dependencies) } else { parts.join("\n") }
}
