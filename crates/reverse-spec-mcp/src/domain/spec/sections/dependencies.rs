//! What the module imports, from the project and from elsewhere.

use super::names_cell;
use crate::domain::spec::facts::Facts;
use crate::domain::spec::imports::taken;
use crate::domain::spec::markdown::{Table, code_cell};
use crate::domain::spec::words::Words;

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
