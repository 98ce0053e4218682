//! What has to be written down beside a change, so that the public tool's own checks pass: rows in
//! changelogs, and the index of all requirements.

mod changelog;
mod index;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::graph::{File, NodeKind, Role, TraceGraph};
use crate::domain::mutate::MutationLog;
use crate::domain::parse::{Form, Requirement};
use crate::domain::text;
pub(crate) use changelog::{Row, with_rows};
pub(crate) use index::updated as updated_index;

/// A requirement that is not as it is on disk; `None` where there is none on that side.
pub(crate) struct Changed {
    pub(crate) id: String,
    /// The file it is in now.
    pub(crate) path: Option<String>,
    pub(crate) is_active: bool,
    pub(crate) has_changelog: bool,
}

/// Every requirement whose text differs from what the files say.
pub(crate) fn changed(graph: &TraceGraph, log: &MutationLog) -> Vec<Changed> {
    let mut before: BTreeMap<String, String> = BTreeMap::new();
    let mut now: BTreeMap<String, (String, String)> = BTreeMap::new();
    let placed = |path: &str, block: &str| (path.to_owned(), block.to_owned());
    for (path, text) in log.changed_files() {
        let file = graph.file_at(path).map(|(_, file)| file);
        let is_spec = file.is_none_or(|it| it.role == Role::Spec);
        if !is_spec {
            continue;
        }
        // What is the same in both texts is not looked at.
        let part = text.zip(file).and_then(|(text, file)| {
            let part = file.part_of(&graph.grammar, text::differing(&file.text, text), text)?;
            Some((text, file, part))
        });
        if let Some((text, file, part)) = part {
            let own = &file.contents.requirements[part.requirements.clone()];
            before.extend(blocks(&part.fresh.requirements, text).map(owned));
            now.extend(blocks(own, &file.text).map(|(id, block)| (id, placed(path, block))));
            continue;
        }
        if let Some(text) = text {
            let old = File::parse(&graph.grammar, path, Role::Spec, text.clone());
            before.extend(blocks(&old.contents.requirements, text).map(owned));
        }
        if let Some(file) = file {
            let own = &file.contents.requirements;
            now.extend(blocks(own, &file.text).map(|(id, block)| (id, placed(path, block))));
        }
    }
    let ids: BTreeSet<&String> = before.keys().chain(now.keys()).collect();
    let differs = |id: &&&String| before.get(**id) != now.get(**id).map(|(_, block)| block);
    let changed = ids.iter().filter(differs).map(|id| {
        let node = graph.get_node(id).filter(|it| it.kind() == NodeKind::Requirement);
        Changed {
            id: (*id).clone(),
            path: now.get(*id).map(|(path, _)| path.clone()),
            is_active: node.is_some_and(|it| it.status().eq_ignore_ascii_case("active")),
            has_changelog: now.get(*id).is_some_and(|(_, block)| changelog::is_in(block)),
        }
    });
    changed.collect()
}

fn blocks<'t>(all: &[Requirement], text: &'t str) -> impl Iterator<Item = (String, &'t str)> {
    let own = all.iter().filter(|it| it.form == Form::Block);
    own.map(move |it| (it.id.to_string(), it.block.of(text)))
}

fn owned((id, block): (String, &str)) -> (String, String) {
    (id, block.to_owned())
}
