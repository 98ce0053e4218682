//! Gathers what `check` and the hook look at.

use mcp_core::sandbox::{RelPath, Root};

use super::changed::{self, Since};
use crate::domain::architecture::Architecture;
use crate::domain::check::{Bounds, Finding, Kind, unnamed};
use crate::domain::{survey, task};
use crate::error::Error;

fn task_text(tree: &Root) -> Result<String, Error> {
    let text = tree.read_text_if_any(&RelPath::parse(task::PATH)?).map_err(Error::while_reading)?;
    Ok(text.unwrap_or_default())
}

/// What a change does beyond the current task and the decisions.
pub(crate) fn check(
    tree: &Root,
    architecture: &Architecture,
    since: &Since<'_>,
) -> Result<Vec<Finding>, Error> {
    let task = task_text(tree)?;
    let bounds = Bounds::of(&task);
    let mut findings = Vec::new();
    for file in changed::files(tree, since)? {
        findings.extend(bounds.judge(&file.path, file.is_edit));
        let Ok(path) = RelPath::parse(&file.path) else { continue };
        let Ok(Some(now)) = tree.read_text_if_any(&path) else { continue };
        let now = survey::dependencies(&file.path, &now);
        if now.is_empty() {
            continue;
        }
        let before = changed::text_before(tree, since, &file.path).unwrap_or_default();
        let before = survey::dependencies(&file.path, &before);
        let added: Vec<String> = now.into_iter().filter(|it| !before.contains(it)).collect();
        for name in unnamed(&added, architecture, &task) {
            let message = format!("it brings in `{name}`, which no record and no task names");
            findings.push(Finding { kind: Kind::Dependency, path: file.path.clone(), message });
        }
    }
    Ok(findings)
}

/// What is wrong with an agent's writing to one file, relative to the repository.
pub(crate) fn judge(tree: &Root, path: &str) -> Result<Option<Finding>, Error> {
    Ok(Bounds::of(&task_text(tree)?).judge_by_hand(path))
}
