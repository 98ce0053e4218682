//! Requirements that differ from a commit, one by one rather than file by file.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::graph::{File, TraceGraph};
use crate::domain::parse::{FieldName, Requirement};

/// How one requirement differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ChangedRequirement {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) how: How,
    /// Which parts differ: title, level, status, references, text, and assertions by label.
    pub(crate) parts: Vec<String>,
    pub(crate) path: String,
    /// Where it was, when that is another file.
    pub(crate) old_path: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum How {
    Added,
    Removed,
    Modified,
    Moved,
}

impl How {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Modified => "modified",
            Self::Moved => "moved",
        }
    }
}

/// What is different between the files of a commit and those of the graph that are named `now`.
pub(crate) fn differences(
    graph: &TraceGraph,
    now: &BTreeSet<String>,
    old: &BTreeMap<String, File>,
) -> Vec<ChangedRequirement> {
    let mut before: BTreeMap<&str, (&File, &Requirement)> = BTreeMap::new();
    for file in old.values() {
        for requirement in &file.contents.requirements {
            before.entry(&requirement.id).or_insert((file, requirement));
        }
    }
    let mut after: BTreeMap<&str, (&File, &Requirement)> = BTreeMap::new();
    for (_, file) in now.iter().filter_map(|path| graph.file_at(path)) {
        for requirement in &file.contents.requirements {
            after.entry(&requirement.id).or_insert((file, requirement));
        }
    }
    let ids: BTreeSet<&str> = before.keys().chain(after.keys()).copied().collect();
    let describe =
        |id: &str, (file, requirement): &(&File, &Requirement), how, parts| ChangedRequirement {
            id: id.to_owned(),
            title: requirement.title_in(&file.text).to_owned(),
            how,
            parts,
            path: file.path.to_string(),
            old_path: None,
        };
    ids.into_iter()
        .filter_map(|id| match (before.get(id), after.get(id)) {
            (None, Some(new)) => Some(describe(id, new, How::Added, Vec::new())),
            (Some(old), None) => Some(describe(id, old, How::Removed, Vec::new())),
            (Some(old), Some(new)) => {
                let parts = different_parts(*old, *new);
                let moved = old.0.path != new.0.path;
                let how = if parts.is_empty() { How::Moved } else { How::Modified };
                let mut change = describe(id, new, how, parts);
                change.old_path = moved.then(|| old.0.path.to_string());
                (moved || !change.parts.is_empty()).then_some(change)
            }
            (None, None) => None,
        })
        .collect()
}

fn different_parts(old: (&File, &Requirement), new: (&File, &Requirement)) -> Vec<String> {
    let plain = |text: &str| text.replace("\r\n", "\n");
    let field = |(file, requirement): (&File, &Requirement), name: FieldName| {
        let found = requirement.fields.iter().find(|it| it.name == name);
        found.map(|it| it.value.of(&file.text).to_owned())
    };
    let cited = |(_, requirement): (&File, &Requirement)| {
        let mut cited: Vec<_> = requirement
            .citations
            .iter()
            .map(|it| (it.kind, it.target.clone(), it.labels.clone()))
            .collect();
        cited.sort();
        cited
    };
    let assertions = |(file, requirement): (&File, &Requirement)| -> BTreeMap<String, String> {
        let each = requirement.assertions.iter();
        each.map(|it| (it.label.to_string(), plain(it.text.of(&file.text)))).collect()
    };
    let title =
        |(file, requirement): (&File, &Requirement)| requirement.title_in(&file.text).to_owned();
    let body = |(file, requirement): (&File, &Requirement)| plain(requirement.body.of(&file.text));
    let mut parts = Vec::new();
    let mut note = |differs: bool, name: &str| {
        if differs {
            parts.push(name.to_owned());
        }
    };
    note(title(old) != title(new), "title");
    note(field(old, FieldName::Level) != field(new, FieldName::Level), "level");
    note(field(old, FieldName::Status) != field(new, FieldName::Status), "status");
    note(cited(old) != cited(new), "references");
    let (before, after) = (assertions(old), assertions(new));
    let labels: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    for label in labels {
        note(before.get(label) != after.get(label), &format!("assertion {label}"));
    }
    let by_assertions_alone = before != after;
    note(!by_assertions_alone && body(old) != body(new), "text");
    parts
}
